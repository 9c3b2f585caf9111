import GRDB

/// Indexes that cover every column of the tables that exist on this device only, as second copies of them.
///
/// SQLite has no checksums, so a byte that changes within a value goes unnoticed. With a second copy,
/// `PRAGMA integrity_check` finds a row that differs between the table and its index.
enum CoveringIndexes {
    static let migration = "replica 8"

    /// The migration's tables. A file with any of them has second copies.
    static let names: Set<String> = [migration, "pendingByValue", "queuedByJSON", "settingByValue"]

    static let schema = """
        CREATE INDEX pendingByValue ON pending(value);
        CREATE INDEX queuedByJSON ON queued(json);
        CREATE INDEX settingByValue ON setting(value);
        """

    private static let tables = ["pending", "queued", "setting"]

    /// Compares the copies. The cost depends on the size of these tables, not of the file.
    ///
    /// - Throws: `DatabaseError` with the code `SQLITE_CORRUPT` if they differ.
    static func check(_ db: Database) throws {
        for table in tables {
            let finding = try String.fetchOne(db, sql: "PRAGMA integrity_check('\(table)')")
            guard finding == "ok" else {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: finding ?? "\(table) can't be checked")
            }
        }
    }
}
