import Foundation
import InboxClient
import SeededRandom

@testable import Replica

/// A predicate as a part of another predicate.
struct PredicatePart: StandardPredicateExpression, QueryReadable {
    let record: PredicateExpressions.Variable<Message>
    let predicate: Predicate<Message>

    init(record: PredicateExpressions.Variable<Message>, predicate: Predicate<Message>) {
        (self.record, self.predicate) = (record, predicate)
    }

    func evaluate(_ bindings: PredicateBindings) throws -> Bool {
        try predicate.evaluate(try record.evaluate(bindings))
    }

    func read<Record>(by reader: inout QueryReader<Record>) throws(QueryError) -> QueryExpression<Record> {
        try reader.read(predicate.expression, with: .record, for: predicate.variable.key)
    }

    // Parts of a predicate have to be `Codable`; this one is never stored.

    private struct NotStored: Error {}

    init(from decoder: any Decoder) throws { throw NotStored() }

    func encode(to encoder: any Encoder) throws { throw NotStored() }
}

extension QueryCase {
    /// Some of the cases, joined at random by AND, OR and NOT.
    static func joined(_ cases: [QueryCase], depth: Int, _ random: inout Seeded) -> QueryCase {
        var description = ""
        let predicate = Predicate<Message> { record in
            let (words, expression) = part(of: record, cases, depth: depth, &random)
            description = words
            return expression
        }
        return QueryCase(unmeasured: description, predicate)
    }

    private static func part(
        of record: PredicateExpressions.Variable<Message>,
        _ cases: [QueryCase],
        depth: Int,
        _ random: inout Seeded
    ) -> (words: String, expression: any StandardPredicateExpression<Bool>) {
        guard depth > 0, random.chance(0.85) else {
            let query = cases.randomElement(using: &random)!
            return (query.description, PredicatePart(record: record, predicate: query.predicate))
        }
        let one = part(of: record, cases, depth: depth - 1, &random)
        if random.chance(0.3) { return ("NOT (\(one.words))", not(one.expression)) }
        let other = part(of: record, cases, depth: depth - 1, &random)
        return random.chance(0.5)
            ? ("(\(one.words)) AND (\(other.words))", and(one.expression, other.expression))
            : ("(\(one.words)) OR (\(other.words))", or(one.expression, other.expression))
    }

    private static func not(_ part: some StandardPredicateExpression<Bool>) -> any StandardPredicateExpression<Bool> {
        PredicateExpressions.build_Negation(part)
    }

    private static func and(
        _ one: some StandardPredicateExpression<Bool>,
        _ other: some StandardPredicateExpression<Bool>
    ) -> any StandardPredicateExpression<Bool> {
        PredicateExpressions.build_Conjunction(lhs: one, rhs: other)
    }

    private static func or(
        _ one: some StandardPredicateExpression<Bool>,
        _ other: some StandardPredicateExpression<Bool>
    ) -> any StandardPredicateExpression<Bool> {
        PredicateExpressions.build_Disjunction(lhs: one, rhs: other)
    }
}
