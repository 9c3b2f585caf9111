import InboxCards
import InboxModel

/// The part of a card that leads to its message: the first of these that it has.
enum CardOpener {
    case heading, picture, text

    /// Of a card, which is only looked at: an initializer would take a copy.
    static func of(_ card: Card) -> CardOpener {
        let hasHeading = card.title?.isHeading ?? false || card.body?.isHeading ?? false
        let hasPicture = card.image.map { $0.alt != nil || WebLink.picture($0.media.url) != nil } ?? false
        return hasHeading ? .heading : hasPicture ? .picture : .text
    }
}

extension TextElement {
    /// Whether a link can be the heading that it is.
    fileprivate var isHeading: Bool {
        if case .heading = role { !content.isEmpty } else { false }
    }
}
