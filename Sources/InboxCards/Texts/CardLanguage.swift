/// A language that the texts of the screens are written in.
///
/// The raw value is its tag (BCP 47).
public enum CardLanguage: String, CaseIterable, Hashable, Sendable {
    case english = "en"
    case german = "de"
    case french = "fr"
    case spanish = "es"
    case portuguese = "pt"
    case japanese = "ja"
    case arabic = "ar"
    case hebrew = "he"

    /// What a text says in this language.
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

    /// How many messages are unread, in this language.
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
}
