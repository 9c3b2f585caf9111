/// The font of a text.
public struct CardFont: Hashable, Sendable {
    /// The size in points at the system's default text size. It is scaled to the reader's preferred text size.
    public var size: Double
    /// The weight.
    public var weight: Weight
    /// Whether the font is italic.
    public var isItalic: Bool

    /// Creates a font, of regular weight and upright by default.
    public init(size: Double, weight: Weight = .regular, isItalic: Bool = false) {
        self.size = size
        self.weight = weight
        self.isItalic = isItalic
    }

    /// The weight of a font. The raw values are those of CSS (Fonts Level 4, section 2.2).
    public enum Weight: Int, Hashable, Sendable, CaseIterable {
        /// The weight with this name.
        case light = 300, regular = 400, medium = 500, semibold = 600, bold = 700
    }

    /// The font of a card's title: 15 points, medium.
    public static let title = CardFont(size: 15, weight: .medium)
    /// The font of a card's text: 13 points.
    public static let body = CardFont(size: 13)
    /// The font of a button's label: 13 points.
    public static let button = CardFont(size: 13)
    /// The font of a card's time: 12 points.
    public static let caption = CardFont(size: 12)
    /// The font of the heading above the cards: 22 points, bold.
    public static let heading = CardFont(size: 22, weight: .bold)
}
