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

    /// Presses keys in the list, and returns what had to be done.
    private func press(_ text: String, _ keys: inout ListKeys) -> [ListKeys.Command] {
        var parser = KeyParser()
        return parser.keys(text.utf8).compactMap { keys.press($0, messages, choices: choices) }
    }

    @Test func `bytes are keys: letters of any script, arrows, and an escape alone`() {
        var parser = KeyParser()
        #expect(parser.keys("aé東".utf8) == [.character("a"), .character("é"), .character("東")])
        #expect(parser.keys("\u{1B}[A\u{1B}[B\u{1B}OA\u{1B}[1;5A\u{1B}[3~".utf8) == [.up, .down, .up, .up])
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
            #expect(keys.press(.character(Character(key)), [], choices: choices) == nil)
        }
        #expect(keys.press(.enter, [], choices: choices) == nil)
    }
}
