import HTMLCleaning

/// The declarations of an element's `style` attribute that determine how much space it takes: those that the cleaner
/// keeps. What isn't understood is ignored, since a browser decides in the end.
struct OwnStyle {
    private let declarations: [CSSDeclaration]

    init(_ attribute: String?) {
        declarations = attribute.map { StyleAttribute($0) { _ in nil }.declarations } ?? []
    }

    /// Whether the element isn't shown, as the texts that only a list of mails shows.
    var isHidden: Bool {
        value("display") == "none" || length("max-height", of: 0) == 0
    }

    /// Returns a length in CSS pixels, or nil if the element has none.
    ///
    /// - Parameter whole: The length that percentages refer to; 0 if they have no meaning.
    func length(_ name: String, of whole: Double) -> Double? { Self.length(value(name), of: whole) }

    /// Returns the space that a property such as `padding` takes across and along the page, or nil if the element
    /// doesn't set it.
    func sides(_ property: String, of whole: Double) -> (width: Double, height: Double)? {
        let all = value(property).map { text in
            text.split(whereSeparator: \.isWhitespace).map { Self.length(String($0), of: whole) ?? 0 }
        }
        var (top, end, bottom, start) = (0.0, 0.0, 0.0, 0.0)
        if let all, let first = all.first {
            top = first
            end = all.count > 1 ? all[1] : first
            bottom = all.count > 2 ? all[2] : first
            start = all.count > 3 ? all[3] : end
        }
        let names = ["top", "right", "bottom", "left"].map { length("\(property)-\($0)", of: whole) }
        guard all != nil || names.contains(where: { $0 != nil }) else { return nil }
        return ((names[1] ?? end) + (names[3] ?? start), (names[0] ?? top) + (names[2] ?? bottom))
    }

    private func value(_ name: String) -> String? { declarations.last { $0.name == name }?.value }

    /// Returns the length that a text begins with, in CSS pixels and up to 10,000. A number alone is one of pixels.
    static func length(_ text: String?, of whole: Double) -> Double? {
        guard let text else { return nil }
        let trimmed = text.drop(while: \.isWhitespace)
        let digits = trimmed.prefix { $0.isASCII && $0.isNumber || $0 == "." }
        guard let number = Double(String(digits)) else { return nil }
        let unit = trimmed.dropFirst(digits.count).prefix { $0.isLetter || $0 == "%" }
        let pixels: Double? =
            switch unit {
            case "", "px": number
            case "em", "rem": number * 16
            case "pt": number * 4 / 3
            case "%": whole > 0 ? number * whole / 100 : nil
            default: nil
            }
        return pixels.map { min($0, 10_000) }
    }
}
