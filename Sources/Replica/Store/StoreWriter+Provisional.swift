import GRDB
package import Groundwork

/// Rows that didn't come from the server, such as those of a push. They are shown at once, until the server confirms
/// them or they expire.
enum ProvisionalRows {
    /// The value of `isUnconfirmed` in a row that was provisional: none of its fields came from the server. Other
    /// unconfirmed rows have 1: they came from the server, at a later state than the store's.
    static let unknownContent = 2

    static func schema(_ type: RecordType) -> String {
        """
        ALTER TABLE "\(type.table)" ADD COLUMN provisionalUntil INTEGER;
        CREATE INDEX "\(type.table)_provisional" ON "\(type.table)"(provisionalUntil) \
        WHERE provisionalUntil IS NOT NULL;
        ALTER TABLE "\(type.table)" ADD COLUMN isUnconfirmed INTEGER;
        CREATE INDEX "\(type.table)_unconfirmed" ON "\(type.table)"(id) WHERE isUnconfirmed IS NOT NULL;
        """
    }
}

extension StoreWriter {
    /// Inserts a record that didn't come from the server.
    ///
    /// The record stays until the server's own replaces it, until a full sync finds that the server has none, or until
    /// it expires.
    ///
    /// - Parameter time: The expiry, in milliseconds.
    /// - Returns: The record's id; nil if the expiry has passed, or if a record with the id is known, was set aside, or
    ///   was removed recently.
    /// - Throws: ``RecordError`` if the record can't be decoded.
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

    /// Removes expired provisional rows. Pending writes to them stay until the server answers them.
    func removeExpired(_ type: RecordType) throws {
        let select = try db.cachedStatement(
            sql: "SELECT 1 FROM \"\(type.table)\" WHERE provisionalUntil IS NOT NULL AND provisionalUntil <= ? LIMIT 1"
        )
        guard try Int.fetchOne(select, arguments: [now]) != nil else { return }
        _ = try nextRevision()
        try db.execute(
            sql: "DELETE FROM \"\(type.table)\" WHERE provisionalUntil IS NOT NULL AND provisionalUntil <= ?",
            arguments: [now]
        )
        try trimRemovedRows()
    }
}

extension Database {
    /// Returns the ids of the provisional rows, those that expire first before the others. The order is that of their
    /// index, without which all rows would be read.
    func provisional(_ type: RecordType) throws -> [String] {
        try String.fetchAll(
            cachedStatement(
                sql: "SELECT id FROM \"\(type.table)\" WHERE provisionalUntil IS NOT NULL ORDER BY provisionalUntil, id"
            )
        )
    }
}
