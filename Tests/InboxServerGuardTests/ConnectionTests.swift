import Eventually
import Foundation
import Groundwork
import InboxModel
import JMAP
import RawSockets
import Testing

@testable import InboxServer
@testable import InboxService

/// Clients that are slow, silent, too many or disconnected.
@Suite(.timeLimit(.minutes(10))) struct ConnectionTests {
    private func withLimits(
        _ limits: ConnectionLimits,
        _ body: (TestServer, _ port: Int) async throws -> Void
    ) async throws {
        try await withServer {
            $0.connectionLimits = limits
        } _: { server in
            try await body(server, try #require(server.url.port))
        }
    }

    private let quick = ConnectionLimits(idle: 0.3, bodyGrace: 0.3, bodyRate: 1_000_000, acknowledgementTimeout: 1)

    @Test func `a silent connection is closed`() async throws {
        try await withLimits(quick) { server, port in
            let socket = try RawSocket(port: port)
            #expect(await socket.read() == ("", true))
            #expect(try await eventually { server.metrics.value(of: "inbox_connections") == 0 })
        }
    }

    @Test func `an endless head is cut off though bytes keep arriving`() async throws {
        try await withLimits(quick) { _, port in
            let socket = try RawSocket(port: port)
            try socket.send("GET /health HTTP/1.1\r\nHost: a\r\n")
            var isClosed = false
            for number in 0..<100 where !isClosed {
                // A write to a closed connection fails too, at the latest the second time.
                isClosed = (try? socket.send("X-\(number): a\r\n")) == nil
                if !isClosed { isClosed = await socket.read(within: 0.1).isClosed }
            }
            #expect(isClosed)
        }
    }

    @Test func `a trickling body is cut off though bytes keep arriving`() async throws {
        try await withLimits(quick) { server, port in
            let socket = try RawSocket(port: port)
            try socket.send(
                """
                POST /v1/messages HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(TestServer.adminKey)\r\n\
                Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n
                """
            )
            var isClosed = false
            for _ in 0..<100 where !isClosed {
                isClosed = (try? socket.send(" ")) == nil
                if !isClosed { isClosed = await socket.read(within: 0.1).isClosed }
            }
            #expect(isClosed)
            #expect(try await server.rest("GET", "/health").status == 200)
        }
    }

    @Test func `a connection stays open between requests and closes when idle`() async throws {
        try await withLimits(ConnectionLimits(idle: 6)) { _, port in
            let socket = try RawSocket(port: port)
            for _ in 0..<5 {
                try socket.send("GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(await socket.read(until: "ok").text.hasPrefix("HTTP/1.1 200"))
            }
            #expect(await socket.read() == ("", true), "it was idle for too long")
        }
    }

    @Test func `an event stream outlives every timeout, and is forgotten when it closes`() async throws {
        try await withLimits(ConnectionLimits(idle: 2, bodyGrace: 2, acknowledgementTimeout: 2)) { server, port in
            let device = try await server.device(of: "ann")
            let request = """
                GET /jmap/eventsource/?types=*&closeafter=no&ping=0 HTTP/1.1\r\nHost: a\r\n\
                Authorization: Bearer \(device.token)\r\n\r\n
                """
            func open() async throws -> RawSocket {
                let socket = try RawSocket(port: port)
                try socket.send(request)
                #expect(await socket.read(until: ":\n\n", within: 30).text.contains("200"))
                return socket
            }
            let (polite, abrupt) = (try await open(), try await open())
            // Longer than every limit: the absence of an event takes waiting.
            #expect(await polite.read(within: 3) == ("", false))
            do {
                try await server.send(to: ["person": "ann"])
            } catch is URLError {
                // The connection of the requests above was closed at this moment, as it was idle.
                try await server.send(to: ["person": "ann"])
            }
            #expect(await polite.read(until: "event: state").text.contains("event: state"))
            #expect(server.watchers.count == 2)
            polite.close()
            #expect(try await eventually { server.watchers.count == 1 })
            abrupt.close(abruptly: true)
            #expect(try await eventually { server.watchers.count == 0 })
        }
    }

    @Test func `a client that stops reading is disconnected`() async throws {
        try await withLimits(ConnectionLimits(acknowledgementTimeout: 1)) { server, port in
            let device = try await server.device(of: "ann")
            for number in 0..<20 {
                let body = String(repeating: "b", count: 10_000)
                try await server.send(to: ["person": "ann"], ["title": .string("\(number)"), "body": .string(body)])
            }
            let before = server.metrics.value(of: "inbox_connections")
            let arguments: JSON = ["accountId": .string(device.account), "ids": .null]
            let calls = (0..<16).map { JSON.array(["InboxMessage/get", arguments, .string("\($0)")]) }
            let call: JSON = [
                "using": [.string(CoreCapability.uri), .string(MessageCapability.uri)], "methodCalls": .array(calls),
            ]
            let body = call.description
            let socket = try RawSocket(port: port, receiveBuffer: 4_096)
            try socket.send(
                """
                POST /jmap/api HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(device.token)\r\n\
                Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)
                """
            )
            #expect(try await eventually { server.metrics.value(of: "inbox_connections") > before })
            // The response is larger than the socket buffers of both sides.
            #expect(try await eventually { server.metrics.value(of: "inbox_connections") <= before })
            withExtendedLifetime(socket) {}
        }
    }

    #if os(Linux)
        @Test func `TCP keep-alive is on for open connections`() async throws {
            try await withServer { server in
                let port = try #require(server.url.port)
                let socket = try RawSocket(port: port)
                #expect(try await eventually { server.metrics.value(of: "inbox_connections") > 0 })
                // The kernel's own list: local address, remote address, state 01 (open), queues, timer 02 (keep-alive).
                let local = "0100007F:" + String(port, radix: 16, uppercase: true)
                let table = try await Program.run(["cat", "/proc/net/tcp"], in: URL(filePath: "/")).output
                var open: [[Substring]] = []
                for line in table.split(separator: "\n") {
                    let fields = line.split(separator: " ")
                    if fields.count > 5, fields[1] == local, fields[3] == "01" { open.append(fields) }
                }
                #expect(!open.isEmpty)
                for fields in open { #expect(fields[5].hasPrefix("02:")) }
                withExtendedLifetime(socket) {}
            }
        }
    #endif

    @Test func `at the limit, health checks and sends are answered, the rest gets 503`() async throws {
        var limits = ConnectionLimits()
        limits.connections = 2
        limits.reserve = 2
        try await withLimits(limits) { server, port in
            let usual = [try RawSocket(port: port), try RawSocket(port: port)]
            for socket in usual {
                try socket.send("GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(await socket.read(until: "ok").text.hasPrefix("HTTP/1.1 200"))
            }
            // Silent connections hold no place, even more of them than the limit.
            let silent = try (0..<8).map { _ in try RawSocket(port: port) }
            // Six of them are closed once the server has seen all. Until then, a silent one that it sees late may take
            // the place of a newer connection whose request hasn't arrived.
            var closed: Set<Int> = []
            let areSeen = try await eventually {
                for index in silent.indices where !closed.contains(index) {
                    if await silent[index].read(within: 0.05).isClosed { closed.insert(index) }
                }
                return closed.count == 6
            }
            #expect(areSeen)
            for round in 0..<3 {
                // Besides the two and the eight, those of the round before have given their places back.
                #expect(try await eventually { server.metrics.value(of: "inbox_connections") <= 10 })
                let health = try RawSocket(port: port)
                try health.send("GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
                let answer = await health.read()
                #expect(answer.text.hasPrefix("HTTP/1.1 200"), "\(round)")
                #expect(answer.text.lowercased().contains("connection: close"))
                #expect(answer.isClosed)
                let send = try RawSocket(port: port)
                let body = #"{"to":{"person":"ann"},"message":{"title":"t"}}"#
                try send.send(
                    "POST /v1/messages HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(TestServer.adminKey)\r\n"
                        + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
                )
                #expect(await send.read().text.hasPrefix("HTTP/1.1 201"))
                let page = try RawSocket(port: port)
                try page.send("GET /inbox HTTP/1.1\r\nHost: a\r\n\r\n")
                let refusal = await page.read()
                #expect(refusal.text.hasPrefix("HTTP/1.1 503"))
                #expect(refusal.text.contains("/problems/overloaded"))
                #expect(refusal.isClosed)
            }
            withExtendedLifetime(silent) {}
            // A connection with a regular place keeps working, and one that ends frees its place.
            try usual[1].send("GET /inbox HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(await usual[1].read(until: "\r\n\r\n").text.hasPrefix("HTTP/1.1 401"))
            usual[0].close()
            #expect(
                try await eventually {
                    let socket = try RawSocket(port: port)
                    try socket.send("GET /inbox HTTP/1.1\r\nHost: a\r\n\r\n")
                    return await socket.read(until: "\r\n\r\n").text.hasPrefix("HTTP/1.1 401")
                }
            )
        }
    }

    @Test func `a request head over the size limit is rejected`() async throws {
        try await withLimits(ConnectionLimits()) { server, port in
            let long = String(repeating: "a", count: 40_000)
            let many = String(repeating: "X-A: a\r\n", count: 200)
            let end = " HTTP/1.1\r\nHost: a\r\n"
            let heads: [String] = [
                "GET /" + long + end + "\r\n", "GET /health" + end + "X-A: " + long + "\r\n\r\n",
                "GET /health" + end + many + "\r\n",
            ]
            for head in heads {
                let socket = try RawSocket(port: port)
                try socket.send(head)
                let answer = await socket.read()
                #expect(!answer.text.contains(" 200 "), "\(head.prefix(20))")
                #expect(answer.isClosed)
            }
            #expect(try await server.rest("GET", "/health").status == 200)
        }
    }

    @Test func `a TLS connection without a handshake is closed`() async throws {
        try await withFolder { folder in
            let certificate = try await TestAuthority.make(in: folder).certificate("server")
            let configure = { (configuration: inout InboxServerConfiguration) in
                configuration.certificate = certificate
                configuration.connectionLimits = quick
            }
            try await withServer(configure: configure) { server in
                let socket = try RawSocket(port: try #require(server.url.port))
                #expect(await socket.read() == ("", true))
                #expect(try await eventually { server.metrics.value(of: "inbox_connections") == 0 })
            }
        }
    }
}
