package import Foundation

/// A text with a number in it, in the forms that a language has for different numbers (Unicode's plural categories).
///
/// ``placeholder`` stands for the number, which is written in the digits of the reader. A form may do without it.
public struct PluralText: Hashable, Sendable {
    /// What stands for the number in each form.
    public static let placeholder = "{count}"

    /// For 0, in any language, and for what the language takes like it.
    public var zero: String?
    /// For 1, and for what the language takes like it: 0 in French.
    public var one: String?
    /// For 2 in Arabic.
    public var two: String?
    /// For 3 to 10, 103 to 110… in Arabic.
    public var few: String?
    /// For 11 to 99, 111 to 199… in Arabic; for whole millions in French, Spanish and Portuguese.
    public var many: String?
    /// For all other numbers, and for those whose own form is nil.
    public var other: String

    /// Makes a text of its forms.
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

    /// The text with a number, 0 or more, as a locale writes it.
    package func text(_ number: Int, locale: Locale) -> String {
        form(number, language: locale.language.languageCode?.identifier ?? "")
            .replacing(Self.placeholder, with: number.formatted(.number.locale(locale)))
    }

    /// The form for a number, by the rules of the Unicode CLDR for whole numbers. Languages that aren't here are taken
    /// like English.
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
