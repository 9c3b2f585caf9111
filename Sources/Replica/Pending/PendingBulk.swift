import GRDB
package import Groundwork
import JMAP

/// A bulk write (``BulkRule``) that the server hasn't confirmed.
struct PendingBulk: Hashable, Sendable {
    /// The prefix of the ids of bulk entries. No record has such an id (RFC 8620, section 1.2). A number and the value
    /// of the scope follow.
    static let idPrefix = "*"
    /// The member of the entry's value that isn't sent: the state of the outline listing that is in progress or about
    /// to begin.
    static let listedUpTo = "listedUpTo"

    /// The suffix of the type's name in the entry of a bulk write that the server has applied, while the resulting
    /// changes haven't arrived.
    static let appliedSuffix = "/answered"

    /// The pending entry's id.
    let id: String
    /// The time of the person's action, in milliseconds.
    let at: Int
    /// The value of the rule's scope column to which the write is limited; nil for all records.
    let scope: String?
    let listedUpTo: String?

    /// Returns the id of a bulk entry.
    ///
    /// - Parameter number: Distinguishes the pending entries of a scope, from 0.
    static func id(scope: String?, after number: Int) -> String {
        "\(idPrefix)\(number)\(idPrefix)\(scope ?? "")"
    }

    /// Returns nil if the entry isn't a valid bulk write.
    init?(id: String, value: JSON, _ rule: BulkRule) {
        guard id.hasPrefix(Self.idPrefix), let at = value["at"]?.stringValue.flatMap({ RFC3339.date(from: $0) }) else {
            return nil
        }
        self.id = id
        self.at = at.milliseconds
        scope = value[rule.scope]?.stringValue?.normalized
        listedUpTo = value[Self.listedUpTo]?.stringValue
    }

    /// Returns whether the write reaches records with a value in the rule's scope column.
    func reaches(_ value: String) -> Bool { scope.map { $0 == value } ?? true }
}

extension [PendingBulk] {
    /// Returns whether no record that the writes reach can meet a counter's condition: it requires a column that they
    /// set to be null.
    func clears(_ condition: String, _ rule: BulkRule?) -> Bool {
        !isEmpty && (rule?.columns.contains { condition.contains("{\($0)} IS NULL") } ?? false)
    }

    /// Returns an SQL condition for the rows that one of the writes reaches.
    func sql(_ rule: BulkRule?) -> String {
        guard let rule, !isEmpty else { return "false" }
        let scopes = compactMap(\.scope)
        guard scopes.count == count else { return "true" }
        return "\"\(rule.scope)\" IN (\(scopes.map { "'\($0.replacing("'", with: "''"))'" }.joined(separator: ", ")))"
    }
}

extension Database {
    /// Returns the bulk writes whose effects are shown: those waiting to be sent, those being sent, and those whose
    /// changes haven't arrived yet.
    func pendingBulk(_ type: RecordType) throws -> [PendingBulk] {
        guard let rule = type.outline?.bulk else { return [] }
        return try bulkEntries(type).compactMap { PendingBulk(id: $0.id, value: $0.value, rule) }
    }

    private func bulkEntries(_ type: RecordType) throws -> [PendingEntry] {
        guard let rule = type.outline?.bulk else { return [] }
        let rows = try Row.fetchAll(
            cachedStatement(
                sql: "SELECT id, value FROM pending WHERE type IN (?, ?) AND path = ? ORDER BY sealed DESC, rowid"
            ),
            arguments: [type.name, type.name + PendingBulk.appliedSuffix, rule.argument]
        )
        return rows.compactMap { row in
            (try? JSON(parsing: (row[1] as String).utf8)).map {
                PendingEntry(id: row[0], path: rule.argument, value: $0)
            }
        }
    }

    /// Returns whether a bulk write waits to be sent or answered.
    func hasPendingBulk(_ type: RecordType) throws -> Bool { try hasBulk(type, of: type.name) }

    /// Returns whether the server has applied a bulk write whose changes haven't arrived yet.
    func hasAppliedBulk(_ type: RecordType) throws -> Bool {
        try hasBulk(type, of: type.name + PendingBulk.appliedSuffix)
    }

    private func hasBulk(_ type: RecordType, of name: String) throws -> Bool {
        guard let rule = type.outline?.bulk else { return false }
        return try Int.fetchOne(
            cachedStatement(sql: "SELECT 1 FROM pending WHERE type = ? AND path = ? LIMIT 1"),
            arguments: [name, rule.argument]
        ) != nil
    }
}

extension StoreWriter {
    /// Writes to all records that the type's bulk rule reaches, including those that this device doesn't know: sets the
    /// effective values, and adds one pending entry.
    ///
    /// - Parameters:
    ///   - scope: The value of the rule's scope column to which the write is limited; nil for all records.
    ///   - value: The write as it is sent, with a date `at`.
    /// - Returns: The ids of the known records whose values changed, newest first; nil if the server's records can't be
    ///   written to in bulk. Then nothing has changed.
    package func updateAll(
        _ type: RecordType,
        scope: String?,
        to value: JSONObject
    ) throws -> [String]? {
        guard let outline = type.outline, let rule = outline.bulk else { return nil }
        let position = try db.outlinePosition(type)
        guard position.isAvailable else { return nil }
        var value = value
        value[rule.scope] = scope.map(JSON.string)
        if !position.isComplete {
            // A listing whose first page is being fetched reflects the current state.
            value[PendingBulk.listedUpTo] = try (position.upTo ?? db.syncPosition(type)?.state).map(JSON.string)
        }
        let changed = try reached(type, scope: scope)
        // If no known record is reached, nothing has to be sent if all records are known, or if the last waiting write
        // is the same.
        if try changed.isEmpty && (position.isComplete || isRepeated(type, rule, value)) { return [] }
        let id = try freeBulkID(type, rule, scope: scope?.normalized)
        guard let write = PendingBulk(id: id, value: .object(value), rule) else { return nil }
        // Earlier writes to individual records are sent before the bulk write. These records, and those that are newer
        // than the state, get individual writes that are sent after it.
        let single = try String.fetchAll(
            db,
            sql: """
                SELECT id FROM pending WHERE type = ?
                    AND path IN (\(rule.columns.map { _ in "?" }.joined(separator: ", ")))
                UNION SELECT id FROM "\(type.table)" WHERE provisionalUntil IS NOT NULL
                UNION SELECT id FROM "\(type.table)" WHERE isUnconfirmed IS NOT NULL
                """,
            arguments: StatementArguments([type.name] + rule.columns)
        )
        try db.execute(
            sql: "INSERT INTO pending(type, id, path, value) VALUES (?, ?, ?, ?)",
            arguments: [type.name, id, rule.argument, JSON.object(value).description]
        )
        let first = rule.columns[0]
        let reached = Set(changed)
        let named = single.filter(reached.contains)
        for name in rule.columns {
            guard let column = type.column(name), let date = value["at"] else { continue }
            let isFree = name == first ? "true" : "{\(name)} IS NULL"
            _ = try update(type, column, to: date, ids: named, where: isFree)
        }
        for table in type.rowTables { try applyBulk(write, of: type, in: table, only: nil) }
        return changed
    }

    /// Returns the ids of the known records that a bulk write reaches now, on the device or not, newest first.
    ///
    /// - Parameter scope: The value of the rule's scope column to which the write is limited; nil for all records.
    package func reached(_ type: RecordType, scope: String?) throws -> [String] {
        guard let outline = type.outline, let rule = outline.bulk else { return [] }
        let isInScope = scope == nil ? "" : " AND \"\(rule.scope)\" = :scope"
        let parts = type.rowTables.map {
            "SELECT \"\(outline.order)\" AS time, id FROM \"\($0)\" WHERE (\(rule.condition.rule()))\(isInScope)"
        }
        return try String.fetchAll(
            db,
            sql: "SELECT id FROM (\(parts.joined(separator: " UNION ALL "))) ORDER BY time DESC, id DESC",
            arguments: scope.map { ["scope": $0.normalized] } ?? StatementArguments()
        )
    }

    /// Returns whether the last unsealed entry is a bulk write that differs only in its time.
    private func isRepeated(_ type: RecordType, _ rule: BulkRule, _ value: JSONObject) throws -> Bool {
        let last = try Row.fetchOne(
            db,
            sql: "SELECT path, value FROM pending WHERE type = ? AND sealed = 0 ORDER BY rowid DESC LIMIT 1",
            arguments: [type.name]
        )
        guard let last, last[0] == rule.argument, let waiting = try? JSON(parsing: (last[1] as String).utf8) else {
            return false
        }
        func withoutTime(_ value: JSONObject) -> JSON {
            var value = value
            value["at"] = nil
            return .object(value)
        }
        return waiting.objectValue.map { withoutTime($0) == withoutTime(value) } ?? false
    }

    /// Returns an unused id for a bulk write, so that the new entry is sent after those that wait.
    private func freeBulkID(_ type: RecordType, _ rule: BulkRule, scope: String?) throws -> String {
        var number = 0
        while true {
            let id = PendingBulk.id(scope: scope, after: number)
            let isTaken = try Int.fetchOne(
                db.cachedStatement(sql: "SELECT 1 FROM pending WHERE type = ? AND id = ? AND path = ? LIMIT 1"),
                arguments: [type.name, id, rule.argument]
            )
            if isTaken == nil { return id }
            number += 1
        }
    }

    /// Sets a write's effective values in the rows of a table that it reaches.
    ///
    /// - Parameter ids: The ids to which the update is limited; nil for all.
    func applyBulk(_ write: PendingBulk, of type: RecordType, in table: String, only ids: [String]?) throws {
        guard let rule = type.outline?.bulk else { return }
        let own = "SELECT id FROM pending WHERE type = '\(type.name)' AND path IN (\(rule.quotedColumns))"
        let values = rule.columns.map { "\"\($0)\" = ifnull(\"\($0)\", :at)" }
        let revision = table == type.table ? ", revision = \(try nextRevision())" : ""
        let listed = ids == nil ? "" : " AND id IN (SELECT value FROM json_each(:ids))"
        var arguments: StatementArguments = ["at": write.at]
        if let ids { arguments += ["ids": JSON(ids).description] }
        try db.execute(
            sql: """
                UPDATE "\(table)" SET \(values.joined(separator: ", "))\(revision)
                    WHERE (\(rule.condition.rule())) AND (\([write].sql(rule))) AND id NOT IN (\(own))\(listed)
                """,
            arguments: arguments
        )
    }

    /// Records that the server has applied a sealed bulk write. Its effects arrive with the changes: the server may
    /// have skipped records that another device had changed before.
    func markApplied(_ type: RecordType, _ bulk: PendingEntry) throws {
        try db.execute(
            sql: """
                UPDATE OR REPLACE pending SET type = :type || '\(PendingBulk.appliedSuffix)', sealed = 0
                    WHERE type = :type AND id = :id AND path = :path AND sealed = 1
                """,
            arguments: ["type": type.name, "id": bulk.id, "path": bulk.path]
        )
    }

    /// Settles applied bulk writes once all changes up to the server's answer have arrived: records that these don't
    /// mention weren't changed.
    func finishAppliedBulk(_ type: RecordType) throws {
        guard let rule = type.outline?.bulk else { return }
        let name = type.name + PendingBulk.appliedSuffix
        let answered = try Row.fetchAll(db, sql: "SELECT id, value FROM pending WHERE type = ?", arguments: [name])
        try db.execute(sql: "DELETE FROM pending WHERE type = ?", arguments: [name])
        for row in answered {
            guard let value = try? JSON(parsing: (row[1] as String).utf8) else { continue }
            try restore(type, bulk: PendingEntry(id: row[0], path: rule.argument, value: value))
        }
    }

    /// Restores the server's values where a bulk write that has ended had set others, including in records that have
    /// moved to another scope, which the write no longer reaches.
    func restore(_ type: RecordType, bulk entry: PendingEntry) throws {
        guard let rule = type.outline?.bulk else { return }
        // Records that other bulk writes also reach keep their values until those writes end. The date of the ended
        // one, which the server hasn't set, gives way to that of a later one.
        let others = try db.pendingBulk(type)
        let ended = PendingBulk(id: entry.id, value: entry.value, rule)
        for table in type.rowTables {
            for name in rule.columns {
                guard let column = type.column(name) else { continue }
                let own = "SELECT id FROM pending WHERE type = '\(type.name)' AND path = '\(name)'"
                let revision = table == type.table ? ", revision = \(try nextRevision())" : ""
                for later in others where later.at > ended?.at ?? .max {
                    try db.execute(
                        sql: """
                            UPDATE "\(table)" SET "\(name)" = :later\(revision)
                                WHERE "\(name)" = :ended AND "\(column.serverName)" IS NULL
                                    AND (\([later].sql(rule))) AND id NOT IN (\(own))
                            """,
                        arguments: ["later": later.at, "ended": ended?.at]
                    )
                }
                try db.execute(
                    sql: """
                        UPDATE "\(table)" SET "\(name)" = NULL\(revision)
                            WHERE "\(name)" IS NOT NULL AND "\(column.serverName)" IS NULL
                                AND NOT (\(others.sql(rule))) AND id NOT IN (\(own))
                        """
                )
            }
        }
    }

    /// Returns the dates that bulk writes gave to a record and that the server doesn't have. They stay visible when the
    /// record is fetched again.
    func bulkValues(_ type: RecordType, of id: String, over own: [String: JSON]?) throws -> [String: DatabaseValue] {
        guard let rule = type.outline?.bulk else { return [:] }
        let columns = rule.columns.compactMap(type.column)
        let names = columns.flatMap { ["\"\($0.name)\"", "\"\($0.serverName)\""] }.joined(separator: ", ")
        for table in type.rowTables {
            let select = try db.cachedStatement(sql: "SELECT \(names) FROM \"\(table)\" WHERE id = ?")
            guard let row = try Row.fetchOne(select, arguments: [id]) else { continue }
            var values: [String: DatabaseValue] = [:]
            for (index, column) in columns.enumerated() where own?[column.name] == nil {
                let (shown, server): (DatabaseValue, DatabaseValue) = (row[index * 2], row[index * 2 + 1])
                if !shown.isNull, server.isNull { values[column.name] = shown }
            }
            return values
        }
        return [:]
    }
}

extension BulkRule {
    fileprivate var quotedColumns: String { columns.map { "'\($0)'" }.joined(separator: ", ") }
}
