import Eventually
import Foundation
import Groundwork
import RawSockets
import Testing

@testable import MailSignIn

@Suite(.timeLimit(.minutes(5))) struct LoopbackBrowserTests {
    private static let page = URL(string: "https://auth.example.com/authorize")!

    /// Runs a test with a browser that waits, and its port.
    private static func waiting(_ body: (_ port: Int, _ returned: Task<URL, any Error>) async throws -> Void)
        async throws
    {
        let browser = LoopbackBrowser { _ in }
        let port = try #require(try await browser.prepare().port)
        let returned = Task { try await browser.open(page) }
        try await body(port, returned)
        await browser.close()
    }

    private static func request(_ text: String, port: Int) async throws -> String {
        let socket = try RawSocket(port: port)
        try socket.send(text)
        return await socket.read().text
    }

    private static func get(_ target: String, port: Int, method: String = "GET", host: String? = nil) async throws
        -> String
    {
        try await request(
            "\(method) \(target) HTTP/1.1\r\nHost: \(host ?? "127.0.0.1:\(port)")\r\nAccept: */*\r\n\r\n",
            port: port
        )
    }

    @Test func `the page is shown, and the browser returns to a page that can be closed`() async throws {
        let shown = Locked<URL?>(nil)
        let browser = LoopbackBrowser { page in shown.withLock { $0 = page } }
        let uri = try await browser.prepare()
        #expect(uri.absoluteString.hasPrefix("http://127.0.0.1:"))
        let returned = Task { try await browser.open(Self.page) }
        let answer = try await Self.get("/signed-in?code=a%20b&state=s", port: try #require(uri.port))
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(answer.contains("You can close this page."))
        #expect(answer.contains("Content-Security-Policy: default-src 'none'"))
        #expect(!answer.contains("a%20b"))
        #expect(try await returned.value.absoluteString == "\(uri.absoluteString)?code=a%20b&state=s")
        #expect(shown.withLock { $0 } == Self.page)
        await browser.close()
    }

    @Test func `after the first return the port is closed`() async throws {
        try await Self.waiting { port, returned in
            _ = try await Self.get("/signed-in?code=first&state=s", port: port)
            #expect(try await returned.value.field("code") == "first")
            // Refused, or accepted by the system in the moment of the closing.
            let isClosed = try await eventually {
                guard let answer = try? await Self.get("/signed-in?code=second&state=s", port: port) else {
                    return true
                }
                #expect(!answer.contains("200 OK"))
                return false
            }
            #expect(isClosed)
        }
    }

    @Test(arguments: [
        ("/", "404"), ("/signed-in", "400"), ("/signed-in?state=s", "400"), ("/signed-in/?code=a", "404"),
        ("//evil.example/signed-in?code=a", "400"), ("http://127.0.0.1/signed-in?code=a", "400"),
        ("/favicon.ico", "404"), ("/signed-in?code=a&code=b", "400"),
    ])
    func `a request for something else gets an error, and the wait continues`(target: String, status: String)
        async throws
    {
        try await Self.waiting { port, returned in
            #expect(try await Self.get(target, port: port).hasPrefix("HTTP/1.1 \(status) "))
            _ = try await Self.get("/signed-in?code=right&state=s", port: port)
            #expect(try await returned.value.field("code") == "right")
        }
    }

    @Test func `a page of another host, or another method, can't return`() async throws {
        try await Self.waiting { port, returned in
            let target = "/signed-in?code=a&state=s"
            for host in ["evil.example:\(port)", "localhost:\(port)", "127.0.0.1", "127.0.0.1:\(port)\r\nHost: b"] {
                #expect(try await Self.get(target, port: port, host: host).hasPrefix("HTTP/1.1 400 "))
            }
            #expect(try await Self.get(target, port: port, method: "POST").hasPrefix("HTTP/1.1 405 "))
            _ = try await Self.get("/signed-in?error=access_denied&state=s", port: port)
            #expect(try await returned.value.field("error") == "access_denied")
        }
    }

    @Test func `idle connections, and requests without an end, don't block the return`() async throws {
        try await Self.waiting { port, returned in
            let idle = try (0..<8).map { _ in try RawSocket(port: port) }
            let large = try await Self.request("GET /\(String(repeating: "a", count: 17_000))", port: port)
            #expect(large.hasPrefix("HTTP/1.1 431 "))
            let broken = try RawSocket(port: port)
            try broken.send("GET /signed-in?code=")
            broken.close(abruptly: true)
            let answer = try await Self.get("/signed-in?code=right&state=s", port: port)
            #expect(answer.hasPrefix("HTTP/1.1 200 "))
            #expect(try await returned.value.field("code") == "right")
            for socket in idle { socket.close() }
        }
    }

    @Test func `a request that arrives in pieces is read`() async throws {
        try await Self.waiting { port, returned in
            let socket = try RawSocket(port: port)
            for piece in ["GET /signed-in?co", "de=right&state=s HTTP/1.1\r\nHo", "st: 127.0.0.1:\(port)\r\n", "\r\n"] {
                try socket.send(piece)
                try await Task.sleep(for: .milliseconds(5))
            }
            #expect(await socket.read().text.hasPrefix("HTTP/1.1 200 "))
            #expect(try await returned.value.field("code") == "right")
        }
    }

    @Test func `cancelling ends the wait`() async throws {
        try await Self.waiting { port, returned in
            returned.cancel()
            await #expect(throws: CancellationError.self) { try await returned.value }
        }
    }

    @Test func `a link of the app's own ends the wait, and other links don't`() async throws {
        let (shown, show) = AsyncStream<Void>.makeStream()
        let browser = LinkBrowser(redirectURI: URL(string: "com.example.mail:/signed-in")!) { _ in show.yield() }
        let link = URL(string: "com.example.mail:/signed-in?code=c&state=s")!
        #expect(!browser.handle(url: link))
        let returned = Task { try await browser.open(Self.page) }
        for await _ in shown { break }
        #expect(!browser.handle(url: URL(string: "com.example.mail:/other?code=c")!))
        #expect(try await eventually { browser.handle(url: link) })
        #expect(try await returned.value == link)
        #expect(!browser.handle(url: link))
    }
}
