public import Foundation
public import InboxCards

/// The texts of the screens.
///
/// A text is looked up in this order: a style's `textOverride`, the texts that were set here, the app's
/// `Localizable.strings` (in the languages that the person prefers, then in the app's development language), and the
/// English text.
///
/// ```swift
/// var texts = AppInboxTexts()
/// texts[.title] = "Letters"
/// ```
public struct AppInboxTexts: Sendable {
    /// The texts of times and of VoiceOver, such as "2 hours ago".
    public var cardTexts: CardTexts

    private let lookUp: @Sendable (String) -> String?
    private var replaced: [AppInboxText: String] = [:]

    /// Creates the texts of an app.
    ///
    /// - Parameters:
    ///   - bundle: The bundle with `Localizable.strings`. Times are in the language in which it is shown.
    public init(bundle: Bundle = .main) {
        self.init(languages: bundle.preferredLocalizations) { key in
            // A bundle returns the value for a key that it doesn't have.
            let missing = "\u{0}"
            let text = bundle.localizedString(forKey: key, value: missing, table: nil)
            return text == missing ? nil : text
        }
    }

    /// Creates texts from another source.
    ///
    /// - Parameters:
    ///   - languages: The languages of times as BCP 47 tags, best first.
    ///   - lookUp: Returns the text of a key, or nil for the English one.
    public init(languages: [String], lookUp: @escaping @Sendable (_ key: String) -> String?) {
        cardTexts = CardTexts(preferring: languages)
        self.lookUp = lookUp
    }

    /// The text. Setting it replaces it.
    public subscript(_ text: AppInboxText) -> String {
        get { replaced[text] ?? lookUp(text.rawValue) ?? text.english }
        set { replaced[text] = newValue }
    }
}
