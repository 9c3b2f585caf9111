public import HTMLCleaning

/// The view that an HTML document is made for: its width, its colors and the reader's text size.
///
/// A document is made again when one of them changes: the rules of its style sheets are in its elements.
public struct HTMLViewport: Hashable, Sendable {
    /// The width in points, from 1 to 10,000.
    public let width: Int
    /// Whether the view is dark.
    public let isDark: Bool
    /// The size of text as a percentage of the usual one, from 50 to 400.
    public let textPercentage: Int

    /// The size in points of the text style *body* at the usual text size (Apple, Human Interface Guidelines,
    /// "Typography"). The scaled size divided by it is the scale of text.
    public static let bodySize = 17.0

    /// Creates a viewport. Values beyond the limits count as the nearest within them.
    ///
    /// - Parameters:
    ///   - width: The width in points.
    ///   - isDark: Whether the view is dark.
    ///   - textScale: The size of text as a share of the usual one.
    public init(width: Double, isDark: Bool = false, textScale: Double = 1) {
        self.width = Self.limited(width, 1...10_000, else: 1)
        self.isDark = isDark
        textPercentage = Self.limited(textScale * 100, 50...400, else: 100)
    }

    /// The view that media queries of style sheets are answered for.
    public var medium: HTMLMedium { HTMLMedium(width: width, isDark: isDark) }

    private static func limited(_ value: Double, _ range: ClosedRange<Double>, else fallback: Int) -> Int {
        value.isNaN ? fallback : Int(min(max(value, range.lowerBound), range.upperBound).rounded())
    }
}
