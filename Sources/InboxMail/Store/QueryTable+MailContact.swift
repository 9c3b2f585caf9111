import Foundation
import Groundwork
package import Replica

extension QueryTable<MailContact> {
    /// The columns and the decoder of contacts, and the properties that queries can use.
    package static let contact = QueryTable(
        .contact,
        selection: [RecordTable.id, "name", "email", "written", "received", "lastUsedAt", "rank"],
        decode: { columns in
            MailContact(
                id: columns.text(0),
                name: columns.optionalText(1),
                email: columns.text(2),
                writtenCount: columns.int(3),
                receivedCount: columns.int(4),
                lastUsedAt: Date(milliseconds: columns.int(5)),
                rank: columns.int(6)
            )
        },
        id: \.id,
        fields: [
            \.id: .field(QueryField(RecordColumn(RecordTable.id, .text)) { .text($0.id) }),
            \.name: .field(field("name") { QueryValue($0.name) }),
            \.email: .field(field("email") { QueryValue(text: $0.email) }),
            \.writtenCount: .field(field("written") { .integer($0.writtenCount) }),
            \.receivedCount: .field(field("received") { .integer($0.receivedCount) }),
            \.lastUsedAt: .field(field("lastUsedAt") { QueryValue($0.lastUsedAt as Date?) }),
        ],
        order: [QueryOrder.Key(field("rank") { .integer($0.rank) }, isAscending: false)]
    )

    private static func field(
        _ name: String,
        _ read: @escaping @Sendable (MailContact) -> QueryValue
    ) -> QueryField<MailContact> {
        QueryField(RecordType.contact.columns.first { $0.name == name } ?? RecordColumn(name, .text), read)
    }
}
