import Foundation
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

/// The HTML of a message on the page: in a frame of its own, cleaned, with links that count.
@Suite(.timeLimit(.minutes(10))) struct PageHTMLTests {
    private static let html = """
        <html lang="de"><body><script>alert(1)</script><p onclick="x()">Dear <b>Ann</b></p>
        <img src="https://pictures.example.com/a.png" alt="A"><img src="https://track.example.net/o.gif" width="1">
        <a href="https://example.com/sale?a=1&amp;b=2">Sale</a> <a href="javascript:alert(2)">Run</a>
        <span data-link="app://offers/1" data-actiontype="deep-link">Offer</span>
        <a href="mailto:help@example.com">Write</a></body></html>
        """

    private func links(_ document: String) -> [String: String] {
        var links: [String: String] = [:]
        for match in document.matches(of: /<a[^>]*href="([^"]+)"[^>]*>(?:<span>)?([^<]*)</) {
            links[String(match.2)] = String(match.1).replacing("&amp;", with: "&")
        }
        return links
    }

    /// The clicks in a person's export: their number, and the whole text.
    private func clicked(_ server: TestServer, by person: String) async throws -> (count: Int, text: String) {
        let export = try await server.rest("GET", "/v1/people/\(person)/export")
        let text = String(decoding: export.bytes, as: UTF8.self)
        return (text.ranges(of: #""type":"clicked""#).count, text)
    }

    @Test func `a message's HTML is in a sandboxed frame from an address of its own`() async throws {
        try await withServer { server in
            let id = try await server.send(
                to: ["person": "ann"],
                ["title": "Sale <1>", "html": .string(Self.html), "body": "As text"]
            )
            let browser = try await Browser.signedIn("ann", on: server)
            let page = try await browser.get("/inbox/messages/\(id)?limit=5")
            let frame = try #require(page.text.firstMatch(of: /<iframe[^>]*>/)).0
            #expect(frame.contains(#"sandbox="allow-popups allow-popups-to-escape-sandbox""#))
            #expect(frame.contains(#"title="Sale &lt;1&gt;""#))
            #expect(frame.contains("src=\"/inbox/messages/\(id)/html?limit=5\""))
            #expect(page.headers["content-security-policy"]?.contains("frame-src 'self'") ?? false)
            #expect(!page.text.contains("As text"))

            let shown = try await browser.get("/inbox/messages/\(id)/html?limit=5")
            let policy = try #require(shown.headers["content-security-policy"])
            #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'self'"))
            #expect(policy.contains("sandbox allow-popups allow-popups-to-escape-sandbox"))
            #expect(policy.contains("img-src https://pictures.example.com;"))
            #expect(!policy.contains("script-src") && !policy.contains("allow-scripts"))
            #expect(shown.headers["cache-control"] == "no-store")
            #expect(shown.text.contains("<title>Sale &lt;1&gt;</title>") && shown.text.contains("lang=\"de\""))
            #expect(shown.text.contains("Dear <b>Ann</b>"))
            for gone in ["script", "alert", "onclick", "track.example.net"] { #expect(!shown.text.contains(gone)) }
        }
    }

    @Test func `links in HTML lead through the redirect, which counts own clicks alone`() async throws {
        try await withServer { server in
            let id = try await server.send(to: ["everyone": true], ["html": .string(Self.html)])
            let ann = try await Browser.signedIn("ann", on: server)
            let bob = try await Browser.signedIn("bob", on: server)
            let links = links(try await ann.get("/inbox/messages/\(id)/html").text)
            #expect(Set(links.keys) == ["Sale", "Offer", "Write"])
            #expect(links["Write"] == "mailto:help@example.com")
            #expect(try await clicked(server, by: "ann").count == 0, "showing the frame counts nothing")

            let sale = try #require(links["Sale"])
            #expect(sale.hasPrefix("/inbox/messages/\(id)/go?link=0&code="))
            let answer = try await ann.get(sale)
            #expect(answer.status == 303 && answer.headers["location"] == "https://example.com/sale?a=1&b=2")
            let events = try await clicked(server, by: "ann")
            #expect(events.count == 1 && events.text.contains(#""cta":"Sale""#))
            #expect(events.text.contains(#""url":"https://example.com/sale?a=1&b=2""#))

            let offer = try #require(links["Offer"])
            #expect(try await ann.get(offer).headers["location"] == "app://offers/1")
            #expect(try await clicked(server, by: "ann").count == 2)

            // Ann's code is worth nothing to Bob, and a code of one link nothing for another.
            #expect(try await bob.get(sale).headers["location"] == "https://example.com/sale?a=1&b=2")
            let code = try #require(sale.firstRange(of: "code="))
            _ = try await ann.get("/inbox/messages/\(id)/go?link=1&" + sale[code.lowerBound...])
            #expect(try await clicked(server, by: "bob").count == 0)
            #expect(try await clicked(server, by: "ann").count == 2)
        }
    }

    @Test func `a message with media queries has a frame for wide views and one for narrow ones`() async throws {
        try await withServer { server in
            let id = try await server.send(
                to: ["person": "ann"],
                [
                    "html": """
                    <style>.a{width:600px}.b{display:none}@media (max-width:480px){.a{width:90%}.b{display:block}}</style>
                    <a class="b" href="https://example.com/1">First</a><a class="a" href="https://example.com/2">Second</a>
                    """
                ]
            )
            let browser = try await Browser.signedIn("ann", on: server)
            let page = try await browser.get("/inbox/messages/\(id)").text
            let frames = page.matches(of: /<iframe[^>]*>/).map { String($0.output) }
            #expect(frames.count == 2 && frames.allSatisfy { $0.contains("loading=\"lazy\"") })
            let classes = frames.compactMap { $0.firstMatch(of: /class="([^"]*)"/)?.1 }
            #expect(classes == ["ib-html ib-wide", "ib-html ib-narrow"])
            #expect(frames.last?.contains("/inbox/messages/\(id)/html?width=narrow") == true)
            #expect(page.contains(".ib-html{height:min(75vh,"))

            let wide = try await browser.get("/inbox/messages/\(id)/html").text
            let narrow = try await browser.get("/inbox/messages/\(id)/html?width=narrow").text
            #expect(wide.contains("600px") && !wide.contains("90%"))
            #expect(narrow.contains("90%") && !narrow.contains("600px"))
            // A link has the same place in both, and so the same code.
            #expect(links(wide) == links(narrow) && links(wide).count == 2)
            #expect(try await browser.get("/inbox/messages/\(id)/html?width=huge").status == 400)
        }
    }

    @Test func `a truncated message, or one with too many picture hosts, has a note`() async throws {
        try await withServer { server in
            func shown(_ html: String) async throws -> Browser.Answer {
                let id = try await server.send(to: ["person": "ann"], ["html": .string(html)])
                return try await Browser.signedIn("ann", on: server).get("/inbox/messages/\(id)/html")
            }
            let (cut, hidden) = ("The message is longer than what is shown here.", "Some pictures of this message")
            let short = try await shown("<p>Hello<img src=https://a.example/a.png>").text
            #expect(!short.contains(cut) && !short.contains(hidden))
            // More nodes than are read.
            #expect(try await shown(String(repeating: "<p>a", count: 130_000)).text.contains(cut))
            let many = try await shown((10..<70).map { "<img src=https://\($0).example/a.png>" }.joined())
            #expect(many.text.contains(hidden) && !many.text.contains(cut))
            let policy = many.headers["content-security-policy"] ?? ""
            #expect(policy.contains("https://10.example ") && policy.contains("https://59.example;"))
            #expect(!policy.contains("60.example") && !policy.contains(" https:;") && !policy.contains(" https: "))
        }
    }

    @Test func `an address of HTML that isn't there is answered with 404`() async throws {
        try await withServer { server in
            let plain = try await server.send(to: ["person": "ann"], ["body": "As text"])
            let html = try await server.send(to: ["person": "ann"], ["html": .string(Self.html)])
            let browser = try await Browser.signedIn("ann", on: server)
            let bob = try await Browser.signedIn("bob", on: server)
            #expect(try await browser.get("/inbox/messages/\(plain)").text.contains("As text"))
            for path in [
                "/inbox/messages/\(plain)/html", "/inbox/messages/nonesuch/html", "/inbox/messages/\(html)/go?link=99",
                "/inbox/messages/\(plain)/go?link=0",
            ] {
                #expect(try await browser.get(path).status == 404, "\(path)")
            }
            #expect(try await browser.get("/inbox/messages/\(html)/go?link=-1").status == 400)
            #expect(try await bob.get("/inbox/messages/\(html)/html").status == 404, "another person's message")
        }
    }

    @Test func `a forced link in HTML is tracked without consent, another isn't`() async throws {
        try await withServer { server in
            let id = try await server.send(
                to: ["person": "ann"],
                [
                    "consentCategory": "offers",
                    "html": """
                    <a href="https://example.com/">A</a><a href="https://example.com/?xnpe_force_track=true">B</a>
                    """,
                ]
            )
            let browser = try await Browser.signedIn("ann", on: server)
            let links = links(try await browser.get("/inbox/messages/\(id)/html").text)
            _ = try await browser.get(try #require(links["A"]))
            #expect(try await clicked(server, by: "ann").count == 0)
            _ = try await browser.get(try #require(links["B"]))
            let events = try await clicked(server, by: "ann")
            #expect(events.count == 1 && events.text.contains(#""tracking_forced":true"#))
        }
    }
}
