import Groundwork
import InboxModel
import JMAP

/// A condition of a filter: a property, a comparison and its values.
///
/// Text is compared by bytes, in normal form C if the property is stored so. Case and accents are significant, the
/// composition of characters isn't. A condition is true or false: a null property equals only null, and is neither less
/// nor greater than any value.
struct InboxCondition: Sendable {
    private enum Comparison: String {
        case equal, notEqual, lessThan, lessThanOrEqual, greaterThan, greaterThanOrEqual, contains, startsWith
        case oneOf = "in"

        func isMeaningful(for kind: InboxProperty.Kind) -> Bool {
            switch self {
            case .equal, .notEqual, .oneOf: true
            case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual: kind != .id && kind != .flag
            case .contains, .startsWith: kind == .text
            }
        }
    }

    let property: InboxProperty
    private let comparison: Comparison
    /// The values. Only `in` has more or fewer than one.
    private let values: [Value]

    private enum Value: Equatable {
        case null
        case number(Int)
        case text(String)
        case flag(Bool)
    }

    /// The maximum number of values of `in`.
    static let valueLimit = 1_000

    /// Reads a condition: `{property, op, value}`.
    ///
    /// - Throws: ``MethodError`` `unsupportedFilter` for an unsupported condition, ``JSONValueError`` for a malformed
    ///   one.
    init(reading reader: JSONReader) throws {
        try reader.only(["property", "op", "value"])
        guard let property = InboxProperty(try reader.required("property").columnText()) else {
            throw MethodError.unsupportedFilter(
                "\(reader.pointer / "property") isn't a property that messages can be filtered by"
            )
        }
        let name = try reader.required("op")
        guard let comparison = Comparison(rawValue: try name.string()), comparison.isMeaningful(for: property.kind)
        else {
            throw MethodError.unsupportedFilter("\(name.pointer) isn't an operator that this property supports")
        }
        // Here null is a value. A missing member is an error.
        guard let json = reader.value["value"] else { throw reader.failure("needs a value") }
        let value = JSONReader(json, at: reader.pointer / "value")
        self.property = property
        self.comparison = comparison
        switch comparison {
        case .oneOf:
            let elements = try value.elements()
            guard elements.count <= Self.valueLimit else {
                throw MethodError.unsupportedFilter("\(value.pointer) has more than \(Self.valueLimit) values")
            }
            values = try elements.map { try Self.value($0, property) }
        case .equal, .notEqual:
            values = [try Self.value(value, property)]
        default:
            guard json != .null else { throw value.failure("has to be a value other than null for this op") }
            values = [try Self.value(value, property)]
        }
    }

    private static func value(_ reader: JSONReader, _ property: InboxProperty) throws -> Value {
        guard reader.value != .null else { return .null }
        switch property.kind {
        // No message has a negative id, so a text that isn't a valid message id equals none.
        case .id: return .number(MessageID(try reader.identifier())?.rawValue ?? -1)
        case .text:
            let text = try reader.columnText()
            return .text(property.isNormalized ? text.normalized : text)
        case .date: return .number(try reader.date().milliseconds)
        case .number: return .number(try reader.int())
        case .flag: return .flag(try reader.bool())
        }
    }

    /// The number of values.
    var valueCount: Int { values.count }

    /// Whether it is that the property is null.
    var isNull: Bool { comparison == .equal && values == [.null] }

    /// Whether its SQL has one of few forms.
    var isCommon: Bool { comparison == .equal || comparison == .notEqual }

    /// Returns the values as arguments. That of a null has the type of the property's values.
    private func arguments(_ values: [Value]) -> SQLArguments {
        SQLArguments(
            values.map { value -> any SQLValue in
                switch value {
                case .number(let number): number
                case .text(let text): text
                case .flag(let flag): flag
                case .null:
                    switch property.kind {
                    case .id, .date, .number: Int?.none
                    case .text: String?.none
                    case .flag: Bool?.none
                    }
                }
            }
        )
    }

    /// The condition in SQL, true or false but never null, so that it can be negated.
    func sql(from source: InboxProperty.Source, _ arguments: inout SQLArguments) -> SQLText {
        guard comparison != .oneOf else { return listSQL(from: source, &arguments) }
        let column = property.sql(from: source, &arguments)
        // Every text starts with the empty text. SQLite's `substr` of an empty blob is null, so this case is separate.
        if comparison == .startsWith, values == [.text("")] { return "\(column) IS NOT NULL" }
        // A null argument would make PostgreSQL read the whole inbox: it plans the statement for all arguments, and
        // doesn't see that this one is null. A value that is null for every broadcast stays an argument: see
        // `InboxFilter.constant(_:_:)`.
        if values == [.null], source == .deliveries || property.needsMessage {
            return comparison == .equal ? "\(column) IS NULL" : "\(column) IS NOT NULL"
        }
        arguments += self.arguments(values)
        switch comparison {
        case .equal: return "\(column) IS NOT DISTINCT FROM ?"
        case .notEqual: return "\(column) IS DISTINCT FROM ?"
        case .lessThan: return "coalesce(\(column) < ?, false)"
        case .lessThanOrEqual: return "coalesce(\(column) <= ?, false)"
        case .greaterThan: return "coalesce(\(column) > ?, false)"
        case .greaterThanOrEqual: return "coalesce(\(column) >= ?, false)"
        case .contains:
            return SQLText(
                sqlite: "coalesce(instr(\(column.sqlite), ?) > 0, false)",
                postgres: "coalesce(strpos(\(column.source), ?) > 0, false)"
            )
        case .startsWith:
            // SQLite compares them as blobs, so that lengths are in bytes and no byte is special.
            arguments += self.arguments(values)
            return SQLText(
                sqlite: """
                    coalesce(
                        substr(CAST(\(column.sqlite) AS BLOB), 1, length(CAST(? AS BLOB))) = CAST(? AS BLOB), false
                    )
                    """,
                postgres: "coalesce(starts_with(\(column.source), ?) AND ? IS NOT NULL, false)"
            )
        case .oneOf: return "false"
        }
    }

    private func listSQL(from source: InboxProperty.Source, _ arguments: inout SQLArguments) -> SQLText {
        var parts: [SQLText] = []
        let listed = values.filter { $0 != .null }
        if !listed.isEmpty {
            let column = property.sql(from: source, &arguments)
            arguments += self.arguments(listed)
            let marks = Array(repeating: "?", count: listed.count).joined(separator: ",")
            parts.append("coalesce(\(column) IN (\(marks)), false)")
        }
        if listed.count < values.count { parts.append("\(property.sql(from: source, &arguments)) IS NULL") }
        guard !parts.isEmpty else { return InboxFilter.constant(false, &arguments) }
        return "(\(SQLText.joined(parts, separator: " OR ")))"
    }
}
