import Foundation

// One conformance for each supported construct of `#Predicate`, in the order of Foundation's documentation.

extension PredicateExpressions.Value: QueryReadable {
    func read<Record>(by reader: inout QueryReader<Record>) -> QueryExpression<Record> {
        .constant(QueryValue(value))
    }
}

extension PredicateExpressions.UnaryMinus: QueryReadable {
    func read<Record>(by reader: inout QueryReader<Record>) throws(QueryError) -> QueryExpression<Record> {
        // A negative literal, such as -1.
        switch try reader.read(wrapped) {
        case .constant(.integer(let integer)): return .constant(.integer(-integer))
        case .constant(.number(let number)): return .constant(.number(-number))
        default:
            throw .unsupported(
                "arithmetic (UnaryMinus)",
                instead: "compute the value outside the predicate, and capture it"
            )
        }
    }
}

extension PredicateExpressions.NilLiteral: QueryReadable {
    func read<Record>(by reader: inout QueryReader<Record>) -> QueryExpression<Record> { .constant(.null) }
}

extension PredicateExpressions.Variable: QueryReadable {
    func read<Record>(by reader: inout QueryReader<Record>) throws(QueryError) -> QueryExpression<Record> {
        try reader.variable(key)
    }
}

extension PredicateExpressions.KeyPath: QueryReadable {
    func read<Record>(by reader: inout QueryReader<Record>) throws(QueryError) -> QueryExpression<Record> {
        reader.member(try reader.read(root), keyPath)
    }
}

extension PredicateExpressions.Conjunction: QueryReadable {
    func read<Record>(by reader: inout QueryReader<Record>) throws(QueryError) -> QueryExpression<Record> {
        .and(try reader.read(lhs), try reader.read(rhs))
    }
}

extension PredicateExpressions.Disjunction: QueryReadable {
    func read<Record>(by reader: inout QueryReader<Record>) throws(QueryError) -> QueryExpression<Record> {
        .or(try reader.read(lhs), try reader.read(rhs))
    }
}

extension PredicateExpressions.Negation: QueryReadable {
    func read<Record>(by reader: inout QueryReader<Record>) throws(QueryError) -> QueryExpression<Record> {
        .not(try reader.read(wrapped))
    }
}

extension PredicateExpressions.Equal: QueryReadable {
    func read<Record>(by reader: inout QueryReader<Record>) throws(QueryError) -> QueryExpression<Record> {
        .equal(try reader.read(lhs), try reader.read(rhs))
    }
}

extension PredicateExpressions.NotEqual: QueryReadable {
    func read<Record>(by reader: inout QueryReader<Record>) throws(QueryError) -> QueryExpression<Record> {
        .not(.equal(try reader.read(lhs), try reader.read(rhs)))
    }
}

extension PredicateExpressions.Comparison: QueryReadable {
    func read<Record>(by reader: inout QueryReader<Record>) throws(QueryError) -> QueryExpression<Record> {
        let (one, other) = (try reader.read(lhs), try reader.read(rhs))
        return switch op {
        case .lessThan: .less(one, other, orEqual: false)
        case .lessThanOrEqual: .less(one, other, orEqual: true)
        case .greaterThan: .less(other, one, orEqual: false)
        case .greaterThanOrEqual: .less(other, one, orEqual: true)
        @unknown default: throw .unsupported("this comparison (\(op))")
        }
    }
}

extension PredicateExpressions.Range: QueryReadable {
    func read<Record>(by reader: inout QueryReader<Record>) throws(QueryError) -> QueryExpression<Record> {
        throw .unsupported("a range other than in contains")
    }
}

extension PredicateExpressions.RangeExpressionContains: QueryReadable {
    func read<Record>(by reader: inout QueryReader<Record>) throws(QueryError) -> QueryExpression<Record> {
        guard let range = range as? any QueryRange else {
            throw .unsupported("this kind of range (\(type(of: range)))")
        }
        let element = try reader.read(element)
        let (lower, upper, includesUpper) = try range.bounds(by: &reader)
        return .and(.less(lower, element, orEqual: true), .less(element, upper, orEqual: includesUpper))
    }
}

extension PredicateExpressions.SequenceContains: QueryReadable {
    func read<Record>(by reader: inout QueryReader<Record>) throws(QueryError) -> QueryExpression<Record> {
        try reader.expectList(LHS.Output.self)
        var list = try reader.read(sequence)
        if case .constant(let value) = list, let elements = value.elements { list = .constant(.list(elements)) }
        return .contains(list: list, try reader.read(element))
    }
}

extension PredicateExpressions.SequenceContainsWhere: QueryReadable {
    func read<Record>(by reader: inout QueryReader<Record>) throws(QueryError) -> QueryExpression<Record> {
        try reader.expectList(LHS.Output.self)
        let list = try reader.read(sequence)
        let (element, body) = try reader.read(test, ofElement: variable.key)
        return .any(list, element, body)
    }
}

extension PredicateExpressions.SequenceAllSatisfy: QueryReadable {
    func read<Record>(by reader: inout QueryReader<Record>) throws(QueryError) -> QueryExpression<Record> {
        try reader.expectList(LHS.Output.self)
        let list = try reader.read(sequence)
        let (element, body) = try reader.read(test, ofElement: variable.key)
        return .all(list, element, body)
    }
}

extension PredicateExpressions.CollectionContainsCollection: QueryReadable {
    func read<Record>(by reader: inout QueryReader<Record>) throws(QueryError) -> QueryExpression<Record> {
        guard Base.Output.self is any StringProtocol.Type else {
            throw .unsupported("contains of a list in a list", instead: "write contains(where:) or allSatisfy")
        }
        return .text(.contains, try reader.read(base), try reader.read(other))
    }
}

extension PredicateExpressions.SequenceStartsWith: QueryReadable {
    func read<Record>(by reader: inout QueryReader<Record>) throws(QueryError) -> QueryExpression<Record> {
        guard Base.Output.self is any StringProtocol.Type else {
            throw .unsupported("starts(with:) of a list", instead: "write contains(where:) or allSatisfy")
        }
        return .text(.startsWith, try reader.read(base), try reader.read(prefix))
    }
}

extension PredicateExpressions.StringLocalizedStandardContains: QueryReadable {
    func read<Record>(by reader: inout QueryReader<Record>) throws(QueryError) -> QueryExpression<Record> {
        .text(.localizedStandardContains, try reader.read(root), try reader.read(other))
    }
}

extension PredicateExpressions.DictionaryKeySubscript: QueryReadable {
    func read<Record>(by reader: inout QueryReader<Record>) throws(QueryError) -> QueryExpression<Record> {
        .pair(try reader.read(wrapped), try reader.read(key))
    }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: QueryReadable {
    func read<Record>(by reader: inout QueryReader<Record>) throws(QueryError) -> QueryExpression<Record> {
        .coalesce(.pair(try reader.read(wrapped), try reader.read(key)), try reader.read(`default`))
    }
}

extension PredicateExpressions.NilCoalesce: QueryReadable {
    func read<Record>(by reader: inout QueryReader<Record>) throws(QueryError) -> QueryExpression<Record> {
        .coalesce(try reader.read(lhs), try reader.read(rhs))
    }
}

extension PredicateExpressions.OptionalFlatMap: QueryReadable {
    func read<Record>(by reader: inout QueryReader<Record>) throws(QueryError) -> QueryExpression<Record> {
        let value = try reader.read(wrapped)
        return .unwrapped(value, try reader.read(transform, with: value, for: variable.key))
    }
}

extension PredicateExpressions.Conditional: QueryReadable {
    func read<Record>(by reader: inout QueryReader<Record>) throws(QueryError) -> QueryExpression<Record> {
        .conditional(try reader.read(test), try reader.read(trueBranch), try reader.read(falseBranch))
    }
}

/// A range whose bounds are parts of the predicate.
private protocol QueryRange {
    typealias Bounds<Record: Sendable> = (
        lower: QueryExpression<Record>, upper: QueryExpression<Record>, includesUpper: Bool
    )

    func bounds<Record>(by reader: inout QueryReader<Record>) throws(QueryError) -> Bounds<Record>
}

extension PredicateExpressions.ClosedRange: QueryRange {
    fileprivate func bounds<Record>(by reader: inout QueryReader<Record>) throws(QueryError) -> Bounds<Record> {
        (try reader.read(lower), try reader.read(upper), true)
    }
}

extension PredicateExpressions.Range: QueryRange {
    fileprivate func bounds<Record>(by reader: inout QueryReader<Record>) throws(QueryError) -> Bounds<Record> {
        (try reader.read(lower), try reader.read(upper), false)
    }
}

extension PredicateExpressions.Value: QueryRange {
    fileprivate func bounds<Record>(by reader: inout QueryReader<Record>) throws(QueryError) -> Bounds<Record> {
        guard let range = value as? any CapturedRange else { throw .unsupported("this kind of range (\(Output.self))") }
        let (lower, upper, includesUpper) = range.bounds
        return (.constant(QueryValue(lower)), .constant(QueryValue(upper)), includesUpper)
    }
}

private protocol CapturedRange {
    var bounds: (lower: Any, upper: Any, includesUpper: Bool) { get }
}

extension ClosedRange: CapturedRange {
    fileprivate var bounds: (lower: Any, upper: Any, includesUpper: Bool) { (lowerBound, upperBound, true) }
}

extension Range: CapturedRange {
    fileprivate var bounds: (lower: Any, upper: Any, includesUpper: Bool) { (lowerBound, upperBound, false) }
}
