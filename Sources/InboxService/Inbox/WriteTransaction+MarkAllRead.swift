import Foundation
import Groundwork
import InboxModel
import JMAP

/// What became of one part of a ``MarkAllRead``.
struct MarkedAllRead: Sendable {
    /// How many messages were marked.
    var count = 0
    /// Where to go on; nil where nothing is left.
    var after: OutlineCursor?

    var json: JSON { ["count": JSON(count), "after": after.map { .string($0.text) } ?? .null] }
}

extension WriteTransaction {
    /// The numbers of messages that one transaction examines and marks at most, so that other writes run in between.
    private static let (mostLookedAt, mostMarked) = (10_000, 1_000)

    /// Marks the messages read that a person's device showed as unread, one part of them.
    ///
    /// - Throws: ``MethodError`` `invalidArguments` for a cursor that isn't from an answer.
    func markAllRead(_ write: MarkAllRead, for person: Person) throws -> MarkedAllRead {
        var cursor = OutlineCursor.start
        if let after = write.after {
            guard let read = OutlineCursor(after) else {
                throw MethodError.invalidArguments("/\(MarkAllRead.argument)/after isn't from an answer")
            }
            cursor = read
        }
        let inbox = PersonInbox(db: db, person: person)
        let at = write.at.milliseconds
        // A state that this database never had, since it was restored: then the dates decide.
        let known = ChangesPosition(write.upToState)?.reached
        let upTo = try known.flatMap { try $0.isReachable(from: inbox.state()) ? $0 : nil }
        var marked = MarkedAllRead()
        var found: [OutlineRow] = []
        // Then the whole inbox is passed, as of the first part.
        if upTo == nil, cursor.dividedAt == nil { cursor.dividedAt = try inbox.state() }
        marked.after = try inbox.walk(
            upTo: upTo ?? cursor.dividedAt ?? inbox.state(),
            after: cursor,
            limit: Self.mostLookedAt
        ) { row in
            let isReached =
                row.date(.readAt) == nil && row.date(.deletedAt) == nil && row.date(.archivedAt) == nil
                && row.date(.snoozedUntil).map { $0 <= at } ?? true && (upTo != nil || row.deliverAt <= at)
                && write.surface.map { $0.hasSameBytes(as: row.surface) } ?? true
            if isReached { found.append(row) }
            return found.count < Self.mostMarked
        }
        // Written once the walk is over: what it reads mustn't change meanwhile.
        for row in found {
            let message = InboxMessage(row)
            let dates = MessageField.personal.indices.map { place in
                switch MessageField.personal[place] {
                case .readAt: at
                case .seenAt: row.personal[place] ?? at
                default: row.personal[place]
                }
            }
            try set(dates, of: message, consent: .inAll(write.consent), for: person)
        }
        marked.count = found.count
        return marked
    }
}
