package import GRDB

extension QueryTable {
    /// The changes to the rows after a revision.
    package struct RowChanges: Sendable {
        /// The inserted and updated rows, in their current state.
        package let changed: [Row]
        /// The ids of the removed rows. A row that was inserted again is also among the changed ones.
        package let removed: [String]
    }

    /// The maximum number of changed rows that are read individually.
    private static var limit: Int { 500 }

    /// Returns the changes after a revision.
    ///
    /// - Returns: The changes; nil if there are too many to be known individually. Then everything has to be read
    ///   again.
    package func changes(_ db: Database, after revision: Int) throws -> RowChanges? {
        guard let removed = try db.removed(type, after: revision) else { return nil }
        var changed: [Row] = []
        let statement = try db.cachedStatement(
            sql: "SELECT \(selection) FROM \"\(type.table)\" WHERE revision > ? LIMIT ?"
        )
        try read(statement, [revision, Self.limit + 1]) { row in
            changed.append(row)
            return true
        }
        return changed.count > Self.limit ? nil : RowChanges(changed: changed, removed: removed)
    }
}
