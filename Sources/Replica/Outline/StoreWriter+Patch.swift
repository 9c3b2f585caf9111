import GRDB
import Groundwork

extension StoreWriter {
    /// Stores some writable fields of records, as the server sent them, in each record's row or outline row. The other
    /// fields are unchanged.
    ///
    /// Records that aren't known here are skipped: a listing in progress adds them. A provisional record stays
    /// provisional, and one that was provisional unconfirmed, because its other fields still have to be fetched.
    func patch(_ type: RecordType, _ records: [JSONText]) throws {
        guard !records.isEmpty else { return }
        let pending = try db.hasPending(type) ? try pendingValues(type) : [:]
        let hasBulk = try db.hasPendingBulk(type) || db.hasAppliedBulk(type)
        let revision = try nextRevision()
        for text in records {
            let json = text.value
            guard let id = json["id"]?.stringValue else { continue }
            let own = pending[id]
            let all = hasBulk ? try bulkValues(type, of: id, over: own) : [:]
            var values: [(column: RecordColumn, shown: DatabaseValue, server: DatabaseValue)] = []
            for column in type.writableColumns {
                guard let given = json[column.name] else { continue }
                let server = column.databaseValue(given)
                let mine = own?[column.name].map(column.databaseValue) ?? (server.isNull ? all[column.name] : nil)
                values.append((column, mine ?? server, server))
            }
            guard !values.isEmpty else { continue }
            for table in type.rowTables {
                try patch(type, id, values, in: table, revision: revision)
                if db.changesCount > 0 { break }
            }
        }
    }

    private func patch(
        _ type: RecordType,
        _ id: String,
        _ values: [(column: RecordColumn, shown: DatabaseValue, server: DatabaseValue)],
        in table: String,
        revision: Int
    ) throws {
        let given = Dictionary(
            values.enumerated().map { ($1.column.name, ":shown\($0)") },
            uniquingKeysWith: { first, _ in first }
        )
        func new(_ rule: String) -> String { rule.rule { given[$0] ?? "\"\($0)\"" } }
        var changes: [String] = []
        var arguments: StatementArguments = ["id": id, "now": now]
        for (index, value) in values.enumerated() {
            changes.append("\"\(value.column.name)\" = :shown\(index)")
            changes.append("\"\(value.column.serverName)\" = :server\(index)")
            arguments += ["shown\(index)": value.shown, "server\(index)": value.server]
        }
        changes += ["phase = \(new(type.phase))", "due = \(new(type.dueRule))"]
        if table == type.table {
            changes += ["revision = :revision", "isUnconfirmed = nullif(isUnconfirmed, 1)"]
            arguments += ["revision": revision]
        }
        try db.cachedStatement(
            sql: "UPDATE \"\(table)\" SET \(changes.joined(separator: ", ")) WHERE id = :id AND :now IS NOT NULL"
        ).execute(arguments: arguments)
    }
}
