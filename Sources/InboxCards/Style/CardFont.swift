/// How a text is set.
public struct CardFont: Hashable, Sendable {
    /// The height in points, at the system's usual text size. Whatever draws it makes it larger or smaller as the
    /// reader has asked for.
    public var size: Double
    /// How bold it is.
    public var weight: Weight
    /// Whether it slopes.
    public var isItalic: Bool

    /// A font; upright and of regular weight unless it is said.
    public init(size: Double, weight: Weight = .regular, isItalic: Bool = false) {
        self.size = size
        self.weight = weight
        self.isItalic = isItalic
    }

    /// How bold a text is; the numbers are those of CSS (Fonts Level 4, §2.2).
    public enum Weight: Int, Hashable, Sendable, CaseIterable {
        /// From thin to thick.
        case light = 300, regular = 400, medium = 500, semibold = 600, bold = 700
    }

    /// A card's title: 15 points, medium.
    public static let title = CardFont(size: 15, weight: .medium)
    /// A card's text: 13 points.
    public static let body = CardFont(size: 13)
    /// A button's label: 13 points.
    public static let button = CardFont(size: 13)
    /// A card's time: 12 points.
    public static let caption = CardFont(size: 12)
    /// The heading over the cards: 22 points, bold.
    public static let heading = CardFont(size: 22, weight: .bold)
}
