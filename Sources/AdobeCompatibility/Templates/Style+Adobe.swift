public import InboxCards

/// SwiftUI's names of fonts, at the system's default text size (Apple's Human Interface Guidelines). `title`, `body`
/// and `caption` are declared by `CardFont` itself.
extension CardFont {
    /// Returns a font with a size in points.
    public static func system(size: Double, weight: Weight = .regular) -> CardFont {
        CardFont(size: size, weight: weight)
    }

    /// 34 points.
    public static let largeTitle = CardFont(size: 34)
    /// 22 points.
    public static let title2 = CardFont(size: 22)
    /// 20 points.
    public static let title3 = CardFont(size: 20)
    /// 17 points, semibold.
    public static let headline = CardFont(size: 17, weight: .semibold)
    /// 15 points.
    public static let subheadline = CardFont(size: 15)
    /// 16 points.
    public static let callout = CardFont(size: 16)
    /// 13 points.
    public static let footnote = CardFont(size: 13)
    /// 11 points.
    public static let caption2 = CardFont(size: 11)
}

/// SwiftUI's names of colors. `primary` and `secondary` are declared by `CardColor` itself.
extension CardColor {
    /// White.
    public static let white = CardColor(light: RGBA(0xFFFFFF))
    /// Black.
    public static let black = CardColor(light: RGBA(0))
    /// Transparent.
    public static let clear = CardColor(light: RGBA(red: 0, green: 0, blue: 0, alpha: 0))
    /// A medium gray.
    public static let gray = CardColor(light: RGBA(0x8E8E93))
    /// The system's blue.
    public static let blue = CardColor(light: RGBA(0x007AFF), dark: RGBA(0x0A84FF))
    /// The system's red.
    public static let red = CardColor(light: RGBA(0xFF3B30), dark: RGBA(0xFF453A))
    /// The system's green.
    public static let green = CardColor(light: RGBA(0x34C759), dark: RGBA(0x30D158))
    /// The system's orange.
    public static let orange = CardColor(light: RGBA(0xFF9500), dark: RGBA(0xFF9F0A))
    /// The system's yellow.
    public static let yellow = CardColor(light: RGBA(0xFFCC00), dark: RGBA(0xFFD60A))
    /// The system's purple.
    public static let purple = CardColor(light: RGBA(0xAF52DE), dark: RGBA(0xBF5AF2))
}
