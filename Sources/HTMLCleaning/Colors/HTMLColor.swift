/// A color of sRGB, with the contrast rules of WCAG 2.
public struct HTMLColor: Hashable, Sendable {
    /// The red part.
    public let red: UInt8
    /// The green part.
    public let green: UInt8
    /// The blue part.
    public let blue: UInt8
    /// The opacity, from 0 (transparent) to 1.
    public let alpha: Double

    /// Creates a color.
    ///
    /// - Parameters:
    ///   - red: The red part.
    ///   - green: The green part.
    ///   - blue: The blue part.
    ///   - alpha: The opacity, which is limited to 0...1.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: Double = 1) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = min(max(alpha, 0), 1)
    }

    /// The color of 3, 4, 6 or 8 hexadecimal digits without the number sign (CSS Color 4, section 5.2), or nil.
    public init?(hex digits: String) {
        let values = digits.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard values.count == digits.utf8.count else { return nil }
        let parts: [Int]
        switch values.count {
        case 3, 4: parts = values.map { $0 * 17 }
        case 6, 8: parts = stride(from: 0, to: values.count, by: 2).map { values[$0] * 16 + values[$0 + 1] }
        default: return nil
        }
        self.init(
            red: UInt8(parts[0]),
            green: UInt8(parts[1]),
            blue: UInt8(parts[2]),
            alpha: parts.count == 4 ? Double(parts[3]) / 255 : 1
        )
    }

    /// Black.
    public static let black = HTMLColor(red: 0, green: 0, blue: 0)
    /// White.
    public static let white = HTMLColor(red: 255, green: 255, blue: 255)
}
