import Foundation
import InboxCards

/// The language of the terminal.
enum TerminalLanguage {
    /// The texts of cards, in the language of the environment, or otherwise in English.
    static var texts: CardTexts { texts(ProcessInfo.processInfo.environment) }

    /// Returns the texts for the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that isn't empty (POSIX, Base Definitions,
    /// 8.2).
    static func texts(_ environment: [String: String]) -> CardTexts {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        // Removes the encoding and the modifier after the region: `de_AT.UTF-8@euro`.
        return CardTexts(preferring: locale.map { [String($0.prefix { $0 != "." && $0 != "@" })] } ?? [])
    }
}
