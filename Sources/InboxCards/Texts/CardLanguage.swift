/// A language of the built-in texts.
///
/// The raw value is its BCP 47 tag.
public enum CardLanguage: String, CaseIterable, Hashable, Sendable {
    case english = "en"
    case german = "de"
    case french = "fr"
    case spanish = "es"
    case portuguese = "pt"
    case japanese = "ja"
    case arabic = "ar"
    case hebrew = "he"

    /// Returns a text in this language.
    package func text(_ text: CardText) -> String {
        switch self {
        case .english: English.text(text)
        case .german: German.text(text)
        case .french: French.text(text)
        case .spanish: Spanish.text(text)
        case .portuguese: Portuguese.text(text)
        case .japanese: Japanese.text(text)
        case .arabic: Arabic.text(text)
        case .hebrew: Hebrew.text(text)
        }
    }

    /// The text for the number of unread messages in this language.
    package var unreadMessages: PluralText {
        switch self {
        case .english: English.unreadMessages
        case .german: German.unreadMessages
        case .french: French.unreadMessages
        case .spanish: Spanish.unreadMessages
        case .portuguese: Portuguese.unreadMessages
        case .japanese: Japanese.unreadMessages
        case .arabic: Arabic.unreadMessages
        case .hebrew: Hebrew.unreadMessages
        }
    }

    /// The text for a number of messages in this language.
    package var messageNumber: PluralText {
        switch self {
        case .english: English.messageNumber
        case .german: German.messageNumber
        case .french: French.messageNumber
        case .spanish: Spanish.messageNumber
        case .portuguese: Portuguese.messageNumber
        case .japanese: Japanese.messageNumber
        case .arabic: Arabic.messageNumber
        case .hebrew: Hebrew.messageNumber
        }
    }
}
