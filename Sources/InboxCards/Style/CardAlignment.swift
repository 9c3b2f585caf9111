/// The alignment of an element across a stack's direction, or of the lines of a text.
public enum CardAlignment: Hashable, Sendable, CaseIterable {
    /// The edge with this name, or the center. In a row, leading is the top and trailing the bottom.
    case leading, center, trailing
}
