public import Foundation

/// The texts of the screens in one language, each of which the app can replace.
///
/// ```swift
/// var texts = CardTexts(preferring: Locale.preferredLanguages)
/// texts[.inbox] = "Letters"
/// ```
///
/// For a language that isn't here, set ``locale`` and replace the texts: times, numbers and direction follow the
/// locale.
public struct CardTexts: Hashable, Sendable {
    /// The language of the texts that aren't replaced.
    public let language: CardLanguage
    /// How dates and numbers are written. An app may set `Locale.current` here, so that the device's settings hold,
    /// such as the 24-hour clock.
    public var locale: Locale
    /// How many messages are unread, in the forms that the language has.
    public var unreadMessages: PluralText

    private var replaced: [CardText: String] = [:]

    /// The texts in a language.
    ///
    /// - Parameters:
    ///   - language: The language.
    ///   - locale: How dates and numbers are written; by default as is usual for the language alone.
    public init(_ language: CardLanguage = .english, locale: Locale? = nil) {
        self.language = language
        self.locale = locale ?? Locale(identifier: language.rawValue)
        unreadMessages = language.unreadMessages
    }

    /// The texts in the first of these languages that they are written in, or else in English.
    ///
    /// - Parameter tags: The reader's languages, best first, as BCP 47 writes them (`pt-BR`). Dates and numbers follow
    ///   the region of the one that is taken. Anything else than a tag is passed over.
    public init(preferring tags: some Sequence<String>) {
        for case let tag? in tags.lazy.map(LanguageTag.init) {
            guard let language = CardLanguage(rawValue: tag.language) else { continue }
            self.init(language, locale: Locale(identifier: tag.identifier))
            return
        }
        self.init()
    }

    /// The texts in the language that a browser asks for, or else in English.
    ///
    /// - Parameter header: The value of `Accept-Language` (RFC 9110 §12.5.4). Of a very long one the beginning counts.
    public init(acceptLanguage header: String) {
        self.init(preferring: AcceptLanguage.tags(header))
    }

    /// What a text says. To set it replaces it; an empty one is shown as such.
    public subscript(text: CardText) -> String {
        get { replaced[text] ?? language.text(text) }
        set { replaced[text] = newValue }
    }

    /// The same with one text replaced.
    public func replacing(_ text: CardText, with replacement: String) -> CardTexts {
        replacing([text: replacement])
    }

    /// The same with several texts replaced.
    public func replacing(_ replacements: [CardText: String]) -> CardTexts {
        var texts = self
        texts.replaced.merge(replacements) { _, new in new }
        return texts
    }

    /// How many messages are unread: "3 unread messages". Less than none counts as none.
    public func unreadCount(_ count: Int) -> String {
        unreadMessages.text(max(count, 0), locale: locale)
    }

    /// Whether the reader reads from right to left.
    public var isRightToLeft: Bool { locale.language.characterDirection == .rightToLeft }

    /// The tag of the language for a page's `lang` (BCP 47), with the region where it is known: `de-AT`.
    public var languageTag: String { locale.identifier(.bcp47) }
}
