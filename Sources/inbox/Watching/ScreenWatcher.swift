import Foundation
import InboxClient

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
        let footer = Paint.faint(
            " Ctrl-C ends. In another terminal: inbox show ID, inbox read ID".cut(to: size.columns)
        )
        // The whole height is written, so that nothing of what was there before stays.
        let space = max(0, size.rows - lines.count - 1)
        lines += Array(repeating: "", count: space) + [footer]
        screen.draw(Array(lines.prefix(size.rows)))
    }

    private struct Part {
        let text: String
        let tone: Paint.Tone
    }

    private func header(_ state: WatchState, _ snapshot: InboxSnapshot, width: Int) -> String {
        let counts = snapshot.counts
        let unread = Part(
            text: "\(counts.unread) unread of \(counts.total)",
            tone: counts.unread > 0 ? .strong : .faint
        )
        let name = Part(text: " " + person.plainLine.cut(to: 30), tone: .strong)
        var parts = [name, connection(state.connection), unread]
        if snapshot.pendingWrites > 0 {
            parts.append(Part(text: "waiting to be sent", tone: .warning))
        }
        var line = ""
        var used = 0
        for part in parts {
            let separator = line.isEmpty ? "" : " · "
            guard used + separator.columns + part.text.columns <= width else { break }
            line += Paint.faint(separator) + part.tone.paint(part.text)
            used += separator.columns + part.text.columns
        }
        return line
    }

    private func connection(_ state: ConnectionState) -> Part {
        switch state {
        case .live: Part(text: "live", tone: .good)
        case .polling: Part(text: "asking from time to time", tone: .good)
        case .otherProcess: Part(text: "live through another process", tone: .good)
        case .idle, .connecting: Part(text: "connecting", tone: .faint)
        case .offline(nil): Part(text: "offline", tone: .warning)
        case .offline(let nextTry?):
            Part(text: "offline, next try \(RelativeTime.text(nextTry, now: Date()))", tone: .warning)
        case .unauthorized: Part(text: "login refused: inbox login", tone: .bad)
        case .closed: Part(text: "closed", tone: .faint)
        }
    }
}
