import Foundation
import Groundwork
import InboxModel
import JMAP

/// The result of one part of a ``MarkAllRead``.
struct MarkAllReadResult: Sendable {
    /// The number of messages marked.
    var count = 0
    /// The position after which to continue, or nil if no messages are left.
    var after: OutlineCursor?

    var json: JSON { ["count": JSON(count), "after": after.map { .string($0.text) } ?? .null] }
}

extension WriteTransaction {
    /// The maximum numbers of messages that one transaction examines and marks, so that other writes can run in
    /// between.
    private static let (examinedLimit, markedLimit) = (10_000, 1_000)

    /// Marks as read one part of the messages that a person's device showed as unread.
    ///
    /// - Throws: ``MethodError`` `invalidArguments` for a cursor that isn't from an earlier response.
    func markAllRead(_ write: MarkAllRead, for person: Person) throws -> MarkAllReadResult {
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
                row.date(.readAt) == nil && row.date(.deletedAt) == nil && row.date(.archivedAt) == nil
                && row.date(.snoozedUntil).map { $0 <= at } ?? true && (upTo != nil || row.deliverAt <= at)
                && write.surface.map { $0.hasSameBytes(as: row.surface) } ?? true
            if isReached { found.append(row) }
            return found.count < Self.markedLimit
        }
        // Written after the walk, because the rows that it reads must not change meanwhile.
        for row in found {
            let message = InboxMessage(row)
            let dates = MessageField.personal.indices.map { index in
                switch MessageField.personal[index] {
                case .readAt: at
                case .seenAt: row.personal[index] ?? at
                default: row.personal[index]
                }
            }
            try set(dates, of: message, consent: .forAllCategories(write.consent), for: person)
        }
        marked.count = found.count
        return marked
    }
}
