import Foundation
import Groundwork

/// The filter and sort of a query (RFC 8620, section 5.5), evaluated in memory.
struct ScriptedQuery {
    private let filter: JSON
    private let sort: [(property: String, isAscending: Bool)]
    private let rules: ScriptedRecords.Rules

    init(_ arguments: JSON, _ rules: ScriptedRecords.Rules) {
        self.rules = rules
        filter = arguments["filter"] ?? .null
        let given = (arguments["sort"]?.arrayValue ?? []).compactMap { key in
            key["property"]?.stringValue.map { (property: $0, isAscending: key["isAscending"]?.boolValue ?? true) }
        }
        sort = given.isEmpty ? [(rules.order, false)] : given
    }

    /// Returns the ids of the matching records, in order.
    func found(in records: [String: ScriptedRecords.Record]) -> [String] {
        records.map { (id: $0.key, json: $0.value.json) }.filter { passes($0.json, filter) }.sorted(by: precedes)
            .map(\.id)
    }

    /// Null comes before every value; ties are by id, in the direction of the last key.
    private func precedes(_ one: (id: String, json: JSON), _ other: (id: String, json: JSON)) -> Bool {
        for key in sort {
            let order = Self.order(value(one.json, key.property), value(other.json, key.property))
            if order != 0 { return (order < 0) == key.isAscending }
        }
        let isAscending = sort.last?.isAscending ?? true
        return isAscending ? one.id < other.id : other.id < one.id
    }

    private func passes(_ record: JSON, _ filter: JSON) -> Bool {
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
        case "equal": Self.order(mine, value) == 0
        case "notEqual": Self.order(mine, value) != 0
        case "lessThan": mine != .null && Self.order(mine, value) < 0
        case "lessThanOrEqual": mine != .null && Self.order(mine, value) <= 0
        case "greaterThan": mine != .null && Self.order(mine, value) > 0
        case "greaterThanOrEqual": mine != .null && Self.order(mine, value) >= 0
        case "contains": text?.contains(value.stringValue ?? "") ?? false
        case "startsWith": text?.hasPrefix(value.stringValue ?? "") ?? false
        case "hasMember": mine.objectValue?[value.stringValue ?? ""] != nil
        case "in": value.arrayValue?.contains { Self.order(mine, $0) == 0 } ?? false
        default: true
        }
    }

    /// Returns a property, or a member of an object by a path of two names.
    private func value(_ record: JSON, _ path: String) -> JSON {
        let parts = path.split(separator: "/", maxSplits: 1).map {
            $0.replacingOccurrences(of: "~1", with: "/").replacingOccurrences(of: "~0", with: "~")
        }
        guard let name = parts.first else { return .null }
        let value = record[name] ?? rules.defaults[name] ?? .null
        return parts.count == 1 ? value : value[parts[1]] ?? .null
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
