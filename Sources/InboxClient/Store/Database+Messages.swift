import Foundation
package import GRDB
import Groundwork
package import InboxModel
import Replica

/// Messages read from the store: hot fields from their columns, the rest left as JSON text.
extension Database {
    private static let columns = """
        id, surface, title, body, category, groupKey, priority, pinned, deliverAt, expiresAt,
        seenAt, readAt, archivedAt, snoozedUntil, deletedAt, json
        """

    package func messages(
        _ filter: MessageFilter,
        surface: String?,
        limit: Int?,
        offset: Int
    ) throws -> [Message] {
        let surfaceCondition = surface == nil ? "" : " AND surface = ?"
        let statement = try cachedStatement(
            sql: """
                SELECT \(Self.columns) FROM message WHERE \(filter.condition)\(surfaceCondition)
                    ORDER BY deliverAt DESC, id DESC LIMIT ? OFFSET ?
                """
        )
        var arguments = StatementArguments()
        if let surface { arguments += [surface.normalized] }
        arguments += [limit ?? -1, offset]
        return try messages(statement, arguments)
    }

    package func message(id: String) throws -> Message? {
        try messages(
            cachedStatement(
                sql: "SELECT \(Self.columns) FROM message WHERE id = ? AND phase < \(MessagePhase.expired.rawValue)"
            ),
            [id]
        ).first
    }

    package func messageIDs(_ filter: MessageFilter, surface: String?) throws -> [String] {
        try String.fetchAll(
            self,
            sql: """
                SELECT id FROM message WHERE \(filter.condition) AND (surface = :surface OR :surface IS NULL)
                    ORDER BY deliverAt DESC, id DESC
                """,
            arguments: ["surface": surface?.normalized]
        )
    }

    package func messageCounts(surface: String?) throws -> MessageCounts {
        let rows = try Row.fetchCursor(
            cachedStatement(
                sql: """
                    SELECT ifnull(sum(total), 0), ifnull(sum(unread), 0), ifnull(sum(unseen), 0), ifnull(sum(snoozed), 0),
                        ifnull(sum(archived), 0)
                    FROM messageCount WHERE surface = :surface OR :surface IS NULL
                    """
            ),
            arguments: ["surface": surface?.normalized]
        )
        guard let row = try rows.next() else { return MessageCounts() }
        return MessageCounts(total: row[0], unread: row[1], unseen: row[2], snoozed: row[3], archived: row[4])
    }

    private func messages(_ statement: Statement, _ arguments: StatementArguments) throws -> [Message] {
        let rows = try Row.fetchCursor(statement, arguments: arguments)
        let columns = ColumnReader(statement)
        var messages: [Message] = []
        while try rows.next() != nil {
            var message = Message(
                id: columns.text(0),
                surface: columns.text(1),
                title: columns.text(2),
                body: columns.text(3),
                category: columns.optionalText(4),
                groupKey: columns.optionalText(5),
                priority: columns.int(6),
                pinned: columns.int(7) != 0,
                deliverAt: Date(milliseconds: columns.int(8)),
                expiresAt: Self.date(columns.optionalInt(9)),
                details: .text(columns.bytes(15))
            )
            message.seenAt = Self.date(columns.optionalInt(10))
            message.readAt = Self.date(columns.optionalInt(11))
            message.archivedAt = Self.date(columns.optionalInt(12))
            message.snoozedUntil = Self.date(columns.optionalInt(13))
            message.deletedAt = Self.date(columns.optionalInt(14))
            messages.append(message)
        }
        return messages
    }

    private static func date(_ milliseconds: Int?) -> Date? {
        milliseconds.map(Date.init(milliseconds:))
    }
}

extension MessageFilter {
    fileprivate var condition: String {
        switch self {
        case .inbox: "phase = \(MessagePhase.inbox.rawValue)"
        case .unread: "phase = \(MessagePhase.inbox.rawValue) AND readAt IS NULL"
        case .read: "phase = \(MessagePhase.inbox.rawValue) AND readAt IS NOT NULL"
        case .snoozed: "phase = \(MessagePhase.snoozed.rawValue)"
        case .archived: "phase = \(MessagePhase.archived.rawValue)"
        case .active: "phase < \(MessagePhase.expired.rawValue)"
        case .deleted: "phase = \(MessagePhase.deleted.rawValue)"
        }
    }
}
