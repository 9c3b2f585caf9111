import CLibpq

/// The rows of a statement, and the number of rows that it changed.
///
/// Rows are read from libpq's memory, which is freed with the last reference to the result or one of its rows.
package final class PostgresResult: RandomAccessCollection {
    let pointer: OpaquePointer
    package let startIndex = 0
    package let endIndex: Int

    init(_ pointer: OpaquePointer) {
        self.pointer = pointer
        endIndex = Int(PQntuples(pointer))
    }

    deinit { PQclear(pointer) }

    package subscript(index: Int) -> PostgresRow {
        precondition(indices.contains(index))
        return PostgresRow(result: self, index: Int32(index))
    }

    /// The number of inserted, updated, deleted, copied or selected rows.
    package var affectedRows: Int { Int(String(cString: PQcmdTuples(pointer))) ?? 0 }

    /// The memory that the result takes, in bytes.
    package var size: Int { PQresultMemorySize(pointer) }

    /// The command that was completed, such as `INSERT 0 1`.
    var tag: String { String(cString: PQcmdStatus(pointer)) }
}

/// A row of a result.
package struct PostgresRow {
    fileprivate let result: PostgresResult
    fileprivate let index: Int32

    /// Calls `body` with the bytes of a text or `bytea` in the result's memory, which aren't copied.
    ///
    /// - Parameter body: Receives the bytes, which are valid until it returns. None if the column is null.
    /// - Throws: The error of `body`, or ``PostgresError`` of the kind `invalidValue` if the column doesn't exist.
    package func withBytes<Value>(_ column: Int, _ body: (UnsafeRawBufferPointer) throws -> Value) throws -> Value {
        let (pointer, column) = (result.pointer, Int32(column))
        guard (0..<PQnfields(pointer)).contains(column) else {
            throw PostgresError(.invalidValue, "there is no column \(column)")
        }
        let count = Int(PQgetlength(pointer, index, column))
        return try withExtendedLifetime(result) {
            try body(UnsafeRawBufferPointer(start: PQgetvalue(pointer, index, column), count: count))
        }
    }

    /// Returns the value of a column, counted from 0.
    ///
    /// - Throws: ``PostgresError`` of the kind `invalidValue` if the column has another type, is null where the value
    ///   isn't optional, or doesn't exist.
    package subscript<Value: PostgresDecodable>(column: Int) -> Value {
        get throws(PostgresError) {
            let (pointer, column) = (result.pointer, Int32(column))
            guard (0..<PQnfields(pointer)).contains(column) else {
                throw PostgresError(.invalidValue, "there is no column \(column)")
            }
            var bytes: UnsafeRawBufferPointer?
            if PQgetisnull(pointer, index, column) == 0 {
                bytes = UnsafeRawBufferPointer(
                    start: PQgetvalue(pointer, index, column),
                    count: Int(PQgetlength(pointer, index, column))
                )
            }
            let type = PQftype(pointer, column)
            guard let value = Value.decode(bytes, of: PostgresType(id: type)) else {
                let name = PQfname(pointer, column).map { String(cString: $0) } ?? "\(column)"
                let found = bytes == nil ? "is null" : "has the type \(type)"
                throw PostgresError(.invalidValue, "the column \(name) \(found), which can't be read as \(Value.self)")
            }
            return value
        }
    }
}
