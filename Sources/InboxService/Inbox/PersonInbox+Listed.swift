package import Foundation
import GRDB
import Groundwork
package import InboxModel

extension PersonInbox {
    /// The condition on a person's row `d` for a message to be listed, apart from snoozes. A message without a row is
    /// listed.
    private static let listedCondition = "d.state = 1 AND d.deletedAt IS NULL AND d.archivedAt IS NULL"

    /// Returns the messages of a surface that are neither archived nor snoozed nor deleted, newest first, as a list
    /// shows them.
    ///
    /// The cost depends on the number of results, not on the size of the inbox: messages with a row of the person's and
    /// broadcasts without one are each read in order from an index and merged.
    package func listed(on surface: String, after place: DeliveryPlace?, limit: Int, now: Date) throws -> [Message] {
        // Without a place, the list begins at the newest message.
        let place = place ?? DeliveryPlace(deliverAt: Int.max, id: MessageID(rawValue: Int.max))
        let deliveries = try Row.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT d.deliverAt, d.message, d.readAt, m.content
                    FROM delivery d INDEXED BY delivery_order CROSS JOIN message m ON m.id = d.message
                    WHERE d.person = ? AND m.surface = ? AND \(Self.listedCondition)
                        AND (d.snoozedUntil IS NULL OR d.snoozedUntil <= ?) AND (d.deliverAt, d.message) < (?, ?)
                    ORDER BY d.deliverAt DESC, d.message DESC LIMIT ?
                    """
            ),
            arguments: [person.id, surface, now.milliseconds, place.deliverAt, place.id.rawValue, limit]
        )
        let broadcasts = try Row.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT m.deliverAt, m.id, NULL, m.content FROM message m INDEXED BY message_broadcast
                    WHERE \(Self.broadcastCondition(for: "?1")) AND m.state = 1 AND m.surface = ?2
                        AND NOT EXISTS (SELECT 1 FROM delivery d WHERE d.message = m.id AND d.person = ?1)
                        AND (m.deliverAt, m.id) < (?3, ?4)
                    ORDER BY m.deliverAt DESC, m.id DESC LIMIT ?5
                    """
            ),
            arguments: [person.id, surface, place.deliverAt, place.id.rawValue, limit]
        )
        var (own, other) = (try deliveries.next(), try broadcasts.next())
        var messages: [Message] = []
        messages.reserveCapacity(limit)
        while messages.count < limit {
            let isOwnNext = other.map { other in
                own.map { DeliveryPlace(row: other).precedes(DeliveryPlace(row: $0), isAscending: true) } ?? false
            }
            if let row = own, isOwnNext ?? true {
                messages.append(try Message(listed: row))
                own = try deliveries.next()
            } else if let row = other {
                messages.append(try Message(listed: row))
                other = try broadcasts.next()
            } else {
                break
            }
        }
        return messages
    }

    /// Counts the unread messages among the newest ones that a surface lists.
    ///
    /// - Parameter limit: The maximum number of messages that are examined, which bounds the cost for large inboxes.
    package func unread(on surface: String, now: Date, among limit: Int = 1_000) throws -> CountedUnread {
        let row = try db.row(
            """
            SELECT coalesce(sum(isUnread AND snoozedUntil <= ?1), 0), count(*) FILTER (WHERE kind = 0),
                count(*) FILTER (WHERE kind = 1), min(snoozedUntil) FILTER (WHERE snoozedUntil > ?1)
            FROM (
                SELECT * FROM (
                    SELECT d.readAt IS NULL AS isUnread, coalesce(d.snoozedUntil, 0) AS snoozedUntil, 0 AS kind
                    FROM delivery d INDEXED BY delivery_order CROSS JOIN message m ON m.id = d.message
                    WHERE d.person = ?2 AND m.surface = ?3 AND \(Self.listedCondition)
                    ORDER BY d.deliverAt DESC, d.message DESC LIMIT ?4
                )
                UNION ALL
                SELECT * FROM (
                    SELECT 1 AS isUnread, 0 AS snoozedUntil, 1 AS kind FROM message m INDEXED BY message_broadcast
                    WHERE \(Self.broadcastCondition(for: "?2")) AND m.state = 1 AND m.surface = ?3
                        AND NOT EXISTS (SELECT 1 FROM delivery d WHERE d.message = m.id AND d.person = ?2)
                    ORDER BY m.deliverAt DESC, m.id DESC LIMIT ?4
                )
            )
            """,
            [now.milliseconds, person.id, surface, limit]
        )
        let (own, broadcast): (Int, Int) = row.map { ($0[1], $0[2]) } ?? (0, 0)
        let next: Int? = row.flatMap { $0[3] }
        return CountedUnread(
            count: row?[0] ?? 0,
            isExact: max(own, broadcast) < limit,
            state: try state(),
            validity: now..<(next.map { Date(milliseconds: $0) } ?? .distantFuture)
        )
    }

    /// Returns those of the given messages that this inbox shows, in the given order, including archived and deleted
    /// ones.
    package func messages(_ ids: [MessageID]) throws -> [Message] {
        var messages: [Message] = []
        try forEachMessage(of: ids) { _, message, content in
            var bytes: [UInt8] = []
            message.write(content, to: &bytes)
            messages.append(try Message(json: JSON(parsing: bytes)))
        }
        return messages
    }

    /// Returns the settings of a surface, or the defaults if none are stored.
    package func settings(of surface: String) throws -> InboxSettings {
        guard let stored = try reading.surface(surface) else { return InboxSettings() }
        return InboxSettings(lenient: try JSON(parsing: Array(stored.settings.utf8)))
    }
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

extension Message {
    /// - Parameter row: The date of delivery, the id, the date of reading and the content.
    fileprivate init(listed row: Row) throws {
        let place = DeliveryPlace(row: row)
        let readAt: Int? = row[2]
        self = try row.withUnsafeData(atIndex: 3) { content in
            (content ?? Data()).withUnsafeBytes { bytes in
                Message(
                    id: place.id.text,
                    deliverAt: Date(milliseconds: place.deliverAt),
                    readAt: readAt.map { Date(milliseconds: $0) },
                    content: bytes
                )
            }
        }
    }
}

extension DeliveryPlace {
    /// - Parameter row: A row that begins with the date of delivery and the id.
    init(row: Row) {
        self.init(deliverAt: row[0], id: MessageID(rawValue: row[1]))
    }

    /// The place of a message, or nil if its id isn't one of this server.
    package init?(_ message: Message) {
        guard let id = MessageID(message.id) else { return nil }
        self.init(deliverAt: message.deliverAt.milliseconds, id: id)
    }
}
