import GRDB

extension StoreWriter {
    /// Removes a type's records and its state, as if it had never been synced. The next sync is a full sync.
    ///
    /// Pending writes stay, and are sent.
    ///
    /// - Parameter phases: The phases of the rows that stay.
    package func clear(_ type: RecordType, keeping phases: [Int] = []) throws {
        _ = try nextRevision()
        let kept = phases.map(String.init).joined(separator: ", ")
        try db.execute(sql: "DELETE FROM \"\(type.table)\" WHERE phase NOT IN (\(kept))")
        try db.execute(sql: "DELETE FROM setAside WHERE type = ?", arguments: [type.name])
        try clearOutline(type)
        try trimRemovedRows()
        // A round under way detects by this that the rows were removed.
        try db.execute(sql: "DELETE FROM sync WHERE type = ?", arguments: [type.name])
    }
}

extension StoreWriter {
    /// Removes everything about some types, including pending writes, queued records and documents of this
    /// device, as if they had never been synced.
    package func erase(_ types: [RecordType]) throws {
        _ = try nextRevision()
        for type in types {
            try endSlices(type)
            try removeAll(type.deviceRecords)
            try db.execute(sql: "DELETE FROM \"\(type.table)\"")
            try clearOutline(type)
            for table in ["pending", "sealedBatch", "setAside", "sync"] {
                try db.execute(sql: "DELETE FROM \(table) WHERE type = ?", arguments: [type.name])
            }
            try db.execute(
                sql: "DELETE FROM pending WHERE type = ?",
                arguments: [type.name + PendingBulk.appliedSuffix]
            )
            if let queue = type.queue {
                try db.execute(sql: "DELETE FROM queued WHERE type = ?", arguments: [queue.name])
            }
        }
        try trimRemovedRows()
    }
}
