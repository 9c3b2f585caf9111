import Foundation
package import GRDB
package import Groundwork

extension StoreWriter {
    /// Takes records as a server sent them: each becomes the server's row, with the person's unanswered values over it.
    ///
    /// One that can't be read is set aside with its error, and never holds up the others. A row that is as it was stays
    /// untouched.
    ///
    /// - Returns: The errors, one for each record that was set aside.
    @discardableResult
    package func apply(_ type: RecordType, _ records: some Sequence<JSONText>) throws -> [RecordError] {
        let pending = try db.hasPending(type) ? try pendingValues(type) : [:]
        let hasBulk = try db.hasPendingBulk(type) || db.hasAnsweredBulk(type)
        let hasSetAside = try Int.fetchOne(db, sql: "SELECT 1 FROM setAside LIMIT 1") != nil
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

    /// Takes records that have changed: ``apply(_:_:)``. One that had a light row counts as asked for: as old as it may
    /// be, it doesn't have the device fetch all that is newer.
    func applyChanged(_ type: RecordType, _ records: [JSONText]) throws {
        var light: [String] = []
        if type.outline != nil, !records.isEmpty {
            let find = try db.cachedStatement(sql: "SELECT 1 FROM \"\(type.outlineTable)\" WHERE id = ?")
            light = try records.compactMap { $0["id"]?.value.stringValue }
                .filter { try Int.fetchOne(find, arguments: [$0]) != nil }
        }
        let errors = try apply(type, records)
        if !light.isEmpty { try markRequested(type, light) }
        // What can't be read is counted by its light row, which a listing brings.
        if !errors.isEmpty { try expireOutline(type) }
    }

    /// Removes records because the server says that they are gone. Their pending entries stay until the server answers
    /// them.
    package func remove(_ type: RecordType, _ ids: some Sequence<String>) throws {
        var isNumbered = false
        let delete = try db.cachedStatement(sql: "DELETE FROM \"\(type.table)\" WHERE id = ?")
        let forget = try db.cachedStatement(sql: "DELETE FROM setAside WHERE type = ? AND id = ?")
        for id in ids {
            if !isNumbered { _ = try nextRevision() }
            isNumbered = true
            try delete.execute(arguments: [id])
            try forget.execute(arguments: [type.name, id])
            if type.outline != nil {
                try db.cachedStatement(sql: "DELETE FROM \"\(type.outlineTable)\" WHERE id = ?").execute(arguments: [id]
                )
            }
        }
        if isNumbered { try forgetRemovedRows() }
    }

    /// Takes a whole collection: ``apply(_:_:)``, and what isn't in it is gone.
    func replace(_ type: RecordType, with records: [JSONText]) throws {
        try db.execute(sql: "DELETE FROM setAside WHERE type = ?", arguments: [type.name])
        try apply(type, records)
        let found = Set(records.compactMap { $0["id"]?.value.stringValue })
        let held = try String.fetchAll(db, sql: "SELECT id FROM \"\(type.table)\"")
        try remove(type, held.filter { !found.contains($0) })
    }

    /// Removes the oldest rows past a limit, here only: the server deletes nothing because of it. Rows with pending
    /// writes stay, and all rows of a type that is held whole.
    package func evict(_ type: RecordType, limit: Int) throws {
        guard case .newest(_, _, let retention) = type.window else { return }
        let active = retention.active.rule()
        let count = try Int.fetchOne(
            db.cachedStatement(sql: "SELECT count(*) FROM \"\(type.table)\" WHERE \(active)")
        )
        guard var count, count > limit else { return }
        var isKept = "false"
        if type.outline != nil {
            // What was asked for lately is besides the window.
            let since = now - Self.askedLifetime
            // What no state vouches for yet is confirmed first: else it might be neither here nor known.
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
        try leaveOutline(type, of: rows, arguments)
        try db.execute(sql: "DELETE FROM \"\(type.table)\" WHERE rowid IN (\(rows))", arguments: arguments)
        try forgetRemovedRows()
    }

    /// For how long what a query or the person asked for stays besides the window, in milliseconds.
    private static let askedLifetime = 86_400_000

    /// Notes that records were asked for, by a query or by the person.
    func markRequested(_ type: RecordType, _ ids: [String]) throws {
        let mark = try db.cachedStatement(sql: "UPDATE \"\(type.table)\" SET askedAt = ? WHERE id = ?")
        for id in ids { try mark.execute(arguments: [now, id]) }
    }

    /// Reads again what was set aside, after an upgrade that may have learnt to read it.
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
    /// Writes a row, given: id, JSON, now, revision, the effective columns, the server's columns. Leaves it alone where
    /// nothing differs.
    var upsert: String {
        let names = ["id", "json", "now", "revision"] + columns.map(\.name) + writableColumns.map(\.serverName)
        let stored = names.filter { $0 != "now" }
        let given = names.enumerated().map { "?\($0 + 1) AS \"\($1)\"" }
        func rule(_ rule: String) -> String { rule.rule(row: "v").replacing(":now", with: "v.now") }
        func list(_ prefix: String = "") -> String { stored.map { "\(prefix)\"\($0)\"" }.joined(separator: ", ") }
        // What the server sends is neither provisional nor unconfirmed any more.
        let marks = ["provisionalUntil", "isUnconfirmed"]
        let changes = (stored + ["phase", "due"] + marks).filter { $0 != "id" }
            .map { "\"\($0)\" = excluded.\"\($0)\"" }
        let compared = ["json"] + marks + writableColumns.flatMap { [$0.name, $0.serverName] }
        let differs = compared.map { "\"\(table)\".\"\($0)\" IS NOT excluded.\"\($0)\"" }
        return """
            INSERT INTO "\(table)"(\(list()), phase, due)
                SELECT \(list("v.")), \(rule(phase)), \(rule(dueRule)) FROM (SELECT \(given.joined(separator: ", "))) AS v WHERE true
                ON CONFLICT(id) DO UPDATE SET \(changes.joined(separator: ", "))
                WHERE \(differs.joined(separator: " OR "))
            """
    }
}

extension Database {
    /// Whether there are records of a type that couldn't be read.
    package func hasSetAside(_ type: RecordType) throws -> Bool {
        try Int.fetchOne(
            cachedStatement(sql: "SELECT 1 FROM setAside WHERE type = ? LIMIT 1"),
            arguments: [type.name]
        ) != nil
    }

    /// How many records of some types couldn't be read.
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
