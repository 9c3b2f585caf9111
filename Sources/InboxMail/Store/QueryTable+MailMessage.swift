import Foundation
import Groundwork
package import Replica

extension QueryTable<MailMessage> {
    /// The columns and the decoder of mails, and the properties that queries can use.
    package static let email = QueryTable(
        .email,
        selection: [
            RecordTable.id, "threadId", "receivedAt", "sentAt", "subject", "preview", "size", "hasAttachment",
            "keywords", "mailboxIds", RecordTable.json,
        ],
        decode: { columns in
            let text = columns.bytes(10)
            return MailMessage(
                id: columns.text(0),
                threadID: columns.text(1),
                receivedAt: Date(milliseconds: columns.int(2)),
                sentAt: columns.optionalInt(3).map(Date.init(milliseconds:)),
                subject: columns.text(4),
                snippet: columns.text(5),
                size: columns.int(6),
                hasAttachments: columns.int(7) != 0,
                keywords: Set(MemberSet(text: columns.text(8)).names),
                mailboxIDs: Set(MemberSet(text: columns.text(9)).names),
                details: MailDetails.Source(text: text)
            )
        },
        id: \.id,
        fields: [
            \.id: .field(QueryField(RecordColumn(RecordTable.id, .text)) { .text($0.id) }),
            \.threadID: .field(threadID),
            \.receivedAt: .field(receivedAt),
            \.sentAt: .field(field("sentAt") { QueryValue($0.sentAt) }),
            \.subject: .field(field("subject") { QueryValue(text: $0.subject) }),
            \.snippet: .field(field("preview") { QueryValue(text: $0.snippet) }),
            \.size: .field(field("size") { .integer($0.size) }),
            \.hasAttachments: .field(field("hasAttachment") { .bool($0.hasAttachments) }),
            \.keywords: keywords,
            \.mailboxIDs: .field(field("mailboxIds") { QueryValue($0.mailboxIDs) }),
            \.from: .addresses("from") { $0.from }, \.to: .addresses("to") { $0.to },
            \.cc: .addresses("cc") { $0.cc }, \.bcc: .addresses("bcc") { $0.bcc },
            \.isUnread: .not(.contains(list: keywords, .constant(.text(Keyword.seen)))),
            \.isStarred: .contains(list: keywords, .constant(.text(Keyword.flagged))),
            \.isDraft: .contains(list: keywords, .constant(.text(Keyword.draft))),
            \.isAnswered: .contains(list: keywords, .constant(.text(Keyword.answered))),
        ],
        order: [QueryOrder.Key(receivedAt, isAscending: false)]
    )

    fileprivate static var threadID: QueryField<MailMessage> { field("threadId") { .text($0.threadID) } }

    private static var keywords: QueryExpression<MailMessage> { .field(field("keywords") { QueryValue($0.keywords) }) }

    private static var receivedAt: QueryField<MailMessage> {
        field("receivedAt") { QueryValue($0.receivedAt as Date?) }
    }

    private static func field(
        _ name: String,
        _ read: @escaping @Sendable (MailMessage) -> QueryValue
    ) -> QueryField<MailMessage> {
        QueryField(RecordType.email.columns.first { $0.name == name } ?? RecordColumn(name, .text), read)
    }
}

extension StoreQuery<MailMessage> {
    /// A query for the mails of a thread, in the order of their arrival.
    ///
    /// - Throws: ``QueryError``.
    init(inThread id: String, _ order: SortOrder = .forward) throws(QueryError) {
        try self.init(
            Query(sort: [SortDescriptor(\.receivedAt, order: order)]),
            .email,
            scope: .equal(.field(QueryTable<MailMessage>.threadID), .constant(.text(id)))
        )
    }
}

extension QueryExpression {
    /// The names and addresses of a mail or thread.
    ///
    /// A server filter can contain an address, which has one spelling. Names may be in any encoding.
    static func addresses(
        _ name: String,
        _ read: @escaping @Sendable (Record) -> [EmailAddress]
    ) -> QueryExpression {
        .list(QueryList(name, text: { $0 == \EmailAddress.email ? "email" : nil }) { QueryValue(read($0)) })
    }
}
