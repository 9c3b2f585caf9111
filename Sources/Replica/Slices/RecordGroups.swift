package import GRDB
package import Groundwork

/// The grouping of a type's records where a device fetches slices of them, such as the emails of a thread (RFC 8621,
/// section 3).
///
/// Groups are fetched and kept whole, so that values that are derived from a group are correct.
package struct RecordGroups: Sendable {
    /// The property, and the text column, that names a record's group. It never changes.
    package let column: String
    /// The JMAP type of the groups, such as `Thread`.
    package let type: String
    /// The property of a group that lists the ids of its records.
    package let members: String
    /// The argument of `/query` that reduces each group to its first record.
    package let collapse: String
    /// Completes a filter with values that only the store has, such as the id of a folder that a query names by its
    /// role.
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
    /// The groups of a type whose slices are fetched; nil for other types.
    var groups: RecordGroups? { if case .slices(_, let groups) = window { groups } else { nil } }
}
