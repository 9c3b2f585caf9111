import Foundation
import GRDB
import Groundwork

#if PostgreSQL
    import Postgres

    /// The requirements of both databases for an argument.
    typealias SQLEncodable = PostgresEncodable
    /// The requirements of both databases for the elements of an array.
    typealias SQLArrayEncodable = PostgresArrayElement
    /// The requirements of both databases for a column's value.
    typealias SQLDecodable = DatabaseValueConvertible & StatementColumnConvertible & PostgresDecodable
#else
    /// The requirements of both databases for an argument.
    typealias SQLEncodable = Sendable
    /// The requirements of both databases for the elements of an array.
    typealias SQLArrayEncodable = Sendable
    /// The requirements of both databases for a column's value.
    typealias SQLDecodable = DatabaseValueConvertible & StatementColumnConvertible
#endif

/// An argument of a statement. A missing one is an optional, whose type PostgreSQL needs as well.
protocol SQLValue: SQLEncodable {
    /// The value as SQLite stores it. An array is the text of a JSON array, for `json_each`.
    var sqliteValue: DatabaseValue { get }
}

/// A value of a column that can be an argument of another statement, such as a key.
protocol SQLScalar: SQLValue, SQLDecodable {}

extension SQLValue where Self: DatabaseValueConvertible {
    var sqliteValue: DatabaseValue { databaseValue }
}

extension Int: SQLScalar {}
extension String: SQLScalar {}
extension Bool: SQLScalar {}
extension Data: SQLScalar {
    var sqliteValue: DatabaseValue { databaseValue }
}

extension Optional: SQLValue where Wrapped: SQLValue {
    var sqliteValue: DatabaseValue { map(\.sqliteValue) ?? .null }
}

/// A value of which a statement takes arrays: by `json_each(?)` in SQLite, by `unnest(?)` or `ANY(?)` in PostgreSQL.
protocol SQLArrayElement: SQLValue, SQLArrayEncodable {
    /// Returns the text of a JSON array.
    static func jsonText(of array: [Self]) -> String
}

extension Array: SQLValue where Element: SQLArrayElement {
    var sqliteValue: DatabaseValue { Element.jsonText(of: self).databaseValue }
}

extension Int: SQLArrayElement {
    static func jsonText(of array: [Int]) -> String { "[" + array.map(String.init).joined(separator: ",") + "]" }
}

extension String: SQLArrayElement {
    static func jsonText(of array: [String]) -> String { JSON(array).description }
}

extension Optional: SQLArrayElement where Wrapped == Int {
    static func jsonText(of array: [Int?]) -> String {
        "[" + array.map { $0.map(String.init) ?? "null" }.joined(separator: ",") + "]"
    }
}

/// The arguments of a statement, in the order of its parameters.
struct SQLArguments: ExpressibleByArrayLiteral, Sendable {
    private(set) var values: [any SQLValue]

    init(arrayLiteral values: any SQLValue...) {
        self.values = values
    }

    init(_ values: [any SQLValue]) {
        self.values = values
    }

    /// Creates a person's dates of a message as arguments.
    init(_ dates: [Int?]) {
        values = dates
    }

    var sqlite: StatementArguments { StatementArguments(values.map(\.sqliteValue)) }

    static func + (one: SQLArguments, other: SQLArguments) -> SQLArguments { SQLArguments(one.values + other.values) }

    static func += (arguments: inout SQLArguments, more: SQLArguments) { arguments.values += more.values }
}
