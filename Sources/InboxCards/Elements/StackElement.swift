/// A row or a column of elements.
public struct StackElement: Hashable, Sendable {
    /// The direction.
    public var axis: Axis
    /// The spacing and alignment.
    public var style: StackStyle
    /// The elements, in reading order.
    public var children: [CardElement]
    /// Whether the stack fills the available width, which its flexible elements share. Otherwise the stack has the
    /// elements' width.
    public var fillsWidth: Bool

    /// Creates a stack.
    public init(_ axis: Axis, style: StackStyle = StackStyle(), fillsWidth: Bool = true, _ children: [CardElement]) {
        self.axis = axis
        self.style = style
        self.children = children
        self.fillsWidth = fillsWidth
    }

    /// The direction of a stack.
    public enum Axis: Hashable, Sendable {
        /// From leading to trailing, or from top to bottom.
        case horizontal, vertical
    }

    /// Returns the direction at the reader's text size. A row of texts or buttons becomes a column at the sizes for
    /// accessibility, at which each would have a few letters of its line. A row with an image stays.
    ///
    /// - Parameter isLarge: Whether the size is one of those for accessibility.
    package func axis(isLarge: Bool) -> Axis {
        let hasImage = children.contains { if case .image = $0 { true } else { false } }
        return isLarge && !hasImage ? .vertical : axis
    }
}

/// The spacing and alignment of a stack: 8 points and centered by default.
public struct StackStyle: Hashable, Sendable {
    /// The space between elements, in points.
    public var spacing: Double
    /// The alignment of the elements across the stack's direction.
    public var alignment: CardAlignment

    /// Creates a style.
    public init(spacing: Double = 8, alignment: CardAlignment = .center) {
        self.spacing = spacing
        self.alignment = alignment
    }
}

/// The alignment of an element across a stack's direction, or of the lines of a text.
public enum CardAlignment: Hashable, Sendable, CaseIterable {
    /// The edge with this name, or the center. In a row, leading is the top and trailing the bottom.
    case leading, center, trailing
}
