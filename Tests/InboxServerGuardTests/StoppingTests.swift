import Eventually
import Foundation
import Groundwork
import InboxClient
import RawSockets
import Testing

@testable import InboxServer
@testable import InboxService

/// Clients that must not delay a server's stop.
@Suite(.timeLimit(.minutes(10))) struct StoppingTests {
    /// Stops the server while something is in progress.
    ///
    /// - Parameter begin: Starts what is in progress.
    private func stop<Held>(
        limits: ConnectionLimits = ConnectionLimits(),
        while begin: (TestServer, URL) async throws -> Held,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Held {
        let folder = FileManager.default.temporaryDirectory.appending(path: "inbox-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try await TestServer.start(
            file: folder.appending(path: "inbox.sqlite"),
            clock: ManualClock()
        ) { $0.connectionLimits = limits }
        let held = try await begin(server, folder)
        let start = ContinuousClock.now
        try await server.stop()
        let took = ContinuousClock.now - start
        // The default limits for an unfinished body and for an unread response are longer.
        #expect(took < .seconds(15), sourceLocation: sourceLocation)
        return held
    }

    @Test func `a device that is never closed doesn't delay the stop`() async throws {
        let inbox = try await stop { server, folder in
            let inbox = try await Inbox.open(server: server.url, person: "ann", directory: folder) {
                try await server.token(for: "ann")
            }
            #expect(try await eventually { inbox.connectionState == .live })
            return inbox
        }
        await inbox.close()
    }

    @Test(arguments: [
        "", "GET /health HT", "GET /health HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
    ])
    func `an open connection doesn't delay the stop`(sent: String) async throws {
        let socket = try await stop { server, _ in
            let socket = try RawSocket(port: try #require(server.url.port))
            try socket.send(sent)
            #expect(try await eventually { server.metrics.value(of: "inbox_connections") == 1 })
            if sent.hasSuffix("\r\n\r\n") { _ = await socket.read(until: "ok") }
            return socket
        }
        #expect(await socket.read().isClosed)
    }

    private let short = ConnectionLimits(shutdownTimeout: 0.5)

    @Test func `the stop waits for an unfinished body no longer than the limit`() async throws {
        let request = try await stop(limits: short) { server, _ in
            let port = try #require(server.url.port)
            let request = try HalfRequest(port: port, path: "/v1/messages", token: TestServer.adminKey)
            #expect(try await eventually { server.metrics.value(of: "inbox_connections") == 1 })
            return request
        }
        #expect(await request.isClosed())
    }

    @Test func `the stop waits for an unread response no longer than the limit`() async throws {
        _ = try await stop(limits: short) { server, _ in
            // More than the socket buffers of both sides hold.
            let body = JSON.string(String(repeating: "b", count: 10_000))
            let message: JSON = ["to": ["person": "ann"], "message": ["title": "Long", "body": body]]
            for _ in 0..<6 {
                let sent = try await server.rest("POST", "/v1/messages", .array(Array(repeating: message, count: 100)))
                #expect(sent.status == 201)
            }
            let socket = try RawSocket(port: try #require(server.url.port), receiveBuffer: 4_096)
            let key = TestServer.adminKey
            try socket.send("GET /v1/people/ann/export HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(key)\r\n\r\n")
            #expect(await socket.read(until: "200", within: 30).text.contains("200"))
            return socket
        }
    }
}
