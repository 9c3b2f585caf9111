/// A predicate's tree, read: what the three readings of a query (SQL, a filter for the server, a match in memory)
/// share.
///
/// Every expression either has a value or is null; a comparison of null with anything but null is false, as nowhere in
/// Swift can it be written otherwise.
package indirect enum QueryExpression<Record: Sendable>: Sendable {
    case constant(QueryValue)
    case field(QueryField<Record>)
    case dictionary(QueryDictionary<Record>)
    case list(QueryList<Record>)
    /// The record itself, for members that no field is for.
    case record
    /// The element that a closure is called with.
    case element(QueryElement)
    case member(QueryExpression, any AnyKeyPath & Sendable)
    /// The value of a dictionary under a key; null where there is none.
    case pair(QueryExpression, QueryExpression)

    case not(QueryExpression)
    case and(QueryExpression, QueryExpression)
    case or(QueryExpression, QueryExpression)
    case equal(QueryExpression, QueryExpression)
    case less(QueryExpression, QueryExpression, orEqual: Bool)
    case text(TextMatch, QueryExpression, QueryExpression)
    /// Whether a list has the element.
    case contains(list: QueryExpression, QueryExpression)
    /// Whether the closure holds for an element of the list.
    case any(QueryExpression, QueryElement, QueryExpression)
    case all(QueryExpression, QueryElement, QueryExpression)
    /// The first, or where that is null the second: `??`.
    case coalesce(QueryExpression, QueryExpression)
    /// The second, or null where the first is: `if let`, `flatMap`, `?.`.
    case unwrapped(QueryExpression, QueryExpression)
    case conditional(QueryExpression, QueryExpression, QueryExpression)

    package enum TextMatch: Sendable {
        case contains, startsWith
        /// Without regard to case, accents and width.
        case localizedStandardContains
    }
}

/// Names the element that a closure is called with: by its number in the predicate, so that the same predicate, written
/// twice, is read as the same.
package struct QueryElement: Hashable, Sendable {
    let number: Int
}

/// A field of a record, with its name on the server.
package struct QueryField<Record: Sendable>: Sendable {
    /// The column, and the property on the server.
    package let column: RecordColumn
    /// Whether the store has such a column; the field lies within the record's JSON otherwise.
    package let isStored: Bool
    package let read: @Sendable (Record) -> QueryValue

    package init(
        _ column: RecordColumn,
        isStored: Bool = true,
        _ read: @escaping @Sendable (Record) -> QueryValue
    ) {
        self.column = column
        self.isStored = isStored
        self.read = read
    }
}

/// A dictionary of texts of a record, which is kept within its JSON.
package struct QueryDictionary<Record: Sendable>: Sendable {
    /// The property on the server.
    package let name: String
    package let read: @Sendable (Record) -> [String: String]

    package init(_ name: String, _ read: @escaping @Sendable (Record) -> [String: String]) {
        self.name = name
        self.read = read
    }
}
