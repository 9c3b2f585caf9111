import Foundation
import Groundwork

/// Texts of times that were made before, of one locale. The system's tables take 10 to 30 µs for one, which is long for
/// a list of them, and there are few different ones.
final class MadeTexts: Sendable {
    /// What a text depends on besides the locale, and nothing else.
    struct Key: Hashable {
        var form: Form
        /// How many units, or the number of the day or the minute on the reader's wall.
        var number: Int
    }

    /// What is said of the number.
    enum Form: Hashable {
        case minutes
        case hours
        case days
        case date
        case dateWithYear
        case exact
    }

    /// How many texts of a locale are kept; with one more, all are forgotten.
    static let most = 2000
    /// For how many locales texts are kept; with one more, all are forgotten. A reader's request may name any.
    static let mostLocales = 50

    // Reached by all tasks, each for an instant. Neither holds anything but results that depend on their key and the
    // locale alone, so nobody can tell whether a text comes from here.
    private static let places = Locked<[Locale: MadeTexts]>([:])
    private let made = Locked<[Key: String]>([:])

    /// Where the texts of a locale are, which is one that doesn't change by itself.
    static func place(for locale: Locale) -> MadeTexts {
        places.withLock { places in
            if let place = places[locale] { return place }
            if places.count >= mostLocales { places.removeAll() }
            let place = MadeTexts()
            places[locale] = place
            return place
        }
    }

    /// The text for a key, made where it isn't kept.
    func text(_ key: Key, make: () -> String) -> String {
        if let text = made.withLock({ $0[key] }) { return text }
        let text = make()
        made.withLock {
            if $0.count >= Self.most { $0.removeAll(keepingCapacity: true) }
            $0[key] = text
        }
        return text
    }
}
