import Foundation
import InboxClient

/// What stands around a list that is watched on a whole terminal: who and how it stands above, what can be done below.
struct WatchFrame {
    let name: String
    let connection: ConnectionState
    /// The command with which the person logs in again.
    let login: String
    let unread: Int
    let total: Int
    /// Whether something waits to be sent.
    let isWaiting: Bool
    let footer: String

    /// All lines of the terminal.
    ///
    /// - Parameters:
    ///   - linesEach: How many lines each of the list's items takes.
    ///   - noun: What they are.
    func lines(around list: [String], linesEach: Int, noun: String, size: Terminal.Size) -> [String] {
        var lines = [header(width: size.columns), ""]
        let room = max(2, size.rows - 4)
        if list.count <= room {
            lines += list
        } else {
            let rest = list.count - room + 1
            lines += list.prefix(room - 1)
            lines.append(Paint.faint("   and \(counted((rest + linesEach - 1) / linesEach, noun)) more"))
        }
        // The whole height is written, so that nothing of what was there before stays.
        let space = max(0, size.rows - lines.count - 1)
        lines += Array(repeating: "", count: space) + [Paint.faint(" \(footer)".cut(to: size.columns))]
        return Array(lines.prefix(size.rows))
    }

    private struct Part {
        let text: String
        let tone: Paint.Tone
    }

    private func header(width: Int) -> String {
        let counts = Part(text: "\(unread) unread of \(total)", tone: unread > 0 ? .strong : .faint)
        var parts = [Part(text: " " + name.plainLine.cut(to: 30), tone: .strong), state, counts]
        if isWaiting { parts.append(Part(text: "waiting to be sent", tone: .warning)) }
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

    /// How it stands to the server.
    private var state: Part {
        switch connection {
        case .live: Part(text: "live", tone: .good)
        case .polling: Part(text: "asking from time to time", tone: .good)
        case .otherProcess: Part(text: "live through another process", tone: .good)
        case .idle, .connecting: Part(text: "connecting", tone: .faint)
        case .offline(let reason, nil): Part(text: reason.word, tone: .warning)
        case .offline(let reason, let nextTry?):
            Part(text: "\(reason.word), next try \(RelativeTime.text(nextTry, now: Date()))", tone: .warning)
        case .unauthorized(let reason):
            Part(text: "\(reason.code == .expired ? "login expired" : "login refused"): \(login)", tone: .bad)
        case .otherPerson: Part(text: "another person's login: \(login)", tone: .bad)
        case .closed: Part(text: "closed", tone: .faint)
        }
    }
}

extension OfflineReason {
    /// The reason in a word or two, for a line in which much else stands.
    fileprivate var word: String {
        switch code {
        case .notConnected: "offline"
        case .timedOut: "no answer"
        case .serverError: status.map { "server error \($0)" } ?? "server error"
        case .rateLimited: "asked to wait"
        case .noToken: "no token"
        case .invalidAnswer: "unreadable answer"
        case .storage: "can't store"
        default: "offline"
        }
    }
}
