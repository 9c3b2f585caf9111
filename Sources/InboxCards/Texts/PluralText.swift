package import Foundation

/// A text with a number, in a language's plural forms (Unicode's plural categories).
///
/// Each form may contain ``placeholder``, which is replaced by the number in the reader's digits.
public struct PluralText: Hashable, Sendable {
    /// The placeholder of the number.
    public static let placeholder = "{count}"

    /// The form for 0 in any language.
    public var zero: String?
    /// The form for 1, and for 0 in French and Portuguese.
    public var one: String?
    /// The form for 2 in Arabic and Hebrew.
    public var two: String?
    /// The form for 3 to 10, 103 to 110… in Arabic.
    public var few: String?
    /// The form for 11 to 99, 111 to 199… in Arabic, and for whole millions in French, Spanish and Portuguese.
    public var many: String?
    /// The form for all other numbers, and for those whose form is nil.
    public var other: String

    /// Creates a text from its forms.
    public init(
        zero: String? = nil,
        one: String? = nil,
        two: String? = nil,
        few: String? = nil,
        many: String? = nil,
        other: String
    ) {
        (self.zero, self.one, self.two) = (zero, one, two)
        (self.few, self.many, self.other) = (few, many, other)
    }

    /// Returns the text with a number, which is at least 0, formatted for a locale.
    ///
    /// - Parameter isExact: False for a lower bound, which has a plus sign: "1,000+ unread messages". A bound of one or
    ///   two has the form for other numbers.
    package func text(_ number: Int, isExact: Bool = true, locale: Locale) -> String {
        let isSeveral = isExact || number > 2
        return (isSeveral ? form(number, language: locale.language.languageCode?.identifier ?? "") : other)
            .replacing(Self.placeholder, with: number.formatted(.number.locale(locale)) + (isExact ? "" : "+"))
    }

    /// Returns the form for a number, by the CLDR's rules for integers. Other languages follow the rules of English.
    private func form(_ number: Int, language: String) -> String {
        if number == 0, let zero { return zero }
        let form: String? =
            switch language {
            case "ja": nil
            case "ar": arabicForm(number)
            case "he": number == 1 ? one : number == 2 ? two : nil
            case "fr", "pt": number <= 1 ? one : number.isMultiple(of: 1_000_000) ? many : nil
            case "es": number == 1 ? one : number > 0 && number.isMultiple(of: 1_000_000) ? many : nil
            default: number == 1 ? one : nil
            }
        return form ?? other
    }

    private func arabicForm(_ number: Int) -> String? {
        switch (number, number % 100) {
        case (1, _): one
        case (2, _): two
        case (_, 3...10): few
        case (_, 11...99): many
        default: nil
        }
    }
}
