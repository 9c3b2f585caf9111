extension HTMLColor {
    /// The contrast that text needs on its background (WCAG 2, success criterion 1.4.3).
    public static let minimumContrast = 4.5

    /// The relative luminance, from 0 (black) to 1 (white), without regard to the opacity (WCAG 2, "relative
    /// luminance").
    public var luminance: Double {
        0.2126 * Self.linear[Int(red)] + 0.7152 * Self.linear[Int(green)] + 0.0722 * Self.linear[Int(blue)]
    }

    /// The contrast ratio of two colors, from 1 to 21, without regard to their opacity (WCAG 2, "contrast ratio").
    public func contrast(with other: HTMLColor) -> Double {
        let (first, second) = (luminance, other.luminance)
        return (max(first, second) + 0.05) / (min(first, second) + 0.05)
    }

    /// Whether text in this color can be read on a background: the contrast is at least ``minimumContrast``. The
    /// opacity of the text counts.
    public func isReadable(on background: HTMLColor) -> Bool {
        blended(over: background).contrast(with: background) >= Self.minimumContrast
    }

    /// The color that is seen over an opaque one.
    public func blended(over background: HTMLColor) -> HTMLColor {
        func part(_ own: UInt8, _ other: UInt8) -> UInt8 {
            UInt8((Double(own) * alpha + Double(other) * (1 - alpha)).rounded())
        }
        return HTMLColor(
            red: part(red, background.red),
            green: part(green, background.green),
            blue: part(blue, background.blue)
        )
    }

    /// The linear values of the 256 parts.
    private static let linear: [Double] = (0...255).map { byte in
        let value = Double(byte) / 255
        if value <= 0.04045 { return value / 12.92 }
        let base = (value + 0.055) / 1.055
        // base^2.4 = base^2 · base^0.4, and base^0.4 is the fifth root of base^2, found by Newton's method.
        let square = base * base
        var root = 1.0
        for _ in 0..<60 {
            let fourth = root * root * root * root
            root -= (fourth * root - square) / (5 * fourth)
        }
        return square * root
    }
}

extension HTMLColor {
    /// The color of a value that the cleaner writes, or nil if it is a keyword such as `inherit`.
    init?(css text: String) {
        if text == "transparent" {
            self.init(red: 0, green: 0, blue: 0, alpha: 0)
        } else if text.hasPrefix("#") {
            self.init(hex: String(text.dropFirst()))
        } else if text.hasPrefix("rgba(") {
            let parts = text.dropFirst(5).dropLast().split(separator: ", ").compactMap { Double($0) }
            guard parts.count == 4 else { return nil }
            self.init(red: UInt8(parts[0]), green: UInt8(parts[1]), blue: UInt8(parts[2]), alpha: parts[3])
        } else {
            self.init(named: text)
        }
    }

    /// The color of a `background` as the cleaner writes it, or nil if there is none.
    init?(background value: Substring) {
        var value = value
        if let start = value.firstRange(of: "url('"), let end = value[start.upperBound...].firstRange(of: "')") {
            value.removeSubrange(start.lowerBound..<end.upperBound)
        }
        if let start = value.firstIndex(of: "("), let end = value.firstIndex(of: ")") {
            self.init(css: "rgba" + value[start...end])
            return
        }
        guard let color = value.split(separator: " ").lazy.compactMap({ HTMLColor(css: String($0)) }).first else {
            return nil
        }
        self = color
    }
}
