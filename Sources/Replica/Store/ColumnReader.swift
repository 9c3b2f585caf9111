package import GRDB
import GRDBSQLite

/// A reader of the columns of a statement's current row, without intermediate values.
///
/// It is meant for lists: GRDB's `Row` inspects each column's type and creates a `Data` for a blob, which costs more
/// than SQLite's own work. It is valid until the statement is stepped.
package struct ColumnReader {
    private let statement: SQLiteStatement

    package init(_ statement: Statement) {
        self.statement = statement.sqliteStatement
    }

    package func isNull(_ column: Int32) -> Bool {
        sqlite3_column_type(statement, column) == SQLITE_NULL
    }

    package func int(_ column: Int32) -> Int {
        Int(sqlite3_column_int64(statement, column))
    }

    package func optionalInt(_ column: Int32) -> Int? {
        isNull(column) ? nil : int(column)
    }

    /// The text; empty for null.
    package func text(_ column: Int32) -> String {
        guard let start = sqlite3_column_text(statement, column) else { return "" }
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    package func optionalText(_ column: Int32) -> String? {
        isNull(column) ? nil : text(column)
    }

    /// The bytes of a blob; none for null.
    package func bytes(_ column: Int32) -> [UInt8] {
        guard let start = sqlite3_column_blob(statement, column) else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
    }
}
