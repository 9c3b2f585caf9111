import Foundation
import Groundwork

/// Texts of times that were made before. The system's tables take 10 to 30 µs for one, which is long for a list of them, and there are few
/// different ones.
enum MadeTexts {
    /// What a text depends on, and nothing else.
    struct Key: Hashable {
        var form: Form
        /// How many units, or the number of the day or the minute on the reader's wall.
        var number: Int
        /// One that doesn't change by itself.
        var locale: Locale
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

    /// How many texts are kept; with one more, all are forgotten.
    static let most = 5000

    // Reached by all tasks, each for an instant. It holds nothing but results that depend on their key alone, so nobody can tell
    // whether a text comes from here.
    private static let made = Locked<[Key: String]>([:])

    /// The text for a key, made where it isn't kept.
    static func text(_ key: Key, make: () -> String) -> String {
        if let text = made.withLock({ $0[key] }) { return text }
        let text = make()
        made.withLock {
            if $0.count >= most { $0.removeAll(keepingCapacity: true) }
            $0[key] = text
        }
        return text
    }
}
