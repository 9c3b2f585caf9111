import Foundation
import InboxCards
import InboxClient

/// A list of messages as cards.
struct CardList {
    /// The width in columns.
    let width: Int
    let now: Date
    let settings: SurfaceSettings
    /// The surface of the messages, whose title is the heading. Nil for messages of any surface.
    let surface: String?
    /// Whether pinned messages come first.
    var hasPinnedFirst = true

    /// Returns the lines, with an empty one between two cards.
    func lines(_ messages: [Message]) -> [String] {
        let drawing = CardDrawing(width: width)
        let messages = hasPinnedFirst ? messages.pinnedFirst : messages
        let cards = messages.map { message in
            drawing.lines(settings.card(message, now: now), id: message.shortID, isPinned: message.isPinned)
        }
        return Array((heading + cards).joined(separator: [""]))
    }

    private var heading: [[String]] {
        guard let title = surface.flatMap({ settings[$0].title })?.plainLine, !title.isEmpty else { return [] }
        return [[ANSIStyle.bold(title.cut(to: width).isolated)]]
    }
}

extension [Message] {
    /// The messages with the pinned ones first, each part in the same order.
    var pinnedFirst: [Message] { filter(\.isPinned) + filter { !$0.isPinned } }
}
