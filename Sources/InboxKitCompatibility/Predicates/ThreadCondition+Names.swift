import Foundation
import InboxMail

extension ThreadCondition {
    /// The operators of InboxKit's predicates.
    enum Operation: Hashable, Sendable {
        case compare(Comparison)
        case contains, beginsWith
        /// The property is one of a list.
        case isIn
        /// The property is in the closed range between two values.
        case isBetween
    }

    /// Returns the condition on a property with its name in InboxKit.
    ///
    /// - Parameters:
    ///   - name: `ID`, `subject`, `snippet`, `lastMessageDate`, `unread` or `tagIDs`.
    ///   - value: A text, a date, a Boolean, or a list of these.
    ///   - tag: Returns the condition of a tag.
    /// - Returns: Nil if there is no such property, or if it doesn't support the operator or the value.
    static func property(
        _ name: String,
        _ operation: Operation,
        _ value: Any?,
        tag: (String) -> ThreadCondition
    ) -> ThreadCondition? {
        switch (name, operation) {
        case ("ID", _): text(\.id, operation, value)
        case ("subject", _): text(\.subject, operation, value)
        case ("snippet", _): text(\.snippet, operation, value)
        case ("lastMessageDate", _): date(\.lastMessageDate, operation, value)
        case ("unread", .compare(.equal)): (value as? Bool).map { $0 ? .holds(\.isUnread) : !.holds(\.isUnread) }
        case ("unread", .compare(.notEqual)): (value as? Bool).map { $0 ? !.holds(\.isUnread) : .holds(\.isUnread) }
        case ("tagIDs", .compare(.equal)), ("tagIDs", .contains): (value as? String).map(tag)
        case ("tagIDs", .isIn): (value as? [String]).map { .any($0.map(tag)) }
        default: nil
        }
    }

    private static func text(_ path: Path<String>, _ operation: Operation, _ value: Any?) -> ThreadCondition? {
        switch operation {
        case .compare(let comparison): (value as? String).map { compare(path, comparison, $0) }
        case .contains: (value as? String).map { contains(path, $0) }
        case .beginsWith: (value as? String).map { begins(path, with: $0) }
        case .isIn: (value as? [String]).map { texts in any(texts.map { compare(path, .equal, $0) }) }
        case .isBetween: nil
        }
    }

    private static func date(_ path: Path<Date>, _ operation: Operation, _ value: Any?) -> ThreadCondition? {
        switch operation {
        case .compare(let comparison): return (value as? Date).map { compare(path, comparison, $0) }
        case .isBetween:
            guard let dates = value as? [Date], dates.count == 2 else { return nil }
            return all([compare(path, .greaterOrEqual, dates[0]), compare(path, .lessOrEqual, dates[1])])
        default: return nil
        }
    }
}
