import Foundation
import Groundwork
import Testing

@testable import InboxServer
@testable import InboxService

/// The page `/inbox` in a browser without scripts.
@Suite(.timeLimit(.minutes(10))) struct PageTests {
    // MARK: The list

    @Test func `the list shows the surface's messages, pinned first, and the unread count`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let settings: JSON = ["title": "Post", "emptyTitle": "Nothing new", "layout": "horizontal"]
            _ = try await server.rest("PUT", "/v1/surfaces/inbox", settings)
            let browser = try await Browser.signedIn("ann", on: server)
            let empty = try await browser.get("/inbox")
            #expect(empty.words.contains("Post No unread messages"))
            #expect(empty.words.contains("Nothing new"))

            let device = try await server.device(of: "ann")
            try await server.send(to: ["person": "ann"], ["title": "Kept", "pinned": true])
            try await server.send(to: ["everyone": true], ["title": "To all"])
            clock.advance(by: 3_600)
            let read = try await server.send(to: ["person": "ann"], ["title": "Was read"])
            try await device.update(read, ["readAt": "2026-05-01T09:00:00Z"])
            for (title, field) in [("Gone", "deletedAt"), ("Away", "archivedAt"), ("Postponed", "snoozedUntil")] {
                let id = try await server.send(to: ["person": "ann"], ["title": .string(title)])
                try await device.update(id, .object(JSONObject([(field, "2026-05-01T10:00:00Z")])))
            }
            try await server.send(to: ["person": "ann"], ["title": "Elsewhere", "surface": "offers"])
            let page = try await browser.get("/inbox")
            #expect(page.text.contains("<title>(2) Post</title>"))
            #expect(page.words.contains("2 unread messages"))
            #expect(page.text.contains("ib-row"))
            let titles = page.text.matches(of: /rel="noopener noreferrer">([^<]+)<\/a><\/h2>/).map { String($0.1) }
            #expect(titles == ["Kept", "Was read", "To all"])
            for hidden in ["Gone", "Away", "Postponed", "Elsewhere"] { #expect(!page.words.contains(hidden)) }
            let offers = try await browser.get("/inbox?surface=offers")
            #expect(offers.words.contains("Elsewhere") && !offers.words.contains("Kept"))
        }
    }

    @Test func `a message without a title can be opened`() async throws {
        try await withServer { server in
            let browser = try await Browser.signedIn("ann", on: server)
            let text = try await server.send(to: ["person": "ann"], ["body": "Only a text"])
            let picture = try await server.send(
                to: ["person": "ann"],
                ["media": ["url": "https://example.com/a.png"], "templateId": "ImageOnly"]
            )
            let page = try await browser.get("/inbox").text
            for id in [text, picture] {
                #expect(page.ranges(of: "href=\"/inbox/messages/\(id)\"").count == 1)
                #expect(try await browser.get("/inbox/messages/\(id)").status == 200)
            }
            #expect(page.contains(">Only a text</a>") && page.contains("aria-label=\"Unread, Message\" rel="))
        }
    }

    @Test func `the unread count follows sends, reads and the end of a snooze`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let browser = try await Browser.signedIn("ann", on: server)
            let other = try await Browser.signedIn("bob", on: server)
            let device = try await server.device(of: "ann")
            func expect(_ words: String, _ comment: Comment) async throws {
                // The second time from the cached count.
                for _ in 0..<2 { #expect(try await browser.get("/inbox").words.contains(words), comment) }
            }
            try await expect("No unread messages", "nothing was sent")
            let first = try await server.send(to: ["person": "ann"], ["title": "First"])
            try await expect("1 unread message", "one was sent")
            try await server.send(to: ["everyone": true], ["title": "To all"])
            try await expect("2 unread messages", "one was sent to everyone")
            try await device.update(first, ["snoozedUntil": "2026-05-01T10:00:00Z"])
            try await expect("1 unread message", "one is snoozed")
            #expect(try await browser.get("/inbox?surface=offers").words.contains("No unread messages"))
            clock.advance(by: 7_199)
            try await expect("1 unread message", "the snooze hasn't ended")
            clock.advance(by: 1)
            try await expect("2 unread messages", "the snooze has ended without a write")
            #expect(try await browser.get("/inbox").words.contains("First"))
            clock.advance(by: -1)
            try await expect("1 unread message", "the clock was set back")
            clock.advance(by: 1)
            try await device.update(first, ["readAt": "2026-05-01T10:00:00Z"])
            try await expect("1 unread message", "one was read")
            #expect(try await other.get("/inbox").words.contains("1 unread message"))
        }
    }

    @Test func `pages show every message once`() async throws {
        try await withServer { server in
            let messages = (0..<250).map {
                ["to": ["person": "ann"], "message": ["title": .string("Number \($0)")]] as JSON
            }
            _ = try await server.rest("POST", "/v1/messages", .array(messages))
            try await server.send(to: ["everyone": true], ["title": "To all"])
            let browser = try await Browser.signedIn("ann", on: server)
            var (address, keys, sizes): (String?, [String], [Int]) = ("/inbox", [], [])
            while let current = address {
                let page = try await browser.get(current)
                let shown = page.text.matches(of: /data-key="([^"]+)"/).map { String($0.1) }
                sizes.append(shown.count)
                // The page either shows more messages or is the next one.
                keys =
                    current.contains("before") || sizes.count == 1 || shown.prefix(keys.count) != keys[...]
                    ? keys + shown.filter { !keys.contains($0) } : shown
                let link = page.text.firstMatch(
                    of: /<a class="ib-action[^"]*" href="([^"]+)">(?:Load More|Older Messages)/
                )
                address = link.map { String($0.1).replacing("&amp;", with: "&") }
                #expect(page.words.contains("251 unread messages"))
                guard sizes.count < 20 else { break }
            }
            #expect(keys.count == 251)
            #expect(Set(keys).count == 251)
            #expect(sizes.allSatisfy { $0 <= 200 })
        }
    }

    @Test func `the unread count ends at 1000 and shows a plus sign`() async throws {
        try await withServer { server in
            let browser = try await Browser.signedIn("ann", on: server)
            for (part, words, badge) in [
                (999, "999 unread messages", "999"), (1, "1,000 unread messages", "1000"),
                (1, "1,000+ unread messages", "1000+"), (5, "1,000+ unread messages", "1000+"),
            ] {
                let messages = (0..<part).map {
                    ["to": ["person": "ann"], "message": ["title": .string("Number \($0)")]] as JSON
                }
                _ = try await server.rest("POST", "/v1/messages", .array(messages))
                let page = try await browser.get("/inbox")
                #expect(page.words.contains(words) && page.text.contains("<title>(\(badge)) "), "\(part)")
                #expect(page.text.contains("Unread <b>\(badge)</b>"))
            }
            let french = try await browser.get("/inbox", ["Accept-Language": "fr"])
            #expect(french.words.contains("1 000+ messages non lus"))
        }
    }

    @Test func `an invalid query is an HTML page with status 400`() async throws {
        let cases: [String] = ["?limit=0", "?limit=201", "?limit=x", "?before=x", "?surface=", "?surface=%ZZ"]
        try await withServer { server in
            for query in cases {
                let answer = try await Browser.signedIn("ann", on: server).get("/inbox" + query)
                #expect(answer.status == 400, "\(query)")
                #expect(answer.headers["content-type"] == "text/html; charset=utf-8", "\(query)")
            }
        }
    }

    @Test func `the server's address leads a browser to the list, and is 404 for other clients`() async throws {
        try await withServer { server in
            for browser in [Browser(server), try await Browser.signedIn("ann", on: server)] {
                let answer = try await browser.get("/")
                #expect(answer.status == 303 && answer.headers["location"] == "/inbox")
                let other = try await browser.get("/", ["Accept": "application/json"])
                #expect(other.status == 404 && other.headers["content-type"] == "application/problem+json")
            }
        }
    }

    @Test func `unknown query parameters are ignored`() async throws {
        try await withServer { server in
            let answer = try await Browser.signedIn("ann", on: server).get("/inbox?utm_source=mail")
            #expect(answer.status == 200)
        }
    }

    // MARK: A message

    @Test func `opening a message reads it and counts a click, a prefetch does neither`() async throws {
        try await withServer { server in
            let id = try await server.send(
                to: ["person": "ann"],
                ["title": "Hello", "body": "One\nTwo\n\nThree", "category": "news"]
            )
            let browser = try await Browser.signedIn("ann", on: server)
            let path = "/inbox/messages/\(id)"
            for quiet in [["Sec-Fetch-Dest": "empty"], ["Sec-Purpose": "prefetch;prerender"]] {
                #expect(try await browser.get(path, quiet).status == 200)
            }
            let device = try await server.device(of: "ann")
            #expect(try await device.message(id)?["readAt"] == .null)
            let page = try await browser.get(path, ["Cookie": "inbox_zone=Europe%2FBerlin"])
            #expect(page.words.contains("news Hello Friday, May 1, 2026 at 10:00"))
            #expect(page.text.contains("One<br>Two</p>"))
            #expect(page.text.contains(#"datetime="2026-05-01T08:00:00Z""#))
            #expect(try await device.message(id)?["readAt"] == "2026-05-01T08:00:00Z")
            let figures = try await server.rest("GET", "/v1/messages/\(id)/figures").json
            #expect(figures["clicked"] == 1)

            let unread = try await browser.post(path + "/unread?limit=5").headers["location"]
            #expect(unread?.hasPrefix("/inbox?limit=5&undo=") ?? false)
            #expect(try await device.message(id)?["readAt"] == .null)
        }
    }

    @Test func `dismissing and archiving can be undone, and a dismissal is an event`() async throws {
        try await withServer { server in
            let id = try await server.send(to: ["person": "ann"], ["title": "Hello"])
            let browser = try await Browser.signedIn("ann", on: server)
            let device = try await server.device(of: "ann")
            for (action, field, word) in [
                ("dismiss", "deletedAt", "Deleted"), ("archive", "archivedAt", "Archived"),
            ] {
                let answer = try await browser.post("/inbox/messages/\(id)/\(action)?limit=5")
                let address = try #require(answer.headers["location"])
                #expect(address.hasPrefix("/inbox?limit=5&undo="))
                let list = try await browser.get(address)
                #expect(!list.text.contains("data-key"))
                #expect(list.words.contains("\(word) · Hello Undo"))
                #expect(try await device.message(id)?[field] == "2026-05-01T08:00:00Z")
                let undo = try list.undoForm()
                #expect(undo.action == "/inbox/undo?limit=5")
                #expect(try await browser.post(undo.action, undo.body).status == 303)
                #expect(try await device.message(id)?[field] == .null)
            }
            let export = try await server.rest("GET", "/v1/people/ann/export")
            let text = String(decoding: export.bytes, as: UTF8.self)
            #expect(text.components(separatedBy: #""type":"dismissed""#).count == 2)
        }
    }

    @Test func `an action button counts a click and redirects`() async throws {
        try await withServer { server in
            let actions: JSON = [
                ["id": "track&?", "text": "Track", "link": "https://example.com/a?b=ü"], ["id": "yes", "text": "Yes"],
            ]
            let id = try await server.send(
                to: ["person": "ann"],
                ["title": "Parcel", "actions": actions, "link": "app://parcels/1"]
            )
            let browser = try await Browser.signedIn("ann", on: server)
            let list = try await browser.get("/inbox").text
            let link = try #require(list.firstMatch(of: /href="([^"]+)"[^>]*>Track</)).1.replacing("&amp;", with: "&")
            #expect(link.hasPrefix("/inbox/messages/\(id)/go?action=track%26%3F&code="))
            let answer = try await browser.get(String(link))
            #expect(answer.status == 303)
            #expect(answer.headers["location"] == "https://example.com/a?b=%C3%BC")
            let path = "/inbox/messages/\(id)/go"
            #expect(try await browser.get(path).headers["location"] == "app://parcels/1")
            // A click on an action without a link is recorded too.
            let detail = try await browser.get("/inbox/messages/\(id)?limit=5").text
            let yes = try #require(detail.firstMatch(of: /href="([^"]+)"[^>]*>Yes</)).1.replacing("&amp;", with: "&")
            #expect(yes.contains("?limit=5&action=yes&code="))
            let back = try #require(try await browser.get(String(yes)).headers["location"])
            #expect(back == "/inbox/messages/\(id)?limit=5&notice=recorded")
            #expect(try await browser.get(back).words.contains("Your choice was recorded."))
            let onList = try await browser.get("/inbox?limit=5").text
            let same = try #require(onList.firstMatch(of: /href="([^"]+)"[^>]*>Yes</)).1.replacing("&amp;", with: "&")
            let answered = try #require(try await browser.get(String(same)).headers["location"])
            #expect(answered == "/inbox?limit=5&notice=recorded")
            #expect(try await browser.get(answered).words.contains("Your choice was recorded."))
            // Without the page's own code nothing is recorded.
            #expect(try await browser.get(path + "?action=yes").headers["location"] == "/inbox")
            #expect(try await browser.get(path + "?action=nonesuch").status == 404)
            let figures = try await server.rest("GET", "/v1/messages/\(id)/figures").json
            #expect(figures["clicked"] == 1)
            #expect(figures["actions"]?["track&?"] == 1 || figures.description.contains("track&?"))
            #expect(try await server.device(of: "ann").message(id)?["readAt"] == "2026-05-01T08:00:00Z")
        }
    }

    @Test func `without consent no event is recorded, unless the link forces tracking`() async throws {
        try await withServer { server in
            let actions: JSON = [
                ["id": "a", "text": "A", "link": "https://example.com/"],
                ["id": "b", "text": "B", "link": "https://example.com/?xnpe_force_track=true"],
            ]
            let id = try await server.send(
                to: ["person": "ann"],
                ["title": "Offer", "consentCategory": "offers", "actions": actions]
            )
            let browser = try await Browser.signedIn("ann", on: server)
            func events() async throws -> String {
                String(decoding: try await server.rest("GET", "/v1/people/ann/export").bytes, as: UTF8.self)
            }
            let page = try await browser.get("/inbox/messages/\(id)").text
            func follow(_ label: String) async throws {
                let links = page.matches(of: /href="([^"]+)"[^>]*>([^<]*)</)
                let link = try #require(links.first { $0.2 == label }).1.replacing("&amp;", with: "&")
                _ = try await browser.get(String(link))
            }
            try await follow("A")
            _ = try await browser.post("/inbox/messages/\(id)/dismiss")
            #expect(try await server.device(of: "ann").message(id)?["readAt"] != .null)
            #expect(try await events().contains(#""type":"clicked""#) == false)
            #expect(try await events().contains(#""type":"dismissed""#) == false)
            try await follow("B")
            #expect(try await events().contains(#""tracking_forced":true"#))
        }
    }

    @Test func `another person's, an unknown and a recalled message are 404`() async throws {
        try await withServer { server in
            let browser = try await Browser.signedIn("ann", on: server)
            let other = try await server.send(to: ["person": "bob"], ["title": "For Bob"])
            let recalled = try await server.send(to: ["person": "ann"])
            _ = try await server.rest("DELETE", "/v1/messages/\(recalled)")
            for id in [other, recalled, "m0000000000000", "x", "%2e%2e", "%00"] {
                for (method, suffix) in [("GET", ""), ("GET", "/go"), ("POST", "/read"), ("POST", "/dismiss")] {
                    let path = "/inbox/messages/\(id)\(suffix)"
                    let answer = try await method == "GET" ? browser.get(path) : browser.post(path)
                    #expect(answer.status == 404, "\(path)")
                    #expect(answer.text.contains("<!DOCTYPE html>") && !answer.text.contains("For Bob"))
                }
            }
            #expect(try await server.device(of: "bob").message(other)?["readAt"] == .null)
            #expect(try await browser.get("/inbox/nothing/here").status == 404)
            // A request that doesn't accept HTML gets problem details.
            let json = try await browser.get("/inbox/nothing", ["Accept": "application/json"])
            #expect(json.headers["content-type"] == "application/problem+json")
        }
    }

    @Test func `a deleted message isn't shown at its address, and an undo shows it again`() async throws {
        try await withServer { server in
            let id = try await server.send(to: ["person": "ann"], ["title": "Hello", "html": "<p>Hi"])
            let browser = try await Browser.signedIn("ann", on: server)
            let list = try await browser.change("id=\(id)&do=delete")
            for path in ["/inbox/messages/\(id)", "/inbox/messages/\(id)/html"] {
                let page = try await browser.get(path)
                #expect(page.status == 404 && page.words.contains("This message is no longer available."), "\(path)")
                #expect(!page.words.contains("Hello") && !page.words.contains("Archive"), "\(path)")
            }
            // It isn't read by that.
            #expect(try await server.device(of: "ann").message(id)?["readAt"] == .null)
            // A page that was loaded before says what became of the message.
            let late = try await browser.change("id=\(id)&do=archive")
            #expect(late.words.contains("This message is no longer available.") && !late.words.contains("Undo"))
            let undo = try list.undoForm()
            _ = try await browser.post(undo.action, undo.body)
            #expect(try await browser.get("/inbox/messages/\(id)").words.contains("Hello"))
        }
    }

    // MARK: Security

    @Test func `hostile texts are escaped on every page`() async throws {
        try await withServer { server in
            let evil = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>\u{202E}"
            let message: JSON = [
                "title": .string(evil), "body": .string(evil), "category": .string(evil),
                "media": ["url": "https://example.com/\"onerror=x.png", "alt": .string(evil)],
                "actions": [["id": .string(evil), "text": .string(evil), "link": "https://example.com/"]],
            ]
            // The quote makes the URL invalid: the image is left out, and the rest is sent.
            var object = try #require(message.objectValue)
            object["media"] = ["url": "https://example.com/x.png", "alt": .string(evil)]
            let id = try await server.send(to: ["person": "ann"], .object(object))
            let settings: JSON = ["title": .string(evil), "emptyTitle": .string(evil), "emptyMessage": .string(evil)]
            _ = try await server.rest("PUT", "/v1/surfaces/inbox", settings)
            let browser = try await Browser.signedIn("ann", on: server)
            let html = try await server.send(
                to: ["person": "ann"],
                ["html": "<script>alert(1)</script><p onclick=\"x()\">Dear <b>Ann</b>,&nbsp;&lt;i&gt;</p><p>Bye"]
            )
            for path in [
                "/inbox", "/inbox/messages/\(id)", "/inbox?surface=%22%3E%3Cscript%3E", "/inbox/messages/\(html)",
                "/inbox/messages/\(html)/html",
            ] {
                let page = try await browser.get(path)
                #expect(page.status == 200)
                #expect(!page.text.contains("<script>"), "\(path)")
                #expect(!page.text.contains("<img src=x"), "\(path)")
                let tags = page.text.replacing(/"[^"]*"/, with: "\"\"")
                #expect(tags.matches(of: /<[^>]*\son[a-z]+=/).isEmpty, "\(path)")
            }
            let shown = try await browser.get("/inbox/messages/\(html)/html")
            #expect(shown.text.contains("Dear <b>Ann</b>,"))
            #expect(shown.text.contains("&lt;i&gt;"))
            #expect(!shown.text.contains("alert(1)"))
        }
    }

    @Test func `headers forbid other scripts and caching`() async throws {
        try await withServer { server in
            let id = try await server.send(to: ["person": "ann"])
            let browser = try await Browser.signedIn("ann", on: server)
            var nonces: Set<String> = []
            for path in ["/inbox", "/inbox/messages/\(id)", "/inbox/nothing", "/inbox?limit=x"] {
                let page = try await browser.get(path)
                let policy = try #require(page.headers["content-security-policy"])
                #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self' 'nonce-"))
                #expect(!policy.contains("unsafe"))
                for part in ["form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'", "connect-src 'self'"] {
                    #expect(policy.contains(part))
                }
                let nonce = try #require(policy.firstMatch(of: /'nonce-([^']+)'/)).1
                #expect(page.text.contains("nonce=\"\(nonce)\""))
                nonces.insert(String(nonce))
                #expect(page.headers["cache-control"] == "no-store")
                #expect(page.headers["x-content-type-options"] == "nosniff")
                #expect(page.headers["referrer-policy"] == "same-origin")
                // Only the rules with the nonce are inline.
                #expect(page.text.matches(of: /\sstyle="/).isEmpty)
                #expect(page.text.matches(of: /<script(?! defer src=)/).isEmpty)
            }
            #expect(nonces.count == 4)
        }
    }

    @Test func `static files have their types, and 304 for a known ETag`() async throws {
        try await withServer { server in
            let browser = Browser(server)
            for (path, type) in [
                ("style.css", "text/css; charset=utf-8"), ("app.js", "text/javascript; charset=utf-8"),
                ("icon.svg", "image/svg+xml"),
            ] {
                let file = try await browser.get("/inbox/\(path)")
                #expect(file.status == 200)
                #expect(file.headers["content-type"] == type)
                #expect(file.headers["x-content-type-options"] == "nosniff")
                let tag = try #require(file.headers["etag"])
                let again = try await browser.get("/inbox/\(path)", ["If-None-Match": tag])
                #expect(again.status == 304)
                #expect(again.text.isEmpty)
            }
        }
    }

    // MARK: Readers

    @Test func `the page is in the reader's language and direction`() async throws {
        let cases: [(String, String, String, String)] = [
            ("de-AT,de;q=0.9", "de-AT", "ltr", "Abmelden"), ("ar", "ar", "rtl", ""), ("he-IL", "he-IL", "rtl", ""),
            ("ja", "ja", "ltr", ""), ("tlh, fr;q=0.5", "fr", "ltr", ""), ("", "en", "ltr", "Sign Out"),
            ("\"><script>", "en", "ltr", "Sign Out"),
        ]
        try await withServer { server in
            let browser = try await Browser.signedIn("ann", on: server)
            for (header, tag, direction, word) in cases {
                let page = try await browser.get("/inbox", ["Accept-Language": header])
                #expect(page.text.contains("<html lang=\"\(tag)\" dir=\"\(direction)\">"), "\(header)")
                #expect(word.isEmpty || page.words.contains(word), "\(header)")
            }
        }
    }

    @Test func `an invalid time zone is UTC, which a message's date names`() async throws {
        let cases: [String] = ["", "..%2F..%2Fetc%2Fpasswd", "Nowhere%2FNo", "%ZZ", "%3Cscript%3E"]
        try await withServer { server in
            let id = try await server.send(to: ["person": "ann"])
            let browser = try await Browser.signedIn("ann", on: server)
            let known = try await browser.get("/inbox/messages/\(id)", ["Cookie": "inbox_zone=Europe%2FBerlin"])
            #expect(known.words.contains("at 10:00 AM") && !known.words.contains("UTC"))
            for zone in cases {
                let page = try await browser.get("/inbox/messages/\(id)", ["Cookie": "inbox_zone=\(zone)"])
                // The zone is named, since it may not be the reader's.
                #expect(page.words.contains("at 8:00 AM UTC"), "\(zone)")
            }
        }
    }

    @Test func `the page's event stream is authorized by the cookie`() async throws {
        try await withServer { server in
            let browser = try await Browser.signedIn("ann", on: server)
            let id = try await server.send(to: ["person": "ann"])
            #expect(!id.isEmpty)
            let answer = try await browser.get(
                "/inbox/events?types=*&closeafter=state&ping=0",
                ["Last-Event-ID": "none", "Accept": "text/event-stream"]
            )
            #expect(answer.status == 200)
            #expect(answer.headers["content-type"] == "text/event-stream")
            #expect(answer.text.contains("event: state"))
            #expect(try await Browser(server).get("/inbox/events").status == 401)
        }
    }
}
