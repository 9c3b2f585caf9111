import HTMLCleaning

/// A color of a style, in sRGB.
public struct AppInboxColor: Hashable, Sendable {
    /// The component with this name, from 0 to 255.
    public let red, green, blue: UInt8
    /// The opacity, from 0 (transparent) to 1.
    public let alpha: Double

    /// Creates a color. The opacity is limited to 0...1, and opaque if it isn't a number.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: Double = 1) {
        (self.red, self.green, self.blue) = (red, green, blue)
        self.alpha = alpha.isNaN ? 1 : min(max(alpha, 0), 1)
    }

    /// Reads a color in one of Bloomreach's notations. Case and space around the parts don't matter.
    ///
    /// - Parameter notation: `#RGB`, `#RGBA`, `#RRGGBB` or `#RRGGBBAA`; `rgb(255, 213, 0)`, `rgba(255, 213, 0, 0.5)`
    ///   or `argb(0.5, 255, 213, 0)`, with components from 0 to 255 and the opacity from 0 to 1; a name of CSS, or
    ///   `transparent`.
    /// - Throws: ``AppInboxStyleProblem/Reason``: `invalidColor`, or `outOfRange` for a component or opacity that is
    ///   too large or negative.
    public init(_ notation: String) throws(AppInboxStyleProblem.Reason) {
        let text = notation.trimmed.lowercased()
        if text.hasPrefix("#") {
            guard let color = HTMLColor(hex: String(text.dropFirst())) else { throw .invalidColor }
            self.init(color)
        } else if let opening = text.firstIndex(of: "("), text.hasSuffix(")") {
            let parts = text[text.index(after: opening)...].dropLast().split(
                separator: ",",
                omittingEmptySubsequences: false
            )
            try self.init(function: String(text[..<opening]).trimmed, parts.map { String($0).trimmed })
        } else if text == "transparent" {
            self.init(red: 0, green: 0, blue: 0, alpha: 0)
        } else {
            guard let color = HTMLColor(named: text) else { throw .invalidColor }
            self.init(color)
        }
    }

    private init(_ color: HTMLColor) {
        self.init(red: color.red, green: color.green, blue: color.blue, alpha: color.alpha)
    }

    private init(function: String, _ parts: [String]) throws(AppInboxStyleProblem.Reason) {
        let (components, alpha): (ArraySlice<String>, String?)
        switch (function, parts.count) {
        case ("rgb", 3): (components, alpha) = (parts[...], nil)
        case ("rgba", 4): (components, alpha) = (parts[..<3], parts[3])
        case ("argb", 4): (components, alpha) = (parts[1...], parts[0])
        default: throw .invalidColor
        }
        var bytes: [UInt8] = []
        for component in components {
            guard let number = Double(decimal: component) else { throw .invalidColor }
            guard (0...255).contains(number) else { throw .outOfRange }
            bytes.append(UInt8(number.rounded()))
        }
        guard let opacity = alpha.map({ Double(decimal: $0) }) ?? 1 else { throw .invalidColor }
        guard (0...1).contains(opacity) else { throw .outOfRange }
        self.init(red: bytes[0], green: bytes[1], blue: bytes[2], alpha: opacity)
    }
}
