import Foundation
import GRDB
import Groundwork
import InboxHTML
import InboxModel

extension Inbox {
    /// What a person's row `d` for a message has to be for the list; where there is none it is so.
    private static let isListed = """
        d.state = 1 AND d.deletedAt IS NULL AND d.archivedAt IS NULL AND (d.snoozedUntil IS NULL OR d.snoozedUntil <= ?)
        """

    /// The messages of a surface that are neither archived nor snoozed nor deleted, newest first.
    ///
    /// Costs what it gives, not what the inbox holds.
    func listed(on surface: String, after place: DeliveryPlace?, limit: Int, now: Date) throws -> [Message] {
        // Before what is to come there is all.
        let place = place ?? DeliveryPlace(deliverAt: Int.max, id: MessageID(rawValue: Int.max))
        let ids = try Int.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT id FROM (
                        SELECT * FROM (
                            SELECT d.message AS id, d.deliverAt AS deliverAt
                            FROM delivery d INDEXED BY delivery_order CROSS JOIN message m ON m.id = d.message
                            WHERE d.person = ? AND m.surface = ? AND \(Self.isListed)
                                AND (d.deliverAt, d.message) < (?, ?)
                            ORDER BY d.deliverAt DESC, d.message DESC LIMIT ?
                        )
                        UNION ALL
                        SELECT * FROM (
                            SELECT m.id AS id, m.deliverAt AS deliverAt FROM message m INDEXED BY message_broadcast
                            WHERE m.recipients IS NULL AND m.state = 1 AND m.surface = ?
                                AND NOT EXISTS (SELECT 1 FROM delivery d WHERE d.message = m.id AND d.person = ?)
                                AND (m.deliverAt, m.id) < (?, ?)
                            ORDER BY m.deliverAt DESC, m.id DESC LIMIT ?
                        )
                    ) ORDER BY deliverAt DESC, id DESC LIMIT ?
                    """
            ),
            arguments: [
                person.id, surface, now.milliseconds, place.deliverAt, place.id.rawValue, limit, surface, person.id,
                place.deliverAt, place.id.rawValue, limit, limit,
            ]
        )
        return try messages(ids.map(MessageID.init(rawValue:)))
    }

    /// How many of the messages that a surface lists weren't read, found among its newest.
    ///
    /// - Parameter limit: How many are looked at, so that the cost doesn't follow the size of the inbox.
    func unread(on surface: String, now: Date, among limit: Int = 1_000) throws -> UnreadCount {
        let row = try db.row(
            """
            SELECT coalesce(sum(isUnread), 0), count(*) FILTER (WHERE kind = 0), count(*) FILTER (WHERE kind = 1) FROM (
                SELECT * FROM (
                    SELECT d.readAt IS NULL AS isUnread, 0 AS kind
                    FROM delivery d INDEXED BY delivery_order CROSS JOIN message m ON m.id = d.message
                    WHERE d.person = ? AND m.surface = ? AND \(Self.isListed)
                    ORDER BY d.deliverAt DESC, d.message DESC LIMIT ?
                )
                UNION ALL
                SELECT * FROM (
                    SELECT 1 AS isUnread, 1 AS kind FROM message m INDEXED BY message_broadcast
                    WHERE m.recipients IS NULL AND m.state = 1 AND m.surface = ?
                        AND NOT EXISTS (SELECT 1 FROM delivery d WHERE d.message = m.id AND d.person = ?)
                    ORDER BY m.deliverAt DESC, m.id DESC LIMIT ?
                )
            )
            """,
            [person.id, surface, now.milliseconds, limit, surface, person.id, limit]
        )
        guard let row else { return UnreadCount(0) }
        return UnreadCount(row[0], isExact: max(row[1], row[2]) < limit)
    }

    /// Those of some messages that this inbox shows, in their order, archived and deleted ones too.
    func messages(_ ids: [MessageID]) throws -> [Message] {
        var messages: [Message] = []
        try forEachMessage(of: ids) { _, message, content in
            var bytes: [UInt8] = []
            message.write(content, to: &bytes)
            messages.append(try Message(json: JSON(parsing: bytes)))
        }
        return messages
    }

    /// How a surface shows messages.
    func settings(of surface: String) throws -> InboxSettings {
        guard let stored = try db.surface(surface) else { return InboxSettings() }
        return InboxSettings(lenient: try JSON(parsing: Array(stored.settings.utf8)))
    }
}

extension DeliveryPlace {
    /// Where a message stands; nil where its id isn't one of this server.
    init?(_ message: Message) {
        guard let id = MessageID(message.id) else { return nil }
        self.init(deliverAt: message.deliverAt.milliseconds, id: id)
    }
}

extension Inbox {
    /// What a list shows: pinned messages first, then the newest.
    ///
    /// - Parameter undoable: What was just archived or dismissed.
    func page(_ view: ListView, undoable: MessageID?, now: Date) throws -> ListPage {
        let surface = (view.surface ?? Message.defaultSurface).normalized
        let settings = try settings(of: surface)
        let step = min(settings.capacity ?? ListView.usualLimit, ListView.longestLimit)
        let limit = view.limit ?? step
        // One more tells whether it goes on.
        var messages = try listed(on: surface, after: view.place, limit: limit + 1, now: now)
        var next: ListView?
        if messages.count > limit {
            messages.removeLast()
            next = messages.last.flatMap(DeliveryPlace.init)
                .map { view.next(after: $0, shown: limit, step: step) }
        }
        return ListPage(
            messages: messages.filter(\.pinned) + messages.filter { !$0.pinned },
            unread: try unread(on: surface, now: now),
            settings: settings,
            view: view,
            next: next,
            undoable: try undoable.flatMap { try self.messages([$0]).first }
                .flatMap { $0.deletedAt != nil || $0.archivedAt != nil ? $0 : nil }
        )
    }
}
