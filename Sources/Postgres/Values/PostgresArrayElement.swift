/// A value of which a statement takes arrays, for `= ANY($1)` and `unnest($1)`.
package protocol PostgresArrayElement: PostgresEncodable {
    static var arrayType: PostgresType { get }

    /// Appends an array of values.
    static func encode(array: [Self], into bytes: inout [UInt8]) throws(PostgresError)
}

extension PostgresArrayElement {
    package static func encode(array: [Self], into bytes: inout [UInt8]) throws(PostgresError) {
        // Dimensions, whether there are nulls, the type of the elements; for the one dimension its length and its
        // lower bound (array_send in PostgreSQL's arrayfuncs.c).
        bytes.append(bigEndian: Int32(array.isEmpty ? 0 : 1))
        let nulls = bytes.count
        bytes.append(bigEndian: Int32(0))
        bytes.append(bigEndian: Self.postgresType.id)
        guard !array.isEmpty else { return }
        bytes.append(bigEndian: Int32(array.count))
        bytes.append(bigEndian: Int32(1))
        for element in array {
            let place = bytes.count
            bytes.append(bigEndian: Int32(0))
            let hasValue = try element.encode(into: &bytes)
            bytes.setLength(at: place, isNull: !hasValue)
            if !hasValue { bytes[nulls + 3] = 1 }
        }
    }
}

extension Array: PostgresEncodable where Element: PostgresArrayElement {
    package static var postgresType: PostgresType { Element.arrayType }

    package func encode(into bytes: inout [UInt8]) throws(PostgresError) -> Bool {
        try Element.encode(array: self, into: &bytes)
        return true
    }
}

extension Optional: PostgresArrayElement where Wrapped: PostgresArrayElement {
    package static var arrayType: PostgresType { Wrapped.arrayType }
}

/// An array of bytes is a `bytea`, not an array.
extension UInt8: PostgresArrayElement {
    package static let postgresType = PostgresType.int2
    package static let arrayType = PostgresType.bytea

    package static func encode(array: [UInt8], into bytes: inout [UInt8]) { bytes.append(contentsOf: array) }

    package func encode(into bytes: inout [UInt8]) -> Bool {
        bytes.append(bigEndian: Int16(self))
        return true
    }
}
