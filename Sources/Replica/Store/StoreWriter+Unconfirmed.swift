import GRDB
import Groundwork

/// Rows that came with an answer whose state the store hasn't taken.
///
/// Created after the store's state, such a row may be destroyed again before the next answer, and a server needn't tell
/// of what came and went since a state (RFC 8620 §5.2). So those of which the changes say nothing are asked for by id.
extension StoreWriter {
    func markUnconfirmed(_ type: RecordType, _ records: [JSONText]) throws {
        let mark = try db.cachedStatement(sql: "UPDATE \"\(type.table)\" SET isUnconfirmed = 1 WHERE id = ?")
        for record in records {
            if let id = record["id"]?.value.stringValue { try mark.execute(arguments: [id]) }
        }
    }
}

extension Database {
    func unconfirmed(_ type: RecordType, limit: Int) throws -> [String] {
        try String.fetchAll(
            cachedStatement(
                sql: "SELECT id FROM \"\(type.table)\" WHERE isUnconfirmed IS NOT NULL ORDER BY id LIMIT ?"
            ),
            arguments: [limit]
        )
    }
}
