package import Foundation
import Groundwork
import InboxModel

/// A number of messages among the newest ones.
package struct BoundedCount: Hashable, Sendable {
    package let count: Int
    /// Whether all messages were examined. Otherwise the number is a lower bound.
    package let isExact: Bool
}

extension BoundedCount {
    /// - Parameter limit: The maximum of a lower bound. More messages than that were examined.
    fileprivate init(count: Int, isExact: Bool, limit: Int) {
        self.init(count: isExact ? count : min(count, limit), isExact: isExact)
    }
}

/// The numbers of messages of a surface's tabs.
struct CountedTabs: Sendable {
    let unread: CountedUnread
    let archived: BoundedCount
    let snoozed: BoundedCount
    /// The times at which the numbers are valid. A snooze that ends makes them invalid.
    let validity: Range<Date>
}

/// The number of a surface's messages that a person hasn't read, with the state and times for which it is valid.
package struct CountedUnread: Sendable {
    package let count: Int
    /// Whether all of the surface's messages were examined.
    package let isExact: Bool
    package let state: PersonState
    /// The times at which the count is valid. A snooze that ends makes it invalid.
    package let validity: Range<Date>
}

extension PersonInbox {
    /// The maximum number of messages for which a count is exact, which bounds the cost for large inboxes. One more is
    /// examined.
    private static let countedLimit = 1_000

    /// Counts the messages of a surface's tabs, each among the newest ones.
    func tabs(on surface: String, now: Date) throws -> CountedTabs {
        let unread = try unread(on: surface, now: now)
        let (archived, _) = try count(.archived, on: surface, now: now)
        let (snoozed, next) = try count(.snoozed, on: surface, now: now)
        let end = min(unread.validity.upperBound, next.map { Date(milliseconds: $0) } ?? .distantFuture)
        return CountedTabs(unread: unread, archived: archived, snoozed: snoozed, validity: now..<max(now, end))
    }

    /// Counts the archived or the snoozed messages of a surface among the newest such ones.
    ///
    /// - Returns: The number, and the end of the next snooze.
    private func count(
        _ tab: InboxTab,
        on surface: String,
        now: Date
    ) throws -> (BoundedCount, next: Int?) {
        let row = try db.row(
            """
            SELECT count(*) FILTER (WHERE surface = ?2), count(*), min(snoozedUntil) FILTER (WHERE snoozedUntil > ?3)
            FROM (
                SELECT m.surface, d.snoozedUntil
                FROM \(SQLText.deliveries(by: tab.index))
                WHERE d.person = ?1 AND \(tab.condition)
                ORDER BY d.deliverAt DESC, d.message DESC LIMIT ?4
            ) AS newest
            """,
            [person.id, surface, now.milliseconds, Self.countedLimit + 1]
        )
        let examined: Int = row?[1] ?? 0
        let isExact = examined <= Self.countedLimit
        let count = BoundedCount(count: row?[0] ?? 0, isExact: isExact, limit: Self.countedLimit)
        return (count, row.flatMap { $0[2] })
    }

    /// Counts the unread messages among the newest ones that a surface lists.
    func unread(on surface: String, now: Date) throws -> CountedUnread {
        let row = try db.row(
            """
            SELECT count(*) FILTER (WHERE isUnread AND snoozedUntil <= ?1), count(*) FILTER (WHERE kind = 0),
                count(*) FILTER (WHERE kind = 1), min(snoozedUntil) FILTER (WHERE snoozedUntil > ?1)
            FROM (
                SELECT * FROM (
                    SELECT d.readAt IS NULL AS isUnread, coalesce(d.snoozedUntil, 0) AS snoozedUntil, 0 AS kind
                    FROM \(SQLText.deliveries(by: "delivery_order"))
                    WHERE d.person = ?2 AND m.surface = ?3 AND \(Self.listedCondition)
                    ORDER BY d.deliverAt DESC, d.message DESC LIMIT ?4
                ) AS own
                UNION ALL
                SELECT * FROM (
                    SELECT true AS isUnread, 0 AS snoozedUntil, 1 AS kind
                    FROM \(SQLText.broadcast) m INDEXED BY message_broadcast
                    WHERE \(Self.broadcastCondition(for: "?2")) AND m.state = 1 AND m.surface = ?3
                        AND NOT EXISTS (SELECT 1 FROM delivery d WHERE d.message = m.id AND d.person = ?2)
                    ORDER BY m.deliverAt DESC, m.id DESC LIMIT ?4
                ) AS others
            ) AS newest
            """,
            [now.milliseconds, person.id, surface, Self.countedLimit + 1]
        )
        let (own, broadcast): (Int, Int) = row.map { ($0[1], $0[2]) } ?? (0, 0)
        let next: Int? = row.flatMap { $0[3] }
        let count = BoundedCount(
            count: row?[0] ?? 0,
            isExact: max(own, broadcast) <= Self.countedLimit,
            limit: Self.countedLimit
        )
        return CountedUnread(
            count: count.count,
            isExact: count.isExact,
            state: try state(),
            validity: now..<(next.map { Date(milliseconds: $0) } ?? .distantFuture)
        )
    }
}
