import Foundation
import Groundwork
import InboxModel
import Testing

@testable import InboxServer
@testable import InboxService

/// The page's tabs, search and forms, in a browser without scripts.
@Suite(.timeLimit(.minutes(10))) struct PageActionTests {
    private let evil = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>"

    private func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    /// Sends messages to ann and returns their ids.
    private func send(_ titles: String..., on server: TestServer) async throws -> [String] {
        var ids: [String] = []
        for title in titles { ids.append(try await server.send(to: ["person": "ann"], ["title": .string(title)])) }
        return ids
    }

    // MARK: Tabs and search

    @Test func `tabs are links with numbers, and the current one is marked`() async throws {
        try await withServer { server in
            let ids = try await send("a", "b", "c", on: server)
            let browser = try await Browser.signedIn("ann", on: server)
            _ = try await browser.change("id=\(ids[0])&do=archive")
            _ = try await browser.change("id=\(ids[1])&until=2026-05-01T20:00:00Z")
            let page = try await browser.get("/inbox?tab=archived&surface=inbox")
            #expect(page.keys == [ids[0]])
            #expect(page.text.contains(#"<a href="/inbox?surface=inbox">Inbox <b>1</b></a>"#))
            #expect(page.text.contains(#"<a href="/inbox?surface=inbox&amp;tab=unread">Unread <b>1</b></a>"#))
            #expect(
                page.text.contains(
                    #"<a href="/inbox?surface=inbox&amp;tab=archived" aria-current="page">Archived <b>1</b></a>"#
                )
            )
            #expect(page.text.matches(of: /aria-current/).count == 1)
            let snoozed = try await browser.get("/inbox?tab=snoozed")
            #expect(snoozed.keys == [ids[1]] && snoozed.words.contains("Fri, May 1 at 8:00"))
            // Forms return to the tab.
            #expect(snoozed.text.contains(#"action="/inbox/messages?tab=snoozed""#))
            #expect(try await browser.get("/inbox?tab=deleted").status == 400)
        }
    }

    @Test func `each tab and a search have their own empty state`() async throws {
        try await withServer { server in
            _ = try await server.rest("PUT", "/v1/surfaces/inbox", ["emptyTitle": "All done"])
            let browser = try await Browser.signedIn("ann", on: server)
            for (query, words) in [
                ("", "All done"), ("?tab=unread", "No unread messages"), ("?tab=archived", "The archive is empty."),
                ("?tab=snoozed", "No snoozed messages."), ("?q=x", "No messages match your search."),
            ] {
                let page = try await browser.get("/inbox" + query)
                #expect(page.text.contains(">\(words)</h2>"), "\(query)")
                // Nothing can be selected.
                #expect(!page.text.contains("id=\"selection\""))
            }
        }
    }

    @Test func `a search finds all words, stays in the tab, and shows no code of its text`() async throws {
        try await withServer { server in
            let ids = try await send("Your shoes order", "Café reçu", "Order", on: server)
            let browser = try await Browser.signedIn("ann", on: server)
            #expect(try await browser.get("/inbox?q=SHOES+order").keys == [ids[0]])
            #expect(try await browser.get("/inbox?q=cafe%20recu").keys == [ids[1]])
            #expect(try await browser.get("/inbox?q=+%20").keys.count == 3)
            _ = try await browser.change("id=\(ids[2])&do=archive", "?q=order")
            #expect(try await browser.get("/inbox?q=order").keys == [ids[0]])
            #expect(try await browser.get("/inbox?tab=archived&q=order").keys == [ids[2]])
            let page = try await browser.get("/inbox?q=" + encoded(evil))
            #expect(page.status == 200 && !page.text.contains("<script>") && !page.text.contains("<img src=x"))
            let tags = page.text.replacing(/"[^"]*"/, with: "\"\"")
            #expect(tags.matches(of: /<[^>]*\son[a-z]+=/).isEmpty)
            #expect(page.text.contains("&quot;&#39;&gt;&lt;script&gt;"))
            // Tabs keep the search.
            #expect(page.text.contains("/inbox?tab=unread&amp;q=%22%27%3E%3Cscript%3E"))
        }
    }

    @Test func `a search over 500 bytes is 400 with the limit`() async throws {
        try await withServer { server in
            let browser = try await Browser.signedIn("ann", on: server)
            #expect(try await browser.get("/inbox?q=" + String(repeating: "a", count: 500)).status == 200)
            for count in [501, 10_000] {
                let answer = try await browser.get("/inbox?q=" + String(repeating: "a", count: count))
                #expect(answer.status == 400 && answer.words.contains("The search has more than 500 bytes."))
            }
            #expect(try await browser.get("/inbox?q=%FF%00").status < 500)
        }
    }

    @Test func `older messages follow in a tab and in a search, each once`() async throws {
        try await withServer { server in
            let messages = (0..<75).map {
                ["to": ["person": "ann"], "message": ["title": .string("Number \($0)")]] as JSON
            }
            _ = try await server.rest("POST", "/v1/messages", .array(messages))
            let browser = try await Browser.signedIn("ann", on: server)
            let all = try await browser.get("/inbox?limit=75").keys
            _ = try await browser.change((all.map { "id=\($0)" } + ["do=archive"]).joined(separator: "&"))
            for search in ["", "&q=number"] {
                var (address, keys): (String?, [String]) = ("/inbox?tab=archived" + search, [])
                while let current = address {
                    let page = try await browser.get(current)
                    let grown = page.keys
                    keys = grown.starts(with: keys) ? grown : keys + grown
                    let link = page.text.firstMatch(of: /<a class="ib-action[^"]*" href="([^"]+)">/)
                    address = link.map { String($0.1).replacing("&amp;", with: "&") }
                    #expect(address?.contains("tab=archived") ?? true)
                    #expect(address?.contains("offset") != true)
                }
                #expect(keys == all)
            }
        }
    }

    // MARK: Changes

    @Test func `a message can be archived, snoozed, marked and deleted, and each is undone`() async throws {
        try await withServer { server in
            let id = try await send("Hello", on: server)[0]
            let browser = try await Browser.signedIn("ann", on: server)
            let device = try await server.device(of: "ann")
            for (fields, words) in [
                ("do=archive", "Archived · Hello Undo"), ("until=2026-05-02T08:00:00Z", "Snoozed · Hello · Sat, May 2"),
                ("do=snooze&at=2026-05-02T09:30", "9:30"), ("do=read", "Marked as read · Hello"),
                ("do=delete", "Deleted · Hello"),
            ] {
                let before = try await device.message(id)
                let list = try await browser.change("id=\(id)&\(fields)")
                #expect(list.words.contains(words), "\(fields): \(list.words)")
                #expect(try await device.message(id) != before)
                let undo = try list.undoForm()
                for attempt in 0..<2 {
                    let undone = try await browser.post(undo.action, undo.body)
                    #expect(undone.headers["location"] == "/inbox?notice=undone", "\(attempt)")
                    #expect(try await device.message(id) == before, "\(fields)")
                }
                #expect(try await browser.get("/inbox?notice=undone").words.contains("Undone"))
            }
            for (first, second, word) in [
                ("do=archive", "do=unarchive", "Moved to inbox"), ("do=read", "do=unread", "Marked as unread"),
                ("until=2026-05-02T08:00:00Z", "do=unsnooze", "Moved to inbox"),
            ] {
                _ = try await browser.change("id=\(id)&\(first)")
                let before = try await device.message(id)
                let list = try await browser.change("id=\(id)&\(second)")
                #expect(list.words.contains(word))
                let undo = try list.undoForm()
                _ = try await browser.post(undo.action, undo.body)
                #expect(try await device.message(id) == before)
                _ = try await browser.change("id=\(id)&\(second)")
            }
        }
    }

    @Test func `selected messages change together, and an undo restores those that changed`() async throws {
        try await withServer { server in
            let ids = try await send("a", "b", "c", "d", on: server)
            let browser = try await Browser.signedIn("ann", on: server)
            _ = try await browser.change("id=\(ids[0])&do=archive")
            let list = try await browser.change("id=\(ids[0])&id=\(ids[1])&id=\(ids[2])&id=\(ids[1])&do=archive")
            #expect(list.words.contains("Archived · 2 messages Undo") && list.keys == [ids[3]])
            let undo = try list.undoForm()
            _ = try await browser.post(undo.action, undo.body)
            #expect(try await browser.get("/inbox?tab=archived").keys == [ids[0]])
        }
    }

    @Test func `marking all as read leaves what has arrived since, and is undone`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let ids = try await send("a", "b", "c", on: server)
            let browser = try await Browser.signedIn("ann", on: server)
            _ = try await browser.change("id=\(ids[2])&do=read")
            let page = try await browser.get("/inbox")
            let state = try #require(page.text.firstMatch(of: /name="state" value="([^"]+)"/)).1
            clock.advance(by: 60)
            _ = try await send("new", on: server)
            let answer = try await browser.post("/inbox/read-all", "state=\(state)")
            let list = try await browser.get(try #require(answer.headers["location"]))
            #expect(list.words.contains("Marked as read · 2 messages") && list.words.contains("1 unread message"))
            let undo = try list.undoForm()
            #expect(try await browser.post(undo.action, undo.body).headers["location"] == "/inbox?notice=undone")
            #expect(try await browser.get("/inbox").words.contains("3 unread messages"))
            let device = try await server.device(of: "ann")
            #expect(try await device.message(ids[2])?["readAt"] == "2026-05-01T08:00:00Z")
            for state in ["", "x", "1", "99999999999999999999-1"] {
                #expect(try await browser.post("/inbox/read-all", "state=\(state)").status == 400)
            }
            // Of another surface nothing is marked.
            _ = try await browser.post("/inbox/read-all?surface=offers", "state=\(state)")
            #expect(try await browser.get("/inbox").words.contains("3 unread messages"))
        }
    }

    // MARK: Wrong input

    @Test func `invalid fields are rejected with the reason and change nothing`() async throws {
        try await withServer { server in
            let id = try await send("a", on: server)[0]
            let browser = try await Browser.signedIn("ann", on: server)
            let many = { (count: Int) in Array(repeating: "id=\(id)", count: count).joined(separator: "&") }
            for (fields, status, words) in [
                ("id=\(id)", 400, "needs a change"), ("id=\(id)&do=explode", 400, "do isn"),
                ("id=x&do=archive", 400, "id isn"), ("id=\(id)&until=tomorrow", 400, "until"),
                ("id=\(id)&do=snooze&at=soon", 400, "local time"), ("id=\(id)&do=archive&do=read", 400, "twice"),
                (many(201) + "&do=archive", 400, "at most 200 messages"), (many(10_000) + "&do=archive", 413, "16384"),
            ] {
                let answer = try await browser.post("/inbox/messages", fields)
                #expect(answer.status == status && answer.words.contains(words), "\(words): \(answer.words)")
                #expect(answer.headers["content-type"] == "text/html; charset=utf-8")
            }
            #expect(try await browser.post("/inbox/messages", "{}", ["Content-Type": "application/json"]).status == 415)
            for (fields, notice) in [
                ("do=archive", "nothing"), ("id=\(id)&until=2026-05-01T07:59:59Z", "time"),
                ("id=\(id)&until=9999-12-31T00:00:00Z", "time"), ("id=\(id)&do=snooze&at=", "time"),
                ("id=\(id)&do=snooze&at=2026-02-30T08:00", "time"),
                ("id=\(id)&do=snooze&at=275760-09-13T00:00", "time"),
            ] {
                let answer = try await browser.post("/inbox/messages?limit=5", fields)
                #expect(answer.headers["location"] == "/inbox?limit=5&notice=\(notice)", "\(fields)")
            }
            // On the message's page, it stays open with what was typed.
            for (time, shown) in [("2020-01-01T08:00", "value=\"2020-01-01T08:00\""), ("", "value=\"\"")] {
                let answer = try await browser.post(
                    "/inbox/messages?limit=5&page=message",
                    "id=\(id)&do=snooze&at=\(time)"
                )
                let address = try #require(answer.headers["location"])
                #expect(address.hasPrefix("/inbox/messages/\(id)?limit=5&notice=time&at="))
                let page = try await browser.get(address)
                #expect(page.words.contains("within the next five years") && page.text.contains(shown))
                #expect(page.text.contains("<details open class=\"ib-menu\""))
            }
            #expect(try await browser.get("/inbox?notice=nothing").words.contains("No messages are selected."))
            #expect(try await browser.get("/inbox?notice=time").words.contains("within the next five years"))
            #expect(try await browser.get("/inbox?notice=<b>").status == 200)
            #expect(try await browser.get("/inbox").keys == [id])
        }
    }

    @Test func `another person's messages and undo can't be used`() async throws {
        try await withServer { server in
            let id = try await send("a", on: server)[0]
            let (ann, bob) = (
                try await Browser.signedIn("ann", on: server), try await Browser.signedIn("bob", on: server)
            )
            let device = try await server.device(of: "ann")
            let before = try await device.message(id)
            for fields in ["do=archive", "do=delete", "until=2026-05-02T08:00:00Z"] {
                let list = try await bob.change("id=\(id)&\(fields)")
                #expect(list.status == 200 && !list.words.contains("Undo"))
            }
            #expect(try await bob.post("/inbox/messages/\(id)/archive").status == 404)
            #expect(try await device.message(id) == before)
            let list = try await ann.change("id=\(id)&do=archive")
            let undo = try list.undoForm()
            for body in [undo.body, undo.body.dropLast() + "A", "undo=", "undo=x", ""] {
                #expect(try await bob.post(undo.action, String(body)).headers["location"] == "/inbox?notice=ended")
            }
            let stolen = try await bob.get("/inbox?" + undo.body)
            #expect(stolen.status == 200 && !stolen.words.contains("Undo") && !stolen.words.contains(" a "))
            #expect(try await ann.get("/inbox?tab=archived").keys == [id])
            // A token that was changed isn't one.
            #expect(try await ann.post(undo.action, undo.body + "AAAA").headers["location"] == "/inbox?notice=ended")
            #expect(try await ann.get("/inbox?tab=archived").keys == [id])
        }
    }

    @Test func `an undo of a message to everyone is the person's own`() async throws {
        try await withServer { server in
            let id = try await server.send(to: ["everyone": true], ["title": "To all"])
            let ann = try await Browser.signedIn("ann", on: server)
            let bob = try await Browser.signedIn("bob", on: server)
            // At the same time, by the test's clock.
            let undo = try await ann.change("id=\(id)&do=archive").undoForm()
            _ = try await bob.change("id=\(id)&do=archive")
            #expect(try await bob.post(undo.action, undo.body).headers["location"] == "/inbox?notice=ended")
            #expect(try await bob.get("/inbox?tab=archived").keys == [id])
            #expect(try await ann.post(undo.action, undo.body).headers["location"] == "/inbox?notice=undone")
            #expect(try await bob.get("/inbox?tab=archived").keys == [id])
            #expect(try await ann.get("/inbox").keys == [id])
        }
    }

    @Test func `a form of another site does nothing`() async throws {
        try await withServer { server in
            let id = try await send("a", on: server)[0]
            let browser = try await Browser.signedIn("ann", on: server)
            let undo = try await browser.change("id=\(id)&do=archive").undoForm()
            for (path, body) in [
                ("/inbox/messages", "id=\(id)&do=delete"), ("/inbox/read-all", "state=1-1"), (undo.action, undo.body),
                ("/inbox/messages/\(id)/dismiss", ""), ("/inbox/messages/\(id)/restore", ""),
            ] {
                let answer = try await browser.post(path, body, ["Sec-Fetch-Site": "cross-site"])
                #expect(answer.status == 403, "\(path)")
                #expect(try await Browser(server).post(path, body).status == 401, "\(path)")
            }
            #expect(try await browser.get("/inbox?tab=archived").keys == [id])
        }
    }

    @Test func `the form of an earlier version's page moves a message back, with an undo`() async throws {
        try await withServer { server in
            let ids = try await send("a", "b", on: server)
            let browser = try await Browser.signedIn("ann", on: server)
            _ = try await browser.change("id=\(ids[0])&do=archive")
            _ = try await browser.change("id=\(ids[1])&do=archive")
            _ = try await browser.change("id=\(ids[1])&do=delete")
            for id in ids {
                let answer = try await browser.post("/inbox/messages/\(id)/restore?surface=inbox")
                let location = try #require(answer.headers["location"])
                #expect(answer.status == 303 && location.hasPrefix("/inbox?surface=inbox&undo="))
                #expect(try await browser.get("/inbox").keys.contains(id))
                // A second click on the old page changes nothing.
                #expect(
                    try await browser.post("/inbox/messages/\(id)/restore").headers["location"] == "/inbox"
                )
            }
            #expect(try await browser.post("/inbox/messages/m0000000000000/restore").status == 404)
        }
    }

    @Test func `an undo that is sent late reverts nothing that was done since`() async throws {
        let clock = ManualClock()
        try await withServer(clock: clock) { server in
            let id = try await send("a", on: server)[0]
            // Two tabs of the browser.
            let browser = try await Browser.signedIn("ann", on: server)
            let first = try await browser.change("id=\(id)&do=archive").undoForm()
            clock.advance(by: 1)
            _ = try await browser.change("id=\(id)&do=unarchive")
            _ = try await browser.change("id=\(id)&do=archive")
            #expect(try await browser.post(first.action, first.body).headers["location"] == "/inbox?notice=ended")
            #expect(try await browser.get("/inbox?tab=archived").keys == [id])
            #expect(try await browser.get("/inbox?" + first.body).words.contains("Undo") == false)
        }
    }

    // MARK: Readers

    @Test func `snooze times are the reader's, and name the zone while it isn't known`() async throws {
        try await withServer { server in
            let id = try await send("a", on: server)[0]
            let browser = try await Browser.signedIn("ann", on: server)
            let page = try await browser.get("/inbox")
            // It is Friday, 8 a.m.
            #expect(page.words.contains("Later Today Fri, May 1 at 12:00 PM UTC"), "\(page.words)")
            #expect(page.text.contains(#"name="until" value="2026-05-02T08:00:00Z""#))
            // Each card's menu has a field for any other time, within what the server accepts.
            let field = #"name="at" required min="2026-05-01T08:00" max="2031-05-05T08:00">"#
            #expect(page.text.components(separatedBy: field).count == 3, "the card's, and that of the selection")
            #expect(page.words.contains("Pick a Date… (UTC)"))
            let tokyo = ["Cookie": "inbox_zone=Asia%2FTokyo", "Accept-Language": "de"]
            let german = try await browser.get("/inbox", tokyo)
            #expect(german.text.contains(#"name="until" value="2026-05-01T23:00:00Z""#))
            #expect(german.words.contains("Morgen") && !german.words.contains("UTC"))
            #expect(german.text.contains(#"min="2026-05-01T17:00""#))
            let answer = try await browser.post("/inbox/messages", "id=\(id)&do=snooze&at=2026-05-02T09:00", tokyo)
            #expect(answer.status == 303)
            let device = try await server.device(of: "ann")
            #expect(try await device.message(id)?["snoozedUntil"] == "2026-05-02T00:00:00Z")
        }
    }
}
