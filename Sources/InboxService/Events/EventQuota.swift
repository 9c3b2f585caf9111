import Foundation
import Groundwork
package import JMAP

/// The limit of stored events per person, so that one person can't fill the disk.
///
/// The events are counted in the database when a person first sends some and once a day after that. In between, the
/// count is maintained in memory.
package final class EventQuota: Sendable {
    /// The stored events of one person.
    package struct Use: Sendable {
        var count: Int
        /// The size of the events' data, in bytes.
        var size: Int
        let countedAt: Date

        package mutating func add(_ event: StoredEvent) {
            count += 1
            size += event.data?.utf8.count ?? 0
        }
    }

    private let limits: FairUse
    // By person. Accessed only in `withLock`.
    private let uses = Locked<[Int: Use]>([:])

    /// The number of people whose counts are cached. Beyond it, the cache is cleared.
    private static let limit = 100_000
    /// The time for which a count is valid, in seconds. Expired events aren't subtracted until the next count.
    private static let lifetime: TimeInterval = 86_400

    package init(_ limits: FairUse) {
        self.limits = limits
    }

    /// Returns a person's stored events as of a transaction.
    package func use(of person: Person, in transaction: WriteTransaction) throws -> Use {
        let (known, now) = (uses.withLock { $0[person.id] }, transaction.now)
        if let known, abs(now.timeIntervalSince(known.countedAt)) < Self.lifetime { return known }
        let (count, size) = try transaction.reading.storedEvents(of: person)
        return Use(count: count, size: size, countedAt: now)
    }

    /// Checks that there is room for another event.
    ///
    /// - Throws: ``SetError`` `overQuota` (RFC 8620 §5.3).
    package func check(_ use: Use) throws(SetError) {
        guard use.count < limits.events, use.size < limits.eventSize else {
            throw SetError(
                "overQuota",
                """
                At most \(limits.events) events are stored per person, with \(limits.eventSize) bytes of data, for 90 \
                days.
                """
            )
        }
    }

    /// Caches the count that a transaction has updated. Called after the commit.
    package func cache(_ use: Use, of person: Person) {
        uses.withLock { uses in
            if uses.count >= Self.limit { uses.removeAll() }
            uses[person.id] = use
        }
    }
}

extension ReadTransaction {
    /// Returns the number of a person's stored events, and the size of their data in bytes.
    fileprivate func storedEvents(of person: Person) throws -> (count: Int, size: Int) {
        let row = try db.row(
            "SELECT count(*), CAST(coalesce(sum(length(data)), 0) AS bigint) FROM event WHERE person = ?",
            [person.id]
        )
        return (row?[0] ?? 0, row?[1] ?? 0)
    }
}
