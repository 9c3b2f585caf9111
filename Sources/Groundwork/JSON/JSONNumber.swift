/// A JSON number, kept as its original text so that no precision is lost.
package struct JSONNumber: Hashable, Sendable {
    package let text: String

    package init(_ value: Int) {
        text = String(value)
    }

    /// - Returns: Nil for infinity and NaN, which JSON can't represent.
    package init?(_ value: Double) {
        guard value.isFinite else { return nil }
        text = Int(exactly: value).map { String($0) } ?? "\(value)"
    }

    /// Creates a number from text that a scanner has accepted.
    init(validText: String) {
        text = validText
    }

    /// The value, if it is an integer that fits in `Int`, even if it is written as `1.0` or `1e2`.
    package var intValue: Int? { Int(text) ?? exactInt }

    /// The value of a number with a fraction or an exponent, computed digit by digit since a double rounds beyond 2^53.
    private var exactInt: Int? {
        let parts = text.split(maxSplits: 1) { $0 == "e" || $0 == "E" }
        let isNegative = parts[0].first == "-"
        let mantissa = parts[0].drop { $0 == "-" }
        let fraction = mantissa.drop { $0 != "." }.dropFirst()
        var digits = mantissa.filter { $0 != "." }.drop { $0 == "0" }
        guard !digits.isEmpty else { return 0 }
        guard let exponent = parts.count == 2 ? Int(parts[1]) : 0, exponent.magnitude <= text.utf8.count + 20 else {
            return nil
        }
        var scale = exponent - fraction.count
        while digits.last == "0" {
            digits.removeLast()
            scale += 1
        }
        // The largest `Int` has 19 digits.
        guard scale >= 0, digits.count + scale <= 19 else { return nil }
        return Int((isNegative ? "-" : "") + digits + String(repeating: "0", count: scale))
    }

    /// The nearest double, or nil if the number is out of range.
    package var doubleValue: Double? { Double(text).flatMap { $0.isFinite ? $0 : nil } }
}
