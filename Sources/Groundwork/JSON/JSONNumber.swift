/// A JSON number, kept as the text in which it came, so that nothing is lost on the way through.
package struct JSONNumber: Hashable, Sendable {
    package let text: String

    package init(_ value: Int) {
        text = String(value)
    }

    /// A number whose text a scanner has accepted.
    init(validText: String) {
        text = validText
    }

    /// The value, where it is whole and fits; also when written as `1.0` or `1e2`.
    package var intValue: Int? { Int(text) ?? doubleValue.flatMap { Int(exactly: $0) } }

    /// The nearest double; nil past its range.
    package var doubleValue: Double? { Double(text).flatMap { $0.isFinite ? $0 : nil } }
}
