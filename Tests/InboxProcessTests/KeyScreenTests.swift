import Foundation
import InboxCards
import InboxClient
import Testing

@testable import inbox

/// The lines of `inbox watch` at a terminal.
@Suite(.timeLimit(.minutes(5))) struct KeyScreenTests {
    private static let now = Date(timeIntervalSince1970: 1_777_593_600)
    private let texts = CardTexts(.english)
    private let messages = (1...30).map {
        Message(id: "m\($0)", title: "Title \($0)", deliverAt: now.addingTimeInterval(-60 * Double($0)))
    }

    private var counts: MessageCounts {
        var counts = MessageCounts()
        (counts.total, counts.unread, counts.archived, counts.snoozed) = (30, 12, 0, 3)
        return counts
    }

    private func lines(
        _ keys: ListKeys,
        _ messages: [Message]? = nil,
        notice: String = "",
        canUndo: Bool = false,
        isLoading: Bool = false,
        columns: Int = 80,
        rows: Int = 20,
        page: [String]? = nil
    ) -> [String] {
        let messages = messages ?? self.messages
        let snapshot = InboxSnapshot(items: messages, counts: counts, hasSynced: true)
        let screen = KeyScreen(
            person: "alice",
            size: Terminal.Size(columns: columns, rows: rows),
            now: Self.now,
            texts: texts,
            notice: notice,
            canUndo: canUndo,
            isLoading: isLoading
        )
        return screen.lines(keys, messages, snapshot, .live, page: page)
    }

    private func keys(_ text: String, filter: MessageFilter = .inbox) -> ListKeys {
        var (keys, parser) = (ListKeys(filter: filter, limit: nil), KeyParser())
        let choices = SnoozeOption.choices(at: Self.now, texts: texts, timeZone: .gmt)
        let room = KeyScreen.room(on: Terminal.Size(columns: 80, rows: 20))
        for key in parser.keys(text.utf8) { _ = keys.press(key, messages, choices: choices, room: room) }
        return keys
    }

    @Test func `tabs have the numbers of unread, archived and snoozed messages`() {
        let line = TabLine(counts: counts, current: .unread, texts: texts).text
        #expect(line == "Inbox 12 · Unread 12 · Archived · Snoozed 3")
        let german = TabLine(counts: MessageCounts(), texts: CardTexts(.german)).text
        #expect(german.components(separatedBy: " · ").count == 4 && !german.contains(/[0-9]/))
    }

    @Test func `the cursor and the selection are marked, and the list scrolls with the cursor`() throws {
        let top = lines(keys(" j "))
        #expect(top.count == 20 && top[0].contains("alice · live · 12 unread of 30"))
        #expect(top.filter { $0.contains("✓") }.count == 2)
        #expect(top.filter { $0.contains("›") }.map { $0.contains("Title 4") } == [true])
        #expect(!top.contains { $0.contains("Title 20") })
        let bottom = lines(keys(String(repeating: "j", count: 40)))
        let last = try #require(bottom.first { $0.contains("›") })
        #expect(last.contains("Title 30") && !bottom.contains { $0.hasSuffix("Title 1") })
        // Whatever the height, all fit.
        for rows in 1...12 { #expect(lines(keys("jjj"), rows: rows).count <= rows) }
    }

    @Test func `the last line names the keys, or the result of the last one`() {
        func last(_ lines: [String]) -> String { lines.last ?? "" }
        #expect(last(lines(keys(""))).contains("a Archive  s Snooze  / Search  ? Keys  q Quit"))
        #expect(last(lines(keys("", filter: .archived))).contains("a Move to Inbox"))
        #expect(last(lines(keys("  "))).contains("2 selected"))
        #expect(last(lines(keys(""), notice: "2 archived.", canUndo: true)).contains("2 archived.  z undoes"))
        #expect(!last(lines(keys(""), notice: "Undone: 1 message.")).contains("undoes"))
        #expect(last(lines(keys("/sho"))).contains("Enter searches"))
        #expect(last(lines(keys("s"))).contains("A number snoozes"))
        #expect(last(lines(keys("?"))).contains("Esc goes back"))
        let open = lines(keys("\r"), page: ["The whole message"])
        #expect(open.contains("The whole message") && last(open).contains("u Unread  z Undo  Esc goes back"))
        #expect(last(lines(keys("\r"), notice: "Undone: 1 message.", page: [])).contains("Undone"))
    }

    @Test func `a long message and the help can be read to their ends`() {
        let page = (1...60).map { "Line \($0)" }
        let top = lines(keys("\r"), rows: 20, page: page)
        #expect(top.contains("Line 16") && !top.contains("Line 17") && !top.contains { $0.contains("and ") })
        #expect(top.last?.hasSuffix("Esc goes back  Space: 44 more lines") ?? false, "\(top.last ?? "")")
        let next = lines(keys("\r "), rows: 20, page: page)
        #expect(next.contains("Line 16") && next.contains("Line 31") && !next.contains("Line 15"))
        var end = keys("\r\u{1B}[F")
        end.limitScroll(lines: page.count, room: 16)
        let bottom = lines(end, rows: 20, page: page)
        #expect(bottom.contains("Line 60") && !(bottom.last?.contains("Space") ?? true))
        // The help, on a low terminal.
        let help = lines(keys("?"), rows: 12)
        #expect(help.last?.contains("Space: ") ?? false)
        var last = keys("?\u{1B}[F")
        last.limitScroll(lines: 16, room: 8)
        #expect(lines(last, rows: 12).contains { $0.contains("quit") })
    }

    @Test(arguments: [12, 20, 40])
    func `no line is wider than a narrow terminal`(_ columns: Int) {
        let page = ["Link  https://example.com/" + String(repeating: "long/", count: 20)]
        for text in ["", "?", "s", "/a search of many words", "\r", "4"] {
            for line in lines(keys(text), columns: columns, page: text == "\r" ? page : nil) {
                #expect(line.columns <= columns, "\(text): \(line)")
            }
        }
        // The help is wrapped.
        let help = lines(keys("?"), columns: columns, rows: 100).joined(separator: " ").split(separator: " ")
        #expect(columns < 40 || help.joined(separator: " ").contains("open a message, and mark it as read"))
        // What is cut says so.
        #expect(lines(keys(""), columns: 40)[2] == " Inbox 12 · Unread 12 · Archived · Snoo…")
    }

    @Test func `a search, a menu of times, the help and an empty list have their lines`() {
        #expect(lines(keys("/shoes")).contains { $0.contains("/shoes▏") })
        #expect(lines(keys("/shoes\r")).contains { $0.hasSuffix("/shoes") })
        let menu = lines(keys("s"))
        #expect(menu.contains(" Snooze") && menu.contains { $0.contains("1  Later Today") })
        #expect(lines(keys("?"), rows: 30).contains { $0.contains("R") && $0.contains("mark all as read") })
        #expect(lines(keys("/nowhere\r"), []).contains { $0.contains("Nothing found.") })
        #expect(lines(keys("", filter: .archived), []).contains { !$0.isEmpty && !$0.contains("›") })
        // While the list is another one's, it isn't known to be empty.
        let (empty, loading) = (lines(keys(""), []), lines(keys(""), [], isLoading: true))
        #expect(empty.contains { $0.contains("No messages.") } && !loading.contains { $0.contains("No messages.") })
    }

    @Test func `a message's text can't move the cursor or color the screen`() {
        let evil = Message(id: "x", title: "a\u{1B}[2J\u{7}b\r\nc", deliverAt: Self.now)
        let all = lines(keys(""), [evil], notice: "\u{1B}]0;x\u{7}").joined()
        #expect(!all.contains("\u{1B}") && !all.contains("\u{7}") && !all.contains("\r"))
    }
}
