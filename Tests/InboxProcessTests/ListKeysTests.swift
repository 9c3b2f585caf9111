import Foundation
import InboxCards
import InboxClient
import Testing

@testable import inbox

/// The keys of `inbox watch`, without a terminal.
@Suite(.timeLimit(.minutes(5))) struct ListKeysTests {
    private let messages = ["a", "b", "c"].map { Message(id: $0, title: $0, deliverAt: .now) }
    /// Those of a Monday morning: later today, tomorrow, and more.
    private let choices = SnoozeOption.choices(
        at: Date(timeIntervalSince1970: 1_795_424_400),
        texts: CardTexts(),
        timeZone: .gmt
    )
    private let room = KeyRoom(lines: 10, items: 2)

    /// Presses keys in the list, and returns what had to be done.
    private func press(_ text: String, _ keys: inout ListKeys) -> [ListKeys.Command] {
        var parser = KeyParser()
        return parser.keys(text.utf8).compactMap { keys.press($0, messages, choices: choices, room: room) }
    }

    @Test func `bytes are keys: letters of any script, arrows, and an escape alone`() {
        var parser = KeyParser()
        #expect(parser.keys("aé東".utf8) == [.character("a"), .character("é"), .character("東")])
        #expect(parser.keys("\u{1B}[A\u{1B}[B\u{1B}OA\u{1B}[1;5A\u{1B}[3~".utf8) == [.up, .down, .up, .up])
        #expect(parser.keys("\u{1B}[H\u{1B}OF\u{1B}[1~\u{1B}[8~".utf8) == [.home, .end, .home, .end])
        #expect(parser.keys("\u{1B}[5~\u{1B}[6~\u{1B}[6;5~\u{1B}[11~".utf8) == [.pageUp, .pageDown, .pageDown])
        #expect(parser.keys("\u{1B}".utf8) == [.escape])
        #expect(parser.keys("\r\t\u{7F}\u{1}".utf8) == [.enter, .tab, .backspace])
        // A letter whose bytes arrive apart.
        let bytes = Array("é".utf8)
        #expect(parser.keys(bytes.prefix(1)) == [] && parser.keys(bytes.suffix(1)) == [.character("é")])
        // Bytes that aren't UTF-8 end nothing.
        #expect(parser.keys([0xFF, 0xFF, 0xFF, 0xFF, 0x61]).last == .character("a"))
        #expect(parser.keys("\u{1B}[".utf8) == [])
    }

    @Test func `an action applies to the message at the cursor, or to the selected ones`() {
        var keys = ListKeys(filter: .inbox, limit: nil)
        #expect(press("a", &keys) == [.perform(.archive, ["a"])])
        #expect(press("jd", &keys) == [.perform(.delete, ["b"])])
        // The ends hold the cursor.
        #expect(press("jjjjr", &keys) == [.perform(.markRead, ["c"])])
        #expect(press("kkkku", &keys) == [.perform(.markUnread, ["a"])])
        // Space selects and goes on; a second one ends it. The order is the list's.
        #expect(press("jj kk a", &keys) == [.perform(.archive, ["a", "c"])])
        #expect(keys.selected.isEmpty)
        #expect(press("kkk kkk a", &keys) == [.perform(.archive, ["b"])])
        #expect(press("Ad", &keys) == [.perform(.delete, ["a", "b", "c"])])
        #expect(press("A\u{1B}", &keys) == [] && keys.selected.isEmpty)
        #expect(press("Rzq", &keys) == [.markAllRead, .undo, .quit])
    }

    @Test func `the cursor moves by pages, and to both ends`() {
        let many = (0..<30).map { Message(id: "\($0)", title: "\($0)", deliverAt: .now) }
        var keys = ListKeys(filter: .inbox, limit: nil)
        for (key, position) in [
            (KeyPress.pageDown, 9), (.pageDown, 18), (.pageUp, 9), (.end, 29), (.pageDown, 29), (.home, 0),
            (.pageUp, 0),
        ] {
            #expect(keys.press(key, many, choices: choices, room: KeyRoom(lines: 14, items: 10)) == nil)
            #expect(keys.position(in: many) == position, "\(key)")
        }
        for key in [KeyPress.home, .end, .pageUp, .pageDown] {
            #expect(keys.press(key, [], choices: choices, room: room) == nil)
        }
    }

    @Test func `an open message and the help scroll within their lines`() {
        var keys = ListKeys(filter: .inbox, limit: nil)
        #expect(press("\rjj", &keys) == [.open("a")] && keys.scroll.start == 2)
        #expect(press(" \u{1B}[6~", &keys) == [] && keys.scroll.start == 20)
        keys.limitScroll(lines: 15, room: 10)
        #expect(keys.scroll.start == 5)
        #expect(press("bk", &keys) == [] && keys.scroll.start == 0 && keys.mode == .message("a"))
        _ = press("\u{1B}[F", &keys)
        keys.limitScroll(lines: 60, room: 10)
        #expect(keys.scroll.start == 50)
        #expect(press("q\r", &keys) == [.open("a")] && keys.scroll.start == 0, "the next one begins at its top")
        #expect(press("q? ", &keys) == [] && keys.mode == .help && keys.scroll.start == 9)
        #expect(press("x", &keys) == [] && keys.mode == .list)
    }

    @Test func `tabs change by number and by Tab, and keep the search`() {
        var keys = ListKeys(filter: .read, limit: nil)
        #expect(keys.tab == nil)
        #expect(press("3", &keys) == [.reload] && keys.filter == .archived)
        #expect(press("3", &keys) == [] && press("a", &keys) == [.perform(.unarchive, ["a"])])
        #expect(press("/shoes\r", &keys) == [.reload] && keys.search == "shoes")
        #expect(press("\t", &keys) == [.reload] && keys.tab == .snoozed && keys.search == "shoes")
        #expect(press("a", &keys) == [.perform(.unsnooze, ["a"])])
        #expect(press("\t", &keys) == [.reload] && keys.tab == .inbox)
        #expect(press("59", &keys) == [])
        #expect(press("\u{1B}", &keys) == [.reload] && keys.search.isEmpty)
    }

    @Test func `letters are words while a search is typed`() {
        var keys = ListKeys(filter: .inbox, limit: nil)
        #expect(press("/adq zR\u{7F}\u{7F}", &keys) == [] && keys.mode == .search("adq "))
        #expect(press("\r", &keys) == [.reload] && keys.search == "adq")
        #expect(press("/\u{1B}", &keys) == [] && keys.search == "adq")
        #expect(press("/" + String(repeating: "x", count: 600) + "\r", &keys) == [.reload])
        #expect(keys.search.utf8.count == 500)
    }

    @Test func `a snooze asks for the time, and any other key ends it`() {
        var keys = ListKeys(filter: .inbox, limit: nil)
        #expect(choices.count == 4)
        #expect(press("s2", &keys) == [.perform(.snooze(until: choices[1].time), ["a"])])
        #expect(press("s9", &keys) == [] && keys.mode == .list)
        #expect(press("sd", &keys) == [] && keys.mode == .list)
        #expect(press("sa0", &keys) == [])
    }

    @Test func `a message is opened and left, and the list stays where it was`() {
        var keys = ListKeys(filter: .inbox, limit: nil)
        #expect(press("j\r", &keys) == [.open("b")] && keys.mode == .message("b"))
        #expect(press("x7", &keys) == [])
        #expect(press("q", &keys) == [] && keys.mode == .list && keys.position(in: messages) == 1)
    }

    @Test func `an open message is changed by keys, also once it has left the list`() {
        for (key, change) in [("a", .archive), ("d", .delete), ("u", .markUnread)] as [(String, MessageChange)] {
            var keys = ListKeys(filter: .unread, limit: nil)
            #expect(press("j j\r", &keys) == [.open("c")])
            // It was read by being opened, and the cursor is on another one.
            keys.follow([messages[0]], before: messages)
            #expect(press(key, &keys) == [.perform(change, ["c"])] && keys.mode == .list)
        }
    }

    @Test func `an action is undone from an open message, which stays open`() {
        var keys = ListKeys(filter: .inbox, limit: nil)
        #expect(press("a\rz", &keys) == [.perform(.archive, ["a"]), .open("a"), .undo])
        #expect(keys.mode == .message("a"))
        #expect(press("xR/1", &keys) == [] && keys.mode == .message("a"))
    }

    @Test func `several messages are snoozed, moved back and marked as unread together`() {
        var keys = ListKeys(filter: .inbox, limit: nil)
        #expect(press(" j s2", &keys) == [.perform(.snooze(until: choices[1].time), ["a", "c"])])
        #expect(keys.selected.isEmpty)
        #expect(press("Au", &keys) == [.perform(.markUnread, ["a", "b", "c"])])
        #expect(press("4", &keys) == [.reload] && keys.tab == .snoozed)
        #expect(press("j  a", &keys) == [.perform(.unsnooze, ["b", "c"])])
    }

    @Test func `older messages are asked for once the list is full`() {
        var keys = ListKeys(filter: .inbox, limit: 3)
        #expect(press("o", &keys) == [.reload] && keys.limit == 6)
        #expect(press("o", &keys) == [] && keys.limit == 6)
        #expect(press("2", &keys) == [.reload] && keys.limit == 3)
    }

    @Test func `the cursor moves to the message that replaces its own`() {
        var keys = ListKeys(filter: .inbox, limit: nil)
        _ = press("j A", &keys)
        keys.follow([messages[0], messages[1]], before: messages)
        #expect(keys.position(in: [messages[0], messages[1]]) == 1 && keys.selected == ["a", "b"])
        keys.follow([], before: [messages[0], messages[1]])
        #expect(keys.position(in: []) == 0 && keys.cursor == nil)
        // With an empty list no key does anything to a message.
        for key in ["a", "d", "r", "s", " "] {
            #expect(keys.press(.character(Character(key)), [], choices: choices, room: room) == nil)
        }
        #expect(keys.press(.enter, [], choices: choices, room: room) == nil)
    }
}
