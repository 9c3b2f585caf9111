import Foundation
import GRDB
import GRDBSQLite

/// Binds values to a statement directly from a record's text, without creating intermediate values.
///
/// Values that are bound from a buffer aren't copied: the buffer has to outlive the statement's execution.
struct ColumnBinder {
    private let statement: Statement
    private let pointer: SQLiteStatement
    private var position: Int32 = 0

    init(_ statement: Statement) {
        self.statement = statement
        pointer = statement.sqliteStatement
        // From here on GRDB leaves the bindings alone.
        statement.setUncheckedArguments(StatementArguments())
    }

    /// Resets the statement. The next value is bound to the first parameter.
    mutating func restart() {
        position = 0
        sqlite3_reset(pointer)
    }

    mutating func bind(_ value: Int) {
        position += 1
        sqlite3_bind_int64(pointer, position, Int64(value))
    }

    /// Copies the text.
    mutating func bind(_ text: String) {
        position += 1
        sqlite3_bind_text(pointer, position, text, Int32(text.utf8.count), Self.copied)
    }

    mutating func bind(_ value: ColumnValue, in text: UnsafeBufferPointer<UInt8>) {
        switch value {
        case .null:
            position += 1
            sqlite3_bind_null(pointer, position)
        case .integer(let number): bind(number)
        case .text(let string): bind(string)
        case .slice(let range):
            position += 1
            UnsafeBufferPointer(rebasing: text[range]).withMemoryRebound(to: CChar.self) { characters in
                _ = sqlite3_bind_text(pointer, position, characters.baseAddress, Int32(range.count), nil)
            }
        }
    }

    mutating func bind(_ value: DatabaseValue) {
        switch value.storage {
        case .int64(let number): bind(Int(number))
        case .string(let text): bind(text)
        default:
            position += 1
            sqlite3_bind_null(pointer, position)
        }
    }

    /// Binds the whole text as a blob.
    mutating func bindBlob(_ bytes: UnsafeBufferPointer<UInt8>) {
        position += 1
        sqlite3_bind_blob(pointer, position, bytes.baseAddress, Int32(bytes.count), nil)
    }

    /// Runs the statement with the bound values.
    ///
    /// - Throws: `DatabaseError`.
    func execute() throws {
        try statement.execute()
    }

    /// Clears the bindings, so that the statement doesn't refer to a buffer that is released.
    func clear() {
        sqlite3_clear_bindings(pointer)
    }

    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}
