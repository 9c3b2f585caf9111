import Foundation
package import GRDB
package import Groundwork

/// A record as it came: its id, the values of its columns, and its JSON text.
package struct DecodedRecord: Sendable {
    package let id: String
    /// In the order of ``RecordType/columns``.
    package let values: [DatabaseValue]
    package let json: [UInt8]
}

/// Why a record can't be kept.
package struct RecordError: Error, Hashable, CustomStringConvertible {
    /// The record's id, where it has one.
    package let id: String?
    package let description: String
}

extension RecordType {
    /// Reads a record's columns in one pass over its text, without decoding the rest.
    ///
    /// Lenient: a field that isn't known is passed over, one of another type counts as missing.
    package func decode(_ text: JSONText) throws(RecordError) -> DecodedRecord {
        var id: String?
        var values: [DatabaseValue?] = Array(repeating: nil, count: columns.count)
        let isObject = text.withBytes { buffer -> Bool in
            var scanner = JSONScanner(buffer)
            do throws(JSONSyntaxError) {
                guard try scanner.peek() == .object else { return false }
                try scanner.beginObject()
                var first = true
                while let range = try scanner.nextName(first: first) {
                    first = false
                    let name = scanner.text(range)
                    if name == "id", try scanner.peek() == .string {
                        id = scanner.text(try scanner.skipString())
                    } else if let index = columns.firstIndex(where: { $0.name == name }) {
                        values[index] = try Self.value(of: columns[index].kind, from: &scanner)
                    } else {
                        _ = try scanner.skipValue()
                    }
                }
                return true
            } catch {
                return false
            }
        }
        guard isObject, let id else { throw RecordError(id: nil, description: "It isn't an object with an id.") }
        let complete = try columns.indices.map { (index) throws(RecordError) -> DatabaseValue in
            if let value = values[index] { return value }
            switch columns[index].missing {
            case .null: return .null
            case .text(let text): return text.databaseValue
            case .integer(let number): return number.databaseValue
            case .invalid:
                throw RecordError(id: id, description: "\(columns[index].name) is missing or has another type.")
            }
        }
        return DecodedRecord(id: id, values: complete, json: Array(text.bytes))
    }

    /// Reads a value for a column; nil where it is null or of another type.
    private static func value(
        of kind: RecordColumn.Kind,
        from scanner: inout JSONScanner
    ) throws(JSONSyntaxError) -> DatabaseValue? {
        switch (kind, try scanner.peek()) {
        case (.text, .string):
            return scanner.text(try scanner.skipString()).databaseValue
        case (.date, .string):
            return RFC3339.date(from: scanner.text(try scanner.skipString()))?.milliseconds.databaseValue
        case (.integer, .number):
            return Int(scanner.text(try scanner.skipNumber()))?.databaseValue
        case (.bool, .bool):
            let range = try scanner.skipValue()
            return (scanner.bytes[range.lowerBound] == UInt8(ascii: "t")).databaseValue
        default:
            _ = try scanner.skipValue()
            return nil
        }
    }
}

extension RecordColumn {
    /// A value as it stands in the column.
    func databaseValue(_ json: JSON) -> DatabaseValue {
        switch (kind, json) {
        case (.text, .string(let text)): text.databaseValue
        case (.date, .string(let text)): RFC3339.date(from: text)?.milliseconds.databaseValue ?? .null
        case (.integer, .number(let number)): number.intValue?.databaseValue ?? .null
        case (.bool, .bool(let bool)): bool.databaseValue
        default: .null
        }
    }
}
