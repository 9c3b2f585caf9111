public import InboxModel

/// How the parts of a card lie.
public enum CardTemplate: String, Hashable, Sendable, CaseIterable {
    /// A small picture beside the texts and buttons. Needs a title.
    case smallImage = "SmallImage"
    /// A large picture above the texts and buttons. Needs a title.
    case largeImage = "LargeImage"
    /// A picture alone. Needs one.
    case imageOnly = "ImageOnly"
    /// Texts and buttons, without a picture.
    case plainText = "PlainText"
    /// As the system shows a push: category and time above title and text, the picture at the end.
    case push = "Push"

    /// The template for a message: the one that it names in `Message.templateId`, spelled as here; where it names none
    /// of these, or lacks what that one needs, the one that fits what it has.
    public init(for message: Message) {
        let details = message.cardDetails
        self.init(
            named: details.templateId,
            hasTitle: !message.title.isEmpty,
            hasBody: !message.body.isEmpty,
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

    /// Whether it is one of Adobe's, which show no time.
    var isAdobe: Bool {
        switch self {
        case .smallImage, .largeImage, .imageOnly: true
        case .plainText, .push: false
        }
    }
}
