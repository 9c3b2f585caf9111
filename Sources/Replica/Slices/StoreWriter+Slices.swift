import GRDB
import Groundwork
import JMAP

extension StoreWriter {
    /// Stores a slice and the time of its use. The next round fetches the slice if it is new or requests more than
    /// before.
    ///
    /// Slices that haven't been used for a long time are deleted in the next round.
    ///
    /// - Parameter active: The keys of the slices that are in use at present, such as by a list on a screen.
    package func use(_ slice: Slice, of type: RecordType, active: [String]) throws {
        let stored = try db.storedSlice(slice.key)
        // A limit that scrolling has raised expires.
        let isFresh = stored.map { $0.usedAt > now - Slice.openedLifetime } ?? false
        var wanted = slice.wanted
        if let stored, isFresh, let old = stored.slice.wanted { wanted = wanted.map { max($0, old) } }
        if let stored, isFresh, stored.slice.wanted == nil { wanted = nil }
        let isSame = stored.map { !$0.isDropped && $0.slice.filters == slice.filters && $0.slice.wanted == wanted }
        try db.cachedStatement(
            sql: """
                INSERT INTO slice(key, type, filters, isCollapsed, wanted, usedAt, isDue)
                    VALUES (:key, :type, :filters, :isCollapsed, :wanted, :now, 1)
                    ON CONFLICT DO UPDATE SET filters = excluded.filters, wanted = excluded.wanted, usedAt = :now,
                        isDue = isDue OR :isOther, isDropped = 0
                """
        ).execute(arguments: [
            "key": slice.key, "type": type.name, "filters": JSON.array(slice.filters).description,
            "isCollapsed": slice.isCollapsed, "wanted": wanted, "now": now, "isOther": !(isSame ?? false),
        ])
        let touch = try db.cachedStatement(sql: "UPDATE slice SET usedAt = ? WHERE key = ? AND NOT isDropped")
        for key in active { try touch.execute(arguments: [now, key]) }
        try db.cachedStatement(
            sql: """
                UPDATE slice SET isDropped = 1, isDue = 1
                WHERE type = :type AND NOT isDropped AND (usedAt < :oldest OR key IN (
                    SELECT key FROM slice WHERE type = :type AND NOT isDropped
                        ORDER BY usedAt DESC, key = :key DESC, key LIMIT -1 OFFSET :most))
                """
        ).execute(arguments: [
            "type": type.name, "key": slice.key, "oldest": now - Slice.maxUnusedTime, "most": Slice.maxCount,
        ])
    }

    /// Records that groups were requested by id. They are kept for a day, whether or not a slice has them.
    package func open(_ groups: [String], of type: RecordType) throws {
        let insert = try db.cachedStatement(
            sql: "INSERT INTO openedGroup(type, name, at) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET at = excluded.at"
        )
        for name in groups { try insert.execute(arguments: [type.name, name, now]) }
    }

    /// Records the server's changes: marks the changed records on the device, the groups that have new records, and all
    /// slices of the type, which may have changed.
    ///
    /// - Parameters:
    ///   - records: The created and updated records, with their ids and groups only.
    ///   - removedIDs: The ids of the destroyed records.
    func noteChanges(_ type: RecordType, _ groups: RecordGroups, _ records: [JSONText], removedIDs: [String]) throws {
        guard !records.isEmpty || !removedIDs.isEmpty else { return }
        // Marked records are fetched by id.
        try markUnconfirmed(type, records)
        let insert = try db.cachedStatement(
            sql: """
                INSERT INTO dueGroup SELECT :type, :name WHERE NOT EXISTS (SELECT 1 FROM "\(type.table)" WHERE id = :id)
                    AND (EXISTS (SELECT 1 FROM "\(type.table)" WHERE "\(groups.column)" = :name)
                        OR EXISTS (SELECT 1 FROM sliceGroup WHERE type = :type AND name = :name))
                    ON CONFLICT DO NOTHING
                """
        )
        for record in records {
            guard let id = record["id"]?.value.stringValue, let name = record[groups.column]?.value.stringValue else {
                continue
            }
            try insert.execute(arguments: ["type": type.name, "name": name, "id": id])
        }
        try makeSlicesDue(type)
    }

    func makeSlicesDue(_ type: RecordType) throws {
        try db.cachedStatement(sql: "UPDATE slice SET isDue = 1 WHERE type = ? AND NOT isDue")
            .execute(arguments: [type.name])
    }

    /// Stores the groups of a fetched slice. If the slice has changed meanwhile, it stays due.
    func setGroups(_ groups: [String: Bool], of slice: Slice, _ type: RecordType) throws {
        try db.cachedStatement(sql: "DELETE FROM sliceGroup WHERE slice = ?").execute(arguments: [slice.key])
        guard let stored = try db.storedSlice(slice.key), !stored.isDropped else { return }
        let insert = try db.cachedStatement(
            sql: "INSERT INTO sliceGroup(slice, name, type, matches) VALUES (?, ?, ?, ?)"
        )
        for (name, matches) in groups { try insert.execute(arguments: [slice.key, name, type.name, matches]) }
        guard stored.slice.wanted == slice.wanted, stored.slice.filters == slice.filters else { return }
        try db.cachedStatement(sql: "UPDATE slice SET isDue = 0 WHERE key = ?").execute(arguments: [slice.key])
    }

    /// Deletes the dropped slices, and the due groups that all slices have taken into account.
    func deleteDropped(_ type: RecordType, changes: Set<String>) throws {
        for table in ["sliceGroup WHERE slice", "slice WHERE key"] {
            try db.execute(
                sql: "DELETE FROM \(table) IN (SELECT key FROM slice WHERE type = ? AND isDropped)",
                arguments: [type.name]
            )
        }
        let delete = try db.cachedStatement(sql: "DELETE FROM dueGroup WHERE type = ? AND name = ?")
        for name in changes { try delete.execute(arguments: [type.name, name]) }
    }

    /// Removes from the device the records that belong to no slice. Groups with pending writes stay, and so do recently
    /// opened ones.
    func evictUnrequested(_ type: RecordType, _ groups: RecordGroups) throws {
        try db.execute(
            sql: "DELETE FROM openedGroup WHERE type = ? AND at < ?",
            arguments: [type.name, now - Slice.openedLifetime]
        )
        let ids = try String.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT id FROM "\(type.table)" WHERE "\(groups.column)" NOT IN (
                        SELECT name FROM sliceGroup WHERE type = :type AND matches
                        UNION SELECT name FROM openedGroup WHERE type = :type
                        UNION SELECT own."\(groups.column)" FROM pending
                        JOIN "\(type.table)" AS own ON own.id = pending.id
                            WHERE pending.type = :type)
                    """
            ),
            arguments: ["type": type.name]
        )
        guard !ids.isEmpty else { return }
        _ = try nextRevision()
        let delete = try db.cachedStatement(sql: "DELETE FROM \"\(type.table)\" WHERE id = ?")
        for id in ids { try delete.execute(arguments: [id]) }
        try trimRemovedRows()
    }

    /// Removes the slices of a type of which the device keeps all records from now on. Records on the device stay. The
    /// next round fetches the others.
    package func endSlices(_ type: RecordType) throws {
        for table in ["slice", "sliceGroup", "openedGroup", "dueGroup"] {
            try db.execute(sql: "DELETE FROM \(table) WHERE type = ?", arguments: [type.name])
        }
        // The records on the device are current up to the state. The missing ones are fetched from the start.
        try db.execute(
            sql: "UPDATE sync SET windowState = state, state = NULL WHERE type = ? AND state IS NOT NULL",
            arguments: [type.name]
        )
    }
}
