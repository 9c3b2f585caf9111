import Foundation
import InboxClient
import enum Replica.ConnectionState

/// For a person: the list on the whole terminal, drawn anew in place whenever something changes.
struct ScreenWatcher: Watcher {
    let person: String
    let filter: MessageFilter
    private let screen = Screen()

    func begin() { screen.open() }
    func end() { screen.close() }

    func show(_ state: WatchState, after event: WatchEvent) {
        let size = Terminal.size
        guard let snapshot = state.snapshot else { return }
        var lines = [header(state, snapshot, width: size.columns), ""]
        if snapshot.messages.isEmpty {
            lines.append(" " + Paint.faint(filter.emptyText))
        } else {
            let table = MessageTable(width: size.columns, now: Date()).lines(snapshot.messages)
            let room = max(2, size.rows - 4)
            if table.count <= room {
                lines += table
            } else {
                lines += table.prefix(room - 1)
                lines.append(Paint.faint("   and \(counted(table.count - room + 1, "message")) more"))
            }
        }
        let footer = Paint.faint(" Ctrl-C ends. In another terminal: inbox show ID, inbox read ID".cut(to: size.columns))
        let space = max(0, size.rows - lines.count - 1)
        lines += Array(repeating: "", count: space) + [footer]
        screen.draw(Array(lines.prefix(size.rows)))
    }

    private func header(_ state: WatchState, _ snapshot: InboxSnapshot, width: Int) -> String {
        let counts = snapshot.counts
        var parts = [(" \(person.plainLine.cut(to: 30))", Paint.strong), connection(state.connection)]
        parts.append(("\(counts.unread) unread of \(counts.total)", counts.unread > 0 ? Paint.strong : Paint.faint))
        if snapshot.pendingWrites > 0 { parts.append(("\(snapshot.pendingWrites) to be sent", Paint.warning)) }
        var line = ""
        var used = 0
        for (text, paint) in parts {
            let separator = line.isEmpty ? "" : " · "
            guard used + separator.columns + text.columns <= width else { break }
            line += Paint.faint(separator) + paint(text)
            used += separator.columns + text.columns
        }
        return line
    }

    private func connection(_ state: ConnectionState) -> (String, (String) -> String) {
        switch state {
        case .live: ("live", Paint.good)
        case .polling: ("asking from time to time", Paint.good)
        case .otherProcess: ("live through another process", Paint.good)
        case .idle, .connecting: ("connecting", Paint.faint)
        case .offline(let nextTry):
            (nextTry.map { "offline, next try \(RelativeTime.text($0, now: Date()))" } ?? "offline", Paint.warning)
        case .unauthorized: ("login refused: inbox login", Paint.bad)
        case .closed: ("closed", Paint.faint)
        }
    }
}
