import GRDB
import Groundwork

/// Rows of an answer whose state the store hasn't adopted.
///
/// Such a row may have been created after the store's state and be destroyed before the next answer, and a server may
/// omit records that were created and destroyed since a state (RFC 8620, section 5.2). Rows that the changes don't
/// mention are fetched by id.
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
