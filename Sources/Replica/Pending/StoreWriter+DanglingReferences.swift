import GRDB
import Groundwork

/// Writes that would put a record where nothing is any more, such as a mail into a mailbox that somebody removed.
///
/// They aren't left to the server to refuse: Cyrus takes a move into a mailbox that was removed lately, and the mail is
/// gone from everywhere.
extension StoreWriter {
    /// Gives up these writes, and shows what the server has. Where a record would be nowhere without one, the others
    /// that belong to the move go too.
    ///
    /// - Returns: What was given up.
    func rejectDanglingReferences(_ type: RecordType) throws -> [PendingEntry] {
        var strays: [PendingEntry] = []
        for column in type.writableColumns {
            guard let table = column.refersTo else { continue }
            let ids = try db.strays(type, column, table)
            guard !ids.isEmpty else { continue }
            // Which of them were sent before is known by now (``settleRepeated(_:)``): those that are left weren't
            // taken.
            try unseal(type)
            for id in ids { strays += try rejectDanglingReferences(type, column, table, id) }
        }
        return strays
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
        let exists = try db.cachedStatement(sql: "SELECT 1 FROM \"\(table)\" WHERE id = ?")
        func isThere(_ name: String) throws -> Bool { try Int.fetchOne(exists, arguments: [name]) != nil }
        let shown = try String.fetchOne(
            db.cachedStatement(sql: "SELECT \"\(column.name)\" FROM \"\(type.table)\" WHERE id = ?"),
            arguments: [id]
        )
        let isNowhere = try !MemberSet(text: shown ?? "").names.contains(where: isThere)
        let lost = try own.filter { entry in
            guard let member = type.writablePlace(entry.path)?.member else { return false }
            return try isNowhere || (entry.value == .bool(true) && !isThere(member))
        }
        let forget = try db.cachedStatement(sql: "DELETE FROM pending WHERE type = ? AND id = ? AND path = ?")
        for entry in lost { try forget.execute(arguments: [type.name, id, entry.path]) }
        try restoreMembers(type, column, id)
        return lost
    }
}

extension Database {
    /// The records that a pending write would put among what isn't there.
    fileprivate func strays(_ type: RecordType, _ column: RecordColumn, _ table: String) throws -> [String] {
        try String.fetchAll(
            cachedStatement(
                sql: """
                    SELECT DISTINCT id FROM pending WHERE type = :type AND path LIKE :prefix || '%' AND value = 'true'
                        AND NOT EXISTS (SELECT 1 FROM "\(table)" AS t WHERE t.id = substr(pending.path, length(:prefix) + 1))
                        ORDER BY rowid
                    """
            ),
            arguments: ["type": type.name, "prefix": column.name + "/"]
        )
    }

    /// The tables to whose records pending writes of a type refer.
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
