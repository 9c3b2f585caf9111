import Foundation
import InboxMail
import Replica

/// A part of a predicate on threads that is built at run time.
typealias ThreadCondition = RecordCondition<MailThread>

/// A part of a predicate that is built at run time. It is the same expression tree that `#Predicate` builds at compile
/// time, so that one translator handles both.
struct RecordCondition<Record: Sendable>: Sendable {
    typealias Variable = PredicateExpressions.Variable<Record>
    typealias Path<Value> = any KeyPath<Record, Value> & Sendable

    /// The comparisons of InboxKit's predicates.
    enum Comparison: Hashable, Sendable {
        case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    }

    private typealias Expression = any StandardPredicateExpression<Bool>

    private let build: @Sendable (Variable) -> any StandardPredicateExpression<Bool>

    var predicate: Predicate<Record> { Predicate { build($0) } }

    // MARK: - Single conditions

    /// Requires a property to be true.
    static func holds(_ path: Path<Bool>) -> RecordCondition {
        RecordCondition { PredicateExpressions.build_KeyPath(root: $0, keyPath: path) }
    }

    static func compare<Value: Comparable & Codable & Sendable>(
        _ path: Path<Value>,
        _ comparison: Comparison,
        _ value: Value
    ) -> RecordCondition {
        RecordCondition { record in
            let property = PredicateExpressions.build_KeyPath(root: record, keyPath: path)
            let value = PredicateExpressions.build_Arg(value)
            return switch comparison {
            case .equal: PredicateExpressions.build_Equal(lhs: property, rhs: value)
            case .notEqual: PredicateExpressions.build_NotEqual(lhs: property, rhs: value)
            case .less: PredicateExpressions.build_Comparison(lhs: property, rhs: value, op: .lessThan)
            case .lessOrEqual: PredicateExpressions.build_Comparison(lhs: property, rhs: value, op: .lessThanOrEqual)
            case .greater: PredicateExpressions.build_Comparison(lhs: property, rhs: value, op: .greaterThan)
            case .greaterOrEqual:
                PredicateExpressions.build_Comparison(lhs: property, rhs: value, op: .greaterThanOrEqual)
            }
        }
    }

    /// Requires a value that may be missing to be equal to another one; nil for none.
    static func equals<Value: Hashable & Codable & Sendable>(_ path: Path<Value?>, _ value: Value?) -> RecordCondition {
        RecordCondition { record in
            PredicateExpressions.build_Equal(
                lhs: PredicateExpressions.build_KeyPath(root: record, keyPath: path),
                rhs: PredicateExpressions.build_Arg(value)
            )
        }
    }

    /// Requires a property to be one of the values. The length of the list doesn't make the predicate deeper.
    static func isIn<Value: Hashable & Codable & Sendable>(_ path: Path<Value>, _ values: [Value]) -> RecordCondition {
        RecordCondition { record in
            PredicateExpressions.build_contains(
                PredicateExpressions.build_Arg(values),
                PredicateExpressions.build_KeyPath(root: record, keyPath: path)
            )
        }
    }

    static func contains(_ path: Path<String>, _ text: String) -> RecordCondition {
        RecordCondition { record in
            PredicateExpressions.build_contains(
                PredicateExpressions.build_KeyPath(root: record, keyPath: path),
                PredicateExpressions.build_Arg(text)
            )
        }
    }

    static func begins(_ path: Path<String>, with text: String) -> RecordCondition {
        RecordCondition { record in
            PredicateExpressions.build_starts(
                PredicateExpressions.build_KeyPath(root: record, keyPath: path),
                with: PredicateExpressions.build_Arg(text)
            )
        }
    }

    /// Compares a text, which is a `String` or an optional one, by a comparison that `#Predicate` doesn't have.
    static func compare<Value: Sendable>(
        _ path: Path<Value>,
        _ comparison: TextComparison,
        _ text: String
    ) -> RecordCondition {
        RecordCondition { record in
            ComparedText(PredicateExpressions.build_KeyPath(root: record, keyPath: path), comparison, text)
        }
    }

    // MARK: - Conditions on elements of a list

    /// Requires an element whose text is equal to another one.
    static func hasElement<Element: Sendable>(
        _ path: Path<[Element]>,
        _ text: any KeyPath<Element, String> & Sendable,
        equalTo other: String
    ) -> RecordCondition {
        RecordCondition { record in
            PredicateExpressions.build_contains(PredicateExpressions.build_KeyPath(root: record, keyPath: path)) {
                PredicateExpressions.build_Equal(
                    lhs: PredicateExpressions.build_KeyPath(root: $0, keyPath: text),
                    rhs: PredicateExpressions.build_Arg(other)
                )
            }
        }
    }

    /// Requires an element whose text meets a comparison, or, negated, an element whose text doesn't.
    static func hasElement<Element: Sendable, Text: Sendable>(
        _ path: Path<[Element]>,
        _ text: any KeyPath<Element, Text> & Sendable,
        _ comparison: TextComparison,
        _ other: String,
        isNegated: Bool
    ) -> RecordCondition {
        RecordCondition { record in
            let list = PredicateExpressions.build_KeyPath(root: record, keyPath: path)
            if isNegated {
                return PredicateExpressions.build_contains(list) {
                    PredicateExpressions.build_Negation(
                        ComparedText(PredicateExpressions.build_KeyPath(root: $0, keyPath: text), comparison, other)
                    )
                }
            }
            return PredicateExpressions.build_contains(list) {
                ComparedText(PredicateExpressions.build_KeyPath(root: $0, keyPath: text), comparison, other)
            }
        }
    }

    // MARK: - Combined conditions

    /// Requires all conditions. Without conditions, every record matches.
    static func all(_ conditions: [RecordCondition]) -> RecordCondition {
        @Sendable func both(
            _ one: some StandardPredicateExpression<Bool>,
            _ other: some StandardPredicateExpression<Bool>
        ) -> any StandardPredicateExpression<Bool> {
            PredicateExpressions.build_Conjunction(lhs: one, rhs: other)
        }
        return joined(conditions[...], ifEmpty: true) { both($0, $1) }
    }

    /// Requires at least one of the conditions. Without conditions, no record matches.
    static func any(_ conditions: [RecordCondition]) -> RecordCondition {
        @Sendable func either(
            _ one: some StandardPredicateExpression<Bool>,
            _ other: some StandardPredicateExpression<Bool>
        ) -> any StandardPredicateExpression<Bool> {
            PredicateExpressions.build_Disjunction(lhs: one, rhs: other)
        }
        return joined(conditions[...], ifEmpty: false) { either($0, $1) }
    }

    static prefix func ! (condition: RecordCondition) -> RecordCondition {
        @Sendable func not(_ expression: some StandardPredicateExpression<Bool>) -> any StandardPredicateExpression<
            Bool
        > {
            PredicateExpressions.build_Negation(expression)
        }
        return RecordCondition { not(condition.build($0)) }
    }

    /// Joins conditions in halves, so that many of them are a tree of little depth.
    private static func joined(
        _ conditions: ArraySlice<RecordCondition>,
        ifEmpty: Bool,
        _ join: @escaping @Sendable (Expression, Expression) -> Expression
    ) -> RecordCondition {
        guard let first = conditions.first else {
            return RecordCondition { _ in PredicateExpressions.build_Arg(ifEmpty) }
        }
        if conditions.count == 1 { return first }
        let middle = conditions.startIndex + conditions.count / 2
        let one = joined(conditions[..<middle], ifEmpty: ifEmpty, join)
        let other = joined(conditions[middle...], ifEmpty: ifEmpty, join)
        return RecordCondition { join(one.build($0), other.build($0)) }
    }
}

extension RecordCondition where Record == MailThread {
    /// Requires one of the thread's mails to be in the mailbox.
    static func isIn(mailbox: String) -> RecordCondition {
        RecordCondition { thread in
            PredicateExpressions.build_contains(
                PredicateExpressions.build_KeyPath(root: thread, keyPath: \MailThread.mailboxIDs),
                PredicateExpressions.build_Arg(mailbox)
            )
        }
    }
}
