import GRDB
import Groundwork

/// Writes to columns of members. Each member has a pending entry of its own, so that concurrent changes to other
/// members are kept.
extension StoreWriter {
    /// Adds members to a column of some records, or removes them: changes the effective value and the pending entries
    /// in the current transaction.
    ///
    /// - Parameters:
    ///   - column: A writable column of members.
    ///   - changes: The names, and whether each is to be a member.
    ///   - ids: The ids of the records. Those that aren't on the device are ignored.
    /// - Returns: The ids of the records whose value changed, in the given order, each once.
    @discardableResult
    package func update(
        _ type: RecordType,
        _ column: RecordColumn,
        members changes: [String: Bool],
        ids: some Sequence<String>
    ) throws -> [String] {
        let select = try db.cachedStatement(
            sql: "SELECT \"\(column.name)\", \"\(column.serverName)\" FROM \"\(type.table)\" WHERE id = ?"
        )
        let upsert = try db.cachedStatement(
            sql: """
                INSERT INTO pending(type, id, path, value) VALUES (?, ?, ?, ?)
                    ON CONFLICT DO UPDATE SET value = excluded.value
                """
        )
        let deleteUnsealed = try db.cachedStatement(
            sql: "DELETE FROM pending WHERE type = ? AND id = ? AND path = ? AND sealed = 0"
        )
        let isSealed = try db.cachedStatement(
            sql: "SELECT 1 FROM pending WHERE type = ? AND id = ? AND path = ? AND sealed = 1"
        )
        var revision: Int?
        var changed: [String] = []
        for id in ids {
            guard let row = try Row.fetchOne(select, arguments: [id]) else { continue }
            let server = MemberSet(text: row[1] ?? "")
            let before = MemberSet(text: row[0] ?? "")
            var after = before
            for (name, isMember) in changes.sorted(by: { $0.key < $1.key })
            where MemberSet.isValid(name) && after.contains(name) != isMember {
                after.set(name, isMember)
                let path = column.path(name)
                // A value that the server already has needs no entry, unless an earlier write to it is being sent.
                if server.contains(name) == isMember,
                    try Int.fetchOne(isSealed, arguments: [type.name, id, path]) == nil
                {
                    try deleteUnsealed.execute(arguments: [type.name, id, path])
                } else {
                    try upsert.execute(arguments: [type.name, id, path, isMember ? "true" : "null"])
                }
            }
            guard after != before else { continue }
            changed.append(id)
            let current = try revision ?? nextRevision()
            revision = current
            try setMembers(type, column, after, id, revision: current)
        }
        return changed
    }

    /// Stores a confirmed write to a member as the server's value.
    func acknowledge(_ type: RecordType, _ column: RecordColumn, _ member: String, _ entry: PendingEntry) throws {
        let select = try db.cachedStatement(sql: "SELECT \"\(column.serverName)\" FROM \"\(type.table)\" WHERE id = ?")
        guard let row = try Row.fetchOne(select, arguments: [entry.id]) else { return }
        var server = MemberSet(text: row[0] ?? "")
        server.set(member, entry.value == .bool(true))
        try db.cachedStatement(sql: "UPDATE \"\(type.table)\" SET \"\(column.serverName)\" = ? WHERE id = ?")
            .execute(arguments: [server.text, entry.id])
    }

    /// Shows the server's members with the person's remaining pending writes applied.
    func restoreMembers(_ type: RecordType, _ column: RecordColumn, _ id: String) throws {
        let select = try db.cachedStatement(sql: "SELECT \"\(column.serverName)\" FROM \"\(type.table)\" WHERE id = ?")
        guard let row = try Row.fetchOne(select, arguments: [id]) else { return }
        let server = ColumnValue.text(row[0] ?? "")
        let own = try pendingValues(type)[id]
        let members = own?.members(of: column, over: server) ?? MemberSet(text: row[0] ?? "")
        try setMembers(type, column, members, id, revision: nextRevision())
    }

    private func setMembers(
        _ type: RecordType,
        _ column: RecordColumn,
        _ members: MemberSet,
        _ id: String,
        revision: Int
    ) throws {
        func new(_ rule: String) -> String { rule.rule { $0 == column.name ? ":value" : "\"\($0)\"" } }
        try db.cachedStatement(
            sql: """
                UPDATE "\(type.table)" SET "\(column.name)" = :value, phase = \(new(type.phase)),
                    due = \(new(type.dueRule)), revision = :revision
                WHERE id = :id AND :now IS NOT NULL
                """
        ).execute(arguments: ["value": members.text, "now": now, "revision": revision, "id": id])
    }
}

/// The person's unconfirmed values of a record, by path.
extension [String: JSON] {
    /// Returns the effective value of a column; nil if it is the server's.
    func value(of column: RecordColumn, over server: ColumnValue) -> DatabaseValue? {
        if column.kind != .members { return self[column.name].map(column.databaseValue) }
        return members(of: column, over: server)?.text.databaseValue
    }

    func members(of column: RecordColumn, over server: ColumnValue) -> MemberSet? {
        let prefix = column.name + "/"
        var members: MemberSet?
        for (path, value) in self where path.hasPrefix(prefix) {
            guard let name = JSONPointer(parsing: "/" + path)?.tokens.last else { continue }
            var changed = members ?? MemberSet(text: server.memberText)
            changed.set(name, value == .bool(true))
            members = changed
        }
        return members
    }
}

extension ColumnValue {
    /// The text of a column of members, which is always decoded to the case `text`.
    fileprivate var memberText: String { if case .text(let text) = self { text } else { "" } }
}
