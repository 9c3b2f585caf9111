import Foundation
import InboxCards

/// Who reads the terminal.
enum Reader {
    /// The texts of cards, in the language that the environment names, or else in English.
    static var texts: CardTexts { texts(ProcessInfo.processInfo.environment) }

    /// The first of `LC_ALL`, `LC_MESSAGES` and `LANG` that says anything counts (POSIX, Base Definitions, 8.2).
    static func texts(_ environment: [String: String]) -> CardTexts {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        // `de_AT.UTF-8@euro`: what follows the region says how it is written.
        return CardTexts(preferring: locale.map { [String($0.prefix { $0 != "." && $0 != "@" })] } ?? [])
    }
}
