package import GRDB

extension QueryTable {
    /// What happened to the rows after a revision.
    package struct News: Sendable {
        /// The rows that were made or changed, as they are now.
        package let changed: [Row]
        /// The ids of those that were removed. One that came back is among the changed ones too.
        package let removed: [String]
    }

    /// How many rows may have changed for their sum to be looked at one by one.
    private static var limit: Int { 500 }

    /// - Returns: Nil if more has changed than is known one by one: then everything has to be read again.
    package func news(_ db: Database, after revision: Int) throws -> News? {
        guard let removed = try db.removed(type, after: revision) else { return nil }
        var changed: [Row] = []
        let statement = try db.cachedStatement(
            sql: "SELECT \(selection) FROM \"\(type.table)\" WHERE revision > ? LIMIT ?"
        )
        try read(statement, [revision, Self.limit + 1]) { row in
            changed.append(row)
            return true
        }
        return changed.count > Self.limit ? nil : News(changed: changed, removed: removed)
    }
}
