public import InboxModel
import Groundwork

extension Card {
    /// Creates the card of a message.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - context: The surface's settings, the reader's language and the current time.
    public init(_ message: Message, in context: CardContext) {
        self = context.card(of: message)
    }

    /// Updates the text of the message's time, unless the text was customized. Everything else is unchanged.
    ///
    /// - Parameters:
    ///   - message: The message of the card.
    ///   - context: The reader's language and the current time.
    public mutating func updateTime(_ message: Message, in context: CardContext) {
        updateTime(context.time(of: message).text.content)
    }
}

extension CardContext {
    /// Returns the card of a message, as ``Card/init(_:in:)`` does, without copying the message and the context.
    package func card(of message: Message) -> Card {
        let details = message.cardDetails
        let (hasTitle, hasBody) = (message.title.hasVisibleCharacters, message.body.hasVisibleCharacters)
        let template = CardTemplate(
            named: details.templateID,
            hasTitle: hasTitle,
            hasBody: hasBody,
            hasMedia: details.media != nil
        )
        // The parts are set one by one: an initializer with all of them would copy each.
        var card = Card(
            id: message.id,
            template: template,
            isUnread: message.isUnread,
            link: details.link.flatMap { $0.isEmpty ? nil : $0 },
            fallbackLabel: relativeTime.texts[.message]
        )
        if template != .imageOnly {
            if hasTitle { card.title = Self.title(message.title) }
            if hasBody { card.body = TextElement(message.body) }
            card.setTime(time(of: message))
            if !details.actions.isEmpty { card.buttons = details.actions.map { ButtonElement($0) } }
        }
        if template == .push { card.caption = caption(of: message) }
        if template != .plainText, let media = details.media { card.image = Self.image(media, in: template) }
        if card.title == nil, card.body == nil, card.image == nil {
            // The message has only HTML, which is shown when the message is opened.
            card.title = Self.title(relativeTime.texts[.message])
        }
        card.dismissButton = dismissButton(details.dismissButton ?? .simple)
        if unreadIndicator.isShown {
            card.unreadIcon = unreadIcon
            card.unreadBackground = CardColor(unreadIndicator)
        }
        return card
    }

    private static func title(_ text: String) -> TextElement {
        TextElement(text, font: .title, color: .primary, role: .heading(level: 2))
    }

    private func caption(of message: Message) -> TextElement? {
        guard let category = message.category, !category.isEmpty else { return nil }
        return TextElement(category, font: .caption, lineLimit: 1, role: .caption)
    }

    fileprivate func time(of message: Message) -> TimeElement {
        TimeElement(
            message.deliverAt,
            text: TextElement(relativeTime.text(message.deliverAt, now: now), font: .caption, role: .caption)
        )
    }

    private func dismissButton(_ button: DismissButton) -> DismissElement? {
        switch button {
        case .none, .other: nil
        case .simple: DismissElement(.simple, label: relativeTime.texts[.dismiss])
        case .circle: DismissElement(.circle, label: relativeTime.texts[.dismiss])
        }
    }

    private var unreadIcon: UnreadElement? {
        guard unreadIndicator.isShown else { return nil }
        let size = Double(unreadIndicator.size)
        return UnreadElement(
            unreadIndicator.icon.map { ImageElement($0, width: size, cornerRadius: 0) },
            size: size,
            placement: UnreadElement.Corner(unreadIndicator.placement),
            label: relativeTime.texts[.unread]
        )
    }

    private static func image(_ media: Media, in template: CardTemplate) -> ImageElement {
        switch template {
        case .smallImage: ImageElement(media, width: 72)
        case .push: ImageElement(media, contentMode: .fill, width: 48)
        case .largeImage, .imageOnly, .plainText: ImageElement(media)
        }
    }
}

extension CardColor {
    /// Creates the background that a surface sets for unread messages. Returns nil if it sets none.
    init?(_ indicator: UnreadIndicator) {
        guard let light = indicator.background ?? indicator.darkBackground else { return nil }
        self.init(light: RGBA(text: light), dark: indicator.darkBackground.map(RGBA.init(text:)))
    }
}
