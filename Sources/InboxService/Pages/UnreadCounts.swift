import Foundation
import Groundwork

/// A cache of the tabs' numbers, since counting is most of a page's cost.
///
/// A count depends only on the state of the person's inbox and on the time, so entries are never invalidated.
package final class UnreadCounts: Sendable {
    struct Key: Hashable, Sendable {
        let person: Int
        let surface: String
    }

    /// The maximum number of cached counts. The cache is emptied when it would exceed this.
    static let maxEntries = 20_000

    // Accessed only in `withLock`. Nothing blocks while the lock is held.
    private let entries = Locked<[Key: CountedTabs]>([:])

    package init() {}

    /// Returns the cached count, or counts now.
    func count(
        _ key: Key,
        at state: PersonState,
        now: Date,
        make: () throws -> CountedTabs
    ) rethrows -> CountedTabs {
        if let counted = entries.withLock({ $0[key] }), counted.unread.state == state, counted.validity.contains(now) {
            return counted
        }
        let counted = try make()
        entries.withLock { entries in
            if entries.count >= Self.maxEntries { entries.removeAll() }
            entries[key] = counted
        }
        return counted
    }
}
