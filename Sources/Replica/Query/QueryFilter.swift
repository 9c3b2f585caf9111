/// The part of a query that SQL and the server can decide: conditions on fields, combined with AND and OR.
///
/// Parts of the query that they can't decide are left open. A record that passes the filter may still not match, and is
/// evaluated in memory. A record that doesn't pass never matches.
package indirect enum QueryFilter: Hashable, Sendable {
    case all([QueryFilter])
    case any([QueryFilter])
    case condition(Condition)
    case open

    /// A condition on a field, which is true or false. A null field is equal only to null, and neither less nor greater
    /// than any value.
    package struct Condition: Hashable, Sendable {
        package enum Comparison: Hashable, Sendable {
            case equal(Constant)
            case less(Constant), lessOrEqual(Constant), greater(Constant), greaterOrEqual(Constant)
            case contains(String), startsWith(String)
            case isIn([Constant])
            /// The field of members contains the name.
            case hasMember(String)
        }

        package let field: Field
        package let comparison: Comparison
        package let isNegated: Bool
    }

    package enum Field: Hashable, Sendable {
        case column(RecordColumn)
        /// A field in the record's JSON that has no column.
        case detail(RecordColumn)
        /// A string of the elements of a list in the record's JSON, by the names of both. The condition is met if one
        /// of the elements meets it.
        case element(String, text: String)
        /// A value of a dictionary of strings, by the property's name and the key.
        case pair(String, key: String)
    }

    package enum Constant: Hashable, Sendable {
        case null
        case bool(Bool)
        case integer(Int)
        case text(String)
    }

    /// The maximum number of values in a list that SQL or the server decides.
    static let listLimit = 1_000

    /// Whether nothing is left open, so that every record that passes matches.
    package var isExact: Bool {
        switch self {
        case .all(let parts), .any(let parts): parts.allSatisfy(\.isExact)
        case .condition: true
        case .open: false
        }
    }

    /// Returns the filter with conditions on other fields left open.
    package func keeping(_ isKnown: (Field) -> Bool) -> QueryFilter {
        switch self {
        case .all(let parts): .joined(parts.map { $0.keeping(isKnown) })
        case .any(let parts): .either(parts.map { $0.keeping(isKnown) })
        case .condition(let condition): isKnown(condition.field) ? self : .open
        case .open: .open
        }
    }

    /// Combines filters with AND, without needless nesting.
    static func joined(_ parts: [QueryFilter]) -> QueryFilter {
        let flat = parts.flatMap { part in if case .all(let parts) = part { parts } else { [part] } }
        if flat.contains(.any([])) { return .any([]) }
        return flat.count == 1 ? flat[0] : .all(flat)
    }

    /// Combines filters with OR, without needless nesting.
    static func either(_ parts: [QueryFilter]) -> QueryFilter {
        let flat = parts.flatMap { part in if case .any(let parts) = part { parts } else { [part] } }
        if flat.contains(.all([])) { return .all([]) }
        return flat.count == 1 ? flat[0] : .any(flat)
    }
}
