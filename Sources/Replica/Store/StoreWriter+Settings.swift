package import GRDB

/// What the person or the app has set, kept with the store and shared by all processes that have it open.
enum SettingTable {
    static let schema = "CREATE TABLE setting(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
}

extension StoreWriter {
    package func set(setting name: String, to value: String) throws {
        try db.execute(
            sql: "INSERT INTO setting(name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
            arguments: [name, value]
        )
    }
}

extension Database {
    /// - Returns: Nil where it was never set.
    package func setting(_ name: String) throws -> String? {
        try String.fetchOne(cachedStatement(sql: "SELECT value FROM setting WHERE name = ?"), arguments: [name])
    }
}
