import Foundation
import InboxMail

/// A part of a predicate on threads that is built at run time. It is the same expression tree that `#Predicate` builds
/// at compile time, so that one translator handles both.
struct ThreadCondition: Sendable {
    typealias Thread = PredicateExpressions.Variable<MailThread>
    typealias Path<Value> = any KeyPath<MailThread, Value> & Sendable

    /// The comparisons of InboxKit's predicates.
    enum Comparison: Hashable, Sendable {
        case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    }

    private let build: @Sendable (Thread) -> any StandardPredicateExpression<Bool>

    var predicate: Predicate<MailThread> { Predicate { build($0) } }

    // MARK: - Single conditions

    /// Requires a property to be true.
    static func holds(_ path: Path<Bool>) -> ThreadCondition {
        ThreadCondition { PredicateExpressions.build_KeyPath(root: $0, keyPath: path) }
    }

    /// Requires one of the thread's mails to be in the mailbox.
    static func isIn(_ mailbox: String) -> ThreadCondition {
        ThreadCondition { thread in
            PredicateExpressions.build_contains(
                PredicateExpressions.build_KeyPath(root: thread, keyPath: \MailThread.mailboxIDs),
                PredicateExpressions.build_Arg(mailbox)
            )
        }
    }

    static func compare<Value: Comparable & Codable & Sendable>(
        _ path: Path<Value>,
        _ comparison: Comparison,
        _ value: Value
    ) -> ThreadCondition {
        ThreadCondition { thread in
            let property = PredicateExpressions.build_KeyPath(root: thread, keyPath: path)
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

    static func contains(_ path: Path<String>, _ text: String) -> ThreadCondition {
        ThreadCondition { thread in
            PredicateExpressions.build_contains(
                PredicateExpressions.build_KeyPath(root: thread, keyPath: path),
                PredicateExpressions.build_Arg(text)
            )
        }
    }

    static func begins(_ path: Path<String>, with text: String) -> ThreadCondition {
        ThreadCondition { thread in
            PredicateExpressions.build_starts(
                PredicateExpressions.build_KeyPath(root: thread, keyPath: path),
                with: PredicateExpressions.build_Arg(text)
            )
        }
    }

    // MARK: - Combined conditions

    /// Requires all conditions. Without conditions, every thread matches.
    static func all(_ conditions: [ThreadCondition]) -> ThreadCondition {
        @Sendable func both(
            _ one: some StandardPredicateExpression<Bool>,
            _ other: some StandardPredicateExpression<Bool>
        ) -> any StandardPredicateExpression<Bool> {
            PredicateExpressions.build_Conjunction(lhs: one, rhs: other)
        }
        return joined(conditions, ifEmpty: true) { both($0, $1) }
    }

    /// Requires at least one of the conditions. Without conditions, no thread matches.
    static func any(_ conditions: [ThreadCondition]) -> ThreadCondition {
        @Sendable func either(
            _ one: some StandardPredicateExpression<Bool>,
            _ other: some StandardPredicateExpression<Bool>
        ) -> any StandardPredicateExpression<Bool> {
            PredicateExpressions.build_Disjunction(lhs: one, rhs: other)
        }
        return joined(conditions, ifEmpty: false) { either($0, $1) }
    }

    static prefix func ! (condition: ThreadCondition) -> ThreadCondition {
        @Sendable func not(_ expression: some StandardPredicateExpression<Bool>) -> any StandardPredicateExpression<
            Bool
        > {
            PredicateExpressions.build_Negation(expression)
        }
        return ThreadCondition { not(condition.build($0)) }
    }

    private typealias Expression = any StandardPredicateExpression<Bool>

    private static func joined(
        _ conditions: [ThreadCondition],
        ifEmpty: Bool,
        _ join: @escaping @Sendable (Expression, Expression) -> Expression
    ) -> ThreadCondition {
        guard let first = conditions.first else {
            return ThreadCondition { _ in PredicateExpressions.build_Arg(ifEmpty) }
        }
        return ThreadCondition { thread in
            conditions.dropFirst().reduce(first.build(thread)) { join($0, $1.build(thread)) }
        }
    }
}
