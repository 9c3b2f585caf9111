/// A part of a card, for whatever draws it: SwiftUI, HTML and the terminal draw the same tree.
///
/// A value without I/O. Elements come in the order in which they are read aloud.
public indirect enum CardElement: Hashable, Sendable {
    /// A text.
    case text(TextElement)
    /// When the message came.
    case time(TimeElement)
    /// A picture.
    case image(ImageElement)
    /// Something to press that leads somewhere.
    case button(ButtonElement)
    /// Parts in a row or in a column.
    case stack(StackElement)
}

extension CardElement {
    /// The element, then all that is within it, in reading order.
    public var flattened: [CardElement] {
        guard case .stack(let stack) = self else { return [self] }
        return [self] + stack.children.flatMap(\.flattened)
    }
}
