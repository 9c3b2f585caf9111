import Foundation
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

/// The page's cookie, with and without a proxy.
@Suite(.timeLimit(.minutes(10))) struct PageCookieTests {
    /// Headers of a browser's request behind a TLS proxy, each of which indicates https.
    private static let signs: [[String: String]] = [
        ["Origin": "https://inbox.example.com"], ["Origin": "HTTPS://inbox.example.com"],
        ["Referer": "https://inbox.example.com/inbox"], ["X-Forwarded-Proto": "https"],
        ["Origin": "https://inbox.example.com", "X-Forwarded-Proto": "http"],
        ["Origin": "http://127.0.0.1", "X-Forwarded-Proto": "https"],
        ["Origin": "http://127.0.0.1", "Referer": "https://inbox.example.com/inbox"],
    ]

    @Test func `any sign of https makes the cookie secure`() async throws {
        try await withServer { server in
            for headers in Self.signs {
                let browser = Browser(server)
                // As a proxy on the same machine forwards it.
                browser.headers["Host"] = "127.0.0.1:8080"
                browser.headers.merge(headers) { _, new in new }
                let answer = try await browser.signIn(with: server.token(for: "ann"))
                // A page over http, which has to be on the server's own host, may not sign in over https.
                guard headers["Origin"]?.lowercased().hasPrefix("http://") != true else {
                    #expect(answer.status == 401 && answer.headers["set-cookie"] == nil, "\(headers)")
                    continue
                }
                let cookie = try #require(answer.headers["set-cookie"])
                #expect(cookie.hasPrefix("__Host-inbox="), "\(headers)")
                for part in ["; Secure", "; HttpOnly", "; Path=/", "; SameSite=Lax"] {
                    // The attributes are in any order.
                    #expect((cookie + ";").contains(part + ";"), "\(part)")
                }
                #expect(!cookie.contains("Domain"), "\(headers)")
            }
        }
    }

    @Test func `the secure cookie is read on every request, also without signs of https`() async throws {
        try await withServer { server in
            let browser = Browser(server)
            browser.headers["Host"] = "127.0.0.1:8080"
            browser.headers["Origin"] = "https://inbox.example.com"
            try await browser.signIn(with: server.token(for: "ann"))
            // Following a link sends neither Origin nor Referer.
            browser.headers["Origin"] = nil
            #expect(try await browser.get("/inbox").status == 200)
            let out = try await browser.post("/inbox/sign-out", "", ["Origin": "https://inbox.example.com"])
            let cookies = out.headers["set-cookie"]?.split(separator: "\n") ?? []
            #expect(cookies.count == 1 && cookies[0].hasPrefix("__Host-inbox=;") && cookies[0].contains("Secure"))
            // Without signs of https, both cookies are cleared.
            let other = try await browser.post("/inbox/sign-out")
            let both = other.headers["set-cookie"]?.split(separator: "\n").map { $0.prefix { $0 != "=" } }
            #expect(both == ["inbox", "__Host-inbox"])
        }
    }

    @Test func `a cookie without the Host prefix is ignored over https`() async throws {
        try await withServer { server in
            let token = try await server.token(for: "ann")
            let browser = Browser(server)
            // A cookie that was set over http, or from another host of the domain.
            for cookie in ["inbox=\(token)", "__Secure-inbox=\(token)"] {
                browser.cookie = cookie
                for sign in Self.signs { #expect(try await browser.get("/inbox", sign).status == 401, "\(sign)") }
                #expect(try await browser.get("/inbox", ["Host": "inbox.example.com"]).status == 401)
            }
            browser.cookie = "inbox=\(token)"
            #expect(try await browser.get("/inbox").status == 200, "on the server's own machine")
            // The cookie with the prefix takes precedence.
            browser.cookie = "inbox=\(token); __Host-inbox=x"
            #expect(try await browser.get("/inbox").status == 401)
        }
    }

    @Test(arguments: [
        ("https://example.com", "__Host-inbox", "/"), ("https://example.com/", "__Host-inbox", "/"),
        ("https://example.com/app", "__Secure-inbox", "/app/inbox"),
        ("https://example.com/app/", "__Secure-inbox", "/app/inbox"),
        ("http://127.0.0.1:8080/app", "inbox", "/app/inbox"),
    ])
    func `the cookie's prefix is Host, or Secure where the public URL has a path`(
        url: String,
        name: String,
        path: String
    ) async throws {
        try await withServer(publicURL: URL(string: url)) { server in
            let browser = Browser(server)
            let cookie = try await browser.signIn(with: server.token(for: "ann")).headers["set-cookie"] ?? ""
            #expect(cookie.hasPrefix(name + "="))
            #expect(cookie.components(separatedBy: "; ").contains("Path=\(path)"))
            #expect(cookie.contains("; Secure") == (name != "inbox"))
            #expect(try await browser.get("/inbox").status == 200)
        }
    }

    @Test func `Strict-Transport-Security is in every response over TLS and in no other`() async throws {
        try await withServer { server in
            for path in ["/inbox", "/health", "/nowhere", "/.well-known/jmap"] {
                let answer = try await server.request("GET", path, headers: ["X-Forwarded-Proto": "https"])
                #expect(answer.header("Strict-Transport-Security") == nil)
            }
        }
        try await withFolder { folder in
            let authority = try await TestAuthority.make(in: folder)
            let certificate = try await authority.certificate("server")
            try await withServer {
                $0.certificate = certificate
            } _: { server in
                for path in ["/inbox", "/health", "/nowhere", "/.well-known/jmap"] {
                    let curl = [
                        "curl", "--silent", "--include", "--cacert", "ca.pem", "--max-time", "20",
                        "\(server.url)\(path)",
                    ]
                    let output = try await Program.run(curl, in: folder).output.lowercased()
                    #expect(output.contains("strict-transport-security: max-age=31536000\r\n"), "\(path)")
                }
            }
        }
    }
}
