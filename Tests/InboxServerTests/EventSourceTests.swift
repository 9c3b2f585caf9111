import Eventually
import Foundation
import Groundwork
import JMAP
import RawSockets
import Testing

@testable import InboxServer
@testable import InboxService

@Suite(.timeLimit(.minutes(10))) struct EventSourceTests {
    private func open(_ device: Device, _ query: String, lastEventID: String? = nil) async throws -> EventStream {
        let (stream, status) = await EventStream.open(device, query, lastEventID: lastEventID)
        #expect(status == 200)
        return stream
    }

    @Test func `a change is sent with its state to its person only`() async throws {
        try await withServer { server in
            let device = try await server.device(of: "ann")
            let other = try await server.device(of: "bob")
            let stream = try await open(device, "types=*&closeafter=no&ping=0")
            defer { stream.close() }
            try await server.send(to: ["person": "bob"])
            for to: JSON in [["person": "ann"], ["everyone": true]] {
                try await server.send(to: to)
                let event = try #require(await stream.next())
                let state = try await device.state()
                #expect(event.name == "state")
                #expect(event.id == state)
                let change = try #require(StateChange(json: try JSON(parsing: Array(event.data.utf8))))
                #expect(change.changed == [device.account: ["InboxMessage": state]])
            }
            _ = other
        }
    }

    @Test func `a write on another device is sent`() async throws {
        try await withServer { server in
            let id = try await server.send(to: ["person": "ann"])
            let device = try await server.device(of: "ann")
            let stream = try await open(device, "types=InboxMessage,Email&closeafter=no&ping=0")
            defer { stream.close() }
            try await server.device(of: "ann").update(id, ["readAt": "2026-05-01T08:00:00Z"])
            #expect(try #require(await stream.next()).id == (try await device.state()))
        }
    }

    @Test func `a stream of other types receives only pings`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let device = try await server.device(of: "ann")
            let stream = try await open(device, "types=Email&closeafter=no&ping=1")
            defer { stream.close() }
            try await server.send(to: ["person": "ann"])
            // Five seconds is the minimum: the first event is the ping, since no state was sent.
            #expect(try await eventually { server.watchers.count == 1 })
            let next = Task { await stream.next() }
            clock.advance(by: 4)
            clock.advance(by: 1)
            let event = try #require(await next.value)
            #expect(event.name == "ping")
            #expect(event.data == #"{"interval":5}"#)
        }
    }

    @Test func `a ping is sent after each interval`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let stream = try await open(try await server.device(of: "ann"), "types=*&closeafter=no&ping=10")
            defer { stream.close() }
            #expect(try await eventually { server.watchers.count == 1 })
            for _ in 0..<3 {
                let next = Task { await stream.next() }
                clock.advance(by: 10)
                #expect(try #require(await next.value).name == "ping")
            }
        }
    }

    /// Uses a plain socket: on Linux, URLSession may lose the last bytes of a stream that the server closes.
    @Test func `a stream with closeafter state closes after one state`() async throws {
        try await withServer { server in
            let device = try await server.device(of: "ann")
            let socket = try RawSocket(port: try #require(server.url.port))
            defer { socket.close() }
            try socket.send(
                """
                GET /jmap/eventsource/?types=*&closeafter=state&ping=0 HTTP/1.1\r
                Host: localhost\r
                Authorization: Bearer \(device.token)\r
                \r

                """
            )
            #expect(try await eventually { server.watchers.count == 1 })
            try await server.send(to: ["person": "ann"])
            // The last chunk of a body is the empty one (RFC 9112 §7.1).
            let answer = await socket.read(until: "\r\n0\r\n\r\n")
            #expect(answer.text.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(answer.text.contains("event: state\n"))
            #expect(answer.text.hasSuffix("\r\n0\r\n\r\n"))
            #expect(try await eventually { server.watchers.count == 0 })
        }
    }

    @Test func `a client with an older Last-Event-ID receives the state at once`() async throws {
        try await withServer { server in
            let device = try await server.device(of: "ann")
            let old = try await device.state()
            try await server.send(to: ["person": "ann"])
            let now = try await device.state()
            let behind = try await open(device, "types=*&closeafter=no&ping=0", lastEventID: old)
            defer { behind.close() }
            #expect(await behind.next()?.id == now)
            let current = try await open(device, "types=*&closeafter=no&ping=0", lastEventID: now)
            defer { current.close() }
            try await server.send(to: ["person": "ann"])
            #expect(await current.next()?.id == (try await device.state()))
        }
    }

    @Test func `a client that reconnects also receives the state of surfaces`() async throws {
        try await withServer { server in
            let device = try await server.device(of: "ann")
            let old = try await device.state()
            _ = try await server.rest("PUT", "/v1/surfaces/inbox", ["title": "News"])
            let stream = try await open(device, "types=*&closeafter=no&ping=0", lastEventID: old)
            defer { stream.close() }
            // Guarantees an event.
            try await server.send(to: ["person": "ann"])
            #expect(await stream.next()?.data.contains("InboxSurface") == true)
        }
    }

    @Test func `a closed connection is forgotten without a write`() async throws {
        try await withServer { server in
            let stream = try await open(try await server.device(of: "ann"), "types=*&closeafter=no&ping=0")
            #expect(try await eventually { server.watchers.count == 1 })
            stream.close()
            #expect(try await eventually { server.watchers.count == 0 })
        }
    }

    @Test func `shutdown ends all streams at once`() async throws {
        try await withFolder { folder in
            let server = try await TestServer.start(file: folder.appending(path: "inbox.sqlite"), clock: ManualClock())
            var streams: [EventStream] = []
            let device = try await server.device(of: "ann")
            for _ in 0..<5 { streams.append(try await open(device, "types=*&closeafter=no&ping=30")) }
            #expect(try await eventually { server.watchers.count == 5 })
            let start = ContinuousClock.now
            try await server.stop()
            // The pings would keep the streams open forever. On an idle machine the stop takes far less than a second.
            #expect(ContinuousClock.now - start < .seconds(60))
            for stream in streams {
                #expect(await stream.next() == nil)
                stream.close()
            }
        }
    }

    @Test func `many changes wake a slow client once`() async throws {
        let wakeUp = WakeUp()
        for _ in 0..<1_000 { wakeUp.signal() }
        let signalCount = Locked(0)
        let listener = Task {
            for await _ in wakeUp.signals { signalCount.withLock { $0 += 1 } }
        }
        #expect(try await eventually { signalCount.withLock { $0 } >= 1 })
        listener.cancel()
        await listener.value
        #expect(signalCount.withLock { $0 } == 1)
    }

    @Test func `wrong parameters of the event source are 400`() async throws {
        let cases: [String] = ["closeafter=maybe", "ping=-1", "ping=x"]
        try await withServer { server in
            let device = try await server.device(of: "ann")
            #expect(try await server.request("GET", "/jmap/eventsource/").status == 401)
            for query in cases {
                let answer = try await server.request(
                    "GET",
                    "/jmap/eventsource/?\(query)",
                    headers: device.authorization
                )
                #expect(answer.status == 400, "\(query)")
            }
        }
    }
}
