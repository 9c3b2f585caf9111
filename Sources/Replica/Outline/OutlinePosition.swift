import GRDB
import Groundwork

/// How far the light rows of a type are there.
struct OutlinePosition: Hashable, Sendable {
    /// Whether the server has reported records that aren't on the device. If not, it may have no outline.
    let isOffered: Bool
    /// The state as of which they are listed; nil before a listing has begun.
    let upTo: String?
    /// Where the listing goes on; nil at its start.
    let cursor: String?
    /// Whether all are there: from then on, changes keep them current.
    let isComplete: Bool
    /// Whether records that belong onto the device may not be held: from news on, until it was looked and they were
    /// fetched.
    let mayLack: Bool

    static let none = OutlinePosition(isOffered: false, upTo: nil, cursor: nil, isComplete: false, mayLack: true)
}

/// A page of light rows, as a server sent it.
struct OutlinePage: Sendable {
    let rows: [JSONText]
    /// Where the next page begins; nil after the last.
    let after: String?
    /// As of which state the rows are; nil where the server doesn't say.
    let state: String?
}

extension Database {
    func outlinePosition(_ type: RecordType) throws -> OutlinePosition {
        let row = try Row.fetchOne(
            cachedStatement(sql: "SELECT upTo, cursor, isComplete, mayLack FROM outline WHERE type = ?"),
            arguments: [type.name]
        )
        return row.map {
            OutlinePosition(isOffered: true, upTo: $0[0], cursor: $0[1], isComplete: $0[2], mayLack: $0[3])
        } ?? .none
    }

    /// The ids of records that aren't held and end in a text.
    package func unheldIDs(_ type: RecordType, endingIn text: String, limit: Int) throws -> [String] {
        guard type.outline != nil, !text.isEmpty else { return [] }
        return try String.fetchAll(
            cachedStatement(sql: "SELECT id FROM \"\(type.outlineTable)\" WHERE substr(id, -length(?1)) = ?1 LIMIT ?2"),
            arguments: [text, limit]
        )
    }

    /// Whether every record that the server has is known on this device, by its own row or a light one.
    package func knowsAll(_ type: RecordType) throws -> Bool { try outlinePosition(type).isComplete }
}

extension StoreWriter {
    /// Begins a listing as of a state: what was listed before is removed.
    func beginOutline(_ type: RecordType, upTo state: String) throws {
        try db.execute(sql: "DELETE FROM \"\(type.outlineTable)\"")
        try db.execute(
            sql: """
                INSERT INTO outline(type, upTo, isComplete) VALUES (?, ?, 0)
                    ON CONFLICT DO UPDATE SET upTo = excluded.upTo, cursor = NULL, isComplete = 0, mayLack = 1
                """,
            arguments: [type.name, state]
        )
    }

    /// Notes whether records that belong onto the device may not be held.
    func setMayLack(_ type: RecordType, isThere: Bool = true) throws {
        guard type.outline != nil else { return }
        try db.cachedStatement(sql: "UPDATE outline SET mayLack = ?1 WHERE type = ?2 AND mayLack <> ?1")
            .execute(arguments: [isThere, type.name])
    }

    /// Notes that the light rows are no longer current: they are listed again. Until then they are counted as they are.
    func expireOutline(_ type: RecordType) throws {
        guard type.outline != nil else { return }
        try db.execute(
            sql: """
                UPDATE outline SET upTo = NULL, cursor = NULL, isComplete = 0, counts = NULL, countedAt = NULL WHERE type = ?
                """,
            arguments: [type.name]
        )
    }

    /// Removes all light rows of a type.
    func clearOutline(_ type: RecordType) throws {
        guard type.outline != nil else { return }
        try expireOutline(type)
        try db.execute(sql: "DELETE FROM \"\(type.outlineTable)\"")
    }

    /// Takes a page of a listing: a light row for each record that isn't held, with the person's unanswered values over
    /// it.
    ///
    /// - Parameter isCurrent: Whether the page is as of the store's state, so that with the last one all are there. Of
    ///   a later one the changes until then are to be asked for first, and the page again.
    func take(_ page: OutlinePage, of type: RecordType, isCurrent: Bool) throws {
        guard type.outline != nil else { return }
        let columns = type.outlineColumns
        let pending = try pendingValues(type)
        let bulk = try db.pendingBulk(type)
        let position = try db.outlinePosition(type)
        let insert = try db.cachedStatement(sql: type.outlineUpsert)
        var ids: [String] = []
        for text in page.rows {
            // A row that can't be read is left out: its record is counted once it is there itself.
            guard let values = text.value.arrayValue, let id = values.first?.stringValue else { continue }
            var server: [DatabaseValue] = []
            for (place, column) in columns.enumerated() {
                let value = column.outlineValue(values.count > place + 1 ? values[place + 1] : .null)
                server.append(value)
            }
            var effective = server
            let own = pending[id]
            for (place, column) in columns.enumerated() where column.isWritable {
                if let mine = own?[column.name] { effective[place] = column.databaseValue(mine) }
            }
            ids.append(id)
            let writable = zip(columns, server).filter { $0.0.isWritable }.map(\.1)
            try insert.execute(
                arguments: StatementArguments([id.databaseValue, now.databaseValue] + effective + writable)
            )
        }
        // What came by another way is the server's too: it is asked for.
        try db.execute(
            sql: """
                UPDATE "\(type.table)" SET provisionalUntil = NULL, isUnconfirmed = 1
                    WHERE provisionalUntil IS NOT NULL AND id IN (SELECT value FROM json_each(?))
                """,
            arguments: [JSON(ids).description]
        )
        // What the person did to all of them, when this listing had begun.
        for write in bulk where write.listedUpTo == position.upTo {
            try show(write, of: type, in: type.outlineTable, only: ids)
        }
        if let after = page.after {
            return try db.execute(
                sql: "UPDATE outline SET cursor = ? WHERE type = ?",
                arguments: [after, type.name]
            )
        }
        guard isCurrent else { return }
        // From now on what is counted here says all.
        try db.execute(
            sql: """
                UPDATE outline SET cursor = NULL, isComplete = 1, counts = NULL, countedAt = NULL WHERE type = ?
                """,
            arguments: [type.name]
        )
    }

    /// Keeps light rows of records that are about to be evicted.
    ///
    /// Records that didn't come from the server get none: the server may never have them. If it has them, the changes
    /// report them.
    ///
    /// - Parameter rows: SQL that selects the row ids of the records.
    func leaveOutline(_ type: RecordType, of rows: String, _ arguments: StatementArguments) throws {
        guard type.outline != nil else { return }
        let columns =
            ["id", "phase", "due"] + type.outlineColumns.map(\.name)
            + type.outlineColumns.filter(\.isWritable).map(\.serverName)
        let list = columns.map { "\"\($0)\"" }.joined(separator: ", ")
        try db.cachedStatement(
            sql: """
                INSERT OR IGNORE INTO "\(type.outlineTable)"(\(list))
                    SELECT \(list) FROM "\(type.table)" WHERE rowid IN (\(rows))
                        AND provisionalUntil IS NULL
                """
        ).execute(arguments: arguments)
    }
}

extension RecordType {
    /// Writes a light row, given: id, now, the effective columns, the server's columns. Does nothing where the record
    /// itself is held.
    fileprivate var outlineUpsert: String {
        let columns = outlineColumns
        let names = ["id", "now"] + columns.map(\.name) + columns.filter(\.isWritable).map(\.serverName)
        let stored = names.filter { $0 != "now" }
        let given = names.enumerated().map { "?\($0 + 1) AS \"\($1)\"" }
        func rule(_ rule: String) -> String { rule.rule(row: "v").replacing(":now", with: "v.now") }
        func list(_ prefix: String = "") -> String { stored.map { "\(prefix)\"\($0)\"" }.joined(separator: ", ") }
        let changes = (stored + ["phase", "due"]).filter { $0 != "id" }.map { "\"\($0)\" = excluded.\"\($0)\"" }
        return """
            INSERT INTO "\(outlineTable)"(\(list()), phase, due)
                SELECT \(list("v.")), \(rule(phase)), \(rule(dueRule)) FROM (SELECT \(given.joined(separator: ", "))) AS v
                    WHERE NOT EXISTS (SELECT 1 FROM "\(table)" WHERE id = v.id)
                ON CONFLICT(id) DO UPDATE SET \(changes.joined(separator: ", "))
            """
    }
}

extension RecordColumn {
    /// A value of a light row: text as it is, dates as milliseconds.
    fileprivate func outlineValue(_ json: JSON) -> DatabaseValue {
        let value: DatabaseValue =
            switch (kind, json) {
            case (.text, .string(let text)): text.normalized.databaseValue
            case (.date, .number(let number)), (.integer, .number(let number)), (.bool, .number(let number)):
                number.intValue?.databaseValue ?? .null
            default: .null
            }
        guard value.isNull else { return value }
        return switch missing {
        case .text(let text): text.databaseValue
        case .integer(let number): number.databaseValue
        // (Such a row sorts last, and is counted.)
        case .invalid: 0.databaseValue
        case .null: .null
        }
    }
}
