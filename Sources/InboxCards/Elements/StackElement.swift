/// Parts in a row or in a column.
public struct StackElement: Hashable, Sendable {
    /// In which direction they follow each other.
    public var axis: Axis
    /// How they lie.
    public var style: StackStyle
    /// The parts, in reading order.
    public var children: [CardElement]
    /// Whether its width is shared out to what may grow, rather than the parts' own.
    public var fillsWidth: Bool

    /// A stack.
    public init(_ axis: Axis, style: StackStyle = StackStyle(), fillsWidth: Bool = true, _ children: [CardElement]) {
        self.axis = axis
        self.style = style
        self.children = children
        self.fillsWidth = fillsWidth
    }

    /// A direction.
    public enum Axis: Hashable, Sendable {
        /// From where reading begins on, or from above.
        case horizontal, vertical
    }
}

/// How the parts of a stack lie: 8 points apart and centred, as in Adobe's templates.
public struct StackStyle: Hashable, Sendable {
    /// The space between two parts, in points.
    public var spacing: Double
    /// Where the parts are across the stack's direction.
    public var alignment: CardAlignment

    /// A style.
    public init(spacing: Double = 8, alignment: CardAlignment = .center) {
        self.spacing = spacing
        self.alignment = alignment
    }
}
