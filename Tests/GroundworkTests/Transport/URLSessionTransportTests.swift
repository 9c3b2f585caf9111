import Eventually
import Foundation
import Groundwork
import RawSockets
import Testing

/// Tests over a real connection.
@Suite(.timeLimit(.minutes(5))) struct URLSessionTransportTests {
    private func request(_ server: SingleResponseServer) throws -> TransportRequest {
        TransportRequest(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/")), headers: [:])
    }

    @Test func `a response over the size limit throws, then its connection closes`() async throws {
        let server = try SingleResponseServer()
        let transport = URLSessionTransport()
        await #expect(throws: TransportError.tooLarge(limit: 100_000)) {
            try await transport.send(try request(server), maxBytes: 100_000)
        }
        #expect(try await eventually { server.hasEnded })
    }

    @Test func `when iteration of a stream ends, its connection closes`() async throws {
        let server = try SingleResponseServer()
        let transport = URLSessionTransport()
        var count = 0
        for try await piece in try await transport.stream(try request(server)).body {
            count += piece.count
            if count > 100_000 { break }
        }
        #expect(try await eventually { server.hasEnded })
    }

    @Test func `the bytes of a body are reported as they are sent, up to all of them`() async throws {
        let server = try SingleResponseServer(
            response: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        )
        var request = try request(server)
        request.method = "POST"
        request.body = [UInt8](repeating: 1, count: 500_000)
        let sent = request
        let counts = Locked<[Int]>([])
        _ = try? await SendProgress.$listener.withValue(SendProgress { count in counts.withLock { $0.append(count) } })
        {
            try await URLSessionTransport().send(sent, maxBytes: 100)
        }
        #expect(try await eventually { counts.withLock { $0.last } == 500_000 })
        let steps = counts.withLock { $0 }
        #expect(steps.count > 3 && steps == steps.sorted())
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `a redirect to another origin throws with its address and isn't followed`(_ status: Int) async throws {
        let elsewhere = try SingleResponseServer()
        let address = "http://127.0.0.1:\(elsewhere.port)/session"
        let server = try SingleResponseServer(
            response:
                "HTTP/1.1 \(status) Moved\r\nLocation: \(address)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        )
        let error = await #expect(throws: TransportError.self) {
            try await URLSessionTransport().send(try request(server), maxBytes: 100_000)
        }
        #expect(error?.description.contains("redirects to \(address),") == true)
        #expect(!elsewhere.hasConnection)
    }

    @Test func `without redirects, the redirect itself is the response`() async throws {
        let server = try SingleResponseServer(
            response: "HTTP/1.1 302 Found\r\nLocation: https://elsewhere.example/\r\nContent-Length: 0\r\n\r\n"
        )
        let answer = try await URLSessionTransport(redirects: .never).send(try request(server), maxBytes: 100_000)
        #expect(answer.status == 302)
    }

    @Test(arguments: [
        ("https://a.example/x", "https://a.example:443/y", true), ("http://a.example:80", "http://A.example", true),
        ("HTTPS://a.example", "https://a.example/", true), ("https://a.example", "http://a.example", false),
        ("https://a.example", "https://a.example:80", false), ("https://a.example", "https://b.example", false),
        ("https://a.example:8443", "https://a.example", false), ("https://a.example", "https://a.example.org", false),
    ])
    func `an origin is scheme, host and port, with default ports`(one: String, other: String, isSame: Bool) throws {
        let (one, other) = (try #require(URL(string: one)), try #require(URL(string: other)))
        #expect(one.hasSameOrigin(as: other) == isSame && other.hasSameOrigin(as: one) == isSame)
    }
}
