package import Foundation

/// A reader that converts a predicate (Foundation's `#Predicate`) to an expression.
package struct QueryReader<Record: Sendable> {
    /// The meaning of the record's key paths.
    private let fields: QueryFields<Record>
    /// The expressions that the variables of predicates and closures stand for.
    private var variables: [PredicateExpressions.VariableID: QueryExpression<Record>] = [:]
    /// The number of closures over elements that have been read.
    private var elements = 0

    /// Returns the expression of a predicate.
    ///
    /// - Throws: ``QueryError``, which names the unsupported part.
    package static func read(
        _ predicate: Predicate<Record>,
        fields: QueryFields<Record>
    ) throws(QueryError) -> QueryExpression<Record> {
        var reader = QueryReader(fields: fields)
        reader.variables[predicate.variable.key] = .record
        return try reader.read(predicate.expression)
    }

    private init(fields: QueryFields<Record>) {
        self.fields = fields
    }

    mutating func read(_ part: any PredicateExpression) throws(QueryError) -> QueryExpression<Record> {
        guard let part = part as? any QueryReadable else { throw .unsupported(Self.name(of: part)) }
        return try part.read(by: &self)
    }

    /// Throws if a type is that of a string, which can't be used as a list of characters.
    func expectList(_ type: Any.Type) throws(QueryError) {
        if type is any StringProtocol.Type {
            throw .unsupported("the characters of a text", instead: "write contains or starts(with:) with a text")
        }
    }

    /// Reads a closure over the elements of a list.
    mutating func read(
        _ body: any PredicateExpression,
        ofElement id: PredicateExpressions.VariableID
    ) throws(QueryError) -> (element: QueryElement, body: QueryExpression<Record>) {
        let element = QueryElement(number: elements)
        elements += 1
        return (element, try read(body, with: .element(element), for: id))
    }

    /// Reads a closure over a value that isn't null.
    mutating func read(
        _ body: any PredicateExpression,
        with value: QueryExpression<Record>,
        for id: PredicateExpressions.VariableID
    ) throws(QueryError) -> QueryExpression<Record> {
        variables[id] = value
        defer { variables[id] = nil }
        return try read(body)
    }

    func variable(_ id: PredicateExpressions.VariableID) throws(QueryError) -> QueryExpression<Record> {
        guard let value = variables[id] else { throw .unsupported("a variable of another predicate") }
        return value
    }

    /// Returns the expression of a key path: a field, a member of a captured value, or a member that can only be
    /// evaluated in memory.
    func member(_ base: QueryExpression<Record>, _ keyPath: any AnyKeyPath & Sendable) -> QueryExpression<Record> {
        switch base {
        case .record:
            if let keyPath = keyPath as? PartialKeyPath<Record>, let field = fields[keyPath] { return field }
        case .constant(let value): return .constant(value.member(keyPath))
        case .field(let field) where field.column.kind == .text && keyPath == \String.isEmpty:
            return .equal(base, .constant(.text("")))
        default: break
        }
        return .member(base, keyPath)
    }

    /// Returns the name of a part in Foundation, without its generic parameters, with a hint for common ones.
    private static func name(of part: any PredicateExpression) -> String {
        let name = String(describing: type(of: part)).prefix { $0 != "<" }
        return switch name {
        case "ForcedUnwrap": "! on an optional; write if let or ??"
        case "Arithmetic", "FloatDivision", "IntDivision", "IntRemainder":
            "arithmetic (\(name)); compute the value outside the predicate, and capture it"
        case "Filter": "filter; write contains(where:) or allSatisfy"
        case "SequenceMaximum", "SequenceMinimum": "min or max (\(name))"
        case "ForceCast", "ConditionalCast", "TypeCheck": "casts (\(name))"
        case "CollectionIndexSubscript", "CollectionRangeSubscript": "an index (\(name)); write contains(where:)"
        case "StringCaseInsensitiveCompare", "StringLocalizedCompare":
            "a comparison that depends on the locale (\(name)); "
                + "compare with == or <, or search with localizedStandardContains"
        case "StringContainsRegex": "regular expressions (\(name)); write contains or starts(with:)"
        default: "\(name)"
        }
    }
}

/// A part of a predicate that queries support.
protocol QueryReadable {
    func read<Record>(by reader: inout QueryReader<Record>) throws(QueryError) -> QueryExpression<Record>
}
