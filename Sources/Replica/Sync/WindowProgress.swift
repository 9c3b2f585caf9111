import GRDB

/// The progress of a full sync of all records.
///
/// The state from before the first request for ids is kept until all records are on the device, even if the process
/// ends in between. Changes during the full sync are fetched from that state on.
enum WindowProgress {
    static let schema = "ALTER TABLE sync ADD COLUMN windowState TEXT"
}

extension Database {
    /// The state at which the full sync of all records began; nil if none is under way.
    func windowState(_ type: RecordType) throws -> String? {
        try String.fetchOne(cachedStatement(sql: "SELECT windowState FROM sync WHERE type = ?"), arguments: [type.name])
    }
}

extension StoreWriter {
    func setWindowState(_ type: RecordType, _ state: String?) throws {
        try db.execute(sql: "UPDATE sync SET windowState = ? WHERE type = ?", arguments: [state, type.name])
    }
}

/// The number of a type's records that are on the device, during their first fetch.
package struct SyncProgress: Hashable, Sendable {
    /// The JMAP type, such as `Email`.
    package let type: String
    /// The number of records on the device.
    package let done: Int
    /// The number of records to fetch in all.
    package let total: Int
}
