import GRDB

/// What only this device has stands twice in its file: in a table, and in indexes that cover every column.
///
/// SQLite keeps no checksums: a byte that changes within a value is read as if it had been written so. With a second
/// copy, `PRAGMA integrity_check` finds the row in the table that its index doesn't have.
enum SecondCopies {
    static let migration = "replica 8"

    /// The migration's tables. A file with any of them has second copies.
    static let names: Set<String> = [migration, "pendingByValue", "queuedByJSON", "settingByValue"]

    static let schema = """
        CREATE INDEX pendingByValue ON pending(value);
        CREATE INDEX queuedByJSON ON queued(json);
        CREATE INDEX settingByValue ON setting(value);
        """

    private static let tables = ["pending", "queued", "setting"]

    /// Compares the copies. Costs what the tables hold, not what the file does.
    ///
    /// - Throws: `DatabaseError` with the code `SQLITE_CORRUPT` where they differ.
    static func check(_ db: Database) throws {
        for table in tables {
            let finding = try String.fetchOne(db, sql: "PRAGMA integrity_check('\(table)')")
            guard finding == "ok" else {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: finding ?? "\(table) can't be looked through")
            }
        }
    }
}
