import Foundation
package import Groundwork
import JMAP

extension QueryFilter {
    /// The filter of `/query` (RFC 8620, section 5.5) for our server: `{property, op, value}` under operators; nil if
    /// everything is left open.
    ///
    /// The server rejects a filter beyond its limits (``within(_:)``).
    package var json: JSON? {
        switch self {
        case .open: return nil
        case .condition(let condition):
            // Our server doesn't support conditions on the elements of lists.
            if case .element = condition.field { return nil }
            return condition.json
        case .all(let parts):
            let filters = parts.compactMap(\.json)
            if filters.count == 1 { return filters[0] }
            return filters.isEmpty && !parts.isEmpty ? nil : Self.operation("AND", filters)
        case .any(let parts):
            let filters = parts.map(\.json)
            guard !filters.contains(nil) else { return nil }
            return Self.operation("OR", filters.compactMap { $0 })
        }
    }

    fileprivate static func operation(_ name: String, _ conditions: [JSON]) -> JSON {
        ["operator": .string(name), "conditions": .array(conditions)]
    }
}

extension QueryFilter.Condition {
    fileprivate var json: JSON {
        let (op, value): (String, JSON) =
            switch comparison {
            case .equal(let constant): (isNegated ? "notEqual" : "equal", json(constant))
            case .less(let bound): ("lessThan", json(bound))
            case .lessOrEqual(let bound): ("lessThanOrEqual", json(bound))
            case .greater(let bound): ("greaterThan", json(bound))
            case .greaterOrEqual(let bound): ("greaterThanOrEqual", json(bound))
            case .contains(let part): ("contains", .string(part))
            case .startsWith(let part): ("startsWith", .string(part))
            case .hasMember(let name): ("hasMember", .string(name))
            case .isIn(let constants): ("in", .array(constants.map(json)))
            }
        let condition: JSON = ["property": .string(property), "op": .string(op), "value": value]
        return isNegatedByOperator ? QueryFilter.operation("NOT", [condition]) : condition
    }

    private var property: String {
        switch field {
        case .column(let column), .detail(let column): column.name
        case .element(let name, let text): "\(name)/\(text)"
        case .pair(let name, let key): "\(name)/" + key.replacing("~", with: "~0").replacing("/", with: "~1")
        }
    }

    private func json(_ constant: QueryFilter.Constant) -> JSON {
        switch constant {
        case .null: return .null
        case .bool(let bool): return .bool(bool)
        case .text(let text): return .string(text)
        case .integer(let integer):
            if case .column(let column) = field, column.kind == .date {
                return .string(RFC3339.string(from: Date(milliseconds: integer)))
            }
            return JSON(integer)
        }
    }
}
