import AsyncHTTPClient
import Eventually
import Foundation
import Groundwork
import NIOCore
import NIOHTTP1
import NIOSSL
import RawSockets
import Testing

@testable import InboxHTTPClient

/// Tests over a real connection.
@Suite(.timeLimit(.minutes(5))) struct HTTPClientTransportTests {
    private let transport = HTTPClientTransport()

    private func request(_ server: SingleResponseServer, _ method: String = "GET") throws -> TransportRequest {
        TransportRequest(
            method: method,
            url: try #require(URL(string: "http://127.0.0.1:\(server.port)/a")),
            headers: ["Authorization": "Bearer x"],
            body: method == "POST" ? [1, 2, 3] : nil
        )
    }

    @Test func `a connection that is closed at any byte of a response is an error`() async throws {
        let response = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 6\r\n\r\n[1, 2]"
        for length in 0..<response.utf8.count {
            let server = try SingleResponseServer(
                response: String(decoding: response.utf8.prefix(length), as: UTF8.self)
            )
            let error = await #expect(throws: TransportError.self, "\(length)") {
                try await transport.send(try request(server), maxBytes: 1_000)
            }
            guard case .unreachable(let reason) = error else {
                Issue.record("\(length): \(String(describing: error))")
                continue
            }
            #expect(reason.hasPrefix("127.0.0.1:\(server.port) closed the connection"), "\(length): \(reason)")
            #expect(!reason.contains("Bearer"))
        }
        let server = try SingleResponseServer(response: response)
        let answer = try await transport.send(try request(server), maxBytes: 6)
        #expect(answer.status == 200 && answer.body == Array("[1, 2]".utf8))
        #expect(answer.headers["content-type"] == "application/json")
    }

    @Test func `a response over the size limit throws, then its connection closes`() async throws {
        let server = try SingleResponseServer()
        await #expect(throws: TransportError.tooLarge(limit: 100_000)) {
            try await transport.send(try request(server), maxBytes: 100_000)
        }
        #expect(try await eventually { server.hasEnded })
    }

    @Test func `when iteration of a stream ends, its connection closes`() async throws {
        let server = try SingleResponseServer()
        var count = 0
        for try await piece in try await transport.stream(try request(server)).body {
            count += piece.count
            if count > 100_000 { break }
        }
        #expect(try await eventually { server.hasEnded })
    }

    @Test func `a cancelled request throws, then its connection closes`() async throws {
        let server = try SingleResponseServer()
        let task = Task { [transport] in try await transport.send(try request(server), maxBytes: .max) }
        #expect(try await eventually { server.hasConnection })
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await eventually { server.hasEnded })
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
            try await transport.send(try request(server), maxBytes: 100_000)
        }
        #expect(error?.description.contains("redirects to \(address),") == true)
        #expect(!elsewhere.hasConnection)
    }

    @Test(arguments: [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")])
    func `a redirect within the origin is followed, ten times at most`(_ status: Int, _ method: String) async throws {
        let server = try SingleResponseServer(
            response: "HTTP/1.1 \(status) Moved\r\nLocation: /b\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
            count: 30
        )
        let error = await #expect(throws: TransportError.self) {
            try await transport.send(try request(server, "POST"), maxBytes: 100_000)
        }
        #expect(error?.description.contains("redirects without an end") == true)
        let requests = server.requests
        #expect(requests.count == 11)
        #expect(requests.first?.hasPrefix("POST /a ") == true && requests.first?.hasSuffix("\u{1}\u{2}\u{3}") == true)
        for request in requests.dropFirst() {
            #expect(request.hasPrefix("\(method) /b "))
            #expect(request.hasSuffix("\u{1}\u{2}\u{3}") == (method == "POST"))
        }
    }

    @Test func `a header field that is repeated has all its values`() async throws {
        let server = try SingleResponseServer(
            response: "HTTP/1.1 200 OK\r\nLink: one\r\nlink: two\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        )
        #expect(try await transport.send(try request(server), maxBytes: 1).headers["link"] == "one, two")
    }

    /// The explanation of a request that fails.
    private func reason(_ address: String) async throws -> String {
        let url = try #require(URL(string: address))
        let error = await #expect(throws: TransportError.self) {
            try await transport.send(TransportRequest(url: url), maxBytes: 1)
        }
        guard case .unreachable(let reason)? = error else {
            Issue.record("\(String(describing: error))")
            return ""
        }
        return reason
    }

    @Test func `a missing server, and an unknown name, are explained`() async throws {
        for host in ["127.0.0.1", "localhost"] {
            let refused = try await reason("http://\(host):9/a?secret")
            #expect(refused == "nothing listens at \(host):9. Check the address, and whether the server runs.")
        }
        let address = "https://unknown.invalid"
        let proxies = ProxySettings(ProcessInfo.processInfo.environment)
        // A proxy would look for the name.
        let url = try #require(URL(string: address))
        guard proxies.proxy(for: url) == nil else { return }
        let unknown = try await reason(address)
        #expect(unknown == "the name unknown.invalid isn't known. Check the address and the network.")
    }

    @Test func `a server with the other scheme is explained`() async throws {
        let plain = try SingleResponseServer(response: "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
        let noTLS = try await reason("https://127.0.0.1:\(plain.port)")
        #expect(noTLS.hasPrefix("127.0.0.1:\(plain.port) doesn't speak https. "), "\(noTLS)")
        // An alert of TLS.
        let encrypted = try SingleResponseServer(response: "\u{15}\u{3}\u{1}\u{0}\u{2}\u{2}\u{46}")
        let noHTTP = try await reason("http://127.0.0.1:\(encrypted.port)")
        #expect(noHTTP.hasPrefix("127.0.0.1:\(encrypted.port) doesn't answer with HTTP. "), "\(noHTTP)")
    }

    @Test func `an explanation names the proxy if it is the one that fails`() throws {
        let url = try #require(URL(string: "https://inbox.example"))
        let direct = ConnectionFailure(url: url, proxy: nil)
        let proxied = ConnectionFailure(url: url, proxy: ProxySettings.Proxy("http://[::1]:3128"))
        let refused = IOError(errnoCode: ECONNREFUSED, reason: "connection reset (error set)")
        #expect(direct.text(of: refused).hasPrefix("nothing listens at inbox.example:443. "))
        #expect(proxied.text(of: refused).hasPrefix("nothing listens at the proxy [::1]:3128. "))
        #expect(
            proxied.text(of: HTTPClientError.invalidProxyResponse).contains("doesn't connect to inbox.example:443.")
        )
        let errors: [any Error] = [
            HTTPClientError.connectTimeout, HTTPClientError.remoteConnectionClosed, HTTPClientError.tlsHandshakeTimeout,
            HTTPClientError.invalidURL, HTTPParserError.invalidVersion, HTTPParserError.invalidEOFState,
            NIOSSLError.handshakeFailed(.sslError([.eofDuringHandshake])), NIOSSLError.uncleanShutdown,
            NIOSSLExtraError.failedToValidateHostname, CocoaError(.fileNoSuchFile),
        ]
        for error in errors {
            let text = direct.text(of: error)
            #expect(text.contains("inbox.example:443") && text.hasSuffix("."), "\(text)")
            #expect(!text.contains("NIO") && !text.contains("HTTPClientError") && !text.contains("errno"), "\(text)")
        }
    }

    @Test func `proxies are those of curl's variables`() throws {
        let settings = ProxySettings([
            "https_proxy": "http://proxy.example:3128", "HTTP_PROXY": "http://cgi.example:1",
            "ALL_PROXY": "all.example",
            "no_proxy": "localhost, .internal.example,other.example",
        ])
        func proxy(_ url: String) throws -> String? {
            settings.proxy(for: try #require(URL(string: url))).map { "\($0.host):\($0.port)" }
        }
        #expect(try proxy("https://a.example/x") == "proxy.example:3128")
        #expect(try proxy("HTTPS://A.example/x") == "proxy.example:3128")
        #expect(try proxy("http://a.example/x") == "all.example:1080")
        for direct in ["https://localhost", "https://x.internal.example", "https://OTHER.example", "ftp://a.example"] {
            #expect(try proxy(direct) == nil, "\(direct)")
        }
        #expect(try proxy("https://notother.example") == "proxy.example:3128")
        let none = ProxySettings(["https_proxy": "", "no_proxy": "*", "http_proxy": "x"])
        #expect(none.proxy(for: try #require(URL(string: "http://a.example"))) == nil)
        #expect(ProxySettings([:]).proxy(for: try #require(URL(string: "https://a.example"))) == nil)
    }
}
