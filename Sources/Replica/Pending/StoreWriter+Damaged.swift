import GRDB
import Groundwork

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
