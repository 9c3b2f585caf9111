import Foundation
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

/// Requests that no HTTP client sends, over a raw connection: rejected, never parsed as two requests, and without
/// effect.
@Suite(.timeLimit(.minutes(10))) struct HostileHTTPTests {
    struct Case: Sendable {
        let name: String
        /// `KEY` stands for the API key, `BODY` for a message to ann, `LENGTH` for its length; lines end with CRLF.
        let request: String
        /// The allowed statuses of the one response; empty where the server may only close the connection.
        let statuses: Set<Int>

        init(_ name: String, _ statuses: Set<Int>, _ lines: [String], body: String = "") {
            self.name = name
            self.statuses = statuses
            request = lines.joined(separator: "\r\n") + "\r\n\r\n" + body
        }

        /// A send with different headers about its length.
        static func framing(_ name: String, _ statuses: Set<Int>, _ headers: [String], body: String = "BODY") -> Case {
            let lines = ["POST /v1/messages HTTP/1.1", "Host: a", "Authorization: Bearer KEY"]
            return Case(name, statuses, lines + ["Content-Type: application/json"] + headers, body: body)
        }

        static func framing(_ name: String, _ headers: [String], body: String = "BODY") -> Case {
            framing(name, [400], headers, body: body)
        }

        /// A health check with one more header.
        static func header(_ name: String, _ header: String) -> Case {
            Case(name, [400], ["GET /health HTTP/1.1", "Host: a", "Connection: close", header])
        }

        /// A request with a given first line.
        static func line(_ name: String, _ statuses: Set<Int>, _ line: String) -> Case {
            Case(name, statuses, [line, "Host: a", "Connection: close"])
        }

        static func line(_ name: String, _ line: String) -> Case { .line(name, [400], line) }
    }

    private static let body = #"{"to":{"person":"ann"},"message":{"title":"x"}}"#
    /// A second request in the place of a body, which the server must never answer.
    private static let smuggled =
        "POST /v1/messages HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer KEY\r\nContent-Type: application/json\r\n"
        + "Connection: close\r\nContent-Length: LENGTH\r\n\r\nBODY"

    static let framing: [Case] = [
        .framing("two lengths that differ", ["Content-Length: LENGTH", "Content-Length: 0"]),
        .framing("two lengths that differ, smaller first", ["Content-Length: 0", "Content-Length: LENGTH"]),
        .framing("two lengths in one", ["Content-Length: LENGTH, 0"]),
        .framing(
            "length and chunks",
            ["Content-Length: LENGTH", "Transfer-Encoding: chunked"],
            body: "0\r\n\r\n" + smuggled
        ),
        .framing(
            "chunks and length",
            ["Transfer-Encoding: chunked", "Content-Length: 4"],
            body: "0\r\n\r\n" + smuggled
        ),
        .framing("negative length", ["Content-Length: -1"]), .framing("length with a plus", ["Content-Length: +5"]),
        .framing("length in hexadecimal", ["Content-Length: 0x10"]),
        .framing("length with a part", ["Content-Length: 1.5"]),
        .framing("length past every number", ["Content-Length: 99999999999999999999"]),
        .framing("length with letters", ["Content-Length: 1a"]),
        .framing("length with a space", ["Content-Length: 1 2"]),
        .framing("chunked twice removed", [400, 501], ["Transfer-Encoding: chunked, identity"], body: "0\r\n\r\n"),
        .framing("unknown coding", [400, 501], ["Transfer-Encoding: gzip"]),
        .framing("chunked in another spelling", [400, 501], ["Transfer-Encoding: xchunked"]),
        .framing("chunk size that isn't one", ["Transfer-Encoding: chunked"], body: "zz\r\nx\r\n0\r\n\r\n"),
        .framing("negative chunk size", ["Transfer-Encoding: chunked"], body: "-1\r\nx\r\n0\r\n\r\n"),
        .framing("chunk size past every number", ["Transfer-Encoding: chunked"], body: "fffffffffffffffff\r\nx\r\n"),
        .framing("chunk longer than its size", ["Transfer-Encoding: chunked"], body: "1\r\nxyz\r\n0\r\n\r\n"),
        .framing("header of the length with a space", ["Content-Length : LENGTH"]),
        .framing("header of the chunks with a space", ["Transfer-Encoding : chunked"], body: "0\r\n\r\n"),
    ]

    static let heads: [Case] = [
        .header("no colon", "x-broken"), .header("no name", ": x"), .header("name with a space", "x y: z"),
        .header("name with a quote", "x\"y: z"), .header("name with a NUL", "x\0y: z"),
        .header("value with a NUL", "x: a\0b"),
        .header("value with a bare CR", "x: a\rb: c"), .header("a line folded", "x: a\r\n b"),
        .line("no version", "GET /health"), .line("version 9.9", "GET /health HTTP/9.9"),
        .line("another protocol", "GET /health SIP/1.1"),
        .line("no address", "GET HTTP/1.1"), .line("unknown method", "FETCH /health HTTP/1.1"),
        .line("method in small letters", "get /health HTTP/1.1"), .line("address with a space", "GET /a b HTTP/1.1"),
        .line("address with a NUL", "GET /a\0b HTTP/1.1"), .line("a TLS greeting", "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}"),
        .line("HTTP/2's preface", [400, 404, 405, 501], "PRI * HTTP/2.0"),
    ]

    static let addresses: [Case] = [
        .line("up", [404], "GET /v1/../health HTTP/1.1"), .line("up, escaped", [404], "GET /v1/%2e%2e/health HTTP/1.1"),
        .line("up past the top", [404], "GET /../../etc/passwd HTTP/1.1"),
        .line("two slashes", [404], "GET //etc/passwd HTTP/1.1"),
        .line("two slashes before a route", [404], "GET //v1/people HTTP/1.1"),
        .line("two slashes within a route", [404], "GET /v1//people HTTP/1.1"),
        .line("two slashes after a route", [404], "GET /health// HTTP/1.1"),
        .line("two slashes in a whole address", [404], "GET http://b.example//health HTTP/1.1"),
        .line("backslashes", [400, 404], "GET \\..\\etc HTTP/1.1"),
        .line("slash escaped", [401, 404], "GET /v1%2fmessages%2fm HTTP/1.1"),
        .line("escape cut short", [404], "GET /%4 HTTP/1.1"),
        .line("escape that isn't one", [404], "GET /%zz HTTP/1.1"),
        .line("NUL, escaped", [404], "GET /%00 HTTP/1.1"),
        .line("line break, escaped", [404], "GET /%0d%0aX:1 HTTP/1.1"),
        .line("not UTF-8", [404], "GET /%ff%fe HTTP/1.1"),
        .line("whole address", [200, 404], "GET http://b.example/health HTTP/1.1"),
        .line("star", [404, 405], "OPTIONS * HTTP/1.1"), .line("tunnel", [400, 404, 405], "CONNECT a:1 HTTP/1.1"),
        .line("without a key", [401], "DELETE /v1/messages/m0000000000000 HTTP/1.1"),
        .line("trace", [404, 405], "TRACE /health HTTP/1.1"),
    ]

    private static func bytes(_ hostile: Case) -> [UInt8] {
        Array(
            hostile.request.replacing("BODY", with: body).replacing("LENGTH", with: String(body.utf8.count))
                .replacing("KEY", with: TestServer.adminKey).utf8
        )
    }

    @Test(arguments: [framing, heads, addresses])
    func `malformed HTTP is rejected and never read as two requests`(_ cases: [Case]) async throws {
        try await withUnchangedServer { server, _, _, _ in
            let port = server.url.port ?? 0
            // The control: this valid request is accepted.
            let right = Self.Case("right", [200], ["GET /health HTTP/1.1", "Host: a", "Connection: close"])
            #expect(await RawConnection.send(Self.bytes(right), to: port).statuses == [200])
            for hostile in cases {
                // Some get no response: the server waits for the rest of the request.
                let answer = await RawConnection.send(Self.bytes(hostile), to: port, patience: 10_000)
                AttemptCounter.add()
                #expect(answer.statuses.count <= 1, "\(hostile.name)")
                #expect(answer.statuses.allSatisfy(hostile.statuses.contains), "\(hostile.name): \(answer.statuses)")
                #expect(!answer.text.contains("root:"), "\(hostile.name)")
            }
        }
    }

    @Test func `a request has exactly one Host, or none in HTTP 1.0`() async throws {
        try await withUnchangedServer { server, _, _, _ in
            let cases = [
                Self.Case("one", [200], ["GET /health HTTP/1.1", "Host: a", "Connection: close"]),
                Self.Case("none", [400], ["GET /health HTTP/1.1", "Connection: close"]),
                Self.Case("two", [400], ["GET /health HTTP/1.1", "Host: a", "Host: b", "Connection: close"]),
                Self.Case("the same twice", [400], ["GET /health HTTP/1.1", "Host: a", "host: a"]),
                Self.Case("none in HTTP/1.0", [200], ["GET /health HTTP/1.0"]),
                Self.Case("one in HTTP/1.0", [200], ["GET /health HTTP/1.0", "Host: a"]),
                Self.Case("two in HTTP/1.0", [400], ["GET /health HTTP/1.0", "Host: a", "Host: b"]),
            ]
            for each in cases {
                let answer = await RawConnection.send(Self.bytes(each), to: server.url.port ?? 0)
                AttemptCounter.add()
                #expect(Set(answer.statuses) == each.statuses, "\(each.name): \(answer.text)")
            }
        }
    }

    @Test func `a response to HEAD has no body, whatever its status`() async throws {
        try await withUnchangedServer { server, _, _, _ in
            for (path, status) in [("/health", 200), ("/v1/people", 405), ("/nowhere", 404), ("//health", 404)] {
                let head = Self.Case("head", [status], ["HEAD \(path) HTTP/1.1", "Host: a", "Connection: close"])
                let answer = await RawConnection.send(Self.bytes(head), to: server.url.port ?? 0)
                AttemptCounter.add()
                #expect(answer.statuses == [status], "\(path)")
                #expect(answer.text.hasSuffix("\r\n\r\n"), "\(path)")
            }
        }
    }

    @Test func `too many and too large headers are rejected`() async throws {
        try await withUnchangedServer { server, _, _, _ in
            let many = (0..<10_000).map { "x-\($0): y" }
            let large = ["x: " + String(repeating: "y", count: 1 << 20)]
            let long = "GET /" + String(repeating: "a", count: 1 << 20) + " HTTP/1.1"
            for (name, lines) in [
                ("many", ["GET /health HTTP/1.1", "Host: a"] + many),
                ("large", ["GET /health HTTP/1.1", "Host: a"] + large), ("long", [long, "Host: a"]),
            ] {
                let bytes = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
                let answer = await RawConnection.send(bytes, to: server.url.port ?? 0)
                AttemptCounter.add()
                #expect(answer.statuses.allSatisfy { [400, 414, 431].contains($0) }, "\(name): \(answer.statuses)")
            }
        }
    }

    @Test func `a hostile Host header never changes the addresses in a response`() async throws {
        let cases: [String] = [
            "evil.example/x", "evil.example@a", "a b", "a\"", "a<b>", "a#b", "a?b", "[::1", "a:b", "a:123456", "",
            "a%0d%0a",
        ]
        try await withUnchangedServer { server, ann, _, _ in
            for host in cases {
                let lines = [
                    "GET /.well-known/jmap HTTP/1.1", "Host: \(host)", "Connection: close",
                    "Authorization: Bearer \(ann.token)",
                ]
                let bytes = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
                let answer = await RawConnection.send(bytes, to: server.url.port ?? 0)
                AttemptCounter.add()
                let isBound = answer.text.contains("\"apiUrl\":\"\(server.url.absoluteString)/jmap/api\"")
                #expect(answer.statuses == [400] || answer.statuses == [200] && isBound, "\(host): \(answer.statuses)")
            }
        }
    }

    @Test func `an Idempotency-Key with a line break adds no header`() async throws {
        let cases: [String] = [
            "a\r\nX-Injected: 1", "a\nX-Injected: 1", "a\rX-Injected: 1", "a%0d%0aX-Injected: 1", "ä", "\u{0}", "",
        ]
        try await withUnchangedServer { server, _, _, _ in
            let body = "{}"
            for key in cases {
                let lines = [
                    "POST /v1/messages HTTP/1.1", "Host: a", "Connection: close",
                    "Authorization: Bearer \(TestServer.adminKey)",
                    "Content-Type: application/json", "Idempotency-Key: \(key)", "Content-Length: \(body.utf8.count)",
                ]
                let answer = await RawConnection.send(
                    Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8),
                    to: server.url.port ?? 0
                )
                AttemptCounter.add()
                #expect(answer.statuses.allSatisfy { $0 == 400 }, "\(key.debugDescription)")
                #expect(!answer.text.lowercased().contains("x-injected"), "\(key.debugDescription)")
            }
        }
    }
}
