/// A message as a surface shows it: its parts with their style and layout. ``content`` is the element tree that is
/// drawn.
///
/// The message and its template determine the parts. All of them can be changed before the card is drawn
/// (``CardCustomizing``).
public struct Card: Identifiable, Hashable, Sendable {
    /// The id of the message.
    public let id: String
    /// The layout of the parts.
    public let template: CardTemplate
    /// Whether the message is unread.
    public var isUnread: Bool
    /// The target of a tap on the card, or nil if there is none.
    public let link: String?

    /// The category, above the title of a push template.
    public var caption: TextElement?
    /// The headline.
    public var title: TextElement?
    /// The text.
    public var body: TextElement?
    /// The image.
    public var image: ImageElement?
    /// The time of delivery. An image alone has none.
    public var time: TimeElement?
    /// The buttons, in the sender's order.
    public var buttons: [ButtonElement] = []
    /// The dismiss button, in the top trailing corner.
    public var dismissButton: DismissElement?
    /// The unread indicator, which is drawn while the message is unread (``shownUnreadIcon``). Nil if the surface shows
    /// none.
    public var unreadIcon: UnreadElement?

    /// The layout of image and texts.
    public var rootStack = StackStyle()
    /// The layout of the texts.
    public var textStack = StackStyle(alignment: .leading)
    /// The layout of the buttons.
    public var buttonStack = StackStyle()
    /// The background color.
    public var backgroundColor = CardColor.card
    /// The background color of an unread message. Nil for ``backgroundColor``.
    public var unreadBackground: CardColor?
    /// The padding around the content.
    public var padding = CardInsets(12)
    /// The corner radius in points.
    public var cornerRadius = 12.0
    /// The part of the accessibility label for a card without texts, such as "Message".
    private let fallbackLabel: String
    /// The text that was last generated for ``time``. If the current text differs, it was customized.
    private var generatedTimeText: String?

    /// Creates a card without parts.
    init(id: String, template: CardTemplate, isUnread: Bool, link: String?, fallbackLabel: String) {
        self.id = id
        self.template = template
        self.isUnread = isUnread
        self.link = link
        self.fallbackLabel = fallbackLabel
    }

    /// Sets the time of delivery.
    mutating func setTime(_ time: TimeElement) {
        generatedTimeText = time.text.content
        self.time = time
    }

    /// The current background color.
    public var background: CardColor {
        isUnread ? unreadBackground ?? backgroundColor : backgroundColor
    }

    /// The unread indicator as it is drawn, or nil if the message is read.
    public var shownUnreadIcon: UnreadElement? { isUnread ? unreadIcon : nil }

    /// The card's accessibility label: whether it is unread, its texts and its time. A card without texts is called a
    /// message.
    public var label: String {
        var label = ""
        forEachLabelPart { part in
            if !label.isEmpty { label += Self.labelSeparator }
            label += part
        }
        return label
    }

    /// Calls a closure with each part of ``label``. No part is empty.
    package func forEachLabelPart(_ body: (String) -> Void) {
        var hasWords = false
        func visit(_ part: String?) {
            guard let part, !part.isEmpty else { return }
            hasWords = true
            body(part)
        }
        if isUnread, let mark = unreadIcon?.label, !mark.isEmpty { body(mark) }
        visit(caption?.content)
        visit(title?.content)
        visit(self.body?.content)
        visit(image?.alt)
        if !hasWords { visit(fallbackLabel) }
        visit(time?.text.content)
    }

    /// The separator between the parts of ``label``.
    package static let labelSeparator = ", "

    /// Updates the text of the time, unless a customizer changed it.
    mutating func updateTime(_ text: String) {
        guard let current = time?.text.content, current == generatedTimeText else { return }
        time?.text.content = text
        generatedTimeText = text
    }
}

/// Customizes the appearance of cards.
///
/// Each card is customized once, after the surface's settings are applied. A card keeps its customization when its
/// message is marked as read or unread. If the sender edits the message or the surface's settings change, the card is
/// created and customized again.
@MainActor
public protocol CardCustomizing {
    /// Customizes a card.
    func customize(_ card: inout Card)
}
