import Foundation
import GRDB
import Groundwork

/// The reason why a record can't be decoded.
package struct RecordError: Error, Hashable, CustomStringConvertible {
    /// The record's id, if it has one.
    package let id: String?
    package let description: String
}

/// The value of a column, as decoded from a record's JSON.
enum ColumnValue: Hashable {
    case null
    case integer(Int)
    /// Text that isn't in the JSON as such: it was escaped or not in normal form, or it is a default or a set of
    /// members.
    case text(String)
    /// Text at a range of the record's JSON.
    case slice(Range<Int>)
}

/// A decoder for records of one type. It decodes the columns in one pass over the JSON, and skips the other fields.
///
/// Text is converted to Unicode's normal form C, so that equal texts have equal bytes.
///
/// Buffers are reused from record to record. Decoding is lenient: an unknown field is ignored, a field of another type
/// counts as missing, and the first of several fields with the same name is used.
struct RecordDecoder {
    private let names: [[UInt8]]
    private let columns: [RecordColumn]
    private(set) var id = ""
    /// The values of the last record, in the order of the type's columns.
    private(set) var values: [ColumnValue]
    private var isFound: [Bool]
    private static let id = Array("id".utf8)

    init(_ type: RecordType) {
        columns = type.columns
        names = columns.map { Array($0.name.utf8) }
        values = Array(repeating: .null, count: columns.count)
        isFound = Array(repeating: false, count: columns.count)
    }

    /// Decodes a record.
    ///
    /// - Throws: ``RecordError`` if the record has no id, or lacks a required field.
    mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) throws(RecordError) {
        for index in columns.indices { isFound[index] = false }
        let foundID: String?
        do {
            foundID = try scan(bytes)
        } catch {
            throw RecordError.notAnObject
        }
        guard let foundID else { throw RecordError.notAnObject }
        id = foundID
        for index in columns.indices where !isFound[index] {
            switch columns[index].missing {
            case .null: values[index] = .null
            case .text(let text): values[index] = .text(text)
            case .integer(let number): values[index] = .integer(number)
            case .invalid:
                throw RecordError(id: id, description: "\(columns[index].name) is missing or has another type.")
            }
        }
    }

    /// Decodes the members of the object: the values of the columns, and the id, which is returned.
    private mutating func scan(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONSyntaxError) -> String? {
        var scanner = JSONScanner(bytes, depthLimit: .max)
        guard try scanner.peek() == .object else { return nil }
        try scanner.beginObject()
        var id: String?
        var isFirst = true
        var next = 0
        while let name = try scanner.nextName(first: isFirst) {
            isFirst = false
            if let index = column(named: name, in: bytes, from: next) {
                next = index + 1
                if isFound[index] {
                    _ = try scanner.skipValue()
                } else if let value = try value(of: columns[index].kind, &scanner) {
                    values[index] = value
                    isFound[index] = true
                }
            } else if id == nil, bytes[name].elementsEqual(Self.id), try scanner.peek() == .string {
                id = scanner.text(try scanner.skipString())
            } else {
                _ = try scanner.skipValue()
            }
        }
        return id
    }

    /// Returns the index of the column with a name. The search begins at the column after the last one found, because
    /// records have their fields in the same order.
    private func column(named name: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        for step in names.indices {
            let index = (start + step) % names.count
            if names[index].count == name.count, bytes[name].elementsEqual(names[index]) { return index }
        }
        return nil
    }

    /// Decodes a value for a column. A value that is null or of another type is skipped, and nil is returned.
    private func value(
        of kind: RecordColumn.Kind,
        _ scanner: inout JSONScanner
    ) throws(JSONSyntaxError) -> ColumnValue? {
        switch (kind, try scanner.peek()) {
        case (.text, .string):
            let range = try scanner.skipString()
            // One pass over the bytes recognizes nearly all texts that are unescaped and in normal form.
            let text = UnsafeBufferPointer(rebasing: scanner.bytes[range])
            var highest: UInt8 = 0
            var isEscaped = false
            for byte in text {
                highest = max(highest, byte)
                isEscaped = isEscaped || byte == UInt8(ascii: "\\")
            }
            if isEscaped { return .text(scanner.text(range).normalized) }
            if highest < NormalForm.firstCombiningLead || NormalForm.isCertainlyNormalized(text) {
                return .slice(range)
            }
            return .text(String(decoding: text, as: UTF8.self).normalized)
        case (.date, .string):
            let range = try scanner.skipString()
            let date =
                RFC3339.date(from: UnsafeBufferPointer(rebasing: scanner.bytes[range]), takesOffset: true)
                ?? RFC3339.date(from: scanner.text(range), takesOffset: true)
            return date.map { .integer($0.milliseconds) }
        case (.members, .object):
            return .text(MemberSet(try JSON(reading: &scanner)).text)
        case (.integer, .number):
            return Int(scanner.text(try scanner.skipNumber())).map { .integer($0) }
        case (.bool, .bool):
            let range = try scanner.skipValue()
            return .integer(scanner.bytes[range.lowerBound] == UInt8(ascii: "t") ? 1 : 0)
        default:
            _ = try scanner.skipValue()
            return nil
        }
    }
}

extension RecordError {
    fileprivate static let notAnObject = RecordError(id: nil, description: "It isn't an object with an id.")
}

extension RecordColumn {
    /// Returns a value as it is stored in the column: text in normal form C.
    func databaseValue(_ json: JSON) -> DatabaseValue {
        switch (kind, json) {
        case (.text, .string(let text)): text.normalized.databaseValue
        case (.date, .string(let text)):
            RFC3339.date(from: text, takesOffset: true)?.milliseconds.databaseValue ?? .null
        case (.members, _): MemberSet(json).text.databaseValue
        case (.integer, .number(let number)): number.intValue?.databaseValue ?? .null
        case (.bool, .bool(let bool)): bool.databaseValue
        default: .null
        }
    }

    /// Returns a record's value as it is stored in the column, or the one for a record without it. A value of another
    /// type counts as missing.
    func storedValue(of record: JSON) -> DatabaseValue {
        let json = record[name] ?? .null
        // Anything but an object would be an empty set.
        let value: DatabaseValue = kind == .members && json.objectValue == nil ? .null : databaseValue(json)
        guard value.isNull else { return value }
        return switch missing {
        case .null, .invalid: .null
        case .text(let text): text.databaseValue
        case .integer(let number): number.databaseValue
        }
    }
}
