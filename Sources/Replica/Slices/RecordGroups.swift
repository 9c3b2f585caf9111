package import GRDB
package import Groundwork

/// How a type's records belong together, where a device holds slices of them: whole groups are fetched and held, such
/// as all emails of a thread (RFC 8621 §3), so that what is made out of a group is right.
package struct RecordGroups: Sendable {
    /// The property, and the text column, that names a record's group; it never changes.
    package let column: String
    /// The JMAP type of the groups, such as `Thread`.
    package let type: String
    /// The property of a group that lists the ids of its records.
    package let members: String
    /// The argument of `/query` by which of each group only the first record comes.
    package let collapse: String
    /// Puts into a filter what only the store knows, such as the id of a mailbox that a query names by its role.
    package let resolve: @Sendable (JSON, Database) throws -> JSON

    package init(
        column: String,
        type: String,
        members: String,
        collapse: String,
        resolve: @escaping @Sendable (JSON, Database) throws -> JSON
    ) {
        self.column = column
        self.type = type
        self.members = members
        self.collapse = collapse
        self.resolve = resolve
    }
}

extension RecordType {
    /// The groups, where a device holds slices.
    var groups: RecordGroups? { if case .slices(_, let groups) = window { groups } else { nil } }
}
