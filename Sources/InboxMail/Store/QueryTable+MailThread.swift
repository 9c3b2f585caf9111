import Foundation
import Groundwork
package import Replica

extension QueryTable<MailThread> {
    /// The columns and the decoder of threads, and the properties that queries can use.
    package static let thread = QueryTable(
        .thread,
        selection: [
            RecordTable.id, "subject", "preview", "lastMessageDate", "firstMessageDate", "messageCount", "unreadCount",
            "unseenCount", "isStarred", "hasAttachments", "hasDrafts", "isInInbox", "mailboxIds", "json",
        ],
        decode: { columns in
            MailThread(
                id: columns.text(0),
                subject: columns.text(1),
                snippet: columns.text(2),
                lastMessageDate: Date(milliseconds: columns.int(3)),
                firstMessageDate: Date(milliseconds: columns.int(4)),
                messageCount: columns.int(5),
                unreadCount: columns.int(6),
                unseenCount: columns.int(7),
                isStarred: columns.int(8) != 0,
                hasAttachments: columns.int(9) != 0,
                hasDrafts: columns.int(10) != 0,
                isInInbox: columns.int(11) != 0,
                mailboxIDs: Set(MemberSet(text: columns.text(12)).names),
                details: MailThread.Details(text: columns.bytes(13))
            )
        },
        id: \.id,
        fields: [
            \.id: .field(QueryField(RecordColumn(RecordTable.id, .text)) { .text($0.id) }),
            \.subject: .field(field("subject") { QueryValue(text: $0.subject) }),
            \.snippet: .field(field("preview") { QueryValue(text: $0.snippet) }),
            \.lastMessageDate: .field(lastMessageDate),
            \.firstMessageDate: .field(field("firstMessageDate") { QueryValue($0.firstMessageDate as Date?) }),
            \.messageCount: .field(field("messageCount") { .integer($0.messageCount) }),
            \.unreadCount: .field(unreadCount),
            \.unseenCount: .field(unseenCount),
            \.isStarred: .field(field("isStarred") { .bool($0.isStarred) }),
            \.hasAttachments: .field(field("hasAttachments") { .bool($0.hasAttachments) }),
            \.hasDrafts: .field(field("hasDrafts") { .bool($0.hasDrafts) }),
            \.isInInbox: .field(field("isInInbox") { .bool($0.isInInbox) }),
            \.mailboxIDs: .field(field("mailboxIds") { QueryValue($0.mailboxIDs) }),
            \.participants: .addresses("participants") { $0.participants },
            \.authors: .addresses("authors") { $0.authors },
            \.isUnread: isUnread,
            \.isUnseen: .less(.constant(.integer(0)), .field(unseenCount), orEqual: false),
        ],
        order: [QueryOrder.Key(lastMessageDate, isAscending: false)]
    )

    fileprivate static var isUnread: QueryExpression<MailThread> {
        .less(.constant(.integer(0)), .field(unreadCount), orEqual: false)
    }

    private static var lastMessageDate: QueryField<MailThread> {
        field("lastMessageDate") { QueryValue($0.lastMessageDate as Date?) }
    }

    private static var unreadCount: QueryField<MailThread> { field("unreadCount") { .integer($0.unreadCount) } }

    private static var unseenCount: QueryField<MailThread> { field("unseenCount") { .integer($0.unseenCount) } }

    private static func field(
        _ name: String,
        _ read: @escaping @Sendable (MailThread) -> QueryValue
    ) -> QueryField<MailThread> {
        QueryField(RecordType.thread.columns.first { $0.name == name } ?? RecordColumn(name, .text), read)
    }
}

extension QueryExpression<MailThread> {
    /// The condition of threads with an unread mail.
    static var isUnread: QueryExpression { QueryTable<MailThread>.isUnread }
}
