import Foundation
import Groundwork
import MailComposing
package import Replica

extension QueryTable<MailContactGroup> {
    /// The columns and the decoder of groups, and the properties that queries can use.
    package static let contactGroup = QueryTable(
        .contactGroup,
        selection: [RecordTable.id, "name", RecordTable.json],
        decode: { columns in
            let json = (try? JSON(parsing: columns.bytes(2))) ?? .null
            return MailContactGroup(
                id: columns.text(0),
                name: columns.text(1),
                members: EmailAddress.list(json["members"])
            )
        },
        id: \.id,
        fields: [
            \.id: .field(QueryField(RecordColumn(RecordTable.id, .text)) { .text($0.id) }), \.name: .field(name),
            \.members: .addresses("members") { $0.members },
        ],
        order: [QueryOrder.Key(name, isAscending: true)]
    )

    private static var name: QueryField<MailContactGroup> {
        QueryField(RecordType.contactGroup.columns.first { $0.name == "name" } ?? RecordColumn("name", .text)) {
            QueryValue(text: $0.name)
        }
    }
}
