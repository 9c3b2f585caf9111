import Foundation
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

/// Signing in and out on the page `/inbox`, and the forms of other sites.
@Suite(.timeLimit(.minutes(10))) struct PageSignInTests {
    // MARK: Signing in and out

    @Test func `signed out, every page shows only the sign-in form`() async throws {
        try await withServer { server in
            let id = try await server.send(to: ["person": "ann"], ["title": "For Ann"])
            let browser = Browser(server)
            for path in ["/inbox", "/inbox?surface=x", "/inbox/messages/\(id)", "/inbox/messages/\(id)/go"] {
                let answer = try await browser.get(path)
                #expect(answer.status == 401, "\(path)")
                #expect(answer.text.contains(#"action="/inbox/sign-in""#))
                #expect(!answer.text.contains("For Ann"))
            }
            // The form contains the requested page as the destination.
            let form = try await browser.get("/inbox/messages/\(id)?surface=a%26b")
            #expect(form.text.contains(#"name="to" value="/inbox/messages/\#(id)?surface=a%26b""#))
        }
    }

    @Test func `a valid token becomes a cookie of the page that ends with the token`() async throws {
        try await withServer { server in
            let answer = try await server.rest("POST", "/v1/people/ann/tokens", ["expiresIn": 600])
            let token = try #require(answer.json["token"]?.stringValue)
            let browser = Browser(server)
            let signedIn = try await browser.signIn(with: token)
            #expect(signedIn.status == 303)
            #expect(signedIn.headers["location"] == "/inbox")
            let cookie = try #require(signedIn.headers["set-cookie"])
            #expect(cookie.hasPrefix("inbox=\(token);"))
            for part in ["Max-Age=600", "Path=/inbox", "HttpOnly", "SameSite=Lax"] { #expect(cookie.contains(part)) }
            // A browser on the server's own machine without TLS accepts only a cookie that isn't secure.
            #expect(!cookie.contains("Secure"))
            #expect(try await browser.get("/inbox").status == 200)

            let out = try await browser.post("/inbox/sign-out")
            #expect(out.status == 303)
            #expect(out.headers["set-cookie"]?.hasPrefix("inbox=;") == true)
            #expect(out.headers["set-cookie"]?.contains("Max-Age=0") == true)
        }
    }

    @Test(arguments: [
        ("http://127.0.0.1:8080", false), ("http://localhost", false), ("http://[::1]:80", false),
        ("http://inbox.example.com", true), ("https://localhost", true), ("http://127.0.0.1.example.com", true),
        ("http://10.0.0.1", true),
    ])
    func `the cookie is secure unless the server is on the local machine`(url: String, isSecure: Bool) async throws {
        try await withServer(publicURL: URL(string: url)) { server in
            let browser = Browser(server)
            let cookie = try await browser.signIn(with: server.token(for: "ann")).headers["set-cookie"] ?? ""
            #expect(cookie.contains("; Secure") == isSecure)
            #expect(cookie.hasPrefix("__Host-inbox=") == isSecure)
            #expect(try await browser.get("/inbox").status == 200)
        }
    }

    @Test func `signing in over plain http to another machine is rejected with an explanation`() async throws {
        try await withServer { server in
            let token = try await server.token(for: "ann")
            func signIn(host: String, origin: String) async throws -> Browser.Answer {
                let browser = Browser(server)
                browser.headers["Host"] = host
                browser.headers["Origin"] = origin
                return try await browser.signIn(with: token)
            }
            let refused = try await signIn(host: "10.0.0.1:8080", origin: "http://10.0.0.1:8080")
            #expect(refused.status == 401 && refused.headers["set-cookie"] == nil)
            #expect(refused.words.contains("Signing in needs a secure connection."))
            // Behind a TLS proxy, the browser's Origin indicates https.
            #expect(try await signIn(host: "10.0.0.1", origin: "https://10.0.0.1").status == 303)
            #expect(try await signIn(host: "localhost", origin: "http://localhost").status == 303)
        }
    }

    @Test func `each error page has its own text`() async throws {
        try await withServer { server in
            let browser = try await Browser.signedIn("ann", on: server)
            #expect(try await browser.get("/inbox/nowhere").words.contains("There’s nothing at this address."))
            let gone = try await browser.get("/inbox/messages/x")
            #expect(gone.status == 404 && gone.words.contains("This message is no longer available."))
            let foreign = try await browser.post("/inbox/sign-out", "", ["Sec-Fetch-Site": "cross-site"])
            #expect(foreign.status == 403 && foreign.words.contains("This can only be done on the inbox’s own page."))
        }
    }

    @Test func `an unknown address is a page for a browser, and a problem for programs`() async throws {
        try await withServer { server in
            let accept = ["Accept": "text/html,application/xhtml+xml,*/*;q=0.8", "Accept-Language": "de"]
            for address in ["/index.html", "/admin/", "/inboxes"] {
                let page = try await server.request("GET", address, headers: accept)
                let text = String(decoding: page.bytes, as: UTF8.self)
                #expect(page.status == 404 && page.header("Content-Type") == "text/html; charset=utf-8", "\(address)")
                #expect(text.contains("lang=\"de\"") && text.contains("href=\"/inbox\""), "\(address)")
                #expect(page.header("Content-Security-Policy")?.contains("default-src 'none'") == true)
                #expect(page.header("Cache-Control") == "no-store")
                let problem = try await server.request("GET", address, headers: ["Accept": "*/*"])
                #expect(problem.status == 404 && problem.header("Content-Type") == "application/problem+json")
                #expect(try await server.request("POST", address, headers: accept).json["status"] == 404)
            }
            // What a route answers stays as it is.
            let message = try await server.request("GET", "/health/other", headers: accept)
            #expect(message.header("Content-Type") == "text/html; charset=utf-8")
            let unsigned = try await server.request("GET", "/v1/people", headers: accept)
            #expect(unsigned.status == 401 && unsigned.header("Content-Type") == "application/problem+json")
        }
    }

    @Test func `every address begins with the path of the public URL`() async throws {
        try await withServer(publicURL: URL(string: "https://example.com/app/")) { server in
            let browser = try await Browser.signedIn("ann", on: server)
            #expect(try await browser.post("/inbox/sign-out").headers["location"] == "/app/inbox")
            #expect(try await browser.get("/").headers["location"] == "/app/inbox")
            let page = try await browser.get("/inbox").text
            #expect(page.contains(#"href="/app/inbox/style.css""#))
            #expect(!page.contains("=\"/inbox"))
            let form = try await Browser(server).get("/inbox/messages/x").text
            #expect(form.contains(#"action="/app/inbox/sign-in""#))
            #expect(form.contains(#"value="/app/inbox/messages/x""#))
        }
    }

    @Test func `a wrong token shows the form with an error and sets no cookie`() async throws {
        try await withServer { server in
            let browser = Browser(server)
            let token = try await server.token(for: "ann")
            let long = String(repeating: "a", count: 5_000)
            for wrong in ["", "x", String(token.dropLast()), long, "%3Cscript%3E"] {
                let answer = try await browser.signIn(with: wrong, to: "/inbox?surface=x")
                #expect(answer.status == 401)
                #expect(answer.headers["set-cookie"] == nil)
                #expect(answer.text.contains("id=\"error\""))
                #expect(answer.text.contains("value=\"/inbox?surface=x\""))
                #expect(!answer.text.contains("<script>"))
            }
            #expect(try await browser.post("/inbox/sign-in", "{}", ["Content-Type": "application/json"]).status == 415)
            let large = try await browser.post("/inbox/sign-in", "token=" + String(repeating: "a", count: 20_000))
            #expect(large.status == 413)
        }
    }

    @Test func `after signing in, the redirect stays inside the inbox`() async throws {
        let cases: [String] = [
            "https://evil.example/", "//evil.example", "/inbox/../x", "/\\evil", "javascript:alert(1)", "/v1/people",
            "/inboxes", "/inbox/messages/%0d%0aX: y",
        ]
        try await withServer { server in
            for destination in cases {
                let escaped = try #require(destination.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
                let answer = try await Browser(server).signIn(with: server.token(for: "ann"), to: escaped)
                let location = try #require(answer.headers["location"])
                #expect(location == "/inbox" || location.hasPrefix("/inbox/messages/"), "\(destination)")
                #expect(answer.headers["x"] == nil, "\(destination)")
            }
        }
    }

    @Test func `after signing in, no part of an address leads out of the page`() async throws {
        let harmful = [
            "/inbox/messages/../../x", "/inbox/messages/..", "/inbox/messages/%2e%2E/x", "/inbox/messages/.%2e/x",
            "/inbox/messages/./x", "/inbox/messages/x/../y?surface=a",
        ]
        let harmless = ["/inbox/messages/a..b", "/inbox?surface=../x"]
        try await withServer { server in
            for (asked, given) in harmful.map({ ($0, "/inbox") }) + harmless.map({ ($0, $0) }) {
                let escaped = try #require(asked.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
                let answer = try await Browser(server).signIn(with: server.token(for: "ann"), to: escaped)
                #expect(answer.headers["location"] == given, "\(asked)")
            }
        }
    }

    @Test func `an expired token and an erased person are signed out`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let browser = Browser(server)
            let made = try await server.rest("POST", "/v1/people/ann/tokens", ["expiresIn": 600])
            try await browser.signIn(with: made.json["token"]?.stringValue ?? "")
            clock.advance(by: 661)
            #expect(try await browser.get("/inbox").status == 401)
            let other = try await Browser.signedIn("bob", on: server)
            #expect(try await server.rest("DELETE", "/v1/people/bob").status == 200)
            #expect(try await other.get("/inbox").status == 401)
        }
    }

    // MARK: Forms of other sites

    @Test func `a form of another site is 403 and changes nothing`() async throws {
        try await withServer { server in
            let id = try await server.send(to: ["person": "ann"])
            let browser = try await Browser.signedIn("ann", on: server)
            let token = try await server.token(for: "eve")
            let foreign: [[String: String]] = [
                ["Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"],
                ["Sec-Fetch-Site": "same-site", "Origin": "http://127.0.0.1"],
                ["Sec-Fetch-Site": "", "Origin": "https://evil.example"],
                ["Sec-Fetch-Site": "", "Origin": "null"],
                ["Sec-Fetch-Site": "", "Origin": "http://127.0.0.1:81"],
                ["Sec-Fetch-Site": "", "Origin": "http://127.0.0.1.evil.example"],
            ]
            for headers in foreign {
                for action in ["read", "archive", "dismiss", "unread", "unarchive", "delete"] {
                    let answer = try await browser.post("/inbox/messages/\(id)/\(action)", "", headers)
                    #expect(answer.status == 403, "\(headers)")
                }
                #expect(try await browser.post("/inbox/sign-in", "token=\(token)", headers).status == 403)
                #expect(try await browser.post("/inbox/sign-out", "", headers).status == 403)
            }
            let message = try await server.device(of: "ann").message(id)
            for field in ["readAt", "archivedAt", "deletedAt"] { #expect(message?[field] == .null) }
            for own in [["Sec-Fetch-Site": "", "Origin": "http://127.0.0.1"], ["Sec-Fetch-Site": ""], [:]] {
                #expect(try await browser.post("/inbox/messages/\(id)/read", "", own).status == 303)
            }
        }
    }

    @Test func `a form of an allowed origin can sign in and nothing else`() async throws {
        try await withServer(configure: { $0.signInOrigins = ["https://app.example.com"] }) { server in
            let id = try await server.send(to: ["person": "ann"])
            let browser = Browser(server)
            browser.headers["Sec-Fetch-Site"] = "same-site"
            browser.headers["Origin"] = "https://app.example.com"
            #expect(try await browser.signIn(with: server.token(for: "ann")).status == 303)
            #expect(try await browser.post("/inbox/messages/\(id)/read").status == 403)
        }
    }
}
