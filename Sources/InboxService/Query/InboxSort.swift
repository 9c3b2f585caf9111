import GRDB
import InboxModel
package import JMAP

/// The sort order of a query (RFC 8620 §5.5): by some properties, then by id in the direction of the last property.
///
/// Null sorts before every value, or after it in descending order.
package struct InboxSort: Sendable {
    private struct Key: Sendable {
        let property: InboxProperty
        let collation: Collation
        let isAscending: Bool
    }

    /// The sort keys. If there are none, the order is by delivery, newest first.
    private let keys: [Key]

    /// The maximum number of properties by which a query may be sorted.
    static let limit = 8

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

    /// Returns the sort keys as additional columns of a statement.
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
