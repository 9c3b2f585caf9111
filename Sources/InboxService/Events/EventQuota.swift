import Foundation
import GRDB
import Groundwork
package import JMAP

/// The limit of stored events per person, so that one person can't fill the disk.
///
/// The events are counted in the database when a person first sends some, and once a day; in between, in memory.
package final class EventQuota: Sendable {
    /// What is kept of one person.
    package struct Use: Sendable {
        var count: Int
        /// Of the events' data, in bytes.
        var size: Int
        let countedAt: Date

        package mutating func add(_ event: StoredEvent) {
            count += 1
            size += event.data?.utf8.count ?? 0
        }
    }

    private let limits: FairUse
    // By person; reached in `withLock` alone.
    private let uses = Locked<[Int: Use]>([:])

    /// For so many people the use is in memory before it is counted again.
    private static let limit = 100_000
    /// How long a count holds, in seconds: events end by themselves, which isn't counted.
    private static let lifetime: TimeInterval = 86_400

    package init(_ limits: FairUse) {
        self.limits = limits
    }

    /// What is kept of a person as a transaction finds it.
    package func use(of person: Person, in transaction: WriteTransaction) throws -> Use {
        let (known, now) = (uses.withLock { $0[person.id] }, transaction.now)
        if let known, abs(now.timeIntervalSince(known.countedAt)) < Self.lifetime { return known }
        let row = try transaction.db.row(
            "SELECT count(*), total(length(data)) FROM event WHERE person = ?",
            [person.id]
        )
        return Use(count: row?[0] ?? 0, size: Int(row?[1] as Double? ?? 0), countedAt: now)
    }

    /// Makes sure that there is room for one more.
    ///
    /// - Throws: ``SetError`` `overQuota` (RFC 8620 §5.3).
    package func check(_ use: Use) throws(SetError) {
        guard use.count < limits.events, use.size < limits.eventSize else {
            throw SetError(
                "overQuota",
                "At most \(limits.events) events of a person are kept, with \(limits.eventSize) bytes of data, for 90 days."
            )
        }
    }

    /// Keeps what a transaction made of it, once that is durable.
    package func keep(_ use: Use, of person: Person) {
        uses.withLock { uses in
            if uses.count >= Self.limit { uses.removeAll() }
            uses[person.id] = use
        }
    }
}
