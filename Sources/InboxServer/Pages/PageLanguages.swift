import Foundation
import Groundwork
import InboxCards
import InboxHTML

/// A cache of the languages and time zones in which pages are rendered.
final class PageLanguages: Sendable {
    /// The language and time zone that a request names.
    struct Key: Hashable, Sendable {
        let header: String
        let timeZone: TimeZone
    }

    /// The maximum number of entries. The cache is emptied when it would exceed this.
    static let maxEntries = 500
    /// The maximum size of a cached header, in bytes. The headers of browsers are shorter; longer ones aren't cached.
    static let maxHeaderSize = 200

    // Accessed only in `withLock`. An entry depends on nothing but its key.
    private let entries = Locked<[Key: PageLanguage]>([:])

    /// Returns the language of a request.
    func language(_ key: Key) -> PageLanguage {
        if let language = entries.withLock({ $0[key] }) { return language }
        let texts = CardTexts(acceptLanguage: key.header)
        let language = PageLanguage(RelativeTime(texts: texts, timeZone: key.timeZone))
        guard key.header.utf8.count <= Self.maxHeaderSize else { return language }
        entries.withLock { entries in
            if entries.count >= Self.maxEntries { entries.removeAll() }
            entries[key] = language
        }
        return language
    }
}
