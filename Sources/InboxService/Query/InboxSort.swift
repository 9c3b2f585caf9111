import InboxModel
package import JMAP

/// The sort order of a query (RFC 8620 §5.5): by some properties, then by id in the direction of the last property.
///
/// Null sorts before every value, or after it in descending order.
package struct InboxSort: Sendable {
    fileprivate struct Key: Sendable {
        let property: InboxProperty
        let collation: Collation
        let isAscending: Bool
    }

    /// The sort keys. If there are none, the order is by delivery, newest first.
    private let keys: [Key]

    /// The maximum number of properties by which a query may be sorted.
    static let limit = 8

    /// The maximum size of the texts that a query sorts by, in bytes. They are in memory at once.
    static let sizeLimit = 64 * 1_048_576

    /// - Throws: ``MethodError`` `unsupportedSort`, which names the comparator.
    package init(_ comparators: [QueryComparator]) throws(MethodError) {
        guard comparators.count <= Self.limit else {
            throw .unsupportedSort("messages can be sorted by at most \(Self.limit) properties")
        }
        var keys: [Key] = []
        for (index, comparator) in comparators.enumerated() {
            guard let property = InboxProperty(comparator.property) else {
                throw .unsupportedSort("/sort/\(index)/property isn't a property that messages can be sorted by")
            }
            var collation = Collation.standard
            // The collation is ignored unless the property is text.
            if property.kind == .text, let name = comparator.collation {
                guard let known = Collation(rawValue: name) else {
                    let names = Collation.allCases.map(\.rawValue).joined(separator: ", ")
                    throw .unsupportedSort("/sort/\(index)/collation has to be one of \(names)")
                }
                collation = known
            }
            keys.append(Key(property: property, collation: collation, isAscending: comparator.isAscending))
        }
        self.keys = keys
    }

    /// The direction, if the order is by delivery alone, for which there is an index; otherwise nil.
    package var deliveryIsAscending: Bool? {
        guard let key = keys.first else { return false }
        return keys.count == 1 && key.property == .field(.deliverAt) ? key.isAscending : nil
    }

    /// Whether it uses a column that only the message's own table has.
    var needsMessage: Bool { keys.contains { $0.property.needsMessage } }

    /// Returns the properties as additional columns of a statement.
    func columns(from source: InboxProperty.Source, _ arguments: inout SQLArguments) -> SQLText {
        .joined(keys.map { key in ", \(key.property.sql(from: source, &arguments))" })
    }

    /// Sorts the rows of a statement, each of which has an id and ``columns(from:_:)``.
    ///
    /// - Throws: ``MethodError`` `unsupportedSort` if the texts to sort by are larger than ``sizeLimit``.
    func sortedIDs(of rows: SQLCursor) throws -> [MessageID] {
        var entries: [(id: Int, values: [Value])] = []
        var size = 0
        while let row = try rows.next() {
            let values = keys.enumerated().map { index, key in key.value(row, column: index + 1) }
            for case .bytes(let bytes) in values { size += bytes.count }
            guard size <= Self.sizeLimit else {
                throw MethodError.unsupportedSort(
                    "the texts to sort by have more than \(Self.sizeLimit) bytes; filter them, or sort by others"
                )
            }
            entries.append((row[0], values))
        }
        let isAscending = keys.last?.isAscending ?? false
        entries.sort { one, other in
            for (key, (first, second)) in zip(keys, zip(one.values, other.values)) where first != second {
                return (first < second) == key.isAscending
            }
            return (one.id < other.id) == isAscending
        }
        return entries.map { MessageID(rawValue: $0.id) }
    }
}

/// A value in the order of a sort key: null before all others.
private enum Value: Comparable {
    case null
    case number(Int)
    case bytes([UInt8])

    static func < (one: Value, other: Value) -> Bool {
        switch (one, other) {
        case (_, .null): false
        case (.null, _): true
        case (.number(let one), .number(let other)): one < other
        case (.bytes(let one), .bytes(let other)): one.lexicographicallyPrecedes(other)
        // The values of one property are of one kind.
        case (.number, .bytes): true
        case (.bytes, .number): false
        }
    }
}

extension InboxSort.Key {
    fileprivate func value(_ row: SQLRow, column: Int) -> Value {
        switch property.kind {
        case .id, .date, .number: (row[column] as Int?).map(Value.number) ?? .null
        case .flag: .number((row[column] as Bool) ? 1 : 0)
        case .text: (row[column] as String?).map { .bytes(collation.key(of: $0)) } ?? .null
        }
    }
}
