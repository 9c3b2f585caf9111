import GRDB
import Groundwork

/// The progress of the listing of a type's outline.
struct OutlinePosition: Hashable, Sendable {
    /// Whether the server has sent counts, or a listing has begun. Otherwise the server may not offer an outline.
    let isAvailable: Bool
    /// The state that the listed rows reflect; nil before a listing has begun.
    let upTo: String?
    /// The cursor at which the listing continues; nil at its start.
    let cursor: String?
    /// Whether the listing is complete. From then on, changes keep the rows current.
    let isComplete: Bool
    /// Whether records that belong on the device may be missing: set when changes arrive, and cleared once the missing
    /// records have been fetched.
    let mayMissRecords: Bool

    static let none = OutlinePosition(
        isAvailable: false,
        upTo: nil,
        cursor: nil,
        isComplete: false,
        mayMissRecords: true
    )
}

/// A page of outline rows, as the server sent it.
struct OutlinePage: Sendable {
    let rows: [JSONText]
    /// The cursor of the next page; nil for the last page.
    let after: String?
    /// The state that the rows reflect; nil if the server doesn't report one.
    let state: String?
}

extension Database {
    func outlinePosition(_ type: RecordType) throws -> OutlinePosition {
        let row = try Row.fetchOne(
            cachedStatement(sql: "SELECT upTo, cursor, isComplete, mayLack FROM outline WHERE type = ?"),
            arguments: [type.name]
        )
        return row.map {
            OutlinePosition(isAvailable: true, upTo: $0[0], cursor: $0[1], isComplete: $0[2], mayMissRecords: $0[3])
        } ?? .none
    }

    /// Returns the ids that end with a text, of records that aren't on the device but have outline rows.
    package func outlineIDs(_ type: RecordType, withSuffix text: String, limit: Int) throws -> [String] {
        guard type.outline != nil, !text.isEmpty else { return [] }
        return try String.fetchAll(
            cachedStatement(sql: "SELECT id FROM \"\(type.outlineTable)\" WHERE substr(id, -length(?1)) = ?1 LIMIT ?2"),
            arguments: [text, limit]
        )
    }

    /// Returns whether every record on the server is known on this device, by its own row or by an outline row.
    package func hasCompleteOutline(_ type: RecordType) throws -> Bool { try outlinePosition(type).isComplete }
}

extension StoreWriter {
    /// Begins a listing as of a state, and removes the rows of the previous one.
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

    /// Records whether records that belong on the device may be missing.
    func setMayMissRecords(_ type: RecordType, _ mayMiss: Bool = true) throws {
        guard type.outline != nil else { return }
        try db.cachedStatement(sql: "UPDATE outline SET mayLack = ?1 WHERE type = ?2 AND mayLack <> ?1")
            .execute(arguments: [mayMiss, type.name])
    }

    /// Marks the outline rows as outdated, so that they are listed again. Until then, the existing rows are counted.
    func expireOutline(_ type: RecordType) throws {
        guard type.outline != nil else { return }
        try db.execute(
            sql: """
                UPDATE outline SET upTo = NULL,
                cursor = NULL, isComplete = 0, counts = NULL, countedAt = NULL WHERE type = ?
                """,
            arguments: [type.name]
        )
    }

    /// Removes all outline rows of a type.
    func clearOutline(_ type: RecordType) throws {
        guard type.outline != nil else { return }
        try expireOutline(type)
        try db.execute(sql: "DELETE FROM \"\(type.outlineTable)\"")
    }

    /// Stores a page of a listing: an outline row for each record that isn't on the device, with the pending values
    /// applied.
    ///
    /// - Parameter isCurrent: Whether the page reflects the store's state, so that the last page completes the listing.
    ///   If the last page reflects a later state, the changes up to that state have to be fetched first, and then the
    ///   page again.
    func store(_ page: OutlinePage, of type: RecordType, isCurrent: Bool) throws {
        guard type.outline != nil else { return }
        let columns = type.outlineColumns
        let pending = try pendingValues(type)
        let bulk = try db.pendingBulk(type)
        let position = try db.outlinePosition(type)
        let insert = try db.cachedStatement(sql: type.outlineUpsert)
        var ids: [String] = []
        for text in page.rows {
            // An invalid row is skipped. Its record is counted once it is on the device.
            guard let values = text.value.arrayValue, let id = values.first?.stringValue else { continue }
            var server: [DatabaseValue] = []
            for (index, column) in columns.enumerated() {
                let value = column.outlineValue(values.count > index + 1 ? values[index + 1] : .null)
                server.append(value)
            }
            var effective = server
            let own = pending[id]
            for (index, column) in columns.enumerated() where column.isWritable {
                if let mine = own?[column.name] { effective[index] = column.databaseValue(mine) }
            }
            ids.append(id)
            let writable = zip(columns, server).filter { $0.0.isWritable }.map(\.1)
            try insert.execute(
                arguments: StatementArguments([id.databaseValue, now.databaseValue] + effective + writable)
            )
        }
        // Listed records whose rows are provisional exist on the server: they are marked to be fetched as a whole.
        try db.execute(
            sql: """
                UPDATE "\(type.table)" SET provisionalUntil = NULL, isUnconfirmed = \(ProvisionalRows.unknownContent)
                    WHERE provisionalUntil IS NOT NULL AND id IN (SELECT value FROM json_each(?))
                """,
            arguments: [JSON(ids).description]
        )
        // Bulk writes that were made during this listing apply to its rows too.
        for write in bulk where write.listedUpTo == position.upTo {
            try applyBulk(write, of: type, in: type.outlineTable, only: ids)
        }
        if let after = page.after {
            return try db.execute(
                sql: "UPDATE outline SET cursor = ? WHERE type = ?",
                arguments: [after, type.name]
            )
        }
        guard isCurrent else { return }
        // From now on, the counts of the stored rows are exact.
        try db.execute(
            sql: """
                UPDATE outline SET cursor = NULL, isComplete = 1, counts = NULL, countedAt = NULL WHERE type = ?
                """,
            arguments: [type.name]
        )
    }

    /// Keeps outline rows of records that are about to be evicted.
    ///
    /// Provisional records get none: the server may never have them. If it has them, they arrive with the changes.
    ///
    /// - Parameter rows: SQL that selects the row ids of the records.
    func insertOutlineRows(_ type: RecordType, for rows: String, _ arguments: StatementArguments) throws {
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
    /// A statement that writes an outline row. Its arguments are the id, the current time, the effective columns and
    /// the server's columns. It does nothing if the record itself is on the device.
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
                SELECT \(list("v.")), \(rule(phase)), \(rule(dueRule))
                FROM (SELECT \(given.joined(separator: ", "))) AS v
                    WHERE NOT EXISTS (SELECT 1 FROM "\(table)" WHERE id = v.id)
                ON CONFLICT(id) DO UPDATE SET \(changes.joined(separator: ", "))
            """
    }
}

extension RecordColumn {
    /// Returns the column's value for a value of an outline row, in which dates are milliseconds.
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
        // A row without a required value is counted, and sorts last.
        case .invalid: 0.databaseValue
        case .null: .null
        }
    }
}
