import GRDB
import Groundwork
import JMAP

extension StoreWriter {
    /// Keeps a slice, from now on used lately: the next round asks for it where it is new, or wants more than before.
    ///
    /// Others that weren't used for long go with the next round.
    ///
    /// - Parameter active: The keys of those that are in use all the time, such as by a list on a screen.
    package func use(_ slice: Slice, of type: RecordType, active: [String]) throws {
        let stored = try db.storedSlice(slice.key)
        // What was scrolled to long ago is no longer wanted.
        let isFresh = stored.map { $0.usedAt > now - Slice.longestOpened } ?? false
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
                UPDATE slice SET isDropped = 1, isDue = 1 WHERE type = :type AND NOT isDropped AND (usedAt < :oldest OR key IN (
                    SELECT key FROM slice WHERE type = :type AND NOT isDropped
                        ORDER BY usedAt DESC, key = :key DESC, key LIMIT -1 OFFSET :most))
                """
        ).execute(arguments: [
            "type": type.name, "key": slice.key, "oldest": now - Slice.longestUnused, "most": Slice.most,
        ])
    }

    /// Notes that groups were asked for by id: they stay for a day, whatever becomes of the slices.
    package func open(_ groups: [String], of type: RecordType) throws {
        let note = try db.cachedStatement(
            sql: "INSERT INTO openedGroup(type, name, at) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET at = excluded.at"
        )
        for name in groups { try note.execute(arguments: [type.name, name, now]) }
    }

    /// Notes what has changed on the server: of the records that are held, of their groups, and that the slices may be
    /// others now.
    ///
    /// - Parameters:
    ///   - records: Those that were made or changed, with nothing but their ids and groups.
    ///   - gone: Those that are gone.
    func noteChanges(_ type: RecordType, _ groups: RecordGroups, _ records: [JSONText], gone: [String]) throws {
        guard !records.isEmpty || !gone.isEmpty else { return }
        // They are asked for by their ids.
        try markUnconfirmed(type, records)
        let note = try db.cachedStatement(
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
            try note.execute(arguments: ["type": type.name, "name": name, "id": id])
        }
        try makeSlicesDue(type)
    }

    func makeSlicesDue(_ type: RecordType) throws {
        try db.cachedStatement(sql: "UPDATE slice SET isDue = 1 WHERE type = ? AND NOT isDue")
            .execute(arguments: [type.name])
    }

    /// Ends the asking for a slice: its groups are these. One that wants something else by now is still due.
    func settle(_ slice: Slice, of type: RecordType, _ groups: [String: Bool]) throws {
        try db.cachedStatement(sql: "DELETE FROM sliceGroup WHERE slice = ?").execute(arguments: [slice.key])
        guard let stored = try db.storedSlice(slice.key), !stored.isDropped else { return }
        let insert = try db.cachedStatement(
            sql: "INSERT INTO sliceGroup(slice, name, type, matches) VALUES (?, ?, ?, ?)"
        )
        for (name, matches) in groups { try insert.execute(arguments: [slice.key, name, type.name, matches]) }
        guard stored.slice.wanted == slice.wanted, stored.slice.filters == slice.filters else { return }
        try db.cachedStatement(sql: "UPDATE slice SET isDue = 0 WHERE key = ?").execute(arguments: [slice.key])
    }

    /// Forgets the slices that were dropped, and the changes that all slices know by now.
    func forgetDropped(_ type: RecordType, changes: Set<String>) throws {
        for table in ["sliceGroup WHERE slice", "slice WHERE key"] {
            try db.execute(
                sql: "DELETE FROM \(table) IN (SELECT key FROM slice WHERE type = ? AND isDropped)",
                arguments: [type.name]
            )
        }
        let forget = try db.cachedStatement(sql: "DELETE FROM dueGroup WHERE type = ? AND name = ?")
        for name in changes { try forget.execute(arguments: [type.name, name]) }
    }

    /// Removes the records that belong to no slice, here only. Groups with pending writes stay, and those that were
    /// opened lately.
    func evictUnasked(_ type: RecordType, _ groups: RecordGroups) throws {
        try db.execute(
            sql: "DELETE FROM openedGroup WHERE type = ? AND at < ?",
            arguments: [type.name, now - Slice.longestOpened]
        )
        let ids = try String.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT id FROM "\(type.table)" WHERE "\(groups.column)" NOT IN (
                        SELECT name FROM sliceGroup WHERE type = :type AND matches
                        UNION SELECT name FROM openedGroup WHERE type = :type
                        UNION SELECT own."\(groups.column)" FROM pending JOIN "\(type.table)" AS own ON own.id = pending.id
                            WHERE pending.type = :type)
                    """
            ),
            arguments: ["type": type.name]
        )
        guard !ids.isEmpty else { return }
        _ = try nextRevision()
        let delete = try db.cachedStatement(sql: "DELETE FROM \"\(type.table)\" WHERE id = ?")
        for id in ids { try delete.execute(arguments: [id]) }
        try forgetRemovedRows()
    }

    /// From now on all of a type's records are to be held: what is there stays, the next round takes the rest.
    package func endSlices(_ type: RecordType) throws {
        for table in ["slice", "sliceGroup", "openedGroup", "dueGroup"] {
            try db.execute(sql: "DELETE FROM \(table) WHERE type = ?", arguments: [type.name])
        }
        // What is held is current as of the state; what isn't there yet is taken from the start.
        try db.execute(
            sql: "UPDATE sync SET windowState = state, state = NULL WHERE type = ? AND state IS NOT NULL",
            arguments: [type.name]
        )
    }
}
