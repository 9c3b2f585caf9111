import Foundation
import InboxCards
import InboxClient

/// Messages as cards below each other.
struct CardList {
    let drawing: CardDrawing
    let context: CardContext

    /// - Parameter width: In columns.
    init(width: Int, now: Date) {
        drawing = CardDrawing(width: width)
        context = CardContext(
            relativeTime: InboxCards.RelativeTime(texts: Reader.texts, timeZone: .current),
            now: now
        )
    }

    /// The lines, with one between two cards; pinned messages before the others.
    func lines(_ messages: [Message]) -> [String] {
        let messages = messages.filter(\.pinned) + messages.filter { !$0.pinned }
        return Array(
            messages.map { message in
                drawing.lines(Card(message, in: context), id: message.shortID, isPinned: message.pinned)
            }.joined(separator: [""])
        )
    }
}
