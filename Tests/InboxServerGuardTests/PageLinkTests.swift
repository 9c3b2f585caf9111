import Foundation
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

/// Links that count a click, and forged links that resemble them.
@Suite(.timeLimit(.minutes(10))) struct PageLinkTests {
    private static let message: JSON = [
        "title": "Sale", "link": "https://example.com/sale",
        "actions": [
            ["id": "buy", "text": "Buy", "link": "https://example.com/buy"],
            ["id": "more", "text": "More", "link": "https://example.com/buy"],
        ],
    ]

    /// The click-counting links of a page, by their labels.
    private func links(_ browser: Browser, _ path: String) async throws -> [String: String] {
        let page = try await browser.get(path).text
        var links: [String: String] = [:]
        for match in page.matches(of: /href="([^"]+\/go[^"]*)"[^>]*>([^<]*)</) {
            let label = String(match.2)
            if links[label] == nil { links[label] = String(match.1).replacing("&amp;", with: "&") }
        }
        return links
    }

    private func clicks(_ server: TestServer, _ id: String) async throws -> JSON? {
        try await server.rest("GET", "/v1/messages/\(id)/figures").json["clicked"]
    }

    /// Runs a test with a broadcast and two signed-in people who haven't opened it.
    private func withTwo(_ body: (TestServer, String, _ ann: Browser, _ bob: Browser) async throws -> Void) async throws
    {
        try await withServer { server in
            let id = try await server.send(to: ["everyone": true], Self.message)
            let (ann, bob) = (
                try await Browser.signedIn("ann", on: server), try await Browser.signedIn("bob", on: server)
            )
            try await body(server, id, ann, bob)
        }
    }

    @Test func `a link without a code redirects and isn't counted as a click`() async throws {
        try await withTwo { server, id, ann, _ in
            let path = "/inbox/messages/\(id)/go"
            let elsewhere = ["Sec-Fetch-Site": "cross-site", "Referer": "https://evil.example/"]
            for (query, target) in [
                ("", "sale"), ("?action=buy", "buy"), ("?action=buy&code=", "buy"), ("?code=x", "sale"),
                ("?action=buy&code=\(String(repeating: "A", count: 43))", "buy"),
            ] {
                for headers in [[:], elsewhere] {
                    let answer = try await ann.get(path + query, headers)
                    #expect(answer.status == 303)
                    #expect(answer.headers["location"] == "https://example.com/\(target)")
                }
            }
            #expect(try await clicks(server, id) == 0)
            #expect(try await server.device(of: "ann").message(id)?["readAt"] == .null)
        }
    }

    /// A recipient of a shared message knows its URL and could trick other recipients into opening it.
    @Test func `a cross-site link to a shared message shows it and marks nothing`() async throws {
        try await withServer(configure: { $0.signInOrigins = ["https://app.example.com"] }) { server in
            let toAll = try await server.send(to: ["everyone": true], Self.message)
            let toTwo = try await server.send(to: ["people": ["ann", "bob"]], Self.message)
            let ann = try await Browser.signedIn("ann", on: server)
            let device = try await server.device(of: "ann")
            for headers in [
                ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"],
                ["Sec-Fetch-Site": "cross-site", "Referer": "https://evil.example/"],
                ["Sec-Fetch-Site": "", "Referer": "http://127.0.0.1.evil.example/"],
            ] {
                for id in [toAll, toTwo] {
                    let page = try await ann.get("/inbox/messages/\(id)", headers)
                    #expect(page.status == 200)
                    #expect(page.words.contains("Sale"))
                    let figures = try await server.rest("GET", "/v1/messages/\(id)/figures").json
                    #expect(figures["clicked"] == 0)
                    #expect(figures["read"] == 0)
                    #expect(try await device.message(id)?["readAt"] == .null)
                }
            }
            // Only Ann knows the URL of a message to her alone, for example from a mail about it.
            let own = try await server.send(to: ["person": "ann"], Self.message)
            _ = try await ann.get("/inbox/messages/\(own)", ["Sec-Fetch-Site": "cross-site"])
            #expect(try await device.message(own)?["readAt"] != .null)
            // The app that signed her in links to it from its own page.
            let app = ["Sec-Fetch-Site": "cross-site", "Referer": "https://app.example.com/"]
            _ = try await ann.get("/inbox/messages/\(toAll)", app)
            #expect(try await device.message(toAll)?["readAt"] != .null)
            // Opened from her own list, or by typing the URL.
            _ = try await ann.get("/inbox/messages/\(toTwo)", ["Sec-Fetch-Site": "none"])
            #expect(try await clicks(server, toTwo) == 1)
        }
    }

    @Test func `links on the person's own pages are counted as clicks`() async throws {
        try await withTwo { server, id, ann, bob in
            let list = try await links(ann, "/inbox")
            _ = try await ann.get(try #require(list["Buy"]))
            #expect(try await clicks(server, id) == 1)
            #expect(try await server.device(of: "ann").message(id)?["readAt"] != .null)
            // Opening counts as a click already, so the export shows whether the page's own links count.
            let detail = try await links(bob, "/inbox/messages/\(id)")
            #expect(detail.count == 3)
            for link in detail.values { #expect(try await bob.get(link).status == 303) }
            let export = try await server.rest("GET", "/v1/people/bob/export")
            let text = String(decoding: export.bytes, as: UTF8.self)
            #expect(text.components(separatedBy: #""type":"clicked""#).count == 5, "three links and the opening")
        }
    }

    @Test func `a code is valid for one person, message and link only`() async throws {
        try await withTwo { server, id, ann, bob in
            let other = try await server.send(to: ["everyone": true], Self.message)
            let code = { (link: String) in link.split(separator: "code=").last.map(String.init) ?? "" }
            let own = try await links(bob, "/inbox")
            let buy = try #require(own["Buy"])
            // Ann follows Bob's link: any recipient could have sent it to her.
            #expect(try await ann.get(buy).status == 303)
            // Ann's own code of the newest message's button, used for another button with the same link, without a
            // button, and for another message.
            let anns = code(try #require(try await links(ann, "/inbox")["Buy"]))
            for path in ["\(other)/go?action=more&", "\(other)/go?", "\(id)/go?action=buy&", "\(id)/go?"] {
                #expect(try await ann.get("/inbox/messages/\(path)code=\(anns)").status == 303)
            }
            #expect(try await bob.get("/inbox/messages/\(other)/go?action=buy&code=\(anns)").status == 303)
            #expect(try await clicks(server, id) == 0)
            #expect(try await clicks(server, other) == 0)
            // After the link was edited, an earlier page's link isn't counted.
            let latest = try #require(try await links(ann, "/inbox")["Buy"])
            let edited = latest.split(separator: "/").dropFirst(2).first.map(String.init) ?? ""
            let actions: JSON = [["id": "buy", "text": "Buy", "link": "https://example.com/other"]]
            let edit: JSON = ["message": ["title": "Sale", "actions": actions]]
            #expect(try await server.rest("PUT", "/v1/messages/\(edited)", edit).status == 200)
            #expect(try await ann.get(latest).headers["location"] == "https://example.com/other")
            #expect(try await clicks(server, edited) == 0)
        }
    }

    @Test func `codes are valid after a restart and invalid after an erasure`() async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "inbox.sqlite")
            var server = try await TestServer.start(file: file, clock: ManualClock())
            let id = try await server.send(to: ["everyone": true], Self.message)
            let link = try #require(try await links(try await Browser.signedIn("ann", on: server), "/inbox")["Buy"])
            try await server.stop()
            server = try await TestServer.start(file: file, clock: ManualClock())
            _ = try await Browser.signedIn("ann", on: server).get(link)
            #expect(try await clicks(server, id) == 1)
            #expect(try await server.rest("DELETE", "/v1/people/ann").status == 200)
            _ = try await Browser.signedIn("ann", on: server).get(link)
            #expect(try await server.device(of: "ann").message(id)?["readAt"] == .null)
            try await server.stop()
        }
    }
}
