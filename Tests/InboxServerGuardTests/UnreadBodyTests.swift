import Eventually
import Foundation
import Groundwork
import RawSockets
import Testing

@testable import InboxServer
@testable import InboxService

/// Requests that are answered before their body is complete: the client gets the response, also if it reads only after
/// it has sent everything.
@Suite(.timeLimit(.minutes(10))) struct UnreadBodyTests {
    private static let piece = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20)

    private func head(_ path: String, token: String, size: Int, close: Bool, type: String = "application/json")
        -> String
    {
        """
        POST \(path) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(token)\r\nContent-Type: \(type)\r\n\
        Content-Length: \(size)\r\n\(close ? "Connection: close\r\n" : "")\r\n
        """
    }

    /// Sends on its own thread, which may block: the server needs the threads of the tests.
    private func send(_ bytes: [UInt8], times: Int = 1, on socket: RawSocket) async throws {
        let result = Locked<Result<Void, any Error>>(.success(()))
        await onNewThread {
            let sent = Result<Void, any Error> { for _ in 0..<times { try socket.send(bytes) } }
            result.withLock { $0 = sent }
        }
        try result.withLock { $0 }.get()
    }

    @Test(arguments: [true, false])
    func `a too large body is answered after all of it was sent`(close: Bool) async throws {
        try await withServer { server in
            let port = try #require(server.url.port)
            let device = try await server.device(of: "ann")
            let routes: [(path: String, token: String, status: Int)] = [
                ("/jmap/upload/\(device.account)", device.token, 413), ("/jmap/api", device.token, 400),
                ("/v1/messages", TestServer.adminKey, 413), ("/v1/import/zeta", TestServer.adminKey, 413),
                ("/v1/people/ann/tokens", TestServer.adminKey, 413), ("/jmap/upload/x", "x", 401),
                ("/nowhere", "x", 404),
            ]
            for (path, token, status) in routes {
                let socket = try RawSocket(port: port)
                try socket.send(head(path, token: token, size: 40 * Self.piece.count, close: close))
                await #expect(throws: Never.self, "\(path)") { try await send(Self.piece, times: 40, on: socket) }
                let answer = await socket.read(until: "\r\n\r\n")
                #expect(answer.text.hasPrefix("HTTP/1.1 \(status) "), "\(path): \(answer.text.prefix(40))")
                if close {
                    #expect(await socket.read().isClosed, "\(path)")
                } else {
                    _ = await socket.read(within: 0.1)
                    try socket.send("GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
                    // The rest of the first answer may come only now.
                    #expect(await socket.read(until: "HTTP/1.1 200 ").text.contains("HTTP/1.1 200 "), "\(path)")
                }
            }
        }
    }

    /// A client that reads while it sends gets the response at once.
    @Test func `the response is sent before the body is complete`() async throws {
        try await withServer { server in
            let socket = try RawSocket(port: try #require(server.url.port))
            let size = 40 * Self.piece.count
            try socket.send(head("/v1/messages", token: TestServer.adminKey, size: size, close: true))
            #expect(await socket.read(until: "\r\n\r\n").text.hasPrefix("HTTP/1.1 413 "))
            // The connection's end is sent only after the whole body: a client may stop sending when it receives it.
            #expect(await !socket.read(within: 0.5).isClosed)
            try await send(Self.piece, times: 40, on: socket)
            #expect(await socket.read().isClosed)
        }
    }

    @Test(arguments: [true, false])
    func `past the size limit of an unread body, the connection closes`(close: Bool) async throws {
        var limits = ConnectionLimits()
        limits.maxDiscardedSize = 2 << 20
        try await withServer {
            $0.connectionLimits = limits
        } _: { server in
            let socket = try RawSocket(port: try #require(server.url.port))
            let size = 400 * Self.piece.count
            try socket.send(head("/v1/messages", token: TestServer.adminKey, size: size, close: close))
            #expect(await socket.read(until: "\r\n\r\n").text.hasPrefix("HTTP/1.1 413 "))
            let sent = Locked(0)
            await onNewThread {
                while sent.withLock({ $0 }) < 400, (try? socket.send(Self.piece)) != nil { sent.withLock { $0 += 1 } }
            }
            // Includes the socket buffers.
            #expect(sent.withLock { $0 } < 40)
            #expect(try await eventually { server.metrics.value(of: "inbox_connections") <= 1 })
        }
    }

    @Test(arguments: [true, false])
    func `past the time limit of an unread body, the connection closes`(close: Bool) async throws {
        var limits = ConnectionLimits()
        limits.discardTimeout = 0.3
        try await withServer {
            $0.connectionLimits = limits
        } _: { server in
            let socket = try RawSocket(port: try #require(server.url.port))
            try socket.send(head("/v1/messages", token: TestServer.adminKey, size: 400 << 20, close: close))
            try socket.send("{")
            // Read to the end: the body's own grace period is longer.
            let answer = await socket.read(within: 20)
            #expect(answer.text.hasPrefix("HTTP/1.1 413 ") && answer.isClosed)
        }
    }

    /// The next request on the connection isn't part of the unread body.
    @Test func `two pipelined requests are both answered after a too large body`() async throws {
        try await withServer { server in
            let socket = try RawSocket(port: try #require(server.url.port))
            let body = String(repeating: "a", count: 20 << 20)
            let first = head("/v1/messages", token: TestServer.adminKey, size: body.utf8.count, close: false) + body
            let next = #"{"to":{"person":"ann"},"message":{"title":"x"}}"#
            let second = head("/v1/messages", token: TestServer.adminKey, size: next.utf8.count, close: true) + next
            try await send(Array((first + second).utf8), on: socket)
            let answer = await socket.read(within: 20)
            #expect(answer.text.hasPrefix("HTTP/1.1 413 ") && answer.text.contains("HTTP/1.1 201 "))
            #expect(answer.isClosed)
        }
    }

    @Test(.enabled(if: Program.isInstalled("python3"), "python3 isn't on this machine"))
    func `Python's client receives the 413 though it requests to close`() async throws {
        try await withServer { server in
            let script = """
                import sys, urllib.request, urllib.error
                request = urllib.request.Request(sys.argv[1], data=b'a' * 40_000_000, method='POST', headers={
                    'Authorization': 'Bearer ' + sys.argv[2], 'Content-Type': 'application/json'})
                try:
                    print(urllib.request.urlopen(request, timeout=30).status)
                except urllib.error.HTTPError as error:
                    print(error.code, error.headers['Content-Type'])
                """
            let url = server.url.absoluteString + "/v1/messages"
            let run = try await Program.run(
                ["python3", "-c", script, url, TestServer.adminKey],
                in: URL(filePath: "/tmp")
            )
            #expect(run.output == "413 application/problem+json\n")
        }
    }
}
