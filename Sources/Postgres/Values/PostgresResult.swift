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
            let bytes = try self.bytes(of: column)
            guard let value = Value.decode(bytes, of: type(of: column)) else {
                throw mismatch(column, isNull: bytes == nil, wanted: Value.self)
            }
            return value
        }
    }

    /// The same for a number. Rows have many, and this one needs no type at run time.
    package subscript(column: Int) -> Int {
        get throws(PostgresError) {
            let bytes = try self.bytes(of: column)
            guard let value = Int.decode(bytes, of: type(of: column)) else {
                throw mismatch(column, isNull: bytes == nil, wanted: Int.self)
            }
            return value
        }
    }

    /// The same for a number that may be null.
    package subscript(column: Int) -> Int? {
        get throws(PostgresError) {
            guard let bytes = try self.bytes(of: column) else { return nil }
            guard let value = Int.decode(bytes, of: type(of: column)) else {
                throw mismatch(column, isNull: false, wanted: Int?.self)
            }
            return value
        }
    }

    /// Returns the bytes of a column in the result's memory. Nil if it is null.
    ///
    /// - Throws: ``PostgresError`` of the kind `invalidValue` if the column doesn't exist.
    private func bytes(of column: Int) throws(PostgresError) -> UnsafeRawBufferPointer? {
        let (pointer, place) = (result.pointer, Int32(column))
        guard (0..<PQnfields(pointer)).contains(place) else {
            throw PostgresError(.invalidValue, "there is no column \(column)")
        }
        guard PQgetisnull(pointer, index, place) == 0 else { return nil }
        return UnsafeRawBufferPointer(
            start: PQgetvalue(pointer, index, place),
            count: Int(PQgetlength(pointer, index, place))
        )
    }

    private func type(of column: Int) -> PostgresType { PostgresType(id: PQftype(result.pointer, Int32(column))) }

    private func mismatch(_ column: Int, isNull: Bool, wanted: Any.Type) -> PostgresError {
        let name = PQfname(result.pointer, Int32(column)).map { String(cString: $0) } ?? "\(column)"
        let found = isNull ? "is null" : "has the type \(type(of: column).id)"
        return PostgresError(.invalidValue, "the column \(name) \(found), which can't be read as \(wanted)")
    }
}
