import GRDB
import Groundwork

/// Pending writes with dangling references, such as a move of an email into a removed mailbox.
///
/// The server isn't relied on to reject them: Cyrus accepts a move into a mailbox that was removed recently, and the
/// email is lost.
extension StoreWriter {
    /// Rejects these writes, and restores the server's values. If none of the members that a record would have exists,
    /// its other writes to the column are rejected too.
    ///
    /// - Returns: The rejected writes.
    func rejectDanglingReferences(_ type: RecordType) throws -> [PendingEntry] {
        var rejected: [PendingEntry] = []
        for column in type.writableColumns {
            guard let table = column.refersTo else { continue }
            let ids = try db.danglingReferences(type, column, table)
            guard !ids.isEmpty else { continue }
            // Writes that the server had applied were resolved before (``resolveUnansweredWrites(_:)``). The remaining
            // ones weren't applied.
            try unseal(type)
            for id in ids { rejected += try rejectDanglingReferences(type, column, table, id) }
        }
        return rejected
    }

    private func rejectDanglingReferences(
        _ type: RecordType,
        _ column: RecordColumn,
        _ table: String,
        _ id: String
    ) throws -> [PendingEntry] {
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: "SELECT path, value FROM pending WHERE type = ? AND id = ? AND path LIKE ? ORDER BY rowid"
            ),
            arguments: [type.name, id, column.name + "/%"]
        )
        let own = try rows.map { row in
            PendingEntry(id: id, path: row[0], value: try JSON(parsing: (row[1] as String).utf8))
        }
        let select = try db.cachedStatement(sql: "SELECT 1 FROM \"\(table)\" WHERE id = ?")
        func exists(_ name: String) throws -> Bool { try Int.fetchOne(select, arguments: [name]) != nil }
        let shown = try String.fetchOne(
            db.cachedStatement(sql: "SELECT \"\(column.name)\" FROM \"\(type.table)\" WHERE id = ?"),
            arguments: [id]
        )
        let hasNoMember = try !MemberSet(text: shown ?? "").names.contains(where: exists)
        let rejected = try own.filter { entry in
            guard let member = type.writableColumn(entry.path)?.member else { return false }
            return try hasNoMember || (entry.value == .bool(true) && !exists(member))
        }
        let delete = try db.cachedStatement(sql: "DELETE FROM pending WHERE type = ? AND id = ? AND path = ?")
        for entry in rejected { try delete.execute(arguments: [type.name, id, entry.path]) }
        try restoreMembers(type, column, id)
        return rejected
    }
}

extension Database {
    /// Returns the ids of the records that a pending write would add to a record that doesn't exist.
    fileprivate func danglingReferences(_ type: RecordType, _ column: RecordColumn, _ table: String) throws -> [String]
    {
        try String.fetchAll(
            cachedStatement(
                sql: """
                    SELECT DISTINCT id FROM pending WHERE type = :type AND path LIKE :prefix || '%' AND value = 'true'
                        AND NOT EXISTS (SELECT 1 FROM "\(table)" AS t
                        WHERE t.id = substr(pending.path, length(:prefix) + 1))
                        ORDER BY rowid
                    """
            ),
            arguments: ["type": type.name, "prefix": column.name + "/"]
        )
    }

    /// Returns the tables whose records pending writes of a type refer to.
    func referredTables(_ type: RecordType) throws -> [String] {
        try type.writableColumns.compactMap { column in
            guard let table = column.refersTo else { return nil }
            let isReferred = try Int.fetchOne(
                cachedStatement(sql: "SELECT 1 FROM pending WHERE type = ? AND path LIKE ? AND value = 'true' LIMIT 1"),
                arguments: [type.name, column.name + "/%"]
            )
            return isReferred.map { _ in table }
        }
    }
}

extension StoreWriter {
    /// Rejects unreadable pending writes, and restores the server's values. A disk may corrupt bytes that SQLite
    /// doesn't verify, and no value is invented in their place.
    ///
    /// - Returns: The rejected writes, with null as their values.
    func rejectDamaged(_ type: RecordType) throws -> [PendingEntry] {
        try resetUnreadableAnnotations(type)
        let damaged = try Row.fetchAll(
            db.cachedStatement(
                sql: "SELECT id, path FROM pending WHERE type = ? AND NOT json_valid(value) GROUP BY id, path"
            ),
            arguments: [type.name]
        ).map { PendingEntry(id: $0[0], path: $0[1], value: .null) }
        guard !damaged.isEmpty else { return [] }
        try db.execute(sql: "DELETE FROM pending WHERE type = ? AND NOT json_valid(value)", arguments: [type.name])
        try deleteOrphanedAnnotations(type)
        for entry in damaged { try restore(type, entry) }
        return damaged
    }
}
