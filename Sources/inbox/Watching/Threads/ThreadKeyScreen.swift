import Foundation
import InboxClient
import InboxMail

/// The lines of a list of threads on the whole terminal, in which a person acts by keys.
struct ThreadKeyScreen {
    let user: String
    let people: MailPeople
    let size: Terminal.Size
    let now: Date
    /// The text of an empty list.
    let emptyText: String
    /// The result of the last action, or its failure.
    var notice = ""
    /// Whether that can be undone.
    var canUndo = false

    /// Returns the size of a page on a screen of a size.
    static func room(on size: Terminal.Size) -> KeyRoom {
        let lines = max(2, size.rows - 4)
        let height = ThreadTable.linesPerItem(width: Self.tableWidth(on: size))
        return KeyRoom(lines: lines, items: max(1, (lines - (height == 1 ? 1 : 0)) / height))
    }

    /// The width of the table, beside the cursor and the marks of selected threads.
    private static func tableWidth(on size: Terminal.Size) -> Int { max(16, size.columns - 4) }

    private var room: KeyRoom { Self.room(on: size) }

    /// The text that is shown in place of the list, or nil for the list.
    ///
    /// - Parameter page: The lines of an open thread.
    func text(_ keys: ThreadKeys, page: [String]?) -> [String]? {
        switch keys.mode {
        case .help: KeyHelp.lines(Self.help, width: size.columns)
        case .thread: page ?? [ANSIStyle.dim(" Reading…")]
        case .list: nil
        }
    }

    /// Returns all lines.
    ///
    /// - Parameter page: The lines of an open thread; nil if none is open.
    func lines(
        _ keys: ThreadKeys,
        _ snapshot: MailSnapshot<MailThread>,
        _ connection: ConnectionState,
        page: [String]?
    ) -> [String] {
        let text = text(keys, page: page)
        let frame = WatchFrame(
            name: user,
            connection: connection,
            login: MailLogin.command,
            unread: snapshot.counts.unreadInInbox,
            total: snapshot.counts.inInbox,
            hasPendingWrites: snapshot.pendingWrites > 0,
            footer: footer(keys, text)
        )
        let body = text.map { keys.scroll.part(of: $0, room: room) } ?? list(keys, snapshot)
        return frame.lines(around: body, linesPerItem: 1, noun: "line", size: size)
    }

    /// The part of the list around the cursor that fits.
    private func list(_ keys: ThreadKeys, _ snapshot: MailSnapshot<MailThread>) -> [String] {
        let threads = snapshot.items
        guard !threads.isEmpty else {
            return [" " + ANSIStyle.dim(snapshot.hasSynced ? emptyText : "Nothing received from the server yet.")]
        }
        let table = ThreadTable(width: Self.tableWidth(on: size), now: now, people: people)
        let height = table.linesPerItem
        let header = height == 1 ? 1 : 0
        let fitting = room.items
        let position = keys.position(in: threads)
        let first = max(0, min(position - fitting / 2, threads.count - fitting))
        let shown = Array(threads[first..<min(threads.count, first + fitting)])
        return table.lines(shown).enumerated().map { row, line in
            let (item, part) = (row - header).quotientAndRemainder(dividingBy: height)
            guard row >= header, part == 0, shown.indices.contains(item) else { return "    " + line }
            let mark = keys.selected.contains(shown[item].id) ? "✓" : " "
            return " " + (first + item == position ? ANSIStyle.accent("›") : " ") + ANSIStyle.success(mark) + " " + line
        }
    }

    /// The help on the keys.
    private static let help: [(keys: String, effect: String)] = [
        ("↑ ↓ k j", "move; also PgUp, PgDn, Home, End"), ("Enter", "open a thread, and mark it as read"),
        ("Space", "select, or end the selection"), ("A", "select all"), ("r u", "mark as read, as unread"),
        ("a", "archive, or move back to the inbox"), ("s", "star, or remove the stars"),
        ("R G", "reply, reply to all, in your editor"), ("z", "undo"), ("o", "older threads"),
        ("Space b", "in an open thread: on, and back"), ("Esc", "end a selection"), ("q", "quit"),
    ]

    /// Returns the last line of the screen, such as the keys that do something now.
    ///
    /// - Parameter text: The text that is shown in place of the list.
    private func footer(_ keys: ThreadKeys, _ text: [String]?) -> String {
        let more = text.map { keys.scroll.instruction(for: $0, room: room) } ?? ""
        guard keys.mode != .help else { return "Esc goes back" + more }
        if !notice.isEmpty { return notice.plainLine + (canUndo ? "  z undoes" : "") }
        switch keys.mode {
        case .thread: return "a Archive  s Star  u Unread  R Reply  Esc goes back" + more
        case .list, .help:
            let count = keys.selected.isEmpty ? "" : "\(keys.selected.count) selected  "
            return count + "r Read  a Archive  s Star  R Reply  ? Keys  q Quit"
        }
    }
}
