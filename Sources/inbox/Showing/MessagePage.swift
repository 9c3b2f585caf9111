import Foundation
import InboxClient

/// A whole message as text for a terminal.
struct MessagePage {
    /// In columns.
    let width: Int
    let now: Date

    /// Longer lines are hard to read, however wide the terminal is.
    private static let comfortable = 80

    func lines(_ message: Message) -> [String] {
        let width = min(width, Self.comfortable)
        var lines = message.headline.wrapped(to: width).map(Paint.strong)
        lines += facts(message).wrapped(to: width).map(Paint.faint)
        let body = message.body.plainText
        if !body.isEmpty, body.plainLine != message.headline || message.body.contains("\n") {
            lines.append("")
            lines += body.wrapped(to: width)
        }
        if let html = message.html {
            lines.append("")
            lines.append(Paint.faint("(Also an HTML version of \(html.utf8.count) bytes, which isn't shown here.)"))
        }
        if let media = message.media {
            lines.append("")
            if let alt = media.alt?.plainText, !alt.isEmpty { lines += "Picture: \(alt)".wrapped(to: width) }
            if let address = media.address { lines.append(Paint.accent(address.plainLine)) }
        }
        if !message.actions.isEmpty {
            lines.append("")
            for action in message.actions {
                let link = action.link.isEmpty ? action.value : action.link
                let label = Paint.strong("[\(action.text.plainLine)]")
                lines.append(link.isEmpty ? label : "\(label)  \(Paint.accent(link.plainLine))")
            }
        }
        if !message.additionalData.isEmpty {
            lines.append("")
            for (name, value) in message.additionalData.sorted(by: { $0.key < $1.key }) {
                lines.append("\(Paint.faint(name.plainLine + ":")) \(value.plainLine)")
            }
        }
        let dates = dates(message)
        if !dates.isEmpty {
            lines.append("")
            let labelWidth = (dates.map(\.0.columns).max() ?? 0) + 2
            for (label, time) in dates {
                let text = "\(RelativeTime.exact(time))  (\(RelativeTime.text(time, now: now)))"
                lines.append(Paint.faint(label.padded(to: labelWidth) + text))
            }
        }
        return lines
    }

    private func facts(_ message: Message) -> String {
        var facts = [message.id, "\(RelativeTime.text(message.deliverAt, now: now))"]
        if let category = message.category { facts.append(category.plainLine) }
        if message.surface != Message.defaultSurface { facts.append("surface \(message.surface.plainLine)") }
        if message.pinned { facts.append("pinned") }
        return facts.joined(separator: " · ")
    }

    private func dates(_ message: Message) -> [(String, Date)] {
        let dates: [(String, Date?)] = [
            ("Delivered", message.deliverAt), ("Expires", message.expiresAt), ("Read", message.readAt),
            ("Archived", message.archivedAt), ("Snoozed until", message.snoozedUntil), ("Deleted", message.deletedAt),
        ]
        return dates.compactMap { label, date in date.map { (label, $0) } }
    }
}
