import InboxCards
import InboxModel

/// The part of a card that links to its message: the first of these that the card has.
enum LinkedPart {
    case heading, picture, text

    /// Returns the part for a card. This isn't an initializer, which would copy the card.
    static func of(_ card: Card) -> LinkedPart {
        let hasHeading = card.title?.isHeading ?? false || card.body?.isHeading ?? false
        let hasPicture = card.image.map { $0.alt != nil || WebLink.picture($0.media.url) != nil } ?? false
        return hasHeading ? .heading : hasPicture ? .picture : .text
    }
}

extension TextElement {
    /// Whether this is a heading with text, which can contain a link.
    fileprivate var isHeading: Bool {
        if case .heading = role { !content.isEmpty } else { false }
    }
}
