import Foundation
import InboxCards
import InboxClient

/// Messages as cards below each other.
struct CardList {
    /// In columns.
    let width: Int
    let now: Date
    let settings: SurfaceSettings
    /// The surface whose messages these are, and whose title stands above them; nil for messages of any.
    let surface: String?

    /// The lines, with one between two cards; pinned messages before the others.
    func lines(_ messages: [Message]) -> [String] {
        let drawing = CardDrawing(width: width)
        let messages = messages.filter(\.isPinned) + messages.filter { !$0.isPinned }
        let cards = messages.map { message in
            drawing.lines(settings.card(message, now: now), id: message.shortID, isPinned: message.isPinned)
        }
        return Array((heading + cards).joined(separator: [""]))
    }

    private var heading: [[String]] {
        guard let title = surface.flatMap({ settings[$0].title })?.plainLine, !title.isEmpty else { return [] }
        return [[Paint.strong(title.cut(to: width).isolated)]]
    }
}
