import GRDB
package import Groundwork

/// Rows that came by another way than from the server, such as a push: shown at once, until the server confirms them or
/// their time is up.
enum ProvisionalRows {
    static func schema(_ type: RecordType) -> String {
        """
        ALTER TABLE "\(type.table)" ADD COLUMN provisionalUntil INTEGER;
        CREATE INDEX "\(type.table)_provisional" ON "\(type.table)"(provisionalUntil) WHERE provisionalUntil IS NOT NULL;
        ALTER TABLE "\(type.table)" ADD COLUMN isUnconfirmed INTEGER;
        CREATE INDEX "\(type.table)_unconfirmed" ON "\(type.table)"(id) WHERE isUnconfirmed IS NOT NULL;
        """
    }
}

extension StoreWriter {
    /// Takes a record that didn't come from the server.
    ///
    /// It stays until the server's own takes its place, until a resync finds that the server has none, or until a time.
    ///
    /// - Parameter time: In milliseconds.
    /// - Returns: The record's id where it was taken: not where a row of that id is there, was set aside, or was
    ///   removed lately.
    /// - Throws: ``RecordError`` where it can't be read.
    package func receive(_ type: RecordType, _ text: JSONText, until time: Int) throws -> String? {
        var decoder = RecordDecoder(type)
        try text.withBytes { (bytes) throws(RecordError) in try decoder.read(bytes) }
        let id = decoder.id
        let isKnown = try Int.fetchOne(
            db,
            sql: """
                SELECT 1 FROM "\(type.table)" WHERE id = :id
                    UNION ALL SELECT 1 FROM removed WHERE type = :type AND id = :id
                    UNION ALL SELECT 1 FROM setAside WHERE type = :type AND id = :id
                    \(type.outline == nil ? "" : "UNION ALL SELECT 1 FROM \"\(type.outlineTable)\" WHERE id = :id")
                """,
            arguments: ["id": id, "type": type.name]
        )
        guard isKnown == nil, time > now else { return nil }
        try apply(type, CollectionOfOne(text))
        try db.execute(
            sql: "UPDATE \"\(type.table)\" SET provisionalUntil = ? WHERE id = ?",
            arguments: [time, id]
        )
        return id
    }

    /// Removes provisional rows whose time is up. Pending entries on them stay until the server answers them.
    func removeOutdated(_ type: RecordType) throws {
        let select = try db.cachedStatement(
            sql: "SELECT 1 FROM \"\(type.table)\" WHERE provisionalUntil IS NOT NULL AND provisionalUntil <= ? LIMIT 1"
        )
        guard try Int.fetchOne(select, arguments: [now]) != nil else { return }
        _ = try nextRevision()
        try db.execute(
            sql: "DELETE FROM \"\(type.table)\" WHERE provisionalUntil IS NOT NULL AND provisionalUntil <= ?",
            arguments: [now]
        )
        try forgetRemovedRows()
    }
}

extension Database {
    /// The ids of the provisional rows, those that go first before the others: in the order of their index, without
    /// which all rows would be read.
    func provisional(_ type: RecordType) throws -> [String] {
        try String.fetchAll(
            cachedStatement(
                sql: "SELECT id FROM \"\(type.table)\" WHERE provisionalUntil IS NOT NULL ORDER BY provisionalUntil, id"
            )
        )
    }
}
