public import InboxModel

extension Card {
    /// The card of a message.
    ///
    /// - Parameters:
    ///   - message: What it says.
    ///   - context: Who reads it, and when.
    public init(_ message: Message, in context: CardContext) {
        let details = message.cardDetails
        let template = CardTemplate(for: message, details)
        id = message.id
        self.template = template
        isUnread = message.isUnread
        link = details.link.flatMap { $0.isEmpty ? nil : $0 }

        func text(_ content: String, _ make: (String) -> TextElement) -> TextElement? {
            content.isEmpty || template == .imageOnly ? nil : make(content)
        }
        title = text(message.title) {
            TextElement($0, font: .title, color: .primary, role: .heading(level: 2))
        }
        body = text(message.body) { TextElement($0) }
        caption =
            template == .push
            ? text(message.category ?? "") { TextElement($0, font: .caption, lineLimit: 1, role: .caption) } : nil
        image = template == .plainText ? nil : details.media.map { Self.image($0, in: template) }
        buttons = template == .imageOnly ? [] : details.actions.map { ButtonElement($0) }
        let namesAdobe = details.templateId == template.rawValue && template.isAdobe
        time = namesAdobe || template == .imageOnly ? nil : Self.time(of: message, in: context)
        dismissButton =
            switch details.dismissButton ?? .simple {
            case .none, .other: nil
            case .simple: DismissElement(.simple, label: context.texts[.dismiss])
            case .circle: DismissElement(.circle, label: context.texts[.dismiss])
            }
        mark(context)
        if title == nil, body == nil, image == nil {
            // HTML alone: what it says is shown when it is opened.
            title = TextElement(context.texts[.message], font: .title, color: .primary, role: .heading(level: 2))
        }
    }

    private mutating func mark(_ context: CardContext) {
        let indicator = context.unreadIndicator
        guard indicator.isShown else { return }
        unreadIcon = UnreadElement(
            indicator.icon.map { ImageElement($0, width: Double(indicator.size), cornerRadius: 0) },
            size: Double(indicator.size),
            placement: UnreadElement.Corner(indicator.placement),
            label: context.texts[.unread]
        )
        unreadBackground = CardColor(indicator)
    }

    private static func image(_ media: Media, in template: CardTemplate) -> ImageElement {
        switch template {
        case .smallImage: ImageElement(media, width: 72)
        case .push: ImageElement(media, contentMode: .fill, width: 48)
        case .largeImage, .imageOnly, .plainText: ImageElement(media)
        }
    }

    /// Says anew how long ago the message came; the rest stays as it is.
    ///
    /// - Parameters: The message that the card is made of, and the time now.
    public mutating func updateTime(_ message: Message, in context: CardContext) {
        time?.text.content = Self.time(of: message, in: context).text.content
    }

    private static func time(of message: Message, in context: CardContext) -> TimeElement {
        TimeElement(
            message.deliverAt,
            text: TextElement(
                context.relativeTime.text(message.deliverAt, now: context.now),
                font: .caption,
                role: .caption
            )
        )
    }
}

extension CardColor {
    /// The background that a surface has set for what wasn't read; nil for none.
    init?(_ indicator: UnreadIndicator) {
        guard let light = indicator.background ?? indicator.darkBackground else { return nil }
        self.init(light: RGBA(text: light), dark: indicator.darkBackground.map(RGBA.init(text:)))
    }
}
