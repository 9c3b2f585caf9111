import Foundation
import Groundwork
package import InboxModel
package import Replica

extension QueryTable<Message> {
    /// The columns of a message, the decoder of a row, and the fields that queries can use.
    package static let message = QueryTable(
        .message,
        selection: [
            RecordTable.id, "surface", "title", "body", "category", "groupKey", "priority", "pinned", "deliverAt",
            "expiresAt", "seenAt", "readAt", "archivedAt", "snoozedUntil", "deletedAt", RecordTable.json,
        ],
        decode: { columns in
            // Hot fields are read from their columns. The rest stays JSON text.
            var message = Message(
                id: columns.text(0),
                surface: columns.text(1),
                title: columns.text(2),
                body: columns.text(3),
                category: columns.optionalText(4),
                groupKey: columns.optionalText(5),
                priority: columns.int(6),
                isPinned: columns.int(7) != 0,
                deliverAt: Date(milliseconds: columns.int(8)),
                expiresAt: columns.date(9),
                details: .text(columns.bytes(15))
            )
            message.seenAt = columns.date(10)
            message.readAt = columns.date(11)
            message.archivedAt = columns.date(12)
            message.snoozedUntil = columns.date(13)
            message.deletedAt = columns.date(14)
            return message
        },
        id: \.id,
        fields: [
            \.id: .field(QueryField(RecordColumn(RecordTable.id, .text)) { .text($0.id) }),
            \.surface: text(.surface, \.surface),
            \.title: text(.title, \.title),
            \.body: text(.body, \.body),
            \.category: text(.category, \.category),
            \.groupKey: text(.groupKey, \.groupKey),
            \.priority: .field(field(.priority) { .integer($0.priority) }),
            \.isPinned: .field(field(.pinned) { .bool($0.isPinned) }),
            \.deliverAt: .field(deliverAt),
            \.expiresAt: date(.expiresAt, \.expiresAt),
            \.seenAt: date(.seenAt, \.seenAt),
            \.readAt: date(.readAt, \.readAt),
            \.archivedAt: date(.archivedAt, \.archivedAt),
            \.snoozedUntil: date(.snoozedUntil, \.snoozedUntil),
            \.deletedAt: date(.deletedAt, \.deletedAt),
            \.html: detail(.html) { $0.html },
            \.templateID: detail(.templateId) { $0.templateID },
            \.consentCategory: detail(.consentCategory) { $0.consentCategory },
            \.campaignID: detail(.campaignId) { $0.campaignID },
            \.link: detail(.link) { $0.link },
            \.additionalData: .dictionary(
                QueryDictionary(MessageField.additionalData.rawValue) { $0.additionalData }
            ),
            \.isUnread: .equal(readAt, .constant(.null)),
            \.status: .conditional(
                .equal(date(.deletedAt, \.deletedAt), .constant(.null)),
                .conditional(
                    .equal(readAt, .constant(.null)),
                    .constant(QueryValue(MessageStatus.unread)),
                    .constant(QueryValue(MessageStatus.read))
                ),
                .constant(QueryValue(MessageStatus.deleted))
            ),
        ],
        order: [QueryOrder.Key(deliverAt, isAscending: false)],
        names: [
            \.html: "html", \.media: "media", \.actions: "actions", \.templateID: "templateID",
            \.consentCategory: "consentCategory", \.additionalData: "additionalData", \.campaignID: "campaignID",
            \.link: "link", \.dismissButton: "dismissButton", \.activity: "activity", \.isUnread: "isUnread",
            \.status: "status",
        ]
    )

    private static var readAt: QueryExpression<Message> { date(.readAt, \.readAt) }

    private static var deliverAt: QueryField<Message> { field(.deliverAt) { QueryValue($0.deliverAt as Date?) } }

    private static func text(
        _ name: MessageField,
        _ keyPath: any KeyPath<Message, String> & Sendable
    ) -> QueryExpression<Message> {
        .field(field(name) { .text($0[keyPath: keyPath]) })
    }

    private static func text(
        _ name: MessageField,
        _ keyPath: any KeyPath<Message, String?> & Sendable
    ) -> QueryExpression<Message> {
        .field(field(name) { QueryValue($0[keyPath: keyPath]) })
    }

    private static func date(
        _ name: MessageField,
        _ keyPath: any KeyPath<Message, Date?> & Sendable
    ) -> QueryExpression<Message> {
        .field(field(name) { QueryValue($0[keyPath: keyPath]) })
    }

    /// Returns the expression of a text within the message's JSON.
    private static func detail(
        _ name: MessageField,
        _ read: @escaping @Sendable (Message) -> String?
    ) -> QueryExpression<Message> {
        .field(
            QueryField(RecordColumn(name.rawValue, .text), isStored: false) { message in
                read(message).map { QueryValue(text: $0) } ?? .null
            }
        )
    }

    /// Returns the field for the column that the replica stores.
    private static func field(
        _ name: MessageField,
        _ read: @escaping @Sendable (Message) -> QueryValue
    ) -> QueryField<Message> {
        let column = RecordType.message.columns.first { $0.name == name.rawValue }
        return QueryField(column ?? RecordColumn(name.rawValue, .text), read)
    }
}

extension ColumnReader {
    fileprivate func date(_ column: Int32) -> Date? {
        optionalInt(column).map(Date.init(milliseconds:))
    }
}

extension MessageFilter {
    /// The phases of the messages, and an additional condition.
    var scope: (phases: [MessagePhase], condition: QueryExpression<Message>?) {
        let isUnread = QueryTable.message.fields(\.isUnread)
        return switch self {
        case .inbox: ([.inbox], nil)
        case .unread: ([.inbox], isUnread)
        case .read: ([.inbox], isUnread.map { .not($0) })
        case .snoozed: ([.snoozed], nil)
        case .archived: ([.archived], nil)
        case .active: ([.inbox, .snoozed, .archived], nil)
        case .deleted: ([.deleted], nil)
        }
    }
}

extension StoreQuery<Message> {
    /// - Throws: ``QueryError``.
    package init(
        _ query: Query<Message> = Query(),
        in filter: MessageFilter,
        surface: String? = nil
    ) throws(QueryError) {
        let (phases, scope) = filter.scope
        var condition = scope
        if let surface, let field = QueryTable.message.fields(\.surface) {
            let isOnSurface = QueryExpression.equal(field, .constant(QueryValue(text: surface)))
            condition = condition.map { .and(isOnSurface, $0) } ?? isOnSurface
        }
        try self.init(query, .message, phases: phases.map(\.rawValue), scope: condition)
    }
}
