package import Foundation
import Groundwork

/// A value that a statement takes as a parameter, in PostgreSQL's binary format.
///
/// The type is stated with each statement, so an absent value has one too. A statement that needs another type, such as
/// `jsonb`, casts the parameter: `$1::jsonb`.
package protocol PostgresEncodable: Sendable {
    static var postgresType: PostgresType { get }

    /// Appends the bytes of the value. Appends nothing, and returns false, if it is null.
    func encode(into bytes: inout [UInt8]) throws(PostgresError) -> Bool
}

extension Int: PostgresArrayElement {
    package static let postgresType = PostgresType.int8
    package static let arrayType = PostgresType.int8Array

    package func encode(into bytes: inout [UInt8]) -> Bool {
        bytes.append(bigEndian: Int64(self))
        return true
    }
}

extension Bool: PostgresArrayElement {
    package static let postgresType = PostgresType.bool
    package static let arrayType = PostgresType.boolArray

    package func encode(into bytes: inout [UInt8]) -> Bool {
        bytes.append(self ? 1 : 0)
        return true
    }
}

extension Double: PostgresArrayElement {
    package static let postgresType = PostgresType.float8
    package static let arrayType = PostgresType.float8Array

    package func encode(into bytes: inout [UInt8]) -> Bool {
        bytes.append(bigEndian: bitPattern)
        return true
    }
}

extension String: PostgresArrayElement {
    package static let postgresType = PostgresType.text
    package static let arrayType = PostgresType.textArray

    /// Appends the text in UTF-8.
    ///
    /// - Throws: ``PostgresError`` if the text contains U+0000, which PostgreSQL can't store in a text.
    package func encode(into bytes: inout [UInt8]) throws(PostgresError) -> Bool {
        let start = bytes.count
        bytes.append(contentsOf: utf8)
        guard !bytes[start...].contains(0) else {
            throw PostgresError(.invalidValue, "the text contains U+0000, which PostgreSQL can't store")
        }
        return true
    }
}

extension Data: PostgresArrayElement {
    package static let postgresType = PostgresType.bytea
    package static let arrayType = PostgresType.byteaArray

    package func encode(into bytes: inout [UInt8]) -> Bool {
        bytes.append(contentsOf: self)
        return true
    }
}

/// Stored as milliseconds since 1970.
extension Date: PostgresArrayElement {
    package static let postgresType = PostgresType.int8
    package static let arrayType = PostgresType.int8Array

    package func encode(into bytes: inout [UInt8]) -> Bool { milliseconds.encode(into: &bytes) }
}

extension Optional: PostgresEncodable where Wrapped: PostgresEncodable {
    package static var postgresType: PostgresType { Wrapped.postgresType }

    package func encode(into bytes: inout [UInt8]) throws(PostgresError) -> Bool {
        guard let value = self else { return false }
        return try value.encode(into: &bytes)
    }
}

extension [UInt8] {
    mutating func append<Number: FixedWidthInteger>(bigEndian number: Number) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }

    /// Writes the length of the bytes after a place that was reserved for it, as in arrays and in `COPY`.
    mutating func setLength(at place: Int, isNull: Bool) {
        let length = Int32(isNull ? -1 : count - place - 4)
        Swift.withUnsafeBytes(of: length.bigEndian) { replaceSubrange(place..<place + 4, with: $0) }
    }
}
