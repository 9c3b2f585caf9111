public import Foundation

/// The texts of the user interface in one language. The app can replace each of them.
///
/// ```swift
/// var texts = CardTexts(preferring: Locale.preferredLanguages)
/// texts[.inbox] = "Letters"
/// ```
///
/// To add a language, set ``locale`` and replace the texts. Times, numbers and the writing direction follow the locale.
public struct CardTexts: Hashable, Sendable {
    /// The language of the built-in texts.
    public let language: CardLanguage
    /// The locale of dates and numbers. An app may set `Locale.current`, so that the device's settings apply, such as
    /// the 24-hour clock.
    public var locale: Locale
    /// The text for the number of unread messages, in the language's plural forms.
    public var unreadMessages: PluralText
    /// The text for a number of messages, in the language's plural forms.
    public var messageNumber: PluralText

    private var replaced: [CardText: String] = [:]

    /// Creates the texts of a language.
    ///
    /// - Parameters:
    ///   - language: The language.
    ///   - locale: The locale of dates and numbers. By default it is the language's locale without a region.
    public init(_ language: CardLanguage = .english, locale: Locale? = nil) {
        self.language = language
        self.locale = locale ?? Locale(identifier: language.rawValue)
        unreadMessages = language.unreadMessages
        messageNumber = language.messageNumber
    }

    /// Creates the texts of the first supported language, or English texts if there is none.
    ///
    /// - Parameter tags: The reader's languages as BCP 47 tags (`pt-BR`), best first. Dates and numbers follow the
    ///   region of the chosen one. Invalid tags are ignored.
    public init(preferring tags: some Sequence<String>) {
        for case let tag? in tags.lazy.map(LanguageTag.init) {
            guard let language = CardLanguage(rawValue: tag.language) else { continue }
            self.init(language, locale: Locale(identifier: tag.identifier))
            return
        }
        self.init()
    }

    /// Creates the texts of the language that a browser prefers, or English texts if it isn't supported.
    ///
    /// - Parameter header: The value of `Accept-Language` (RFC 9110, section 12.5.4). Only the beginning of a very long
    ///   value is read.
    public init(acceptLanguage header: String) {
        self.init(preferring: AcceptLanguage.tags(header))
    }

    /// A text. Setting it replaces the built-in one. An empty replacement is shown as such.
    public subscript(text: CardText) -> String {
        get { replaced[text] ?? language.text(text) }
        set { replaced[text] = newValue }
    }

    /// Returns a copy with one text replaced.
    public func replacing(_ text: CardText, with replacement: String) -> CardTexts {
        replacing([text: replacement])
    }

    /// Returns a copy with several texts replaced.
    public func replacing(_ replacements: [CardText: String]) -> CardTexts {
        var texts = self
        texts.replaced.merge(replacements) { _, new in new }
        return texts
    }

    /// The place of a value in a text, such as in ``CardText/signedInAs``.
    public static let placeholder = "%@"

    /// Returns a text with a value in its place, such as "You’re signed in as anna@example.com.". In a language from
    /// right to left, the value keeps its own direction (Unicode's isolates).
    public func filled(_ text: CardText, with value: String) -> String {
        let value = isRightToLeft ? "\u{2068}\(value)\u{2069}" : value
        return self[text].replacing(Self.placeholder, with: value)
    }

    /// Returns the text for a number of unread messages, such as "3 unread messages". Negative numbers count as 0.
    public func unreadCount(_ count: Int) -> String {
        unreadMessages.text(max(count, 0), locale: locale)
    }

    /// Returns the text for at least a number of unread messages, which is positive: "1,000+ unread messages".
    package func unreadCount(atLeast count: Int) -> String {
        unreadMessages.text(max(count, 0), isExact: false, locale: locale)
    }

    /// Returns the text for a number of messages, such as "3 messages". Negative numbers count as 0.
    public func messageCount(_ count: Int) -> String {
        messageNumber.text(max(count, 0), locale: locale)
    }

    /// Returns the text for at least a number of messages, which is positive: "30+ messages".
    package func messageCount(atLeast count: Int) -> String {
        messageNumber.text(max(count, 0), isExact: false, locale: locale)
    }

    /// Whether the locale's writing direction is right to left.
    public var isRightToLeft: Bool { locale.language.characterDirection == .rightToLeft }

    /// The BCP 47 tag for a page's `lang`, with the region if it is known: `de-AT`.
    public var languageTag: String { locale.identifier(.bcp47) }
}
