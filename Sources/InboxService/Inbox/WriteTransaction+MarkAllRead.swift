import Foundation
import Groundwork
package import InboxModel
import JMAP

/// The result of one part of a ``MarkAllRead``.
package struct MarkAllReadResult: Sendable {
    /// The number of messages marked.
    package var count = 0
    /// The position after which to continue, or nil if no messages are left.
    package var after: OutlineCursor?

    var json: JSON { ["count": JSON(count), "after": after.map { .string($0.text) } ?? .null] }
}

extension WriteTransaction {
    /// The maximum numbers of messages that one transaction examines and marks, so that other writes can run in
    /// between.
    private static let (examinedLimit, markedLimit) = (10_000, 1_000)

    /// Marks as read one part of the messages that a person's device showed as unread.
    ///
    /// - Throws: ``MethodError`` `invalidArguments` for a cursor that isn't from an earlier response.
    package func markAllRead(_ write: MarkAllRead, for person: Person) throws -> MarkAllReadResult {
        var cursor = OutlineCursor.start
        if let after = write.after {
            guard let read = OutlineCursor(after) else {
                throw MethodError.invalidArguments("/\(MarkAllRead.argument)/after isn't from a response")
            }
            cursor = read
        }
        let inbox = reading.inbox(of: person)
        let at = write.at.milliseconds
        // After a restore, the database may not know the client's state. Then the dates decide.
        let known = ChangesPosition(write.upToState)?.reached
        let upTo = try known.flatMap { try $0.isReachable(from: inbox.state()) ? $0 : nil }
        var marked = MarkAllReadResult()
        var found: [OutlineRow] = []
        // In that case the walk covers the whole inbox as of the first part.
        if upTo == nil, cursor.divisionState == nil { cursor.divisionState = try inbox.state() }
        marked.after = try inbox.walk(
            upTo: upTo ?? cursor.divisionState ?? inbox.state(),
            after: cursor,
            limit: Self.examinedLimit
        ) { row in
            let isReached =
                row.personal[.readAt] == nil && row.personal[.deletedAt] == nil && row.personal[.archivedAt] == nil
                && row.personal[.snoozedUntil].map { $0 <= at } ?? true && (upTo != nil || row.deliverAt <= at)
                && write.surface.map { $0.hasSameBytes(as: row.surface) } ?? true
            if isReached { found.append(row) }
            return found.count < Self.markedLimit
        }
        // Written after the walk, because the rows that it reads must not change meanwhile.
        for row in found {
            var dates = row.personal
            dates[.readAt] = at
            dates[.seenAt] = dates[.seenAt] ?? at
            try set(dates, of: InboxMessage(row), consent: .forAllCategories(write.consent), for: person)
        }
        marked.count = found.count
        return marked
    }

    /// Marks as unread one part of the messages whose date of reading is exactly the given one, oldest delivery first:
    /// those that were marked as read together then.
    ///
    /// - Parameter place: The place after which to continue, or nil at the start.
    /// - Returns: The number of changed messages, and the place after which to continue, or nil if no messages are
    ///   left.
    package func markUnread(
        readAt time: Int,
        after place: DeliveryPlace?,
        for person: Person
    ) throws -> (count: Int, after: DeliveryPlace?) {
        try requireExistence(of: person)
        let place = place ?? DeliveryPlace(deliverAt: .min, id: MessageID(rawValue: .min))
        let rows = try db.rows(
            """
            SELECT d.deliverAt, d.message, d.readAt = ? FROM delivery d INDEXED BY delivery_order
            WHERE d.person = ? AND d.state = 1 AND (d.deliverAt, d.message) > (?, ?)
            ORDER BY d.deliverAt, d.message LIMIT ?
            """,
            [time, person.id, place.deliverAt, place.id.rawValue, Self.examinedLimit]
        )
        let inbox = reading.inbox(of: person)
        var count = 0
        for row in rows where (row[2] as Bool?) ?? false {
            let last = DeliveryPlace(row: row)
            guard let message = try inbox.message(last.id) else { continue }
            var dates = message.personal
            dates[.readAt] = nil
            try set(dates, of: message, consent: .forMessage(nil), for: person)
            count += 1
            if count == Self.markedLimit { return (count, last) }
        }
        return (count, rows.count < Self.examinedLimit ? nil : rows.last.map(DeliveryPlace.init(row:)))
    }
}
