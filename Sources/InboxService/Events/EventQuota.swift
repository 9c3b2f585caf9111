import Foundation
import Groundwork
import JMAP

/// The limit of stored events per person, so that one person can't fill the disk.
///
/// The events are counted in the database when a person first sends some and once a day after that. In between, the
/// count is maintained in memory: a transaction continues from the one that those before it have left, and
/// ``apply(_:)`` caches it after the commit.
final class EventQuota: Sendable {
    /// The stored events of one person.
    struct Use: Sendable {
        var count: Int
        /// The size of the events' data, in bytes.
        var size: Int
        let countedAt: Date

        mutating func add(_ event: StoredEvent) {
            count += 1
            size += event.data?.utf8.count ?? 0
        }
    }

    private let limits: FairUse
    // By person. Accessed only in `withLock`.
    private let uses = Locked<[Int: Use]>([:])

    /// The type of the error of an event for which there is no room.
    static let error = "overQuota"
    /// The number of people whose counts are cached. Beyond it, the cache is cleared.
    private static let limit = 100_000
    /// The time for which a count is valid, in seconds. Expired events aren't subtracted until the next count.
    private static let lifetime: TimeInterval = 86_400

    init(_ limits: FairUse) {
        self.limits = limits
    }

    /// Returns a person's stored events as of a transaction.
    func use(of person: Person, in transaction: WriteTransaction) throws -> Use {
        if let current = transaction.eventUse(of: person) { return current }
        let (known, now) = (uses.withLock { $0[person.id] }, transaction.now)
        if let known, abs(now.timeIntervalSince(known.countedAt)) < Self.lifetime { return known }
        let (count, size) = try transaction.reading.storedEvents(of: person)
        return Use(count: count, size: size, countedAt: now)
    }

    /// Checks that there is room for another event.
    ///
    /// - Throws: ``SetError`` `overQuota` (RFC 8620 §5.3).
    func check(_ use: Use) throws(SetError) {
        guard use.count < limits.events, use.size < limits.eventSize else {
            throw SetError(
                Self.error,
                """
                At most \(limits.events) events are stored per person, with \(limits.eventSize) bytes of data, for 90 \
                days.
                """
            )
        }
    }

    /// Caches the counts that a durable write has updated. Called after each commit, before the next transaction.
    func apply(_ effects: WriteEffects) {
        guard !effects.eventUses.isEmpty else { return }
        uses.withLock { uses in
            if uses.count >= Self.limit { uses.removeAll() }
            uses.merge(effects.eventUses) { $1 }
        }
    }

    /// Makes all be counted again, after a commit whose outcome is unknown.
    func forget() {
        uses.withLock { $0.removeAll() }
    }
}

extension ReadTransaction {
    /// Returns the number of a person's stored events, and the size of their data in bytes.
    fileprivate func storedEvents(of person: Person) throws -> (count: Int, size: Int) {
        let row = try db.row(
            """
            SELECT count(*), CAST(coalesce(sum(\(Self.dataSize)), 0) AS bigint) FROM event
            WHERE person = ?
            """,
            [person.id]
        )
        return (row?[0] ?? 0, row?[1] ?? 0)
    }

    /// SQLite's `length` of a text counts characters, and `octet_length` is newer than some systems' SQLite.
    private static let dataSize = SQLText(sqlite: "length(CAST(data AS BLOB))", postgres: "octet_length(data)")
}
