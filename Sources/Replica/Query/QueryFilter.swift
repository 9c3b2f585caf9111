/// What of a query SQL and the server can decide: conditions on fields, joined by AND and OR.
///
/// Where a part of the query is beyond them, it is left open: a record that passes may still not match, and is looked
/// at in memory. One that doesn't pass never matches.
package indirect enum QueryFilter: Hashable, Sendable {
    case all([QueryFilter])
    case any([QueryFilter])
    case condition(Condition)
    case open

    /// A condition on a field, which holds or doesn't: a field that is null equals null alone, and is neither less nor
    /// greater than anything.
    package struct Condition: Hashable, Sendable {
        package enum Comparison: Hashable, Sendable {
            case equal(Constant)
            case less(Constant), lessOrEqual(Constant), greater(Constant), greaterOrEqual(Constant)
            case contains(String), startsWith(String)
            case isIn([Constant])
            /// A field of members has that one.
            case hasMember(String)
        }

        package let field: Field
        package let comparison: Comparison
        package let isNegated: Bool
    }

    package enum Field: Hashable, Sendable {
        case column(RecordColumn)
        /// A field that lies within the record's JSON.
        case detail(RecordColumn)
        /// A text of the elements of a list that lies within the record's JSON: the names of both. It is what one of
        /// the elements has.
        case element(String, text: String)
        /// A value of a dictionary of texts: the property's name, and the key.
        case pair(String, key: String)
    }

    package enum Constant: Hashable, Sendable {
        case null
        case bool(Bool)
        case integer(Int)
        case text(String)
    }

    /// How many values a list may have that is decided by SQL or the server.
    static let listLimit = 1_000

    /// Whether nothing is left open: who passes matches.
    package var isExact: Bool {
        switch self {
        case .all(let parts), .any(let parts): parts.allSatisfy(\.isExact)
        case .condition: true
        case .open: false
        }
    }

    /// The same, with conditions on other fields left open.
    package func keeping(_ isKnown: (Field) -> Bool) -> QueryFilter {
        switch self {
        case .all(let parts): .joined(parts.map { $0.keeping(isKnown) })
        case .any(let parts): .either(parts.map { $0.keeping(isKnown) })
        case .condition(let condition): isKnown(condition.field) ? self : .open
        case .open: .open
        }
    }

    /// All of them, without needless nesting.
    static func joined(_ parts: [QueryFilter]) -> QueryFilter {
        let flat = parts.flatMap { part in if case .all(let parts) = part { parts } else { [part] } }
        if flat.contains(.any([])) { return .any([]) }
        return flat.count == 1 ? flat[0] : .all(flat)
    }

    /// One of them, without needless nesting.
    static func either(_ parts: [QueryFilter]) -> QueryFilter {
        let flat = parts.flatMap { part in if case .any(let parts) = part { parts } else { [part] } }
        if flat.contains(.all([])) { return .all([]) }
        return flat.count == 1 ? flat[0] : .any(flat)
    }
}
