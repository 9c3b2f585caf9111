import GRDB
import Groundwork

extension StoreWriter {
    /// Gives up what can't be read of what the person did, and shows what the server has: a disk may change bytes
    /// without SQLite's noticing, and nobody's will is made up in their place.
    ///
    /// - Returns: What was given up, with null as its value.
    func rejectDamaged(_ type: RecordType) throws -> [PendingEntry] {
        try denyDamagedAnnotations(type)
        let damaged = try Row.fetchAll(
            db.cachedStatement(
                sql: "SELECT id, path FROM pending WHERE type = ? AND NOT json_valid(value) GROUP BY id, path"
            ),
            arguments: [type.name]
        ).map { PendingEntry(id: $0[0], path: $0[1], value: .null) }
        guard !damaged.isEmpty else { return [] }
        try db.execute(sql: "DELETE FROM pending WHERE type = ? AND NOT json_valid(value)", arguments: [type.name])
        try dropLoneAnnotations(type)
        for entry in damaged { try restore(type, entry) }
        return damaged
    }
}
