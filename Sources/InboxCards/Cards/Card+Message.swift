public import InboxModel

extension Card {
    /// The card of a message.
    ///
    /// - Parameters:
    ///   - message: What it says.
    ///   - context: Who reads it, and when.
    public init(_ message: Message, in context: CardContext) {
        self = context.card(of: message)
    }

    /// Says anew how long ago the message came, unless the text was changed; the rest stays as it is.
    ///
    /// - Parameters: The message that the card is made of, and the time now.
    public mutating func updateTime(_ message: Message, in context: CardContext) {
        updateTime(context.time(of: message).text.content)
    }
}

extension CardContext {
    /// The card of a message, as ``Card/init(_:in:)`` makes it, which takes copies of both.
    package func card(of message: Message) -> Card {
        let details = message.cardDetails
        let (hasTitle, hasBody) = (!message.title.isEmpty, !message.body.isEmpty)
        let template = CardTemplate(
            named: details.templateId,
            hasTitle: hasTitle,
            hasBody: hasBody,
            hasMedia: details.media != nil
        )
        // Part by part: handing over all of them at once would copy each.
        var card = Card(
            id: message.id,
            template: template,
            isUnread: message.isUnread,
            link: details.link.flatMap { $0.isEmpty ? nil : $0 },
            nameWithoutWords: relativeTime.texts[.message]
        )
        if template != .imageOnly {
            if hasTitle { card.title = Self.title(message.title) }
            if hasBody { card.body = TextElement(message.body) }
            let namesAdobe = template.isAdobe && details.templateId == template.rawValue
            if !namesAdobe { card.setTime(time(of: message)) }
            if !details.actions.isEmpty { card.buttons = details.actions.map { ButtonElement($0) } }
        }
        if template == .push { card.caption = caption(of: message) }
        if template != .plainText, let media = details.media { card.image = Self.image(media, in: template) }
        if card.title == nil, card.body == nil, card.image == nil {
            // HTML alone: what it says is shown when it is opened.
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
    /// The background that a surface has set for what wasn't read; nil for none.
    init?(_ indicator: UnreadIndicator) {
        guard let light = indicator.background ?? indicator.darkBackground else { return nil }
        self.init(light: RGBA(text: light), dark: indicator.darkBackground.map(RGBA.init(text:)))
    }
}
