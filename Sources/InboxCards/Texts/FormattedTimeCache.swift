import Foundation
import Groundwork

/// The cache of a ``RelativeTime``. Formatting a time takes the system 10 to 30 µs, which is long for a list, and there
/// are few different texts.
final class FormattedTimeCache: Sendable {
    /// The only values on which a text depends, besides the locale and the time zone.
    struct Key: Hashable {
        var form: Form
        /// The number of units, or the number of the local day or minute.
        var number: Int
    }

    /// The format of the number.
    enum Form: Hashable {
        case minutes
        case hours
        case days
        case date
        case dateWithYear
        case exact
        case short
        case shortWithYear
    }

    /// The maximum number of texts. The cache is emptied when it is exceeded.
    static let maxTexts = 2000

    // Guarded by the lock: any task may format a time. A text depends only on its key.
    private let texts = Locked<[Key: String]>([:])

    /// Returns the text for a key. It is formatted if it isn't cached.
    func text(_ key: Key, make: () -> String) -> String {
        if let text = texts.withLock({ $0[key] }) { return text }
        let text = make()
        texts.withLock {
            if $0.count >= Self.maxTexts { $0.removeAll(keepingCapacity: true) }
            $0[key] = text
        }
        return text
    }
}
