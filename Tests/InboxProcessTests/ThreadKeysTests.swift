import Foundation
import InboxClient
import Testing

@testable import InboxMail
@testable import inbox

/// The keys of `inbox mail watch`, and its lines, without a terminal.
@Suite(.timeLimit(.minutes(5))) struct ThreadKeysTests {
    private static let now = Date(timeIntervalSince1970: 1_778_600_000)
    private let threads = ["a", "b", "c"].map { Self.thread($0) }

    private static func thread(
        _ id: String,
        unread: Int = 0,
        isStarred: Bool = false,
        isInInbox: Bool = true,
        subject: String? = nil
    ) -> MailThread {
        MailThread(
            id: id,
            subject: subject ?? "Subject \(id)",
            snippet: "",
            lastMessageDate: now.addingTimeInterval(-7_200),
            firstMessageDate: now,
            messageCount: 1,
            unreadCount: unread,
            unseenCount: unread,
            isStarred: isStarred,
            hasAttachments: false,
            hasDrafts: false,
            isInInbox: isInInbox,
            mailboxIDs: ["in"],
            details: MailThread.Details(
                text: Array(#"{"emailIds":["m"],"participants":[{"email":"anna@example.com"}],"authorCount":1}"#.utf8)
            )
        )
    }

    /// Presses keys, and returns what had to be done.
    private func press(_ text: String, _ keys: inout ThreadKeys, _ threads: [MailThread]? = nil) -> [ThreadKeys.Command]
    {
        var parser = KeyParser()
        return parser.keys(text.utf8).compactMap {
            keys.press($0, threads ?? self.threads, room: KeyRoom(lines: 10, items: 3))
        }
    }

    @Test func `a key acts on the thread at the cursor, or on the selected ones`() {
        var keys = ThreadKeys(limit: 50)
        #expect(press("r", &keys) == [.perform(.markRead, ["a"])])
        #expect(press("ja", &keys) == [.perform(.archive, ["b"])])
        #expect(press("jjju", &keys) == [.perform(.markUnread, ["c"])])
        #expect(press("kkks", &keys) == [.perform(.star, ["a"])])
        // Space selects and goes on; the order is the list's.
        #expect(press("jj kk a", &keys) == [.perform(.archive, ["a", "c"])] && keys.selected.isEmpty)
        #expect(press("As", &keys) == [.perform(.star, ["a", "b", "c"])])
        #expect(press("A\u{1B}x7", &keys) == [] && keys.selected.isEmpty)
        #expect(press("kkkRG", &keys) == [.reply("a", toAll: false), .reply("a", toAll: true)])
        #expect(press("zq", &keys) == [.undo, .quit])
        #expect(press("?", &keys) == [] && keys.mode == .help)
        #expect(press("q", &keys) == [] && keys.mode == .list)
    }

    @Test func `a second star takes the star, and an archived thread goes back`() {
        var keys = ThreadKeys(limit: 50)
        let some = [Self.thread("a", isStarred: true), Self.thread("b", isInInbox: false), Self.thread("c")]
        #expect(press("s", &keys, some) == [.perform(.unstar, ["a"])])
        #expect(press("As", &keys, some) == [.perform(.star, ["a", "b", "c"])], "not all have one")
        #expect(press("Aa", &keys, some) == [.perform(.archive, ["a", "b", "c"])], "some are in the inbox")
        #expect(press("kkkja", &keys, some) == [.perform(.unarchive, ["b"])])
    }

    @Test func `an open thread is changed and answered, also once it has left the list`() {
        for (key, change) in [("a", .archive), ("u", .markUnread), ("r", .markRead)] as [(String, MailChange)] {
            var keys = ThreadKeys(limit: 50)
            #expect(press("j\r", &keys) == [.open("b")] && keys.mode == .thread("b"))
            keys.follow([threads[0]], before: threads)
            #expect(press(key, &keys, [threads[0]]) == [.perform(change, ["b"])] && keys.mode == .list)
        }
        var keys = ThreadKeys(limit: 50)
        #expect(
            press("\rsRzG", &keys) == [
                .open("a"), .perform(.star, ["a"]), .reply("a", toAll: false), .undo, .reply("a", toAll: true),
            ]
        )
        #expect(keys.mode == .thread("a"))
        #expect(press("q", &keys) == [] && keys.mode == .list)
    }

    @Test func `an open thread scrolls within its lines`() {
        var keys = ThreadKeys(limit: 50)
        _ = press("\rjj", &keys)
        #expect(keys.scroll.start == 2)
        _ = press(" ", &keys)
        #expect(keys.scroll.start == 11)
        keys.limitScroll(lines: 15, room: 10)
        #expect(keys.scroll.start == 5)
        _ = press("bk", &keys)
        #expect(keys.scroll.start == 0)
        keys.limitScroll(lines: 3, room: 10)
        _ = press("j\u{1B}\r", &keys)
        #expect(keys.scroll.start == 0, "the next one begins at its top")
        _ = press("\u{1B}[F", &keys)
        keys.limitScroll(lines: 40, room: 10)
        #expect(keys.scroll.start == 30)
        _ = press("\u{1B}[5~", &keys)
        #expect(keys.scroll.start == 21)
        _ = press("\u{1B}[H\u{1B}[6~", &keys)
        #expect(keys.scroll.start == 9)
        _ = press("q?", &keys)
        #expect(keys.mode == .help && keys.scroll.start == 0)
        _ = press("j", &keys)
        #expect(keys.mode == .help && keys.scroll.start == 1, "the help can be read to its end too")
    }

    @Test func `the cursor moves by pages, and to both ends`() {
        let many = (1...30).map { Self.thread("t\($0)") }
        var keys = ThreadKeys(limit: 50)
        for (text, position) in [
            ("\u{1B}[6~", 2), ("\u{1B}[6~", 4), ("\u{1B}[5~", 2), ("\u{1B}[F", 29), ("\u{1B}[H", 0),
        ] {
            _ = press(text, &keys, many)
            #expect(keys.position(in: many) == position, "\(text.dropFirst())")
        }
        #expect(ThreadKeyScreen.room(on: Terminal.Size(columns: 80, rows: 20)) == KeyRoom(lines: 16, items: 15))
        #expect(ThreadKeyScreen.room(on: Terminal.Size(columns: 40, rows: 20)) == KeyRoom(lines: 16, items: 8))
    }

    @Test func `the cursor moves to the thread that replaces its own`() {
        var keys = ThreadKeys(limit: 3)
        _ = press("j A", &keys)
        keys.follow(Array(threads.prefix(2)), before: threads)
        #expect(keys.position(in: Array(threads.prefix(2))) == 1 && keys.selected == ["a", "b"])
        keys.follow([], before: Array(threads.prefix(2)))
        #expect(keys.cursor == nil && press("arusR G\r", &keys, []) == [])
        #expect(press("o", &keys) == [.reload] && keys.limit == 6)
        #expect(press("o", &keys) == [] && keys.limit == 6)
    }

    // MARK: - Lines

    private func lines(
        _ keys: ThreadKeys,
        _ threads: [MailThread],
        size: (columns: Int, rows: Int) = (80, 20),
        notice: String = "",
        canUndo: Bool = false,
        page: [String]? = nil
    ) -> [String] {
        var counts = MailCounts()
        (counts.inInbox, counts.unreadInInbox) = (30, 12)
        let snapshot = MailSnapshot(
            items: threads,
            changes: ListChanges(),
            counts: counts,
            pendingWrites: 0,
            hasSynced: true
        )
        let screen = ThreadKeyScreen(
            user: "anna@example.com",
            people: MailPeople(own: []),
            size: Terminal.Size(columns: size.columns, rows: size.rows),
            now: Self.now,
            emptyText: "No mails.",
            notice: notice,
            canUndo: canUndo
        )
        return screen.lines(keys, snapshot, .live, page: page)
    }

    @Test func `in 80 columns a thread is a line, and the list scrolls with the cursor`() throws {
        let many = (1...30).map { Self.thread("t\($0)", subject: String(repeating: "long ", count: 30) + "\($0)") }
        var keys = ThreadKeys(limit: 50)
        _ = press(" j ", &keys, many)
        let top = lines(keys, many)
        #expect(top.count == 20 && top[0].contains("anna@example.com · live · 12 unread of 30"))
        #expect(top.allSatisfy { $0.columns <= 80 }, "\(top)")
        #expect(
            top.count { $0.contains("✓") } == 2 && top.filter { $0.contains("›") }.map { $0.contains("t4") } == [true]
        )
        _ = press(String(repeating: "j", count: 40), &keys, many)
        let bottom = lines(keys, many)
        #expect(try #require(bottom.first { $0.contains("›") }).contains("t30"))
        // On a narrow terminal two lines are one thread.
        let narrow = lines(keys, many, size: (40, 20))
        #expect(narrow.count { $0.contains("›") } == 1 && narrow.allSatisfy { $0.columns <= 40 }, "\(narrow)")
        for rows in 1...12 { #expect(lines(keys, many, size: (80, rows)).count <= rows) }
    }

    @Test func `the last line names keys, the last result and the lines that follow`() {
        var keys = ThreadKeys(limit: 50)
        func last(_ lines: [String]) -> String { lines.last ?? "" }
        #expect(last(lines(keys, threads)).contains("r Read  a Archive  s Star  R Reply  ? Keys  q Quit"))
        #expect(last(lines(keys, threads, notice: "1 archived.", canUndo: true)).contains("1 archived.  z undoes"))
        _ = press(" ", &keys)
        #expect(last(lines(keys, threads)).contains("1 selected"))
        #expect(lines(keys, []).contains { $0.contains("No mails.") })
        _ = press("?", &keys)
        #expect(lines(keys, threads).contains { $0.contains("R G") && $0.contains("reply") })
        _ = press("x\r", &keys)
        #expect(lines(keys, threads).contains { $0.contains("Reading…") })
        let page = (1...40).map { "Line \($0)" }
        let open = lines(keys, threads, page: page)
        #expect(open.contains("Line 16") && !open.contains("Line 17") && last(open).contains("Space: 24 more lines"))
        _ = press(" ", &keys)
        #expect(
            lines(keys, threads, page: page).contains("Line 10") && !lines(keys, threads, page: page).contains("Line 9")
        )
        let all = [Self.thread("x", subject: "a\u{1B}[2J\u{7}b\r\nc")]
        let joined = lines(ThreadKeys(limit: 5), all, notice: "\u{1B}]0;x\u{7}").joined()
        #expect(!joined.contains("\u{1B}") && !joined.contains("\u{7}") && !joined.contains("\r"))
    }
}
