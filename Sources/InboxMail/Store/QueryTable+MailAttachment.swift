import Foundation
import Groundwork
package import Replica

extension QueryTable<MailAttachment> {
    /// The columns and the decoder of files, and the properties that queries can use.
    package static let attachment = QueryTable(
        .attachment,
        selection: [
            RecordTable.id, "messageId", "threadId", "receivedAt", "position", "blobId", "name", "type", "size", "cid",
            "isInline",
        ],
        decode: { columns in
            MailAttachment(
                id: columns.text(0),
                messageID: columns.text(1),
                threadID: columns.text(2),
                receivedAt: Date(milliseconds: columns.int(3)),
                position: columns.int(4),
                file: MailFile(
                    blobID: columns.text(5),
                    name: columns.optionalText(6),
                    type: columns.text(7),
                    size: columns.int(8),
                    contentID: columns.optionalText(9),
                    isInline: columns.int(10) != 0
                )
            )
        },
        id: \.id,
        fields: [
            \.id: .field(QueryField(RecordColumn(RecordTable.id, .text)) { .text($0.id) }),
            \.messageID: .field(messageID), \.threadID: .field(field("threadId") { .text($0.threadID) }),
            \.receivedAt: .field(receivedAt), \.position: .field(position),
            \.name: .field(field("name") { QueryValue($0.name) }),
            \.type: .field(field("type") { QueryValue(text: $0.type) }),
            \.size: .field(field("size") { .integer($0.size) }),
            \.isInline: .field(field("isInline") { .bool($0.isInline) }),
            \.blobID: .field(field("blobId") { .text($0.blobID) }),
        ],
        // The files of a mail keep the mail's order.
        order: [
            QueryOrder.Key(receivedAt, isAscending: false), QueryOrder.Key(messageID, isAscending: false),
            QueryOrder.Key(position, isAscending: true),
        ]
    )

    private static var receivedAt: QueryField<MailAttachment> {
        field("receivedAt") { QueryValue($0.receivedAt as Date?) }
    }

    private static var messageID: QueryField<MailAttachment> { field("messageId") { .text($0.messageID) } }

    private static var position: QueryField<MailAttachment> { field("position") { .integer($0.position) } }

    private static func field(
        _ name: String,
        _ read: @escaping @Sendable (MailAttachment) -> QueryValue
    ) -> QueryField<MailAttachment> {
        QueryField(RecordType.attachment.columns.first { $0.name == name } ?? RecordColumn(name, .text), read)
    }
}
