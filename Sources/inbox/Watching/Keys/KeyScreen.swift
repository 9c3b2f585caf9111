import Foundation
import InboxCards
import InboxClient

/// The lines of an inbox on the whole terminal, in which a person acts by keys.
struct KeyScreen {
    let person: String
    let size: Terminal.Size
    let now: Date
    let texts: CardTexts
    /// The result of the last action, or its failure.
    var notice = ""
    /// Whether that can be undone.
    var canUndo = false
    /// Whether the messages are still those of another tab or search.
    var isLoading = false

    /// Returns the size of a page on a screen of a size.
    static func room(on size: Terminal.Size) -> KeyRoom {
        // Header and footer, each with an empty line. The list has tabs, search, and the table's header too.
        KeyRoom(lines: max(2, size.rows - 4), items: max(1, size.rows - 9))
    }

    private var room: KeyRoom { Self.room(on: size) }

    /// The text that is shown in place of the list, or nil for the list.
    ///
    /// - Parameter page: The lines of an open message.
    func text(_ keys: ListKeys, page: [String]?) -> [String]? {
        switch keys.mode {
        case .help: KeyHelp.lines(Self.help, width: size.columns)
        case .message: page
        case .list, .search, .snooze: nil
        }
    }

    /// Returns all lines.
    ///
    /// - Parameters:
    ///   - messages: The messages in the order of the screen.
    ///   - page: The lines of an open message.
    func lines(
        _ keys: ListKeys,
        _ messages: [Message],
        _ snapshot: InboxSnapshot,
        _ connection: ConnectionState,
        page: [String]?
    ) -> [String] {
        let frame = WatchFrame(
            name: person,
            connection: connection,
            login: Login.command,
            unread: snapshot.counts.unread,
            total: snapshot.counts.total,
            hasPendingWrites: snapshot.pendingWrites > 0,
            footer: footer(keys, text(keys, page: page))
        )
        let body: [String]
        if let text = text(keys, page: page) {
            body = keys.scroll.part(of: text, room: room)
        } else {
            let tabs = TabLine(counts: snapshot.counts, current: keys.tab, texts: texts).text
            let content =
                if case .snooze(let choices) = keys.mode { menu(choices) } else { list(keys, messages, snapshot) }
            body = [" " + tabs, searchLine(keys), ""] + content
        }
        return frame.lines(around: body, linesPerItem: 1, noun: "line", size: size)
    }

    private func searchLine(_ keys: ListKeys) -> String {
        if case .search(let text) = keys.mode { return " /" + text.plainLine.cut(to: max(8, size.columns - 4)) + "▏" }
        return keys.search.isEmpty ? "" : " " + ANSIStyle.bold("/" + keys.search.plainLine.cut(to: size.columns - 4))
    }

    /// The part of the list around the cursor that fits.
    private func list(_ keys: ListKeys, _ messages: [Message], _ snapshot: InboxSnapshot) -> [String] {
        guard !messages.isEmpty else {
            // Whether the new list is empty isn't known yet.
            guard !isLoading else { return [] }
            let text =
                !snapshot.hasSynced
                ? "Nothing received from the server yet."
                : keys.search.isEmpty ? keys.filter.emptyText : "Nothing found."
            return [" " + ANSIStyle.dim(text)]
        }
        let room = room.items
        let position = keys.position(in: messages)
        let first = max(0, min(position - room / 2, messages.count - room))
        let shown = Array(messages[first..<min(messages.count, first + room)])
        let table = MessageTable(width: max(20, size.columns - 4), now: now, hasPinnedFirst: false).lines(shown)
        return table.enumerated().map { row, line in
            guard row > 0 else { return "    " + line }
            let index = first + row - 1
            let mark = shown.indices.contains(row - 1) && keys.selected.contains(shown[row - 1].id) ? "✓" : " "
            return " " + (index == position ? ANSIStyle.accent("›") : " ") + ANSIStyle.success(mark) + " " + line
        }
    }

    private func menu(_ choices: [SnoozeOption.Choice]) -> [String] {
        let width = choices.map { texts.name(of: $0.option).columns }.max() ?? 0
        return [" " + ANSIStyle.bold(texts[.remindLater]), ""]
            + choices.enumerated().map { index, choice in
                let name = texts.name(of: choice.option).padded(to: width + 3)
                return " \(ANSIStyle.accent(String(index + 1)))  \(name)\(ShortTime.exact(choice.time))"
            }
    }

    /// The help on the keys.
    private static let help: [(keys: String, effect: String)] = [
        ("↑ ↓ k j", "move; also PgUp, PgDn, Home, End"), ("Enter", "open a message, and mark it as read"),
        ("Space b", "in an open message: on, and back"), ("Space", "select, or end the selection"),
        ("A", "select all"), ("1 2 3 4 Tab", "inbox, unread, archived, snoozed"), ("/", "search"),
        ("a", "archive, or move back to the inbox"), ("s", "snooze"), ("r u", "mark as read, as unread"),
        ("d", "delete"), ("R", "mark all as read"), ("z", "undo"), ("o", "older messages"),
        ("Esc", "end a selection or a search"), ("q", "quit"),
    ]

    /// The effect of the last key.
    private var done: String { notice.plainLine + (canUndo ? "  z undoes" : "") }

    /// Returns the last line of the screen, such as the keys that do something now.
    ///
    /// - Parameter text: The text that is shown in place of the list.
    private func footer(_ keys: ListKeys, _ text: [String]?) -> String {
        let more = text.map { keys.scroll.instruction(for: $0, room: room) } ?? ""
        switch keys.mode {
        case .search: return "Enter searches, Esc cancels"
        case .snooze: return "A number snoozes, Esc cancels"
        case .help: return "Esc goes back" + more
        case .message:
            let action = texts.name(of: .main(in: keys.tab ?? .inbox))
            return notice.isEmpty ? "a \(action)  d Delete  u Unread  z Undo  Esc goes back" + more : done
        case .list:
            if !notice.isEmpty { return done }
            let count = keys.selected.isEmpty ? "" : "\(keys.selected.count) selected  "
            return count + "a \(texts.name(of: .main(in: keys.tab ?? .inbox)))  s Snooze  / Search  ? Keys  q Quit"
        }
    }
}
