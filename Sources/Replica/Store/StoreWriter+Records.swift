import Foundation
package import GRDB
package import Groundwork

extension StoreWriter {
    /// Inserts or updates records as a server sent them, with the pending writes applied over them.
    ///
    /// A record that can't be decoded is set aside with its error and doesn't block the others. An unchanged row isn't
    /// written.
    ///
    /// - Returns: The errors, one for each record that was set aside.
    @discardableResult
    package func apply(_ type: RecordType, _ records: some Sequence<JSONText>) throws -> [RecordError] {
        let pending = try db.hasPending(type) ? try pendingValues(type) : [:]
        let hasBulk = try db.hasPendingBulk(type) || db.hasAppliedBulk(type)
        let hasSetAside = try Int.fetchOne(db.cachedStatement(sql: "SELECT 1 FROM setAside LIMIT 1")) != nil
        let revision = try nextRevision()
        var upsert = ColumnBinder(try db.cachedStatement(sql: type.upsert))
        defer { upsert.clear() }
        var decoder = RecordDecoder(type)
        var errors: [RecordError] = []
        for text in records {
            do throws(RecordError) {
                try text.withBytes { (bytes) throws(RecordError) in try decoder.read(bytes) }
            } catch {
                errors.append(error)
                try setAside(type, text, error)
                continue
            }
            let own = pending[decoder.id]
            let all = hasBulk ? try bulkValues(type, of: decoder.id, over: own) : [:]
            try text.withBytes { bytes in
                upsert.restart()
                upsert.bind(decoder.id)
                upsert.bindBlob(bytes)
                upsert.bind(now)
                upsert.bind(revision)
                for (column, value) in zip(type.columns, decoder.values) {
                    if column.isWritable, let mine = own?.value(of: column, over: value) {
                        upsert.bind(mine)
                    } else if value == .null, let mine = all[column.name] {
                        upsert.bind(mine)
                    } else {
                        upsert.bind(value, in: bytes)
                    }
                }
                for (column, value) in zip(type.columns, decoder.values) where column.isWritable {
                    upsert.bind(value, in: bytes)
                }
                try upsert.execute()
            }
            if hasSetAside {
                try db.execute(
                    sql: "DELETE FROM setAside WHERE type = ? AND id = ?",
                    arguments: [type.name, decoder.id]
                )
            }
        }
        return errors
    }

    /// Inserts or updates a record that this device derives, of a type that isn't writable. Its text isn't read. An
    /// unchanged row isn't written.
    ///
    /// - Parameter record: The record, with that id. It isn't set aside: it has all required fields.
    package func apply(_ type: RecordType, _ id: String, derived record: JSON) throws {
        let revision = try nextRevision()
        var upsert = ColumnBinder(try db.cachedStatement(sql: type.upsert))
        defer { upsert.clear() }
        try record.utf8.withUnsafeBufferPointer { bytes in
            upsert.restart()
            upsert.bind(id)
            upsert.bindBlob(bytes)
            upsert.bind(now)
            upsert.bind(revision)
            for column in type.columns { upsert.bind(column.storedValue(of: record)) }
            try upsert.execute()
        }
    }

    /// Applies changed records, as ``apply(_:_:)`` does. A record that had an outline row counts as requested, so that
    /// an old one doesn't make the device fetch all newer ones.
    func applyChanged(_ type: RecordType, _ records: [JSONText]) throws {
        var outlined: [String] = []
        if type.outline != nil, !records.isEmpty {
            let find = try db.cachedStatement(sql: "SELECT 1 FROM \"\(type.outlineTable)\" WHERE id = ?")
            outlined = try records.compactMap { $0["id"]?.value.stringValue }
                .filter { try Int.fetchOne(find, arguments: [$0]) != nil }
        }
        let errors = try apply(type, records)
        if !outlined.isEmpty { try markRequested(type, outlined) }
        // A record that can't be decoded is counted by its outline row, which the next listing contains.
        if !errors.isEmpty { try expireOutline(type) }
    }

    /// Removes records that the server reports as gone. Pending writes to them stay until the server answers them.
    package func remove(_ type: RecordType, _ ids: some Sequence<String>) throws {
        var isNumbered = false
        let delete = try db.cachedStatement(sql: "DELETE FROM \"\(type.table)\" WHERE id = ?")
        let deleteSetAside = try db.cachedStatement(sql: "DELETE FROM setAside WHERE type = ? AND id = ?")
        for id in ids {
            if !isNumbered { _ = try nextRevision() }
            isNumbered = true
            try delete.execute(arguments: [id])
            try deleteSetAside.execute(arguments: [type.name, id])
            if type.outline != nil {
                try db.cachedStatement(sql: "DELETE FROM \"\(type.outlineTable)\" WHERE id = ?").execute(arguments: [id]
                )
            }
        }
        if isNumbered { try trimRemovedRows() }
    }

    /// Replaces all records of a type: applies the given ones, as ``apply(_:_:)`` does, and removes the others.
    func replace(_ type: RecordType, with records: [JSONText]) throws {
        try db.execute(sql: "DELETE FROM setAside WHERE type = ?", arguments: [type.name])
        try apply(type, records)
        let found = Set(records.compactMap { $0["id"]?.value.stringValue })
        let storedIDs = try db.ids(of: type)
        try remove(type, storedIDs.filter { !found.contains($0) })
    }

    /// Removes the oldest rows beyond a limit, on this device only. The server deletes nothing because of it. Rows with
    /// pending writes stay, and so do all rows of a type without a window of the newest records.
    package func evict(_ type: RecordType, limit: Int) throws {
        guard case .newest(_, _, let retention) = type.window else { return }
        let active = retention.active.rule()
        let count = try Int.fetchOne(
            db.cachedStatement(sql: "SELECT count(*) FROM \"\(type.table)\" WHERE \(active)")
        )
        guard var count, count > limit else { return }
        var isKept = "false"
        if type.outline != nil {
            // Recently requested records are kept in addition to the window.
            let since = now - Self.requestedLifetime
            // Unconfirmed rows are confirmed first. Otherwise their records might be neither on the device nor in the
            // outline.
            isKept = "ifnull(askedAt >= \(since), false) OR isUnconfirmed IS NOT NULL"
            count -=
                try Int.fetchOne(
                    db,
                    sql: "SELECT count(*) FROM \"\(type.table)\" WHERE askedAt >= ? AND (\(active))",
                    arguments: [since]
                ) ?? 0
            guard count > limit else { return }
        }
        _ = try nextRevision()
        let rows = """
            SELECT rowid FROM "\(type.table)" AS t
            WHERE (\(active)) AND (\(retention.evictable.rule())) AND NOT (\(isKept))
                AND NOT EXISTS (SELECT 1 FROM pending WHERE pending.type = :type AND pending.id = t.id)
            ORDER BY \(retention.oldestFirst)
            LIMIT :excess
            """
        let arguments: StatementArguments = ["type": type.name, "excess": count - limit]
        try insertOutlineRows(type, for: rows, arguments)
        try db.execute(sql: "DELETE FROM \"\(type.table)\" WHERE rowid IN (\(rows))", arguments: arguments)
        try trimRemovedRows()
    }

    /// The time for which requested records are kept in addition to the window, in milliseconds.
    private static let requestedLifetime = 86_400_000

    /// Marks records as requested by a query or by the person.
    func markRequested(_ type: RecordType, _ ids: [String]) throws {
        let mark = try db.cachedStatement(sql: "UPDATE \"\(type.table)\" SET askedAt = ? WHERE id = ?")
        for id in ids { try mark.execute(arguments: [now, id]) }
    }

    /// Decodes set-aside records again, after an upgrade that may be able to decode them.
    func retrySetAside(_ type: RecordType) throws {
        let texts = try Row.fetchAll(db, sql: "SELECT json FROM setAside WHERE type = ?", arguments: [type.name])
            .compactMap { row -> JSONText? in
                let data: Data = row[0]
                return try? JSONText(checking: [UInt8](data))
            }
        try apply(type, texts)
    }

    private func setAside(_ type: RecordType, _ text: JSONText, _ error: RecordError) throws {
        try db.execute(
            sql: """
                INSERT INTO setAside(type, id, json, reason) VALUES (?, ?, ?, ?)
                    ON CONFLICT DO UPDATE SET json = excluded.json, reason = excluded.reason
                """,
            arguments: [type.name, error.id ?? "", Data(text.bytes), error.description]
        )
    }
}

extension RecordType {
    /// Returns ``upsert``.
    func makeUpsert() -> String {
        let names = ["id", "json", "now", "revision"] + columns.map(\.name) + writableColumns.map(\.serverName)
        let stored = names.filter { $0 != "now" }
        let given = names.enumerated().map { "?\($0 + 1) AS \"\($1)\"" }
        func rule(_ rule: String) -> String { rule.rule(row: "v").replacing(":now", with: "v.now") }
        func list(_ prefix: String = "") -> String { stored.map { "\(prefix)\"\($0)\"" }.joined(separator: ", ") }
        // A row from the server is no longer provisional or unconfirmed.
        let marks = ["provisionalUntil", "isUnconfirmed"]
        let changes = (stored + ["phase", "due"] + marks).filter { $0 != "id" }
            .map { "\"\($0)\" = excluded.\"\($0)\"" }
        let compared = ["json"] + marks + writableColumns.flatMap { [$0.name, $0.serverName] }
        let differs = compared.map { "\"\(table)\".\"\($0)\" IS NOT excluded.\"\($0)\"" }
        return """
            INSERT INTO "\(table)"(\(list()), phase, due)
                SELECT \(list("v.")), \(rule(phase)), \(rule(dueRule))
                FROM (SELECT \(given.joined(separator: ", "))) AS v WHERE true
                ON CONFLICT(id) DO UPDATE SET \(changes.joined(separator: ", "))
                WHERE \(differs.joined(separator: " OR "))
            """
    }
}

extension Database {
    /// Whether records of a type were set aside because they couldn't be decoded.
    package func hasSetAside(_ type: RecordType) throws -> Bool {
        try Int.fetchOne(
            cachedStatement(sql: "SELECT 1 FROM setAside WHERE type = ? LIMIT 1"),
            arguments: [type.name]
        ) != nil
    }

    /// Returns the number of records of some types that couldn't be decoded.
    package func setAsideCount(_ types: [RecordType]) throws -> Int {
        try types.reduce(0) { count, type in
            try count
                + (Int.fetchOne(
                    cachedStatement(sql: "SELECT count(*) FROM setAside WHERE type = ?"),
                    arguments: [type.name]
                ) ?? 0)
        }
    }
}
