import GRDB

/// The statements that store the person's values of one field, in rows and as pending entries. They are prepared once
/// for many records.
struct FieldStatements {
    private let type: String
    private let path: String
    private let update: Statement
    /// The same for a record that has only an outline row.
    private let updateOutline: Statement?
    private let upsertEntry: Statement
    private let deleteUnsealedEntry: Statement
    private let findSealedEntry: Statement

    /// - Parameter condition: A rule over the current row, which the records have to meet.
    init(_ db: Database, _ type: RecordType, _ column: RecordColumn, where condition: String) throws {
        let name = column.name
        (self.type, path) = (type.name, name)
        func new(_ rule: String) -> String { rule.rule { $0 == name ? ":value" : "\"\($0)\"" } }
        // `:now IS NOT NULL` uses the argument if no rule refers to the time. An unused argument is an error.
        update = try db.cachedStatement(
            sql: """
                UPDATE "\(type.table)" SET "\(name)" = :value,
                        phase = \(new(type.phase)), due = \(new(type.dueRule)),
                    revision = :revision
                WHERE id = :id AND "\(name)" IS NOT :value AND (\(condition.rule())) AND :now IS NOT NULL
                RETURNING "\(column.serverName)"
                """
        )
        updateOutline = try type.outline.map { _ in
            try db.cachedStatement(
                sql: """
                    UPDATE "\(type.outlineTable)" SET "\(name)" = :value,
                        phase = \(new(type.phase)), due = \(new(type.dueRule))
                    WHERE id = :id AND "\(name)" IS NOT :value AND (\(condition.rule()))
                        AND :now IS NOT NULL AND :revision IS NOT NULL
                    RETURNING "\(column.serverName)"
                    """
            )
        }
        upsertEntry = try db.cachedStatement(
            sql: """
                INSERT INTO pending(type, id, path, value) VALUES (?, ?, ?, ?)
                    ON CONFLICT DO UPDATE SET value = excluded.value
                """
        )
        deleteUnsealedEntry = try db.cachedStatement(
            sql: """
                DELETE FROM pending WHERE type = :type AND id = :id AND path = :path AND sealed = 0
                    AND NOT EXISTS (SELECT 1 FROM pending WHERE type = :type
                    AND id = :id AND path = :path AND sealed = 1)
                """
        )
        findSealedEntry = try db.cachedStatement(
            sql: "SELECT 1 FROM pending WHERE type = ? AND id = ? AND path = ? AND sealed = 1"
        )
    }

    /// Sets the effective value of a record.
    ///
    /// - Returns: The server's value; nil if the record isn't known, doesn't meet the condition or has the value.
    func set(_ value: DatabaseValue, of id: String, at now: Int, revision: Int) throws -> DatabaseValue? {
        let arguments: StatementArguments = ["value": value, "now": now, "revision": revision, "id": id]
        return try DatabaseValue.fetchOne(update, arguments: arguments)
            ?? updateOutline.flatMap { try DatabaseValue.fetchOne($0, arguments: arguments) }
    }

    /// Returns whether an earlier write to the field of a record is being sent.
    func isSealed(_ id: String) throws -> Bool {
        try Int.fetchOne(findSealedEntry, arguments: [type, id, path]) != nil
    }

    func putEntry(_ value: String, of id: String) throws {
        try upsertEntry.execute(arguments: [type, id, path, value])
    }

    /// Removes the entry of a record that isn't being sent.
    func removeEntry(of id: String) throws {
        try deleteUnsealedEntry.execute(arguments: ["type": type, "id": id, "path": path])
    }
}
