public import InboxModel

/// A button on a card.
public struct ButtonElement: Identifiable, Hashable, Sendable {
    /// Names it in reports: the action's id, Adobe's `interactId`.
    public var id: String
    /// Its label.
    public var text: TextElement
    /// What it does.
    public var action: MessageAction
    /// Behind the label; nil for nothing.
    public var backgroundColor: CardColor?
    /// Around the label.
    public var padding: CardInsets
    /// How round its corners are, in points.
    public var cornerRadius: Double

    /// A button for an action.
    public init(
        _ action: MessageAction,
        backgroundColor: CardColor? = nil,
        padding: CardInsets = CardInsets(top: 6, leading: 0, bottom: 6, trailing: 0),
        cornerRadius: Double = 8
    ) {
        id = action.id
        text = TextElement(action.text, font: .button, color: .accent)
        self.action = action
        self.backgroundColor = backgroundColor
        self.padding = padding
        self.cornerRadius = cornerRadius
    }
}
