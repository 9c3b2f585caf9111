package import Foundation
import Groundwork

/// A value that is read from a column, in PostgreSQL's binary format.
package protocol PostgresDecodable {
    /// Returns the value, or nil if it can't be read from a column of this type.
    ///
    /// - Parameter bytes: Nil for null.
    static func decode(_ bytes: UnsafeRawBufferPointer?, of type: PostgresType) -> Self?
}

extension Int: PostgresDecodable {
    package static func decode(_ bytes: UnsafeRawBufferPointer?, of type: PostgresType) -> Int? {
        guard let bytes else { return nil }
        return switch type {
        case .int8: bytes.number(Int64.self).map { Int($0) }
        case .int4: bytes.number(Int32.self).map { Int($0) }
        case .int2: bytes.number(Int16.self).map { Int($0) }
        case .oid: bytes.number(UInt32.self).map { Int($0) }
        default: nil
        }
    }
}

extension Bool: PostgresDecodable {
    package static func decode(_ bytes: UnsafeRawBufferPointer?, of type: PostgresType) -> Bool? {
        guard let bytes, type == .bool, bytes.count == 1 else { return nil }
        return bytes[0] != 0
    }
}

extension Double: PostgresDecodable {
    package static func decode(_ bytes: UnsafeRawBufferPointer?, of type: PostgresType) -> Double? {
        guard let bytes else { return nil }
        return switch type {
        case .float8: bytes.number(UInt64.self).map { Double(bitPattern: $0) }
        case .float4: bytes.number(UInt32.self).map { Double(Float(bitPattern: $0)) }
        default: nil
        }
    }
}

extension String: PostgresDecodable {
    package static func decode(_ bytes: UnsafeRawBufferPointer?, of type: PostgresType) -> String? {
        guard let bytes else { return nil }
        return switch type {
        case .text, .varchar, .bpchar, .name, .json, .unknown: String(decoding: bytes, as: UTF8.self)
        default: nil
        }
    }
}

extension Data: PostgresDecodable {
    package static func decode(_ bytes: UnsafeRawBufferPointer?, of type: PostgresType) -> Data? {
        type == .bytea ? bytes.map { Data($0) } : nil
    }
}

/// Read from milliseconds since 1970.
extension Date: PostgresDecodable {
    package static func decode(_ bytes: UnsafeRawBufferPointer?, of type: PostgresType) -> Date? {
        Int.decode(bytes, of: type).map { Date(milliseconds: $0) }
    }
}

extension Optional: PostgresDecodable where Wrapped: PostgresDecodable {
    package static func decode(_ bytes: UnsafeRawBufferPointer?, of type: PostgresType) -> Wrapped?? {
        guard let bytes else { return .some(nil) }
        return Wrapped.decode(bytes, of: type).map { .some($0) }
    }
}

extension Array: PostgresDecodable where Element: PostgresDecodable {
    /// Reads an array of one dimension. `[UInt8]` is read from a `bytea`.
    package static func decode(_ bytes: UnsafeRawBufferPointer?, of type: PostgresType) -> [Element]? {
        guard let bytes else { return nil }
        if type == .bytea { return [UInt8](bytes) as? [Element] }
        guard type.isArray, bytes.count >= 12, let dimensions = bytes.number(Int32.self, at: 0),
            let element = bytes.number(UInt32.self, at: 8)
        else { return nil }
        if dimensions == 0 { return [] }
        guard dimensions == 1, let count = bytes.number(Int32.self, at: 12) else { return nil }
        var elements: [Element] = []
        elements.reserveCapacity(Int(count))
        var place = 20
        for _ in 0..<count {
            guard let length = bytes.number(Int32.self, at: place) else { return nil }
            place += 4
            let end = place + Int(length < 0 ? 0 : length)
            guard end <= bytes.count else { return nil }
            let part = length < 0 ? nil : UnsafeRawBufferPointer(rebasing: bytes[place..<end])
            guard let value = Element.decode(part, of: PostgresType(id: element)) else { return nil }
            elements.append(value)
            place = end
        }
        return elements
    }
}

/// A byte alone isn't a column's type; `[UInt8]` is read from a `bytea`.
extension UInt8: PostgresDecodable {
    package static func decode(_ bytes: UnsafeRawBufferPointer?, of type: PostgresType) -> UInt8? {
        Int.decode(bytes, of: type).flatMap { UInt8(exactly: $0) }
    }
}

extension PostgresType {
    fileprivate var isArray: Bool {
        [.boolArray, .byteaArray, .textArray, .int8Array, .float8Array].contains(self)
    }
}

extension UnsafeRawBufferPointer {
    /// Reads a number that fills the bytes.
    fileprivate func number<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
        count == MemoryLayout<Number>.size ? number(type, at: 0) : nil
    }

    /// Reads a number at a place. Returns nil if it isn't in the bytes.
    fileprivate func number<Number: FixedWidthInteger>(_ type: Number.Type, at place: Int) -> Number? {
        guard place + MemoryLayout<Number>.size <= count else { return nil }
        return Number(bigEndian: loadUnaligned(fromByteOffset: place, as: type))
    }
}
