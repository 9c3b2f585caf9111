/// The view that a message's media queries are answered for.
///
/// The rules of style sheets are written into the elements that they apply to. So a message is cleaned again when the
/// width of its view crosses a limit of a query, or its colors change.
public struct HTMLMedium: Hashable, Sendable {
    /// The width of the view in pixels of CSS.
    public var width: Int
    /// Whether the view is dark (`prefers-color-scheme`).
    public var isDark: Bool

    /// Creates a medium.
    ///
    /// - Parameters:
    ///   - width: The width of the view in pixels of CSS.
    ///   - isDark: Whether the view is dark.
    public init(width: Int = 800, isDark: Bool = false) {
        self.width = width
        self.isDark = isDark
    }
}
