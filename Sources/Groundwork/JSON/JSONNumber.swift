/// A JSON number, kept as the text in which it came, so that nothing is lost on the way through.
package struct JSONNumber: Hashable, Sendable {
    package let text: String

    package init(_ value: Int) {
        text = String(value)
    }

    /// - Returns: Nil for what JSON can't say: infinity, and what is no number.
    package init?(_ value: Double) {
        guard value.isFinite else { return nil }
        text = Int(exactly: value).map { String($0) } ?? "\(value)"
    }

    /// A number whose text a scanner has accepted.
    init(validText: String) {
        text = validText
    }

    /// The value, where it is whole and fits; also when written as `1.0` or `1e2`.
    package var intValue: Int? { Int(text) ?? exactInt }

    /// Reads a number with a fraction or an exponent digit by digit, since a double rounds past 2^53.
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
        // The longest whole number that fits has 19 digits.
        guard scale >= 0, digits.count + scale <= 19 else { return nil }
        return Int((isNegative ? "-" : "") + digits + String(repeating: "0", count: scale))
    }

    /// The nearest double; nil past its range.
    package var doubleValue: Double? { Double(text).flatMap { $0.isFinite ? $0 : nil } }
}
