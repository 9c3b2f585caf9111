import Foundation
package import Replica

extension QueryTable<Mailbox> {
    /// The columns and the decoder of mailboxes, and the properties that queries can use.
    package static let mailbox = QueryTable(
        .mailbox,
        selection: [
            RecordTable.id, "name", "parentId", "role", "sortOrder", "totalEmails", "unreadEmails", "totalThreads",
            "unreadThreads", "isSubscribed",
        ],
        decode: { columns in
            Mailbox(
                id: columns.text(0),
                name: columns.text(1),
                parentID: columns.optionalText(2),
                role: columns.optionalText(3).map(Mailbox.Role.init),
                sortOrder: columns.int(4),
                totalEmails: columns.int(5),
                unreadEmails: columns.int(6),
                totalThreads: columns.int(7),
                unreadThreads: columns.int(8),
                isSubscribed: columns.int(9) != 0
            )
        },
        id: \.id,
        fields: [
            \.id: .field(QueryField(RecordColumn(RecordTable.id, .text)) { .text($0.id) }),
            \.name: .field(name),
            \.parentID: .field(field("parentId") { QueryValue($0.parentID) }),
            \.sortOrder: .field(sortOrder),
            \.totalEmails: .field(field("totalEmails") { .integer($0.totalEmails) }),
            \.unreadEmails: .field(field("unreadEmails") { .integer($0.unreadEmails) }),
            \.totalThreads: .field(field("totalThreads") { .integer($0.totalThreads) }),
            \.unreadThreads: .field(field("unreadThreads") { .integer($0.unreadThreads) }),
            \.isSubscribed: .field(field("isSubscribed") { .bool($0.isSubscribed) }),
        ],
        order: [QueryOrder.Key(sortOrder, isAscending: true), QueryOrder.Key(name, isAscending: true)]
    )

    private static var name: QueryField<Mailbox> { field("name") { QueryValue(text: $0.name) } }

    private static var sortOrder: QueryField<Mailbox> { field("sortOrder") { .integer($0.sortOrder) } }

    fileprivate static var role: QueryField<Mailbox> { field("role") { QueryValue($0.role?.name) } }

    private static func field(
        _ name: String,
        _ read: @escaping @Sendable (Mailbox) -> QueryValue
    ) -> QueryField<Mailbox> {
        QueryField(RecordType.mailbox.columns.first { $0.name == name } ?? RecordColumn(name, .text), read)
    }
}

extension StoreQuery<Mailbox> {
    /// A query for the mailboxes with one of the given roles, ordered by id.
    ///
    /// - Throws: ``QueryError``.
    init(roles: [Mailbox.Role]) throws(QueryError) {
        let names = QueryExpression<Mailbox>.constant(.list(roles.map { .text($0.name) }))
        try self.init(
            Query(sort: [SortDescriptor(\.id, comparator: .lexical)]),
            .mailbox,
            scope: .contains(list: names, .field(QueryTable<Mailbox>.role))
        )
    }
}
