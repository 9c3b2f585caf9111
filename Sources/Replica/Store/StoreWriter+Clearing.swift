import GRDB

extension StoreWriter {
    /// Empties a type's part of the store, as if nothing had been synced: the next sync is a full sync.
    ///
    /// Pending writes stay, and are sent. So do the rows that meet a rule.
    package func clear(_ type: RecordType, leaving rule: String) throws {
        _ = try nextRevision()
        try db.execute(sql: "DELETE FROM \"\(type.table)\" WHERE NOT (\(rule.rule()))")
        try db.execute(sql: "DELETE FROM setAside WHERE type = ?", arguments: [type.name])
        try clearOutline(type)
        try forgetRemovedRows()
        // A round under way sees by this that its rows are gone.
        try db.execute(sql: "DELETE FROM sync WHERE type = ?", arguments: [type.name])
    }
}

extension StoreWriter {
    /// Removes all that there is of some types, with what the person did and the server doesn't know, as if they had
    /// never been synced.
    package func forget(_ types: [RecordType]) throws {
        _ = try nextRevision()
        for type in types {
            try endSlices(type)
            try db.execute(sql: "DELETE FROM \"\(type.table)\"")
            try clearOutline(type)
            for table in ["pending", "sealedBatch", "setAside", "sync"] {
                try db.execute(sql: "DELETE FROM \(table) WHERE type = ?", arguments: [type.name])
            }
            try db.execute(sql: "DELETE FROM pending WHERE type = ?", arguments: [type.name + PendingBulk.answered])
            if let queue = type.queue {
                try db.execute(sql: "DELETE FROM queued WHERE type = ?", arguments: [queue.name])
            }
        }
        try forgetRemovedRows()
    }
}
