import Foundation
import InboxClient

/// The frame of a list on the whole terminal: a header with the name and the connection, and a footer with
/// instructions.
struct WatchFrame {
    let name: String
    let connection: ConnectionState
    /// The command to log in again.
    let login: String
    let unread: Int
    let total: Int
    /// Whether there are pending writes.
    let hasPendingWrites: Bool
    let footer: String

    /// Returns all lines of the terminal, none wider than it: a screen doesn't wrap, so each further character would
    /// replace the last one.
    ///
    /// - Parameters:
    ///   - linesPerItem: The number of lines per item of the list.
    ///   - noun: The noun for the items.
    func lines(around list: [String], linesPerItem: Int, noun: String, size: Terminal.Size) -> [String] {
        var lines = [header(width: size.columns), ""]
        let room = max(2, size.rows - 4)
        if list.count <= room {
            lines += list
        } else {
            let rest = list.count - room + 1
            lines += list.prefix(room - 1)
            lines.append(ANSIStyle.dim("   and \(counted((rest + linesPerItem - 1) / linesPerItem, noun)) more"))
        }
        // The full height is written, so that no earlier contents remain.
        let space = max(0, size.rows - lines.count - 1)
        lines += Array(repeating: "", count: space) + [ANSIStyle.dim(" \(footer)".cut(to: size.columns))]
        return lines.prefix(size.rows).map { $0.cutLine(to: size.columns) }
    }

    private struct Part {
        let text: String
        let role: ANSIStyle.Role
    }

    private func header(width: Int) -> String {
        let counts = Part(text: "\(unread) unread of \(total)", role: unread > 0 ? .bold : .dim)
        var parts = [Part(text: " " + name.plainLine.cut(to: 30), role: .bold), state, counts]
        if hasPendingWrites { parts.append(Part(text: "waiting to be sent", role: .warning)) }
        var line = ""
        var used = 0
        for part in parts {
            let separator = line.isEmpty ? "" : " · "
            guard used + separator.columns + part.text.columns <= width else { break }
            line += ANSIStyle.dim(separator) + part.role.apply(to: part.text)
            used += separator.columns + part.text.columns
        }
        return line
    }

    /// The state of the connection.
    private var state: Part {
        switch connection {
        case .live: Part(text: "live", role: .success)
        case .polling: Part(text: "polling", role: .success)
        case .otherProcess: Part(text: "live through another process", role: .success)
        case .idle, .connecting: Part(text: "connecting", role: .dim)
        case .offline(let reason, nil): Part(text: reason.label, role: .warning)
        case .offline(let reason, let nextTry?):
            Part(text: "\(reason.label), next try \(ShortTime.text(nextTry, now: Date()))", role: .warning)
        case .unauthorized(let reason):
            Part(text: "\(reason.code == .expired ? "login expired" : "login refused"): \(login)", role: .failure)
        case .otherPerson: Part(text: "another person's login: \(login)", role: .failure)
        case .closed: Part(text: "closed", role: .dim)
        }
    }
}

extension OfflineReason {
    /// The reason in a word or two, for the header.
    fileprivate var label: String {
        switch code {
        case .notConnected: "offline"
        case .timedOut: "no response"
        case .serverError: status.map { "server error \($0)" } ?? "server error"
        case .rateLimited: "rate limited"
        case .noToken: "no token"
        case .invalidAnswer: "invalid response"
        case .storage: "storage error"
        default: "offline"
        }
    }
}
