package import GRDB

/// The contract of a record type's table, on which modules that declare types may rely in their own SQL, such as
/// ``RecordType/schema``, ``RecordType/derive`` and the reads in their `Store` folders.
///
/// A type has one table, named ``RecordType/table``, with one row for each record on the device. Its columns are those
/// named here, and one for each ``RecordColumn`` of the type under its name, which contains the *effective* value: the
/// server's, with the pending writes applied. ``SettingTable`` and ``DeviceRecordTable`` have the contracts of two more
/// tables. Everything else in a store is private to this module: further columns, indexes, and tables such as those of
/// pending writes. This module has functions that read them. Lists are read with a ``StoreQuery``.
///
/// - A row's `rowid` stays the same as long as the row exists. It may be reused afterwards.
/// - A row is inserted once, updated in place, and deleted. A change never deletes and reinserts a row, and neither
///   does a full sync. Fetching an unchanged record again updates no row.
/// - Triggers run with each inserted, updated or deleted row, in the transaction of the change, whatever its cause: a
///   sync, a pending write, a push, an expiry or the eviction of a record. An `UPDATE OF` trigger runs if the statement
///   sets the column, even to an equal value: it has to compare `NEW` with `OLD`.
/// - ``RecordType/derive`` runs after the triggers, at the end of the transaction.
package enum RecordTable {
    /// The column of the record's id: unique text.
    package static let id = "id"
    /// The column of the record's JSON object as the server sent it: a blob in UTF-8, without pending writes.
    package static let json = "json"
    /// The column of the record's phase: ``RecordType/phase`` as of the last write or ``due`` time.
    package static let phase = "phase"
    /// The column of the time at which the phase changes by itself, in milliseconds since 1970. Null for never.
    package static let due = "due"
}

extension Database {
    /// Returns the number of a type's records on the device.
    package func count(of type: RecordType) throws -> Int {
        try Int.fetchOne(cachedStatement(sql: "SELECT count(*) FROM \"\(type.table)\"")) ?? 0
    }

    /// Returns whether a record is on the device.
    package func exists(_ type: RecordType, _ id: String) throws -> Bool {
        let select = try cachedStatement(sql: "SELECT 1 FROM \"\(type.table)\" WHERE \(RecordTable.id) = ?")
        return try Int.fetchOne(select, arguments: [id]) != nil
    }

    /// Returns the ids of the records on the device, in any order.
    func ids(of type: RecordType) throws -> [String] {
        try String.fetchAll(self, sql: "SELECT \(RecordTable.id) FROM \"\(type.table)\"")
    }

    /// Returns the ids of the records on the device, in the order in which they were stored.
    func idsAsStored(of type: RecordType) throws -> [String] {
        try String.fetchAll(self, sql: "SELECT \(RecordTable.id) FROM \"\(type.table)\" ORDER BY rowid")
    }
}
