import Foundation
import Groundwork
import InboxHTML
import InboxService

/// How many messages people haven't read, as it was last counted: to count is most of what a page would cost.
///
/// What is counted depends on the state of the person's inbox and on the time alone, so a count never has to be taken
/// back.
final class UnreadCounts: Sendable {
    struct Key: Hashable, Sendable {
        let person: Int
        let surface: String
    }

    /// Of how many inboxes counts are kept; with one more, all are forgotten.
    static let most = 20_000

    // Reached in `withLock` alone; nothing waits while it is held.
    private let kept = Locked<[Key: CountedUnread]>([:])

    /// The count that is kept, or else one that is made now.
    func count(_ key: Key, at state: PersonState, now: Date, make: () throws -> CountedUnread) rethrows -> UnreadCount {
        if let counted = kept.withLock({ $0[key] }), counted.state == state, counted.times.contains(now) {
            return UnreadCount(counted.count, isExact: counted.isExact)
        }
        let counted = try make()
        kept.withLock { kept in
            if kept.count >= Self.most { kept.removeAll() }
            kept[key] = counted
        }
        return UnreadCount(counted.count, isExact: counted.isExact)
    }
}
