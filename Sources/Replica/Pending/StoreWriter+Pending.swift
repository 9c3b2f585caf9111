package import GRDB
package import Groundwork
package import JMAP

extension StoreWriter {
    /// Sets a field of some records to the person's value: changes the effective value and the pending entry in the
    /// current transaction.
    ///
    /// - Parameters:
    ///   - column: A writable column.
    ///   - value: The value as it is sent.
    ///   - ids: The ids of the records. Those that aren't known, or that don't meet the condition, are ignored.
    ///   - condition: A rule over the current row. By default, every row meets it.
    /// - Returns: The ids of the records whose value changed, in the given order, each once.
    package func update(
        _ type: RecordType,
        _ column: RecordColumn,
        to value: JSON,
        ids: some Sequence<String>,
        where condition: String = "true"
    ) throws -> [String] {
        let field = try FieldStatements(db, type, column, where: condition)
        let hasBulk = try db.hasPendingBulk(type)
        // After a bulk write, the server's values of its columns are unknown until the changes have arrived.
        let isBulkColumn = type.outline?.bulk?.columns.contains(column.name) ?? false
        let isUncertain = try hasBulk || db.hasAppliedBulk(type) && isBulkColumn
        let stored = column.databaseValue(value)
        let text = value.description
        var revision: Int?
        var changed: [String] = []
        for id in ids {
            let current = try revision ?? nextRevision()
            revision = current
            guard let server = try field.set(stored, of: id, at: now, revision: current) else { continue }
            changed.append(id)
            // With a bulk write pending, the entry is sent after it, even if it existed before.
            if hasBulk { try resequenceAfterBulk(type, column, id) }
            // A value that the server already has needs no entry, unless an earlier write to it is being sent.
            if server == stored, !isUncertain, try !field.isSealed(id) {
                try field.removeEntry(of: id)
                try deleteOrphanedAnnotations(type, of: id)
            } else {
                try field.putEntry(text, of: id)
            }
        }
        return changed
    }

    /// Removes an unsealed entry, so that its replacement is sent after a bulk write.
    ///
    /// Without the earlier entry, the bulk write may reach a record that it would otherwise have skipped. Pending null
    /// values for the record, which are sent after it, revert the values that it would set.
    private func resequenceAfterBulk(_ type: RecordType, _ column: RecordColumn, _ id: String) throws {
        try db.cachedStatement(sql: "DELETE FROM pending WHERE type = ? AND id = ? AND path = ? AND sealed = 0")
            .execute(arguments: [type.name, id, column.name])
        guard db.changesCount > 0, let rule = type.outline?.bulk, !rule.columns.contains(column.name) else { return }
        for name in rule.columns {
            for table in type.rowTables {
                try db.cachedStatement(
                    sql: """
                        INSERT OR REPLACE INTO pending(type, id, path, value)
                            SELECT ?, id, ?, 'null' FROM "\(table)" WHERE id = ? AND "\(name)" IS NULL
                        """
                ).execute(arguments: [type.name, name, id])
            }
        }
    }

    /// Seals unsent writes as a batch under a key. Does nothing if a batch is already sealed, or if nothing is pending.
    package func seal(_ type: RecordType, as key: Batch, limit: Int) throws -> Bool {
        guard try sealedWrites(type) == nil else { return false }
        // A bulk write is sent in a batch of its own, after the earlier writes and before the later ones.
        let bulk = try type.outline?.bulk.flatMap { rule in
            try Row.fetchOne(
                db.cachedStatement(
                    sql:
                        "SELECT rowid, id FROM pending WHERE type = ? AND path = ? AND sealed = 0 "
                        + "ORDER BY rowid LIMIT 1"
                ),
                arguments: [type.name, rule.argument]
            )
        }
        let end: Int = bulk?[0] ?? .max
        var ids = try String.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT id FROM pending WHERE type = ? AND sealed = 0 AND rowid < ? GROUP BY id
                    ORDER BY min(rowid) LIMIT ?
                    """
            ),
            arguments: [type.name, end, limit]
        )
        var last = end - 1
        if ids.isEmpty, let bulk { (ids, last) = ([bulk[1]], end) }
        guard !ids.isEmpty else { return false }
        let seal = try db.cachedStatement(
            sql: "UPDATE pending SET sealed = 1 WHERE type = ? AND id = ? AND sealed = 0 AND rowid <= ?"
        )
        for id in ids { try seal.execute(arguments: [type.name, id, last]) }
        if bulk != nil { try copySealedAnnotations(type, of: ids) }
        try db.execute(
            sql: "INSERT INTO sealedBatch(type, epoch, number) VALUES (?, ?, ?)",
            arguments: [type.name, key.epoch, key.number]
        )
        return true
    }

    /// Unseals the batch, such as after the server rejected it as too large and applied none of it. A newer value of
    /// the same field wins.
    package func unseal(_ type: RecordType) throws {
        try mergeAnnotations(type)
        try db.execute(
            sql: """
                DELETE FROM pending WHERE type = :type AND sealed = 1 AND EXISTS (
                    SELECT 1 FROM pending AS newer
                    WHERE newer.type = :type AND newer.id = pending.id
                    AND newer.path = pending.path AND newer.sealed = 0);
                """,
            arguments: ["type": type.name]
        )
        try db.execute(sql: "UPDATE pending SET sealed = 0 WHERE type = ? AND sealed = 1", arguments: [type.name])
        try db.execute(sql: "DELETE FROM sealedBatch WHERE type = ?", arguments: [type.name])
    }

    /// Returns the batch that is being sent.
    package func sealedWrites(_ type: RecordType) throws -> SealedWrites? {
        try db.sealedWrites(type)
    }

    /// Completes the sealed batch with the server's answer.
    ///
    /// An applied write becomes the server's value. A refused write is rejected: the server's value, or a newer one of
    /// the person's, is shown.
    ///
    /// - Parameters:
    ///   - refused: The ids whose writes the server refused.
    ///   - later: The ids whose writes are sent again in a later batch. The writes of all other ids count as applied.
    ///   - bulkPosition: The position at which a bulk write continues, if the server has applied part of it.
    /// - Returns: The refused entries.
    @discardableResult
    package func answer(
        _ type: RecordType,
        _ sealed: SealedWrites,
        refused: Set<String>,
        later: Set<String> = [],
        bulkPosition: String? = nil
    ) throws -> [PendingEntry] {
        if let bulk = sealed.bulk {
            let isRefused = refused.contains(bulk.id)
            if isRefused {
                try db.execute(
                    sql: "DELETE FROM pending WHERE type = ? AND id = ? AND path = ? AND sealed = 1",
                    arguments: [type.name, bulk.id, bulk.path]
                )
            } else if !later.contains(bulk.id) {
                if let bulkPosition {
                    try continueBulk(type, bulk, at: bulkPosition)
                } else {
                    try markApplied(type, bulk)
                }
            }
            try unseal(type)
            if isRefused { try restore(type, bulk: bulk) }
            return isRefused ? [bulk] : []
        }
        let delete = try db.cachedStatement(
            sql: "DELETE FROM pending WHERE type = ? AND id = ? AND path = ? AND sealed = 1"
        )
        for entry in sealed.entries where !later.contains(entry.id) {
            try delete.execute(arguments: [type.name, entry.id, entry.path])
        }
        // The remaining entries are sent later.
        try unseal(type)
        let deleteUnsealed = try db.cachedStatement(
            sql: "DELETE FROM pending WHERE type = ? AND id = ? AND path = ? AND value = ? AND sealed = 0"
        )
        for entry in sealed.entries where !refused.contains(entry.id) && !later.contains(entry.id) {
            guard let (column, member) = type.writableColumn(entry.path) else { continue }
            if let member {
                try acknowledge(type, column, member, entry)
            } else {
                for table in type.rowTables {
                    try db.cachedStatement(sql: "UPDATE \"\(table)\" SET \"\(column.serverName)\" = ? WHERE id = ?")
                        .execute(arguments: [column.databaseValue(entry.value), entry.id])
                }
            }
            try deleteUnsealed.execute(arguments: [type.name, entry.id, entry.path, entry.value.description])
        }
        try deleteOrphanedAnnotations(type)
        let refusedEntries = sealed.entries.filter { refused.contains($0.id) && !type.annotations.contains($0.path) }
        for entry in refusedEntries { try restore(type, entry) }
        return refusedEntries
    }

    /// Keeps a sealed bulk write, so that it continues at a position.
    private func continueBulk(_ type: RecordType, _ bulk: PendingEntry, at position: String) throws {
        guard var value = bulk.value.objectValue else { return }
        value["after"] = .string(position)
        try db.execute(
            sql: "UPDATE pending SET value = ? WHERE type = ? AND id = ? AND path = ? AND sealed = 1",
            arguments: [JSON.object(value).description, type.name, bulk.id, bulk.path]
        )
    }

    /// Shows, after a refusal, the person's newer value if there is one, otherwise the server's.
    func restore(_ type: RecordType, _ entry: PendingEntry) throws {
        guard let (column, member) = type.writableColumn(entry.path) else { return }
        if member != nil { return try restoreMembers(type, column, entry.id) }
        let newer = try String.fetchOne(
            db,
            sql: "SELECT value FROM pending WHERE type = ? AND id = ? AND path = ? AND sealed = 0",
            arguments: [type.name, entry.id, entry.path]
        )
        guard newer == nil else { return }
        let name = column.name
        func new(_ rule: String) -> String { rule.rule { "\"\($0 == name ? column.serverName : $0)\"" } }
        for table in type.rowTables {
            let revision = table == type.table ? ", revision = \(try nextRevision())" : ""
            try db.execute(
                sql: """
                    UPDATE "\(table)" SET "\(name)" = "\(column.serverName)", phase = \(new(type.phase)),
                        due = \(new(type.dueRule))\(revision)
                    WHERE id = :id AND :now IS NOT NULL
                    """,
                arguments: ["now": now, "id": entry.id]
            )
        }
    }

    /// Returns the person's unconfirmed values by id, the newest of each field.
    func pendingValues(_ type: RecordType) throws -> [String: [String: JSON]] {
        var values: [String: [String: JSON]] = [:]
        // Sealed entries first, so that unsealed entries, which are newer, replace them.
        let rows = try Row.fetchCursor(
            db.cachedStatement(sql: "SELECT id, path, value FROM pending WHERE type = ? ORDER BY sealed DESC"),
            arguments: [type.name]
        )
        while let row = try rows.next() {
            let text: String = row[2]
            guard let value = try? JSON(parsing: text.utf8) else { continue }
            values[row[0], default: [:]][row[1]] = value
        }
        return values
    }
}

extension Database {
    /// Returns the batch that is being sent.
    package func sealedWrites(_ type: RecordType) throws -> SealedWrites? {
        let batch = try Row.fetchOne(
            cachedStatement(sql: "SELECT epoch, number FROM sealedBatch WHERE type = ?"),
            arguments: [type.name]
        )
        guard let batch else { return nil }
        let rows = try Row.fetchCursor(
            cachedStatement(sql: "SELECT id, path, value FROM pending WHERE type = ? AND sealed = 1 ORDER BY rowid"),
            arguments: [type.name]
        )
        var entries: [PendingEntry] = []
        var bulk: PendingEntry?
        while let row = try rows.next() {
            let text: String = row[2]
            guard let value = try? JSON(parsing: text.utf8) else { continue }
            let entry = PendingEntry(id: row[0], path: row[1], value: value)
            if let rule = type.outline?.bulk, entry.path == rule.argument {
                bulk = entry
            } else {
                entries.append(entry)
            }
        }
        return SealedWrites(key: Batch(epoch: batch[0], number: batch[1]), entries: entries, bulk: bulk)
    }

    /// Returns the number of records of some types with changes that the server hasn't confirmed.
    package func pendingCount(_ types: [RecordType]) throws -> Int {
        try types.lazy.filter(\.isWritable).reduce(0) { count, type in
            let statement = try cachedStatement(sql: "SELECT count(DISTINCT id) FROM pending WHERE type = ?")
            return try count + (Int.fetchOne(statement, arguments: [type.name]) ?? 0)
        }
    }

    /// Returns whether writes of a type wait to be sent or answered.
    func hasPending(_ type: RecordType) throws -> Bool {
        guard type.isWritable else { return false }
        let statement = try cachedStatement(sql: "SELECT 1 FROM pending WHERE type = ? LIMIT 1")
        return try Int.fetchOne(statement, arguments: [type.name]) != nil
    }

    /// Returns whether writes to records that aren't on the device wait to be sent or answered, or were answered while
    /// the changes haven't arrived yet.
    package func hasPendingOffDevice(_ type: RecordType) throws -> Bool {
        let statement = try cachedStatement(
            sql: """
                SELECT 1 FROM pending WHERE type IN (?, ?)
                    AND NOT EXISTS (SELECT 1 FROM "\(type.table)" AS held WHERE held.id = pending.id) LIMIT 1
                """
        )
        return try Int.fetchOne(statement, arguments: [type.name, type.name + PendingBulk.appliedSuffix]) != nil
    }

    /// Returns the ids, of those given, whose records have unsealed writes.
    package func unsealedIDs(_ type: RecordType, among ids: [String]) throws -> [String] {
        try String.fetchAll(
            cachedStatement(
                sql: """
                    SELECT asked.value FROM json_each(?) AS asked
                    WHERE EXISTS (SELECT 1 FROM pending WHERE type = ? AND id = asked.value AND sealed = 0)
                    """
            ),
            arguments: [JSON(ids).description, type.name]
        )
    }

    /// Returns whether writes of some types wait to be sent or answered.
    package func hasPending(_ types: [RecordType]) throws -> Bool { try types.contains { try hasPending($0) } }
}
