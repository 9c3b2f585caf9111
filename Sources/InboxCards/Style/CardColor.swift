/// A color with variants for light and dark mode.
public struct CardColor: Hashable, Sendable {
    /// The color in light mode.
    public var light: RGBA
    /// The color in dark mode.
    public var dark: RGBA

    /// Creates a color. Without a variant for dark mode, the same color is used in both modes.
    public init(light: RGBA, dark: RGBA? = nil) {
        self.light = light
        self.dark = dark ?? light
    }

    /// A color in sRGB, with one byte each for red, green, blue and opacity.
    public struct RGBA: Hashable, Sendable {
        /// The component with this name, from 0 to 255.
        public var red, green, blue: UInt8
        /// The opacity, from 0 (transparent) to 255 (opaque).
        public var alpha: UInt8

        /// Creates a color, opaque by default.
        public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
            (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
        }

        /// Creates an opaque color from `0xRRGGBB`. Higher bits are ignored.
        public init(_ hex: UInt32) {
            self.init(red: UInt8(hex >> 16 & 0xFF), green: UInt8(hex >> 8 & 0xFF), blue: UInt8(hex & 0xFF))
        }

        /// Creates a color from a backend's notation: `RRGGBB` or `RRGGBBAA`, optionally after `#` or `0x`.
        ///
        /// Any other text yields opaque black.
        public init(text: String) {
            var digits = text[...]
            if digits.hasPrefix("#") {
                digits = digits.dropFirst()
            } else if digits.hasPrefix("0x") || digits.hasPrefix("0X") {
                digits = digits.dropFirst(2)
            }
            let isHex = digits.utf8.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
            guard isHex, digits.utf8.count == 6 || digits.utf8.count == 8, let value = UInt32(digits, radix: 16) else {
                self.init(0)
                return
            }
            self.init(digits.utf8.count == 8 ? value >> 8 : value)
            if digits.utf8.count == 8 { alpha = UInt8(value & 0xFF) }
        }
    }
}

/// The default colors. A test checks that each pair of text and background meets WCAG 2.2, level AA (section 1.4.3).
extension CardColor {
    /// The color of titles and of the text in the detail view.
    public static let primary = CardColor(light: RGBA(0x1C1C1E), dark: RGBA(0xF5F5F7))
    /// The color of texts, times and placeholders.
    public static let secondary = CardColor(light: RGBA(0x55555B), dark: RGBA(0xB4B4BC))
    /// The color of buttons, links and the unread indicator.
    public static let accent = CardColor(light: RGBA(0x005BC4), dark: RGBA(0x6CB2FF))
    /// The background behind the cards.
    public static let page = CardColor(light: RGBA(0xF2F2F7), dark: RGBA(0x0B0B0D))
    /// The background of a card.
    public static let card = CardColor(light: RGBA(0xFFFFFF), dark: RGBA(0x1C1C1E))
    /// The color of a dismiss button's ×.
    public static let dismiss = CardColor(light: RGBA(0x55555B), dark: RGBA(0xB4B4BC))
    /// The color of the circle of a dismiss button.
    public static let dismissCircle = CardColor(light: RGBA(0xE5E5EA), dark: RGBA(0x3A3A3C))
    /// The placeholder of an image that is loading or failed to load.
    public static let placeholder = CardColor(light: RGBA(0xE5E5EA), dark: RGBA(0x2C2C2E))
}
