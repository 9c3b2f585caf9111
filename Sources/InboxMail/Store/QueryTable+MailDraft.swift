import Foundation
import Groundwork
package import Replica

extension QueryTable<MailDraft> {
    /// The columns and the decoder of drafts, and the properties that queries can use.
    package static let draft = QueryTable(
        .draft,
        selection: [RecordTable.id, "updatedAt", RecordTable.json],
        decode: { columns in
            let updatedAt = Date(milliseconds: columns.int(1))
            return MailDraft(columns.bytes(2), updatedAt: updatedAt)
                ?? MailDraft(id: columns.text(0), DraftText(), updatedAt: updatedAt, isComplete: false)
        },
        id: \.id,
        fields: [
            \.id: .field(QueryField(RecordColumn(RecordTable.id, .text)) { .text($0.id) }),
            \.threadID: .field(field("threadId") { QueryValue($0.threadID) }),
            \.updatedAt: .field(updatedAt),
            \.subject: .field(field("subject") { QueryValue(text: $0.subject) }),
            \.snippet: .field(field("preview") { QueryValue(text: $0.snippet) }),
            \.hasAttachments: .field(field("hasAttachment") { .bool($0.hasAttachments) }),
            \.state.name: .field(field("state") { .text($0.state.name) }),
            \.answeredMessageID: .field(field("answeredId") { QueryValue($0.answeredMessageID) }),
        ],
        order: [QueryOrder.Key(updatedAt, isAscending: false)]
    )

    private static var updatedAt: QueryField<MailDraft> { field("updatedAt") { QueryValue($0.updatedAt as Date?) } }

    private static func field(
        _ name: String,
        _ read: @escaping @Sendable (MailDraft) -> QueryValue
    ) -> QueryField<MailDraft> {
        QueryField(RecordType.draft.columns.first { $0.name == name } ?? RecordColumn(name, .text), read)
    }
}
