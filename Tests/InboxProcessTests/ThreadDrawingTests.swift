import Foundation
import Groundwork
import Testing

@testable import InboxMail
@testable import inbox

/// Threads and mails as the terminal shows them.
@Suite(.timeLimit(.minutes(10))) struct ThreadDrawingTests {
    private let now = Date(timeIntervalSince1970: 1_778_600_000)
    private let people = MailPeople(own: ["me@example.com"])

    private func thread(
        _ subject: String = "Plans for May",
        snippet: String = "See you there",
        from authors: [(String?, String)] = [("Anna Berger", "anna@example.com")],
        to readers: [(String?, String)] = [(nil, "Me@example.com")],
        mails: Int = 1,
        unread: Int = 0,
        isStarred: Bool = false,
        hasFiles: Bool = false
    ) throws -> MailThread {
        let all = (authors + readers).map { EmailAddress(name: $0.0, email: $0.1).object }
        let details: JSON = ["participants": .array(all), "authorCount": JSON(authors.count), "emailIds": ["m"]]
        return MailThread(
            id: "T9d89671b7caef260",
            subject: subject,
            snippet: snippet,
            lastMessageDate: now.addingTimeInterval(-7_200),
            firstMessageDate: now,
            messageCount: mails,
            unreadCount: unread,
            unseenCount: unread,
            isStarred: isStarred,
            hasAttachments: hasFiles,
            hasDrafts: false,
            isInInbox: true,
            mailboxIDs: ["in"],
            details: MailThread.Details(text: details.utf8)
        )
    }

    private func lines(_ threads: MailThread..., width: Int = 80) -> [String] {
        ThreadTable(width: width, now: now, people: people).lines(threads)
    }

    @Test func `a thread is one line with marks, id, time, people, subject and snippet`() throws {
        let unread = try thread(
            from: [("Anna Berger", "anna@example.com"), (nil, "bob@example.com"), (nil, "me@example.com")],
            mails: 4,
            unread: 1,
            isStarred: true,
            hasFiles: true
        )
        #expect(
            lines(unread, try thread()) == [
                "   Id      Time     People              Subject",
                "●★ aef260  2 h ago  Anna, bob, me (4)   ▤ Plans for May  See you there",
                "   aef260  2 h ago  Anna Berger         Plans for May  See you there",
            ]
        )
    }

    @Test func `a narrow terminal uses two lines per thread`() throws {
        #expect(
            lines(try thread(mails: 2, unread: 1), width: 40) == [
                "●  Anna Berger (2)        2 h ago aef260", "   Plans for May  See you there",
            ]
        )
    }

    @Test(
        arguments: [
            ([(nil, "me@example.com")], [("Bob Cole", "bob@example.com")], "to Bob Cole"),
            ([(nil, "ME@example.com")], [], "me"),
            ([("Berger, Anna", "a@x.example"), (nil, "bob@x.example")], [], "Anna, bob"),
            ([], [], "(unknown)"),
            ([("", "")], [], "(unknown)"),
        ] as [([(String?, String)], [(String?, String)], String)]
    )
    func `people are shortened`(
        authors: [(String?, String)],
        readers: [(String?, String)],
        text: String
    ) throws {
        #expect(people.line(try thread(from: authors, to: readers), limit: 30) == text)
    }

    @Test(arguments: 20...100)
    func `no line is wider than the terminal`(width: Int) throws {
        for text in ["Plans", "東京からの荷物が通関しました、ご確認ください", "طردك جاهز للاستلام اليوم", "", "Donau🚲"] {
            let thread = try thread(text, snippet: text + text, from: [(text, "a@b.example")], mails: 120, unread: 1)
            for line in lines(thread, width: width) { #expect(line.columns <= width, "\(line)") }
        }
    }

    @Test func `hostile mail can't move the cursor or reverse text`() throws {
        let hostile = "a\u{1B}[2J\u{202E}b\rc"
        let thread = try thread(hostile, snippet: hostile, from: [(hostile, hostile)])
        let body = MailBody([
            "bodyValues": ["1": ["value": .string("\(hostile)\n> \(hostile)\nhttps://example.com/\(hostile)")]],
            "textBody": [["partId": "1", "type": "text/plain"]],
            "attachments": [["blobId": "b", "name": .string(hostile), "type": .string(hostile), "size": 3]],
        ])
        let page = ThreadPage(width: 60, now: now)
        let item = ThreadPage.Item(message: try message(subject: hostile, from: hostile), body: body)
        for line in lines(thread) + page.lines(thread, [item], mailboxes: []) {
            #expect(!line.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" || $0 == "\r" })
        }
    }

    @Test func `a mail is drawn from its HTML only if it has no text part`() throws {
        let html: JSON = ["value": "<h2>Hi</h2><ol><li>a&#27;[2J&#x202E;<li>b</ol><a href=https://x.example>c</a>"]
        func lines(_ text: String) throws -> [String] {
            let body = MailBody([
                "bodyValues": ["1": html, "2": ["value": "Plain"]],
                "htmlBody": [["partId": "1", "type": "text/html"]],
                "textBody": [["partId": .string(text), "type": text == "1" ? "text/html" : "text/plain"]],
            ])
            let item = ThreadPage.Item(message: try message(subject: "Hi", from: "a@b.example"), body: body)
            return ThreadPage(width: 60, now: now).lines(try thread(), [item], mailboxes: [])
        }
        #expect(
            try lines("1").suffix(8) == ["## Hi", "", "1. a[2J", "2. b", "", "c [1]", "", "[1] https://x.example"]
        )
        #expect(try lines("2").suffix(2) == ["", "Plain"])
    }

    /// The text of a mail and whether its HTML is shown in its place, with as many words in the HTML.
    private static let stubs: [(String, isStub: Bool, words: Int)] = [
        ("Your e-mail program doesn't support HTML.", true, 60),
        ("Diese Nachricht ist im HTML-Format. Online lesen: https://x.example/a?b=c", true, 60),
        ("View this email in your browser: https://x.example/1", true, 60),
        ("* * *\n— —", true, 1),
        ("https://x.example/1", true, 1),
        ("Please send me the HTML.", false, 5),
        ("See https://x.example/1, and call me.", false, 5),
        ("Hello, see below.", false, 60),
        (String(repeating: "A newsletter in full, made with HTML. ", count: 20), false, 800),
    ]

    @Test(arguments: stubs.indices) func `a text part that only refers to the HTML is replaced by the HTML`(index: Int)
        throws
    {
        let (text, isStub, words) = Self.stubs[index]
        let html = "<p>" + String(repeating: "wording ", count: words)
        #expect(HTMLFallbackText.isStub(text, besides: html) == isStub)
        let body = MailBody([
            "bodyValues": ["1": ["value": .string(html)], "2": ["value": .string(text)]],
            "htmlBody": [["partId": "1", "type": "text/html"]], "textBody": [["partId": "2", "type": "text/plain"]],
        ])
        let item = ThreadPage.Item(message: try message(subject: "Hi", from: "a@b.example"), body: body)
        func shows(_ part: String, _ version: ThreadPage.Version) throws -> Bool {
            let page = ThreadPage(width: 60, now: now, version: version)
            return page.lines(try thread(), [item], mailboxes: []).contains { $0.contains(part) }
        }
        #expect(try shows("wording", .best) == isStub)
        #expect(try shows("wording", .html))
        #expect(try shows("<p>wording", .source))
        #expect(try !shows("<p>", .html))
    }

    @Test func `a truncated mail ends with a note`() throws {
        func lines(_ html: String) throws -> [String] {
            let body = MailBody([
                "bodyValues": ["1": ["value": .string(html)]], "htmlBody": [["partId": "1", "type": "text/html"]],
                "textBody": [["partId": "1", "type": "text/html"]],
            ])
            let item = ThreadPage.Item(message: try message(subject: "Hi", from: "a@b.example"), body: body)
            return ThreadPage(width: 60, now: now).lines(try thread(), [item], mailboxes: [])
        }
        #expect(try lines("<p>a").last == "a")
        let cut = "(The text is longer than what is shown here.)"
        let long = "<pre>Hello\n" + String(repeating: " ", count: 1_100_000)
        #expect(try lines(long).suffix(2) == ["", cut])
    }

    private func message(subject: String, from: String) throws -> MailMessage {
        let json: JSON = [
            "from": [["name": "Anna", "email": .string(from)]],
            "to": .array((0..<9).map { ["email": .string("p\($0)@example.com")] }),
        ]
        return MailMessage(
            id: "m",
            threadID: "T",
            receivedAt: now,
            sentAt: nil,
            subject: subject,
            snippet: "It begins",
            size: 1,
            hasAttachments: false,
            keywords: [],
            mailboxIDs: [],
            details: MailDetails.Source(text: json.utf8)
        )
    }

    @Test func `pictures that no HTML shows are listed as files`() throws {
        var json: JSON = [
            "bodyValues": ["1": ["value": "Look:"], "2": ["value": "<p>Look: <img src=\"cid:shown\"></p>"]],
            "textBody": [["partId": "1", "type": "text/plain"]], "htmlBody": [["partId": "1", "type": "text/plain"]],
            "attachments": [
                ["blobId": "a", "name": "a.jpg", "type": "image/jpeg", "cid": "shown", "disposition": "inline"],
                ["blobId": "b", "name": "b.jpg", "type": "image/jpeg", "cid": "other", "disposition": "inline"],
            ],
        ]
        #expect(MailBody(json).listedFiles.map(\.blobID) == ["a", "b"])
        let item = ThreadPage.Item(message: try message(subject: "Hi", from: "a@b.example"), body: MailBody(json))
        let lines = ThreadPage(width: 60, now: now).lines(try thread(), [item], mailboxes: [])
        #expect(lines.suffix(2).map { $0.prefix(7) } == ["▤ a.jpg", "▤ b.jpg"])
        var object = try #require(json.objectValue)
        object["htmlBody"] = [["partId": "2", "type": "text/html"]]
        json = .object(object)
        #expect(MailBody(json).listedFiles.map(\.blobID) == ["b"])
    }

    @Test func `a thread page has headers, text, files and a few of many recipients`() throws {
        let body = MailBody([
            "bodyValues": ["1": ["value": "Hello,\n\n\n\nsee below.\n\n> before\n"]],
            "textBody": [["partId": "1", "type": "text/plain"]],
            "attachments": [["blobId": "b", "name": "a.pdf", "type": "application/pdf", "size": 12_345]],
        ])
        let page = ThreadPage(width: 60, now: now)
        let item = ThreadPage.Item(message: try message(subject: "Re: Plans", from: "anna@example.com"), body: body)
        let lines = page.lines(try thread(), [item], mailboxes: [])
        #expect(lines[0] == "Plans for May" && lines[1] == "T9d89671b7caef260 · 1 mail")
        #expect(lines.contains("From     Anna <anna@example.com> ●"))
        #expect(lines.contains { $0.hasSuffix("and 4 more") })
        #expect(lines.contains("Subject  Re: Plans"))
        #expect(lines.suffix(7) == ["Hello,", "", "see below.", "", "> before", "", "▤ a.pdf  12 KB  application/pdf"])
        let missing = page.lines(try thread(), [ThreadPage.Item(message: item.message, body: nil)], mailboxes: [])
        #expect(missing.suffix(2) == ["It begins", "(The rest isn't on this device.)"])
    }

    @Test func `a link broken over lines loses nothing`() {
        let link = "https://example.com/" + String(repeating: "x", count: 60)
        let lines = LinkedText.lines("See \(link), or mail.", width: 30)
        #expect(lines.joined().filter { !$0.isWhitespace } == "See\(link),ormail.")
        #expect(lines.allSatisfy { $0.columns <= 30 })
    }

    @Test(arguments: 4...40)
    func `a found word is on its line, however far back it is`(width: Int) {
        let text = HighlightedText(
            String(repeating: "word ", count: 30) + "\u{1}found\u{2} \n it",
            from: "\u{1}",
            to: "\u{2}"
        )
        let line = HighlightedLine(text)
        #expect(line.columns == 158)
        let painted = line.painted(to: width)
        #expect(painted.columns <= width)
        if width >= 10 { #expect(painted.contains("found"), "\(painted)") }
        #expect(line.painted(to: 200).hasSuffix("word found it"))
    }

    @Test(arguments: [
        (0, "0 B"), (999, "999 B"), (1_000, "1.0 KB"), (12_345, "12 KB"), (9_960, "10 KB"), (999_900, "1.0 MB"),
        (20_000_000, "20 MB"),
        (3_450_000_000, "3.5 GB"),
    ])
    func `a byte count is short`(bytes: Int, text: String) { #expect(ByteCount.text(bytes) == text) }

    @Test func `a saved file replaces nothing, isn't hidden and has a short name`() {
        func free(_ name: String?, _ taken: Set<String> = []) -> String {
            let file = MailFile(
                blobID: "b",
                name: name,
                type: "x/y",
                size: 0,
                contentID: nil,
                isInline: false
            )
            return FileName.unused(for: file, exists: taken.contains)
        }
        #expect(free("a.pdf") == "a.pdf")
        #expect(free("a.pdf", ["a.pdf", "a 2.pdf"]) == "a 3.pdf")
        #expect(free(".bashrc") == "bashrc" && free(nil) == "file" && free("...") == "file")
        let long = free(String(repeating: "京", count: 250) + ".pdf")
        #expect(long.utf8.count <= 255 && long.hasSuffix("京.pdf"))
    }
}
