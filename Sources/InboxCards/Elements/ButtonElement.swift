public import InboxModel

/// A button on a card.
public struct ButtonElement: Identifiable, Hashable, Sendable {
    /// The id in events: the action's id.
    public var id: String
    /// The label.
    public var text: TextElement
    /// The action.
    public var action: MessageAction
    /// The background color, or nil for no background.
    public var backgroundColor: CardColor?
    /// The padding around the label.
    public var padding: CardInsets
    /// The corner radius in points.
    public var cornerRadius: Double

    /// Creates the button of an action.
    public init(
        _ action: MessageAction,
        backgroundColor: CardColor? = nil,
        padding: CardInsets = CardInsets(top: 6, leading: 0, bottom: 6, trailing: 0),
        cornerRadius: Double = 8
    ) {
        id = action.id
        text = TextElement(action.label, font: .button, color: .accent)
        self.action = action
        self.backgroundColor = backgroundColor
        self.padding = padding
        self.cornerRadius = cornerRadius
    }
}
