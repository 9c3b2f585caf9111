import Foundation
import Groundwork
import InboxCards
import InboxHTML

/// The languages and time zones in which pages were read.
final class PageLanguages: Sendable {
    /// What a request says of them.
    struct Key: Hashable, Sendable {
        let header: String
        let timeZone: TimeZone
    }

    /// How many are kept; with one more, all are forgotten.
    static let most = 500
    /// In bytes: browsers send less; what is longer isn't kept.
    static let longest = 200

    // Reached in `withLock` alone. What is kept depends on its key alone.
    private let kept = Locked<[Key: PageLanguage]>([:])

    /// The one that a request asks for.
    func language(_ key: Key) -> PageLanguage {
        if let language = kept.withLock({ $0[key] }) { return language }
        let texts = CardTexts(acceptLanguage: key.header)
        let language = PageLanguage(RelativeTime(texts: texts, timeZone: key.timeZone))
        guard key.header.utf8.count <= Self.longest else { return language }
        kept.withLock { kept in
            if kept.count >= Self.most { kept.removeAll() }
            kept[key] = language
        }
        return language
    }
}
