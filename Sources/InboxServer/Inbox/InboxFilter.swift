import GRDB
import Groundwork
import InboxModel
import JMAP

/// A filter of `InboxMessage/query`: conditions that all have to hold.
struct InboxFilter: Sendable {
    private enum Value: Sendable {
        case text(String)
        case date(Int)
        case null

        var databaseValue: DatabaseValue {
            switch self {
            case .text(let text): text.databaseValue
            case .date(let milliseconds): milliseconds.databaseValue
            case .null: .null
            }
        }
    }

    private struct Condition: Sendable {
        let field: MessageField
        let isEqual: Bool
        let value: Value
    }

    private var conditions: [Condition] = []

    private static let ofMessage: [MessageField] = [.surface, .category, .groupKey]
    /// How many conditions one filter may have.
    private static let limit = 16

    /// No conditions.
    init() {}

    /// Reads a condition, or conditions under `AND`.
    ///
    /// - Throws: ``MethodError`` `unsupportedFilter` for what can't be answered, `invalidArguments` for what isn't a filter.
    init(reading reader: JSONReader) throws(MethodError) {
        do {
            if let name = try reader.member("operator")?.string() {
                try reader.only(["operator", "conditions"])
                guard name == "AND" else { throw MethodError.unsupportedFilter("only the operator AND is supported") }
                let parts = try reader.required("conditions").elements()
                guard parts.count <= Self.limit else {
                    throw MethodError.unsupportedFilter("at most \(Self.limit) conditions are supported")
                }
                for part in parts { conditions.append(try Self.condition(part)) }
            } else {
                conditions = [try Self.condition(reader)]
            }
        } catch let error as MethodError {
            throw error
        } catch let error as JSONValueError {
            throw .invalidArguments(error)
        } catch {
            throw .unsupportedFilter("the filter can't be read")
        }
    }

    private static func condition(_ reader: JSONReader) throws -> Condition {
        _ = try reader.object()
        guard reader.value["operator"] == nil else {
            throw MethodError.unsupportedFilter("operators can't be nested")
        }
        try reader.only(["property", "op", "value"])
        let property = try reader.required("property").string()
        guard let field = MessageField(rawValue: property),
            ofMessage.contains(field) || MessageField.personal.contains(field)
        else { throw MethodError.unsupportedFilter("messages can't be filtered by that property") }
        let isEqual: Bool
        switch try reader.required("op").string() {
        case "equal": isEqual = true
        case "notEqual": isEqual = false
        default: throw MethodError.unsupportedFilter("only equal and notEqual are supported")
        }
        guard reader.value["value"] != nil else { throw (reader.failure("needs a value")) }
        guard let value = reader.member("value") else { return Condition(field: field, isEqual: isEqual, value: .null) }
        return Condition(
            field: field,
            isEqual: isEqual,
            value: ofMessage.contains(field) ? .text(try value.string()) : .date(try value.date().milliseconds)
        )
    }

    /// Whether a condition looks at what the sender wrote, which is in another table than the deliveries.
    var needsMessage: Bool { conditions.contains { Self.ofMessage.contains($0.field) } }

    /// The conditions for deliveries `d`, joined with their messages `m` where ``needsMessage``.
    func deliverySQL(_ arguments: inout StatementArguments) -> String {
        conditions.map { condition in
            arguments += [condition.value.databaseValue]
            let table = Self.ofMessage.contains(condition.field) ? "m" : "d"
            return " AND " + Self.sql(condition, column: "\(table).\(condition.field.rawValue)")
        }.joined()
    }

    /// The conditions for broadcasts `m` on which the person hasn't acted: all of the person's dates are null.
    func broadcastSQL(_ arguments: inout StatementArguments) -> String {
        conditions.map { condition in
            arguments += [condition.value.databaseValue]
            let isOfMessage = Self.ofMessage.contains(condition.field)
            return " AND " + Self.sql(condition, column: isOfMessage ? "m.\(condition.field.rawValue)" : "NULL")
        }.joined()
    }

    private static func sql(_ condition: Condition, column: String) -> String {
        "\(column) \(condition.isEqual ? "IS" : "IS NOT") ?"
    }
}

extension MethodError {
    static func unsupportedFilter(_ description: String) -> MethodError {
        MethodError("unsupportedFilter", description)
    }

    static func unsupportedSort(_ description: String) -> MethodError {
        MethodError("unsupportedSort", description)
    }
}
