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

    /// Returns all lines.
    ///
    /// - Parameter messages: The messages in the order of the screen.
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
            login: "inbox login",
            unread: snapshot.counts.unread,
            total: snapshot.counts.total,
            hasPendingWrites: snapshot.pendingWrites > 0,
            footer: footer(keys)
        )
        let tabs = TabLine(counts: snapshot.counts, current: keys.tab, texts: texts).text
        let body =
            switch keys.mode {
            case .help: Self.help
            case .snooze(let choices): menu(choices)
            case .list, .search, .message: page ?? list(keys, messages, snapshot)
            }
        return frame.lines(
            around: [" " + tabs, searchLine(keys), ""] + body,
            linesPerItem: 1,
            noun: "line",
            size: size
        )
    }

    private func searchLine(_ keys: ListKeys) -> String {
        if case .search(let text) = keys.mode { return " /" + text.plainLine.cut(to: max(8, size.columns - 4)) + "▏" }
        return keys.search.isEmpty ? "" : " " + ANSIStyle.bold("/" + keys.search.plainLine.cut(to: size.columns - 4))
    }

    /// The part of the list around the cursor that fits.
    private func list(_ keys: ListKeys, _ messages: [Message], _ snapshot: InboxSnapshot) -> [String] {
        guard !messages.isEmpty else {
            let text =
                !snapshot.hasSynced
                ? "Nothing received from the server yet."
                : keys.search.isEmpty ? keys.filter.emptyText : "Nothing found."
            return [" " + ANSIStyle.dim(text)]
        }
        // Header, tabs, search, the table's header and the footer, each with an empty line.
        let room = max(1, size.rows - 9)
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
    private static let help = [
        ("↑ ↓ k j", "move"), ("Enter", "open a message, and mark it as read"),
        ("Space", "select, or end the selection"),
        ("A", "select all"), ("1 2 3 4 Tab", "inbox, unread, archived, snoozed"), ("/", "search"),
        ("a", "archive, or move back to the inbox"), ("s", "snooze"), ("r u", "mark as read, as unread"),
        ("d", "delete"), ("R", "mark all as read"), ("z", "undo"), ("o", "older messages"),
        ("Esc", "end a selection or a search"), ("q", "quit"),
    ].map { " " + ANSIStyle.accent($0.padded(to: 14)) + $1 }

    /// The effect of the last key.
    private var done: String { notice.plainLine + (canUndo ? "  z undoes" : "") }

    private func footer(_ keys: ListKeys) -> String {
        switch keys.mode {
        case .search: return "Enter searches, Esc cancels"
        case .snooze: return "A number snoozes, Esc cancels"
        case .help: return "Esc goes back"
        case .message:
            let action = texts.name(of: .main(in: keys.tab ?? .inbox))
            return notice.isEmpty ? "a \(action)  d Delete  u Unread  z Undo  Esc goes back" : done
        case .list:
            if !notice.isEmpty { return done }
            let count = keys.selected.isEmpty ? "" : "\(keys.selected.count) selected  "
            return count + "a \(texts.name(of: .main(in: keys.tab ?? .inbox)))  s Snooze  / Search  ? Keys  q Quit"
        }
    }
}
