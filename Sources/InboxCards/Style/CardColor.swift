/// A colour, for a light and for a dark screen.
public struct CardColor: Hashable, Sendable {
    /// On a light screen.
    public var light: RGBA
    /// On a dark screen.
    public var dark: RGBA

    /// A colour; without one for a dark screen, the same on both.
    public init(light: RGBA, dark: RGBA? = nil) {
        self.light = light
        self.dark = dark ?? light
    }

    /// A colour of red, green, blue and opacity, a byte each, in sRGB.
    public struct RGBA: Hashable, Sendable {
        /// How much of each.
        public var red, green, blue: UInt8
        /// 255 is opaque.
        public var alpha: UInt8

        /// A colour; opaque unless it is said.
        public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
            (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
        }

        /// A colour from `0xRRGGBB`, opaque; higher bits are ignored.
        public init(_ hex: UInt32) {
            self.init(red: UInt8(hex >> 16 & 0xFF), green: UInt8(hex >> 8 & 0xFF), blue: UInt8(hex & 0xFF))
        }

        /// A colour as backends write it: `RRGGBB` or `RRGGBBAA`, bare or after `#` or `0x`.
        ///
        /// Anything else is opaque black, as in Adobe's inbox.
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
