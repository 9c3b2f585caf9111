/// The dismiss button in the top trailing corner of a card.
public struct DismissElement: Hashable, Sendable {
    /// The style.
    public var style: Style
    /// The accessibility label.
    public var label: String
    /// The color of the ×.
    public var color: CardColor
    /// The color of the circle.
    public var circleColor: CardColor
    /// The font of the ×.
    public var font: CardFont
    /// The padding.
    public var padding: CardInsets
    /// The minimum width and height of the touch target, in points (Apple's Human Interface Guidelines; WCAG 2.2,
    /// section 2.5.5).
    public var targetSize: Double

    /// Creates a dismiss button.
    public init(_ style: Style, label: String) {
        self.style = style
        self.label = label
        color = .dismiss
        circleColor = .dismissCircle
        font = CardFont(size: 13, weight: .semibold)
        padding = CardInsets(8)
        targetSize = 44
    }

    /// The style of a dismiss button.
    public enum Style: Hashable, Sendable {
        /// An ×.
        case simple
        /// An × in a filled circle.
        case circle
    }
}
