/// The button in a card's top trailing corner that sends the message away.
public struct DismissElement: Hashable, Sendable {
    /// How it looks.
    public var style: Style
    /// What it does, for those who listen.
    public var label: String
    /// The colour of the ×.
    public var color: CardColor
    /// The colour of the circle.
    public var circleColor: CardColor
    /// The size of the ×.
    public var font: CardFont
    /// Around it.
    public var padding: CardInsets
    /// What is pressed is at least that wide and high, in points (Apple's Human Interface Guidelines; WCAG 2.2 §2.5.5).
    public var targetSize: Double

    /// A dismiss button.
    public init(_ style: Style, label: String) {
        self.style = style
        self.label = label
        color = .dismiss
        circleColor = .dismissCircle
        font = CardFont(size: 13, weight: .semibold)
        padding = CardInsets(8)
        targetSize = 44
    }

    /// How a dismiss button looks.
    public enum Style: Hashable, Sendable {
        /// An ×.
        case simple
        /// An × in a filled circle.
        case circle
    }
}
