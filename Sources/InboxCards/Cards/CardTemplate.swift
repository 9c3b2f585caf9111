public import InboxModel
import Groundwork

/// The layout of a card's parts.
public enum CardTemplate: String, Hashable, Sendable, CaseIterable {
    /// A small image next to texts and buttons. It requires a title.
    case smallImage = "SmallImage"
    /// A large image above texts and buttons. It requires a title.
    case largeImage = "LargeImage"
    /// An image alone. It requires an image.
    case imageOnly = "ImageOnly"
    /// Texts and buttons without an image.
    case plainText = "PlainText"
    /// The layout of a system notification: category and time above title and text, the image at the end.
    case push = "Push"

    /// Returns the template for a message.
    ///
    /// It is the one that `Message.templateID` names by its raw value. If the message names none, or lacks a part that
    /// the named one requires, the template follows from the message's parts.
    public init(for message: Message) {
        let details = message.cardDetails
        self.init(
            named: details.templateID,
            hasTitle: message.title.hasVisibleCharacters,
            hasBody: message.body.hasVisibleCharacters,
            hasMedia: details.media != nil
        )
    }

    init(named name: String?, hasTitle: Bool, hasBody: Bool, hasMedia: Bool) {
        if let named = name.flatMap(CardTemplate.init(rawValue:)), named.fits(hasTitle, hasMedia) {
            self = named
        } else if hasMedia {
            self = hasTitle || hasBody ? .smallImage : .imageOnly
        } else {
            self = .plainText
        }
    }

    private func fits(_ hasTitle: Bool, _ hasMedia: Bool) -> Bool {
        switch self {
        case .smallImage, .largeImage: hasTitle
        case .imageOnly: hasMedia
        case .plainText, .push: true
        }
    }
}
