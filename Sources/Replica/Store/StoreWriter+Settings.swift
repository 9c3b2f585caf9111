package import GRDB

/// The table of the settings of the person and the app, which all processes that have the store open share.
///
/// The triggers of ``RecordType/schema`` may rely on its name and the columns that are named here. A row is inserted
/// once, updated in place, and deleted. Triggers run with each of these, in the transaction of the change. A setting
/// that is set to its value again is updated too.
package enum SettingTable {
    /// The name of the table.
    package static let table = "setting"
    /// The column of the setting's name: unique text, compared by its bytes.
    package static let name = "name"
    /// The column of the setting's value: text.
    package static let value = "value"

    static let schema = """
        CREATE TABLE setting(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        ALTER TABLE store ADD COLUMN isIncomplete INTEGER;
        """
}

extension StoreWriter {
    package func set(setting name: String, to value: String?) throws {
        guard let value else { return try db.execute(sql: "DELETE FROM setting WHERE name = ?", arguments: [name]) }
        try db.execute(
            sql: "INSERT INTO setting(name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
            arguments: [name, value]
        )
    }
}

extension Database {
    /// Whether settings may be lost, because the file was rebuilt and the old one couldn't be read completely.
    package func mayHaveLostSettings() throws -> Bool {
        try Int.fetchOne(cachedStatement(sql: "SELECT isIncomplete FROM store")) == 1
    }

    /// Returns the settings whose names have a prefix. Names differ in their bytes: two may be equal as strings, by
    /// canonical equivalence.
    package func settings(beginningWith prefix: String) throws -> [(name: String, value: String)] {
        let rows = try Row.fetchCursor(
            cachedStatement(sql: "SELECT name, value FROM setting WHERE substr(name, 1, length(?1)) = ?1"),
            arguments: [prefix]
        )
        return try Array(rows.map { (name: $0[0] as String, value: $0[1] as String) })
    }

    /// Returns a setting; nil if it isn't set.
    package func setting(_ name: String) throws -> String? {
        try String.fetchOne(cachedStatement(sql: "SELECT value FROM setting WHERE name = ?"), arguments: [name])
    }
}
