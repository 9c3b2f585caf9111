package import Foundation
package import Groundwork
import InboxModel

/// The counts of an inbox's messages of one surface and category.
struct InboxCount: Hashable, Sendable {
    /// The counts, in the order of ``InboxCount/names``.
    var numbers = Array(repeating: 0, count: names.count)

    /// The names of the counts, as in `Documentation/Messages.md`: messages in the inbox, of these the unread and the
    /// unseen ones, snoozed messages, and archived messages.
    static let names = ["total", "unread", "unseen", "snoozed", "archived"]
}

/// The counts of a whole inbox, by surface and category.
package struct InboxCounts: Sendable {
    struct Bucket: Hashable, Sendable {
        let surface: String
        let category: String?
    }

    var byBucket: [Bucket: InboxCount] = [:]
    /// The time at which the counts change without a change of the inbox's state: the end of the next snooze, or an
    /// expiry that the server hasn't processed yet. Nil if there is none.
    package var validUntil: Date?

    /// The counts as a response to `InboxMessage/counts`.
    package var json: JSON {
        let sorted = byBucket.sorted {
            ($0.key.surface, $0.key.category ?? "") < ($1.key.surface, $1.key.category ?? "")
        }
        return .array(
            sorted.map { bucket, count in
                var object = JSONObject([
                    ("surface", .string(bucket.surface)), ("category", bucket.category.map(JSON.string) ?? .null),
                ])
                for (name, number) in zip(InboxCount.names, count.numbers) { object.add(name, JSON(number)) }
                return .object(object)
            }
        )
    }
}

extension PersonInbox {
    /// Counts the messages of the inbox as a device does. Deleted and expired messages aren't counted. An archived or
    /// snoozed message counts as archived or snoozed only.
    package func counts(at now: Date) throws -> InboxCounts {
        var counts = InboxCounts()
        var until = Int.max
        let time = now.milliseconds
        for sql in [Self.countedDeliveries, Self.countedBroadcasts] as [SQLText] {
            let rows = try db.cursor(sql, [person.id, time], isBounded: true)
            while let row = try rows.next() {
                let bucket = InboxCounts.Bucket(surface: row[0], category: row[1])
                let number: Int = row[6]
                if let expiresAt: Int = row[7] { until = min(until, expiresAt) }
                var count = counts.byBucket[bucket] ?? InboxCount()
                let (isUnseen, isUnread, isArchived): (Bool, Bool, Bool) = (row[2], row[3], row[4])
                if isArchived {
                    count.numbers[4] += number
                } else if let snoozedUntil: Int = row[5] {
                    count.numbers[3] += number
                    until = min(until, snoozedUntil)
                } else {
                    count.numbers[0] += number
                    if isUnread { count.numbers[1] += number }
                    if isUnseen { count.numbers[2] += number }
                }
                counts.byBucket[bucket] = count
            }
        }
        if until < Int.max { counts.validUntil = Date(milliseconds: until) }
        return counts
    }

    private static let countedDeliveries: SQLText = """
        SELECT m.surface, m.category, d.seenAt IS NULL, d.readAt IS NULL, d.archivedAt IS NOT NULL,
            CASE WHEN d.snoozedUntil > ?2 THEN d.snoozedUntil END, count(*), min(m.expiresAt)
        FROM \(SQLText.deliveries(by: "delivery_order"))
        WHERE d.person = ?1 AND d.state = 1 AND d.deletedAt IS NULL AND (m.expiresAt IS NULL OR m.expiresAt > ?2)
        GROUP BY 1, 2, 3, 4, 5, 6
        """

    private static let countedBroadcasts: SQLText = """
        SELECT m.surface, m.category, true, true, false, NULL, count(*), min(m.expiresAt)
        FROM \(SQLText.broadcast) m INDEXED BY message_broadcast
        WHERE m.recipients IS NULL AND m.state = 1 AND (m.expiresAt IS NULL OR m.expiresAt > ?2)
            AND \(broadcastCondition(for: "?1"))
            AND NOT EXISTS (SELECT 1 FROM delivery d WHERE d.message = m.id AND d.person = ?1)
        GROUP BY 1, 2
        """
}
