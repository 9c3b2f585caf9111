/// A predicate as a tree, from which the three forms of a query (SQL, a filter for the server, a match in memory) are
/// derived.
///
/// Every expression either has a value or is null. A comparison of null with a value is false. (Swift offers no way to
/// write a predicate that would expect another result.)
package indirect enum QueryExpression<Record: Sendable>: Sendable {
    case constant(QueryValue)
    case field(QueryField<Record>)
    case dictionary(QueryDictionary<Record>)
    case list(QueryList<Record>)
    /// The record itself, for members that aren't fields.
    case record
    /// The element that is passed to a closure.
    case element(QueryElement)
    case member(QueryExpression, any AnyKeyPath & Sendable)
    /// The value of a dictionary for a key; null if there is none.
    case pair(QueryExpression, QueryExpression)

    case not(QueryExpression)
    case and(QueryExpression, QueryExpression)
    case or(QueryExpression, QueryExpression)
    case equal(QueryExpression, QueryExpression)
    case less(QueryExpression, QueryExpression, orEqual: Bool)
    case text(TextMatch, QueryExpression, QueryExpression)
    /// Whether a list contains the element.
    case contains(list: QueryExpression, QueryExpression)
    /// Whether the closure is true for an element of the list.
    case any(QueryExpression, QueryElement, QueryExpression)
    case all(QueryExpression, QueryElement, QueryExpression)
    /// The first expression, or the second if the first is null: `??`.
    case coalesce(QueryExpression, QueryExpression)
    /// The second expression, or null if the first is null: `if let`, `flatMap`, `?.`.
    case unwrapped(QueryExpression, QueryExpression)
    case conditional(QueryExpression, QueryExpression, QueryExpression)

    package enum TextMatch: Sendable {
        case contains, startsWith
        /// Ignores case, accents and width.
        case localizedStandardContains
        case comparison(TextComparison)
    }
}

/// The element that is passed to a closure, identified by its number in the predicate, so that equal predicates have
/// equal expressions.
package struct QueryElement: Hashable, Sendable {
    let number: Int
}

/// A field of a record, with its name on the server.
package struct QueryField<Record: Sendable>: Sendable {
    /// The column, which has the name of the server's property.
    package let column: RecordColumn
    /// Whether the store has the column. Otherwise the field is only in the record's JSON.
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

/// A dictionary of strings of a record, stored in the record's JSON.
package struct QueryDictionary<Record: Sendable>: Sendable {
    /// The name of the server's property.
    package let name: String
    package let read: @Sendable (Record) -> [String: String]

    package init(_ name: String, _ read: @escaping @Sendable (Record) -> [String: String]) {
        self.name = name
        self.read = read
    }
}
