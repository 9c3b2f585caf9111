package import Groundwork
import InboxModel
import JMAP

/// A filter of `InboxMessage/query` (RFC 8620 §5.5): conditions, and operators over them.
package struct InboxFilter: Sendable {
    private indirect enum Node: Sendable {
        case condition(InboxCondition)
        case all([Node])
        case any([Node])
        case none([Node])
    }

    private let root: Node
    private let conditions: [InboxCondition]

    /// The maximum depth of nested operators.
    static let depthLimit = 8
    /// The maximum number of conditions and operators in a filter.
    static let countLimit = 64
    /// The maximum number of values in all conditions of a filter. An SQLite statement takes 32,766 arguments unless it
    /// was built for more.
    static let valueLimit = 10_000

    /// Creates a filter without conditions.
    package init() {
        root = .all([])
        conditions = []
    }

    /// Reads a condition or an operator.
    ///
    /// - Throws: ``MethodError`` `unsupportedFilter` for an unsupported filter, ``JSONValueError`` for a malformed one.
    package init(reading reader: JSONReader) throws {
        var parser = Parser()
        root = try parser.node(reader, depth: 1)
        conditions = parser.conditions
    }

    private struct Parser {
        var conditions: [InboxCondition] = []
        var count = 0
        var valueCount = 0

        mutating func node(_ reader: JSONReader, depth: Int) throws -> Node {
            count += 1
            guard count <= InboxFilter.countLimit else {
                throw MethodError.unsupportedFilter(
                    "the filter has more than \(InboxFilter.countLimit) conditions and operators; simplify it"
                )
            }
            guard try reader.object()["operator"] != nil else {
                let condition = try InboxCondition(reading: reader)
                valueCount += condition.valueCount
                guard valueCount <= InboxFilter.valueLimit else {
                    throw MethodError.unsupportedFilter(
                        """
                        the filter's conditions have more than \(InboxFilter.valueLimit) values in total; split it \
                        into several queries
                        """
                    )
                }
                conditions.append(condition)
                return .condition(condition)
            }
            guard depth <= InboxFilter.depthLimit else {
                throw MethodError.unsupportedFilter(
                    "the filter's operators are nested deeper than \(InboxFilter.depthLimit) levels; simplify it"
                )
            }
            try reader.only(["operator", "conditions"])
            let name = try reader.required("operator")
            var parts: [Node] = []
            for part in try reader.required("conditions").elements() { parts.append(try node(part, depth: depth + 1)) }
            switch try name.string() {
            case "AND": return .all(parts)
            case "OR": return .any(parts)
            case "NOT": return .none(parts)
            default: throw name.failure("has to be AND, OR or NOT")
            }
        }
    }

    /// Whether the messages that pass it are those that the person hasn't deleted.
    var isNotDeleted: Bool {
        if case .condition(let condition) = root {
            condition.isNull && condition.property == .field(.deletedAt)
        } else {
            false
        }
    }

    /// Whether it uses a column that only the message's own table has.
    var needsMessage: Bool { conditions.contains { $0.property.needsMessage } }

    /// Whether no change of a message between its delivery and its end affects whether it passes.
    var isImmutable: Bool { conditions.allSatisfy(\.property.isImmutable) }

    /// Whether its SQL has one of few forms, so that its statement may be cached: at most two conditions, without
    /// operators but the conjunction at the top. Nested operators, empty ones too, have unlimited forms.
    var isCommon: Bool {
        let parts = if case .all(let parts) = root { parts } else { [root] }
        return parts.count <= 2
            && parts.allSatisfy { part in if case .condition(let condition) = part { condition.isCommon } else { false }
            }
    }

    /// Returns the filter as an additional condition of a statement: nothing, or SQL that begins with `AND`.
    func sql(from source: InboxProperty.Source, _ arguments: inout SQLArguments) -> SQLText {
        // The parts of a conjunction aren't nested, so that SQLite can use an index for any of them.
        let parts = if case .all(let parts) = root { parts } else { [root] }
        return .joined(parts.map { " AND \(Self.sql($0, from: source, &arguments))" })
    }

    private static func sql(
        _ node: Node,
        from source: InboxProperty.Source,
        _ arguments: inout SQLArguments
    ) -> SQLText {
        func joined(_ parts: [Node], _ separator: String, ifEmpty value: Bool) -> SQLText {
            guard !parts.isEmpty else { return constant(value, &arguments) }
            return "(\(SQLText.joined(parts.map { sql($0, from: source, &arguments) }, separator: separator)))"
        }
        switch node {
        case .condition(let condition): return condition.sql(from: source, &arguments)
        case .all(let parts): return joined(parts, " AND ", ifEmpty: true)
        case .any(let parts): return joined(parts, " OR ", ifEmpty: false)
        case .none(let parts): return "NOT \(joined(parts, " OR ", ifEmpty: false))"
        }
    }

    /// Returns true or false as an argument. With a constant that is known when the statement is prepared, SQLite can't
    /// use the index that the statement names.
    static func constant(_ value: Bool, _ arguments: inout SQLArguments) -> SQLText {
        arguments += [value]
        return "?"
    }
}
