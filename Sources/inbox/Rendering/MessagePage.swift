import Foundation
import HTMLCleaning
import InboxCards
import InboxClient

/// A whole message as text for a terminal: its card, its HTML, and the fields that the card doesn't show.
struct MessagePage {
    /// The width in columns.
    let width: Int
    let now: Date
    let settings: SurfaceSettings

    /// The options of the page in the browser.
    private static let options = HTMLCleaner.Options(linkSchemes: nil, readsActions: true)

    func lines(_ message: Message) -> [String] {
        let card = settings.card(message, now: now)
        var lines = CardDrawing(width: width, showsFullText: true).lines(card, id: "", isPinned: message.isPinned)
        let width = min(width, CardDrawing.maxWidth)
        lines.append("")
        lines += facts(message).wrapped(to: width).map(ANSIStyle.dim)
        if let html = message.html {
            let drawn = HTMLDrawing(width: width, options: Self.options).lines(html)
            if !drawn.isEmpty { lines += [""] + drawn }
        }
        let links = links(message)
        if !links.isEmpty {
            lines.append("")
            let labelWidth = min(24, (links.map(\.label.columns).max() ?? 0) + 2)
            for (label, link) in links {
                lines.append(label.cut(to: labelWidth - 2).isolated.padded(to: labelWidth) + ANSIStyle.accent(link))
            }
        }
        if !message.additionalData.isEmpty {
            lines.append("")
            for (name, value) in message.additionalData.sorted(by: { $0.key < $1.key }) {
                lines.append("\(ANSIStyle.dim(name.plainLine + ":")) \(value.plainLine)")
            }
        }
        let dates = dates(message)
        if !dates.isEmpty {
            lines.append("")
            let labelWidth = (dates.map(\.0.columns).max() ?? 0) + 2
            for (label, time) in dates {
                lines.append(ANSIStyle.dim(label.padded(to: labelWidth) + ShortTime.exact(time, now: now)))
            }
        }
        return lines
    }

    /// Returns the links of the message, its picture and its buttons.
    private func links(_ message: Message) -> [(label: String, link: String)] {
        let link = [("Link", message.link ?? "")]
        let picture = [("Picture", message.media?.address ?? "")]
        let buttons = message.actions.map { ($0.label.plainLine, $0.link.isEmpty ? $0.value : $0.link) }
        return (link + picture + buttons).filter { !$0.1.isEmpty }.map { (label: $0.0, link: $0.1.plainLine) }
    }

    private func facts(_ message: Message) -> String {
        var facts = [message.id, ShortTime.text(message.deliverAt, now: now)]
        if let category = message.category { facts.append(category.plainLine) }
        if message.surface != Message.defaultSurface { facts.append("surface \(message.surface.plainLine)") }
        if message.isPinned { facts.append("pinned") }
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
