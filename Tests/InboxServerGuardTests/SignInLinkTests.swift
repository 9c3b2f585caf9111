import Foundation
import Groundwork
import RecordedLogs
import Testing

@testable import InboxServer
@testable import InboxService

/// Links that sign a person in on the page once, on the server's own machine.
@Suite(.timeLimit(.minutes(5))) struct SignInLinkTests {
    /// A browser whose address was typed or opened from elsewhere than a page.
    private static func browser(_ server: TestServer) -> Browser {
        let browser = Browser(server)
        browser.headers["Sec-Fetch-Site"] = "none"
        browser.headers["Sec-Fetch-Dest"] = "document"
        return browser
    }

    private static func link(for person: String, on server: TestServer) throws -> String {
        let link = try #require(server.ready.makeSignInLink(for: person))
        #expect(link.absoluteString.hasPrefix("\(server.url.absoluteString)/inbox/sign-in/"))
        return link.path
    }

    @Test func `a link opens the person's inbox signed in`() async throws {
        try await withServer { server in
            try await server.send(to: ["person": "ann"], ["title": "For Ann"])
            let browser = Self.browser(server)
            let answer = try await browser.get(Self.link(for: "ann", on: server))
            #expect(answer.status == 303 && answer.headers["location"] == "/inbox")
            #expect(answer.headers["cache-control"] == "no-store")
            let cookie = try #require(answer.headers["set-cookie"])
            #expect(cookie.hasPrefix("inbox=") && cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"))
            browser.cookie = cookie.split(separator: ";").first.map { String($0) }
            let page = try await browser.get("/inbox")
            #expect(page.status == 200 && page.words.contains("For Ann"))
        }
    }

    @Test func `a link works once`() async throws {
        try await withServer { server in
            let link = try Self.link(for: "ann", on: server)
            #expect(try await Self.browser(server).get(link).status == 303)
            let second = try await Self.browser(server).get(link)
            #expect(second.status == 401 && second.headers["set-cookie"] == nil)
            #expect(second.words.contains("This link has been used or has expired."))
            // Of several requests at once, one.
            let other = try Self.link(for: "ann", on: server)
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<20 { group.addTask { try await Self.browser(server).get(other).status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.sorted() == [303] + Array(repeating: 401, count: 19))
        }
    }

    @Test func `a link works for ten minutes`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let (first, second) = (try Self.link(for: "ann", on: server), try Self.link(for: "ann", on: server))
            clock.advance(by: 599)
            #expect(try await Self.browser(server).get(first).status == 303)
            clock.advance(by: 1)
            #expect(try await Self.browser(server).get(second).status == 401)
            #expect(try await Self.browser(server).get("/inbox/sign-in/none").status == 401)
        }
    }

    @Test func `a request ahead of time or for a part of a page leaves a link unused`() async throws {
        let cases: [[String: String]] = [
            ["Sec-Purpose": "prefetch"], ["Sec-Purpose": "prefetch;prerender"], ["Purpose": "prefetch"],
            ["X-Moz": "prefetch"], ["Sec-Fetch-Dest": "image"], ["Sec-Fetch-Dest": "empty"],
        ]
        try await withServer { server in
            for headers in cases {
                let link = try Self.link(for: "ann", on: server)
                let ahead = try await Self.browser(server).get(link, headers)
                #expect(ahead.status == 403 && ahead.headers["set-cookie"] == nil, "\(headers)")
                #expect(ahead.headers["cache-control"] == "no-store", "\(headers)")
                #expect(try await Self.browser(server).get(link).status == 303, "\(headers)")
            }
        }
    }

    @Test func `no other method uses a link`() async throws {
        try await withServer { server in
            let link = try Self.link(for: "ann", on: server)
            for method in ["HEAD", "POST", "PUT", "OPTIONS"] {
                let answer = try await server.request(method, link)
                #expect(answer.status == 405 && answer.header("Set-Cookie") == nil)
            }
            #expect(try await Self.browser(server).get(link).status == 303)
        }
    }

    @Test func `a link on another site's page is refused and stays unused`() async throws {
        let cases: [[String: String]] = [
            ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"],
            ["Sec-Fetch-Site": "", "Origin": "https://evil.example"],
        ]
        try await withServer { server in
            for headers in cases {
                let link = try Self.link(for: "ann", on: server)
                let answer = try await Self.browser(server).get(link, headers)
                #expect(answer.status == 403 && answer.headers["set-cookie"] == nil, "\(headers)")
                #expect(try await Self.browser(server).get(link).status == 303, "\(headers)")
            }
        }
    }

    @Test func `a request for another host or through a proxy is refused`() async throws {
        let cases: [[String: String]] = [
            ["Host": "inbox.example.com"], ["Host": "192.168.1.7:8080"], ["X-Forwarded-For": "203.0.113.9"],
            ["Forwarded": "for=203.0.113.9"], ["Via": "1.1 proxy"], ["X-Real-IP": "203.0.113.9"],
        ]
        try await withServer { server in
            for headers in cases {
                let link = try Self.link(for: "ann", on: server)
                let answer = try await Self.browser(server).get(link, headers)
                #expect(answer.status == 404 && answer.headers["set-cookie"] == nil, "\(headers)")
                #expect(try await Self.browser(server).get(link).status == 303, "\(headers)")
            }
        }
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.8.9.10", true), ("::1", true), ("::ffff:127.0.0.1", true), ("10.0.0.7", false),
        ("203.0.113.9", false), ("::2", false), ("fe80::1", false),
    ])
    func `only addresses of the machine itself are loopback`(address: String, isLoopback: Bool) throws {
        let remote = try #require(IPAddress(address))
        #expect(remote.isLoopback == isLoopback)
    }

    @Test func `a server that other machines reach makes no links`() async throws {
        let changes: [@Sendable (inout InboxServerConfiguration) -> Void] = [
            { $0.host = "0.0.0.0" }, { $0.publicURL = URL(string: "https://inbox.example.com") },
            { $0.trustedProxies = ["10.0.0.7"] },
        ]
        for change in changes {
            try await withServer(configure: change) { server in
                #expect(server.ready.makeSignInLink(for: "ann") == nil)
                #expect(!server.routes.contains { $0.path.hasPrefix("/inbox/sign-in/") })
            }
        }
    }

    @Test func `ending a person's tokens or erasing the person ends the sign-in links`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            try await server.send(to: ["person": "ann"], ["title": "For Ann"])
            let (ended, erased) = (try Self.link(for: "ann", on: server), try Self.link(for: "bob", on: server))
            #expect(try await server.rest("DELETE", "/v1/people/ann/tokens").status == 204)
            try await server.send(to: ["person": "bob"], ["title": "For Bob"])
            #expect(try await server.rest("DELETE", "/v1/people/bob").status == 200)
            clock.advance(by: 5 + TestDatabase.revocationLead)
            #expect(try await Self.browser(server).get(ended).status == 401)
            #expect(try await Self.browser(server).get(erased).status == 401)
            #expect(try await Self.browser(server).get(Self.link(for: "ann", on: server)).status == 303)
        }
    }

    @Test func `the log has no code of a link`() async throws {
        let log = RecordedLog()
        try await withServer(configure: { $0.logger = log.logger }) { server in
            let link = try Self.link(for: "ann", on: server)
            #expect(try await Self.browser(server).get(link).status == 303)
            let code = try #require(link.split(separator: "/").last)
            let lines = log.lines
            #expect(lines.contains { $0.contains("sign-in") } && !lines.contains { $0.contains(code) })
        }
    }
}
