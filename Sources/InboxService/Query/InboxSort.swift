import GRDB
import InboxModel
package import JMAP

/// The order of a query (RFC 8620 §5.5): by some properties, ties by id in the direction of the last of them.
///
/// Null comes before every value, or after it where the direction is descending.
package struct InboxSort: Sendable {
    private struct Key: Sendable {
        let property: InboxProperty
        let collation: Collation
        let isAscending: Bool
    }

    /// By delivery, newest first, where there are none.
    private let keys: [Key]

    /// How many properties a query may be sorted by.
    static let limit = 8

    /// - Throws: ``MethodError`` `unsupportedSort`, which names the comparator.
    package init(_ comparators: [QueryComparator]) throws(MethodError) {
        guard comparators.count <= Self.limit else {
            throw .unsupportedSort("messages can be sorted by at most \(Self.limit) properties")
        }
        var keys: [Key] = []
        for (index, comparator) in comparators.enumerated() {
            guard let property = InboxProperty(comparator.property) else {
                throw .unsupportedSort("/sort/\(index)/property isn't one that messages can be sorted by")
            }
            var collation = Collation.standard
            // It is ignored where the property isn't text.
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

    /// The direction, where it is the order by delivery alone, which an index has; nil for any other.
    package var deliveryIsAscending: Bool? {
        guard let key = keys.first else { return false }
        return keys.count == 1 && key.property == .field(.deliverAt) ? key.isAscending : nil
    }

    /// Whether it looks at what only the message's own table has.
    var needsMessage: Bool { keys.contains { $0.property.needsMessage } }

    /// What a row has to have for the order, as further columns of a statement.
    func columns(from source: InboxProperty.Source, _ arguments: inout StatementArguments) -> String {
        keys.enumerated().map { index, key in
            let value = key.property.sql(from: source, &arguments)
            return ", \(key.property.kind == .text ? key.collation.sql(value) : value) AS key\(index)"
        }.joined()
    }

    /// The terms of an `ORDER BY` over ``columns(from:_:)`` and an `id`.
    var terms: String {
        let terms = keys.enumerated().map { index, key in "key\(index) \(key.isAscending ? "ASC" : "DESC")" }
        return (terms + ["id \(keys.last?.isAscending ?? false ? "ASC" : "DESC")"]).joined(separator: ", ")
    }
}
