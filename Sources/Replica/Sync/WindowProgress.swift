import GRDB

/// How far the taking of everything has come.
///
/// The state from before the first id was asked for is kept until all are there, also when the process ends in between:
/// what changed since is told by the changes since that state.
enum WindowProgress {
    static let schema = "ALTER TABLE sync ADD COLUMN windowState TEXT"
}

extension Database {
    /// The state at which the taking of everything began; nil where it didn't, or is done.
    func windowState(_ type: RecordType) throws -> String? {
        try String.fetchOne(cachedStatement(sql: "SELECT windowState FROM sync WHERE type = ?"), arguments: [type.name])
    }
}

extension StoreWriter {
    func setWindowState(_ type: RecordType, _ state: String?) throws {
        try db.execute(sql: "UPDATE sync SET windowState = ? WHERE type = ?", arguments: [state, type.name])
    }
}

/// How much of a type's records is there, while they are taken for the first time.
package struct SyncProgress: Hashable, Sendable {
    /// The JMAP type, such as `Email`.
    package let type: String
    package let done: Int
    package let total: Int
}
