import Foundation
import Groundwork
import InboxModel

/// The filter and sort order of an `InboxMessage/query` (RFC 8620 §5.5), evaluated in memory.
struct ScriptedQuery {
    private let filter: JSON
    private let sort: [(property: String, isAscending: Bool)]

    /// Reads the arguments of a query. Without a sort order, the newest delivery is first.
    init(_ arguments: JSON) {
        filter = arguments["filter"] ?? .null
        let given = (arguments["sort"]?.arrayValue ?? []).compactMap { key in
            key["property"]?.stringValue.map { (property: $0, isAscending: key["isAscending"]?.boolValue ?? true) }
        }
        sort = given.isEmpty ? [(MessageField.deliverAt.rawValue, false)] : given
    }

    /// Returns the ids of the records that pass the filter, sorted.
    func found(in records: [JSONObject]) -> [String] {
        records.filter { Self.passes($0, filter) }.sorted(by: precedes).map(Self.id)
    }

    private static func id(_ record: JSONObject) -> String { record[MessageField.id.rawValue]?.stringValue ?? "" }

    /// Returns whether a record precedes another. Null precedes every value. Ties are broken by id, in the direction of
    /// the last key.
    private func precedes(_ one: JSONObject, _ other: JSONObject) -> Bool {
        for key in sort {
            let order = Self.order(Self.value(one, key.property), Self.value(other, key.property))
            if order != 0 { return (order < 0) == key.isAscending }
        }
        let isAscending = sort.last?.isAscending ?? true
        return isAscending ? Self.id(one) < Self.id(other) : Self.id(other) < Self.id(one)
    }

    private static func passes(_ record: JSONObject, _ filter: JSON) -> Bool {
        if let name = filter["operator"]?.stringValue {
            let conditions = filter["conditions"]?.arrayValue ?? []
            return switch name {
            case "OR": conditions.contains { passes(record, $0) }
            case "NOT": !conditions.contains { passes(record, $0) }
            default: conditions.allSatisfy { passes(record, $0) }
            }
        }
        guard let property = filter["property"]?.stringValue, let name = filter["op"]?.stringValue else { return true }
        let (mine, value) = (value(record, property), filter["value"] ?? .null)
        let text = mine.stringValue
        return switch name {
        case "equal": order(mine, value) == 0
        case "notEqual": order(mine, value) != 0
        case "lessThan": mine != .null && order(mine, value) < 0
        case "lessThanOrEqual": mine != .null && order(mine, value) <= 0
        case "greaterThan": mine != .null && order(mine, value) > 0
        case "greaterThanOrEqual": mine != .null && order(mine, value) >= 0
        case "contains": text?.contains(value.stringValue ?? "") ?? false
        case "startsWith": text?.hasPrefix(value.stringValue ?? "") ?? false
        case "hasMember": mine.objectValue?[value.stringValue ?? ""] != nil
        case "in": value.arrayValue?.contains { order(mine, $0) == 0 } ?? false
        default: true
        }
    }

    /// Returns the value of a property, or of a member of `additionalData` by a path of two components.
    private static func value(_ record: JSONObject, _ path: String) -> JSON {
        let parts = path.split(separator: "/", maxSplits: 1).map {
            $0.replacingOccurrences(of: "~1", with: "/").replacingOccurrences(of: "~0", with: "~")
        }
        guard let name = parts.first else { return .null }
        let value = record[name] ?? missing[name] ?? .null
        return parts.count == 1 ? value : value[parts[1]] ?? .null
    }

    /// The default values of omitted properties.
    private static var missing: [String: JSON] {
        [
            MessageField.surface.rawValue: .string(Message.defaultSurface), MessageField.title.rawValue: "",
            MessageField.body.rawValue: "", MessageField.priority.rawValue: 0, MessageField.pinned.rawValue: false,
        ]
    }

    private static func order(_ one: JSON, _ other: JSON) -> Int {
        func compare<T: Comparable>(_ one: T, _ other: T) -> Int { one < other ? -1 : one == other ? 0 : 1 }
        switch (one, other) {
        case (.null, .null): return 0
        case (.null, _): return -1
        case (_, .null): return 1
        case (.bool(let one), .bool(let other)): return compare(one ? 1 : 0, other ? 1 : 0)
        case (.string(let one), .string(let other)):
            if let one = RFC3339.date(from: one), let other = RFC3339.date(from: other) { return compare(one, other) }
            return compare(one, other)
        case (.number(let one), .number(let other)): return compare(one.doubleValue ?? 0, other.doubleValue ?? 0)
        default: return compare("\(one)", "\(other)")
        }
    }
}
