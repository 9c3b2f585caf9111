import GRDB
package import Groundwork
import JMAP

/// A write without names (``BulkRule``) that the server hasn't answered.
struct PendingBulk: Hashable, Sendable {
    /// What the ids of such entries begin with: no record has such an id (RFC 8620 §1.2). A number and the value to
    /// which it is limited follow.
    static let mark = "*"
    /// Of the entry's value, besides what travels: the state as of which light rows were being listed, or are about to
    /// be.
    static let listedUpTo = "listedUpTo"

    /// What follows the type's name in the entry of a write that the server has done, while the changes that it made
    /// are still to come.
    static let answered = "/answered"

    /// The pending entry's id.
    let id: String
    /// When the person did it, in milliseconds.
    let at: Int
    /// The value of the rule's scope to which it is limited; nil for all.
    let scope: String?
    let listedUpTo: String?

    /// - Parameter number: How many such entries stay before it, with others between them.
    static func id(scope: String?, after number: Int) -> String {
        "\(mark)\(number)\(mark)\(scope ?? "")"
    }

    /// - Returns: Nil where the value isn't one that was written here.
    init?(id: String, value: JSON, _ rule: BulkRule) {
        guard id.hasPrefix(Self.mark), let at = value["at"]?.stringValue.flatMap({ RFC3339.date(from: $0) }) else {
            return nil
        }
        self.id = id
        self.at = at.milliseconds
        scope = value[rule.scope]?.stringValue?.normalized
        listedUpTo = value[Self.listedUpTo]?.stringValue
    }

    /// Whether it reaches records with that value in the rule's scope.
    func reaches(_ value: String) -> Bool { scope.map { $0 == value } ?? true }
}

extension [PendingBulk] {
    /// Whether no record that is reached has what a counter's condition asks for.
    func clears(_ condition: String, _ rule: BulkRule?) -> Bool {
        !isEmpty && (rule?.columns.contains { condition.contains("{\($0)} IS NULL") } ?? false)
    }

    /// Whether a row is reached by one of them, as SQL.
    func sql(_ rule: BulkRule?) -> String {
        guard let rule, !isEmpty else { return "false" }
        let scopes = compactMap(\.scope)
        guard scopes.count == count else { return "true" }
        return "\"\(rule.scope)\" IN (\(scopes.map { "'\($0.replacing("'", with: "''"))'" }.joined(separator: ", ")))"
    }
}

extension Database {
    /// The writes without names that are shown: those that wait, those that are on their way, and those whose changes
    /// haven't come yet.
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
            arguments: [type.name, type.name + PendingBulk.answered, rule.argument]
        )
        return rows.compactMap { row in
            (try? JSON(parsing: (row[1] as String).utf8)).map {
                PendingEntry(id: row[0], path: rule.argument, value: $0)
            }
        }
    }

    /// Whether one waits to be sent or answered.
    func hasPendingBulk(_ type: RecordType) throws -> Bool { try hasBulk(type, of: type.name) }

    /// Whether there is one whose changes haven't come yet.
    func hasAnsweredBulk(_ type: RecordType) throws -> Bool { try hasBulk(type, of: type.name + PendingBulk.answered) }

    private func hasBulk(_ type: RecordType, of name: String) throws -> Bool {
        guard let rule = type.outline?.bulk else { return false }
        return try Int.fetchOne(
            cachedStatement(sql: "SELECT 1 FROM pending WHERE type = ? AND path = ? LIMIT 1"),
            arguments: [name, rule.argument]
        ) != nil
    }
}

extension StoreWriter {
    /// Writes to all records that a rule reaches, also those that this device doesn't know: the effective values, and
    /// one pending entry.
    ///
    /// - Parameters:
    ///   - scope: The value of the rule's scope to which it is limited; nil for all.
    ///   - value: The write as it travels, with a date `at`.
    ///   - order: The order of the ids that are returned.
    /// - Returns: The ids of the records whose value changed, so far as they are known; nil where the server's records
    ///   can't be written to in this way: nothing has changed then.
    package func updateAll(
        _ type: RecordType,
        scope: String?,
        to value: JSONObject,
        inOrder order: String
    ) throws -> [String]? {
        guard let outline = type.outline, let rule = outline.bulk else { return nil }
        let position = try db.outlinePosition(type)
        guard position.isOffered else { return nil }
        var value = value
        value[rule.scope] = scope.map(JSON.string)
        if !position.isComplete {
            // A listing whose first page is on its way is as of the present state.
            value[PendingBulk.listedUpTo] = try (position.upTo ?? db.syncPosition(type)?.state).map(JSON.string)
        }
        let changed = try reached(type, scope: scope, inOrder: order)
        // Where nothing is reached, there is nothing to send if all is known, or if what waits says it already.
        if try changed.isEmpty && (position.isComplete || isRepeated(type, rule, value)) { return [] }
        let id = try freeBulkID(type, rule, scope: scope?.normalized)
        guard let write = PendingBulk(id: id, value: .object(value), rule) else { return nil }
        // What the person did to single ones before goes out first, and what is said of them now after it, each by
        // itself. So is what is said of those that are newer than the state.
        let single = try String.fetchAll(
            db,
            sql: """
                SELECT id FROM pending WHERE type = ? AND path IN (\(rule.columns.map { _ in "?" }.joined(separator: ", ")))
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
        for table in type.rowTables { try show(write, of: type, in: table, only: nil) }
        return changed
    }

    /// The ids of the records that a write without names reaches now, held or not, so far as they are known here.
    ///
    /// - Parameters:
    ///   - scope: The value of the rule's scope to which it is limited; nil for all.
    ///   - order: The order of the ids, by `time` and `id`; empty for any.
    package func reached(_ type: RecordType, scope: String?, inOrder order: String) throws -> [String] {
        guard let outline = type.outline, let rule = outline.bulk else { return [] }
        let isInScope = scope == nil ? "" : " AND \"\(rule.scope)\" = :scope"
        let columns = "\(order.isEmpty ? "" : "\"\(outline.order)\" AS time, ")id"
        let parts = type.rowTables.map {
            "SELECT \(columns) FROM \"\($0)\" WHERE (\(rule.condition.rule()))\(isInScope)"
        }
        return try String.fetchAll(
            db,
            sql: """
                SELECT id FROM (\(parts.joined(separator: " UNION ALL ")))\(order.isEmpty ? "" : " ORDER BY \(order)")
                """,
            arguments: scope.map { ["scope": $0.normalized] } ?? StatementArguments()
        )
    }

    /// Whether the latest thing that waits to be sent is a write without names that says the same, but for its time.
    private func isRepeated(_ type: RecordType, _ rule: BulkRule, _ value: JSONObject) throws -> Bool {
        let last = try Row.fetchOne(
            db,
            sql: "SELECT path, value FROM pending WHERE type = ? AND sealed = 0 ORDER BY rowid DESC LIMIT 1",
            arguments: [type.name]
        )
        guard let last, last[0] == rule.argument, let waiting = try? JSON(parsing: (last[1] as String).utf8) else {
            return false
        }
        func timeless(_ value: JSONObject) -> JSON {
            var value = value
            value["at"] = nil
            return .object(value)
        }
        return waiting.objectValue.map { timeless($0) == timeless(value) } ?? false
    }

    /// The id for a new write without names, which goes out after those that wait.
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

    /// Gives the rows of a table that a write reaches its effective values.
    ///
    /// - Parameter ids: Only these; nil for all.
    func show(_ write: PendingBulk, of type: RecordType, in table: String, only ids: [String]?) throws {
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

    /// Records that the server has applied a sealed write without names. Its effects arrive with the changes: the
    /// server may have skipped records that were changed by another device before.
    func keepAnswered(_ type: RecordType, _ bulk: PendingEntry) throws {
        try db.execute(
            sql: """
                UPDATE OR REPLACE pending SET type = :type || '\(PendingBulk.answered)', sealed = 0
                    WHERE type = :type AND id = :id AND path = :path AND sealed = 1
                """,
            arguments: ["type": type.name, "id": bulk.id, "path": bulk.path]
        )
    }

    /// All changes have come that the server had made by its answer: what they say nothing of wasn't changed.
    func settleAnswered(_ type: RecordType) throws {
        guard let rule = type.outline?.bulk else { return }
        let name = type.name + PendingBulk.answered
        let answered = try Row.fetchAll(db, sql: "SELECT id, value FROM pending WHERE type = ?", arguments: [name])
        try db.execute(sql: "DELETE FROM pending WHERE type = ?", arguments: [name])
        for row in answered {
            guard let value = try? JSON(parsing: (row[1] as String).utf8) else { continue }
            try restore(type, bulk: PendingEntry(id: row[0], path: rule.argument, value: value))
        }
    }

    /// Shows the server's values, where a write without names that is over has left others: also in a record that has
    /// come into another scope since, which the write no longer reaches.
    func restore(_ type: RecordType, bulk entry: PendingEntry) throws {
        guard let rule = type.outline?.bulk else { return }
        // What others of them reach as well waits for theirs.
        let others = try db.pendingBulk(type)
        for table in type.rowTables {
            for name in rule.columns {
                guard let column = type.column(name) else { continue }
                let own = "SELECT id FROM pending WHERE type = '\(type.name)' AND path = '\(name)'"
                let revision = table == type.table ? ", revision = \(try nextRevision())" : ""
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

    /// The dates that a write without names gave to a record, and that the server doesn't know of: they are shown still
    /// when the record comes again.
    func bulkValues(_ type: RecordType, of id: String, over own: [String: JSON]?) throws -> [String: DatabaseValue] {
        guard let rule = type.outline?.bulk else { return [:] }
        let columns = rule.columns.compactMap(type.column)
        let names = columns.flatMap { ["\"\($0.name)\"", "\"\($0.serverName)\""] }.joined(separator: ", ")
        for table in type.rowTables {
            let select = try db.cachedStatement(sql: "SELECT \(names) FROM \"\(table)\" WHERE id = ?")
            guard let row = try Row.fetchOne(select, arguments: [id]) else { continue }
            var values: [String: DatabaseValue] = [:]
            for (place, column) in columns.enumerated() where own?[column.name] == nil {
                let (shown, server): (DatabaseValue, DatabaseValue) = (row[place * 2], row[place * 2 + 1])
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
