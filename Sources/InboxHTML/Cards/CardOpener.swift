import InboxCards
import InboxModel

/// The part of a card that leads to its message: the first of these that it has.
enum CardOpener {
    case heading, picture, text

    init(of card: Card) {
        let hasHeading = [card.title, card.body].contains { text in
            guard let text, case .heading = text.role else { return false }
            return !text.content.isEmpty
        }
        let hasPicture = card.image.map { $0.alt != nil || WebLink.picture($0.media.url) != nil } ?? false
        self = hasHeading ? .heading : hasPicture ? .picture : .text
    }
}
