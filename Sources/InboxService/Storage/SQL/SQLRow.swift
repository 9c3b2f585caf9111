import Foundation
import GRDB

#if PostgreSQL
    import Postgres
#endif

/// A row of a statement's result. Columns are counted from 0.
///
/// A row of a ``SQLCursor`` is valid until the next one is read.
struct SQLRow {
    enum Source {
        case sqlite(Row)
        #if PostgreSQL
            case postgres(PostgresRow)
        #endif
    }

    private let source: Source

    init(_ row: Row) {
        source = .sqlite(row)
    }

    #if PostgreSQL
        init(_ row: PostgresRow) {
            source = .postgres(row)
        }
    #endif

    /// Returns the value of a column, which is an optional if the column may be null.
    ///
    /// A column of another type, or a null that isn't read as an optional, is a mistake in the statement. It ends the
    /// process, as GRDB does.
    subscript<Value: SQLDecodable>(column: Int) -> Value {
        switch source {
        case .sqlite(let row): return row[column]
        #if PostgreSQL
            case .postgres(let row): return Self.value { try row[column] }
        #endif
        }
    }

    /// The same for a number.
    subscript(column: Int) -> Int {
        switch source {
        case .sqlite(let row): return row[column]
        #if PostgreSQL
            case .postgres(let row): return Self.value { try row[column] as Int }
        #endif
        }
    }

    /// The same for a number that may be null.
    subscript(column: Int) -> Int? {
        switch source {
        case .sqlite(let row): return row[column]
        #if PostgreSQL
            case .postgres(let row): return Self.value { try row[column] as Int? }
        #endif
        }
    }

    /// Calls `body` with the bytes of a text, which aren't copied.
    ///
    /// - Parameter body: Receives the bytes, which are valid until it returns. None if the column is null.
    func withBytes<Value>(_ column: Int, _ body: (UnsafeRawBufferPointer) throws -> Value) throws -> Value {
        switch source {
        case .sqlite(let row):
            return try row.withUnsafeData(atIndex: column) { data in try (data ?? Data()).withUnsafeBytes(body) }
        #if PostgreSQL
            case .postgres(let row): return try row.withBytes(column, body)
        #endif
        }
    }

    #if PostgreSQL
        private static func value<Value>(_ read: () throws -> Value) -> Value {
            do {
                return try read()
            } catch {
                fatalError("\(error)")
            }
        }
    #endif
}
