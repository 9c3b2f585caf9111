/// An element of a card. SwiftUI, HTML and the terminal draw the same tree of elements.
///
/// Elements are values, in reading order.
public enum CardElement: Hashable, Sendable {
    /// A text.
    case text(TextElement)
    /// The time of delivery.
    case time(TimeElement)
    /// An image.
    case image(ImageElement)
    /// A button.
    case button(ButtonElement)
    /// A row or a column of elements.
    case stack(StackElement)
}

extension CardElement {
    /// The element, followed by all elements in it, in reading order.
    public var flattened: [CardElement] {
        guard case .stack(let stack) = self else { return [self] }
        return [self] + stack.children.flatMap(\.flattened)
    }
}
