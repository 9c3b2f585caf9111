import Foundation
import InboxMail
import Replica

extension RecordCondition {
    /// A function that returns the property of a name; nil if there is none.
    typealias Properties = @Sendable (String) -> RecordProperty<Record>?

    /// Creates the condition of a predicate in InboxKit's form.
    ///
    /// - Throws: ``INPredicateError``, with the place of the property.
    init(_ form: PredicateForm, _ property: Properties) throws(INPredicateError) {
        switch form {
        case .always(let always): self = always ? .all([]) : .any([])
        case .not(let form): self = !(try RecordCondition(form, property))
        case .all(let forms): self = .all(try Self.list(forms, property))
        case .any(let forms): self = .any(try Self.list(forms, property))
        case .comparison(let comparison):
            guard let found = property(comparison.keyPath) else {
                throw comparison.error(.unknownProperty, "predicates can't use a property of this name")
            }
            self = try Self.condition(comparison, found)
        }
    }

    private static func list(
        _ forms: [PredicateForm],
        _ property: Properties
    ) throws(INPredicateError) -> [RecordCondition] {
        var conditions: [RecordCondition] = []
        for form in forms { conditions.append(try RecordCondition(form, property)) }
        return conditions
    }

    private static func condition(
        _ comparison: PredicateComparison,
        _ property: RecordProperty<Record>
    ) throws(INPredicateError) -> RecordCondition {
        switch property {
        case .tags(let tag): return try self.tags(comparison, tag)
        case .addresses(let path):
            return try elements(comparison, path, \.email) { hasElement(path, \.email, equalTo: $0) }
        case .names(let path): return try elements(comparison, path, \.name)
        case .text, .optionalText, .date, .flag: break
        }
        guard comparison.modifier == .direct else {
            throw comparison.error(.unsuitableOperator, "ANY, ALL and NONE are for properties with several values")
        }
        return switch property {
        case .text(let path): try text(comparison, path)
        case .optionalText(let path): try optionalText(comparison, path)
        case .date(let path): try date(comparison, path)
        case .flag(let path): try flag(comparison, path)
        case .tags, .addresses, .names: .all([])
        }
    }

    // MARK: - Properties with one value

    private static func text(
        _ comparison: PredicateComparison,
        _ path: Path<String>
    ) throws(INPredicateError) -> RecordCondition {
        if comparison.operation == .isIn {
            let texts = try comparison.texts()
            if !comparison.hasOptions { return isIn(path, texts) }
            return .any(texts.map { compare(path, comparison.comparing(.equals), $0) })
        }
        if let operation = comparison.textOperation {
            let text = try comparison.text()
            switch (operation, comparison.hasOptions) {
            case (.equals, false): return compare(path, .equal, text)
            case (.contains, false): return contains(path, text)
            case (.begins, false): return begins(path, with: text)
            default: return compare(path, comparison.comparing(operation), text)
            }
        }
        try comparison.refuseOptions(exceptFor: .notEqual)
        switch comparison.operation {
        case .notEqual where comparison.hasOptions:
            return !compare(path, comparison.comparing(.equals), try comparison.text())
        case .isBetween:
            let texts = try comparison.texts()
            guard texts.count == 2 else { throw comparison.error(.unsuitableValue, "BETWEEN needs two values") }
            return .all([compare(path, .greaterOrEqual, texts[0]), compare(path, .lessOrEqual, texts[1])])
        default: return compare(path, try comparison.order(), try comparison.text())
        }
    }

    private static func optionalText(
        _ comparison: PredicateComparison,
        _ path: Path<String?>
    ) throws(INPredicateError) -> RecordCondition {
        if comparison.value == .null {
            try comparison.refuseOptions()
            switch comparison.operation {
            case .equal: return equals(path, nil)
            case .notEqual: return !equals(path, nil)
            default: throw comparison.error(.unsuitableValue, "NIL is compared with = and != alone")
            }
        }
        switch comparison.operation {
        case .isIn:
            return .any(try comparison.texts().map { compare(path, comparison.comparing(.equals), $0) })
        case .notEqual: return !compare(path, comparison.comparing(.equals), try comparison.text())
        case .equal where !comparison.hasOptions: return equals(path, try comparison.text())
        default:
            guard let operation = comparison.textOperation else {
                throw comparison.error(.unsuitableOperator, "a text that may be missing has no order")
            }
            return compare(path, comparison.comparing(operation), try comparison.text())
        }
    }

    private static func date(
        _ comparison: PredicateComparison,
        _ path: Path<Date>
    ) throws(INPredicateError) -> RecordCondition {
        try comparison.refuseOptions()
        switch comparison.operation {
        case .isIn: return isIn(path, try comparison.dates())
        case .isBetween:
            let dates = try comparison.dates()
            guard dates.count == 2 else { throw comparison.error(.unsuitableValue, "BETWEEN needs two values") }
            return .all([compare(path, .greaterOrEqual, dates[0]), compare(path, .lessOrEqual, dates[1])])
        default:
            let order: Comparison = try comparison.order()
            guard let date = comparison.value.date else { throw comparison.error(.unsuitableValue, "a date is needed") }
            return compare(path, order, date)
        }
    }

    private static func flag(
        _ comparison: PredicateComparison,
        _ path: Path<Bool>
    ) throws(INPredicateError) -> RecordCondition {
        try comparison.refuseOptions()
        guard comparison.operation == .equal || comparison.operation == .notEqual else {
            throw comparison.error(.unsuitableOperator, "a Boolean is compared with = and != alone")
        }
        guard let value = comparison.value.bool else {
            throw comparison.error(.unsuitableValue, "YES or NO is needed")
        }
        return value == (comparison.operation == .equal) ? holds(path) : !holds(path)
    }

    // MARK: - Properties with several values

    /// Tags can be looked for, but not listed: which of them no thread has isn't known.
    private static func tags(
        _ comparison: PredicateComparison,
        _ tag: (String) -> RecordCondition
    ) throws(INPredicateError) -> RecordCondition {
        try comparison.refuseOptions()
        switch (comparison.modifier, comparison.operation) {
        case (.direct, .equal), (.any, .equal), (.direct, .contains): return tag(try comparison.text())
        case (.all, .notEqual): return !tag(try comparison.text())
        case (.direct, .isIn), (.any, .isIn): return .any(try comparison.texts().map(tag))
        default:
            throw comparison.error(
                .unsuitableOperator,
                "tags are looked for with ANY and NONE, = and IN, or CONTAINS"
            )
        }
    }

    /// Returns a condition on the texts of a list: ALL is that no element meets the opposite.
    ///
    /// - Parameter equal: The condition for an equal text that a server can have too; nil if there is none.
    private static func elements<Text: Sendable>(
        _ comparison: PredicateComparison,
        _ path: Path<[EmailAddress]>,
        _ text: any KeyPath<EmailAddress, Text> & Sendable,
        equal: ((String) -> RecordCondition)? = nil
    ) throws(INPredicateError) -> RecordCondition {
        guard comparison.modifier != .direct else {
            throw comparison.error(.unsuitableOperator, "a property with several values needs ANY, ALL or NONE")
        }
        let isAll = comparison.modifier == .all
        let isNegated = comparison.operation == .notEqual
        let operation = isNegated ? .equals : comparison.textOperation
        guard let operation else {
            guard comparison.operation == .isIn, !isAll else {
                throw comparison.error(.unsuitableOperator, "\(comparison.operation.name) doesn't suit this property")
            }
            return .any(
                try comparison.texts().map { value in
                    equal.flatMap { comparison.hasOptions ? nil : $0(value) }
                        ?? hasElement(path, text, comparison.comparing(.equals), value, isNegated: false)
                }
            )
        }
        let value = try comparison.text()
        if let equal, operation == .equals, !comparison.hasOptions, !isAll, !isNegated { return equal(value) }
        let found = hasElement(path, text, comparison.comparing(operation), value, isNegated: isNegated != isAll)
        return isAll ? !found : found
    }
}

extension PredicateComparison {
    fileprivate func error(_ reason: INPredicateError.Reason, _ message: String) -> INPredicateError {
        INPredicateError(reason, at: offset, "\(keyPath): \(message)")
    }

    /// The operator as a comparison of texts; nil if it is none, or compares with a list.
    fileprivate var textOperation: TextComparison.Operation? {
        switch operation {
        case .equal: .equals
        case .contains: .contains
        case .begins: .begins
        case .ends: .ends
        case .like: .matchesPattern
        case .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .isIn, .isBetween: nil
        }
    }

    fileprivate func comparing(_ operation: TextComparison.Operation) -> TextComparison {
        TextComparison(operation, ignoresCase: ignoresCase, ignoresAccents: ignoresAccents)
    }

    /// The operator as one that SQL has.
    fileprivate func order<Record>() throws(INPredicateError) -> RecordCondition<Record>.Comparison {
        switch operation {
        case .equal: .equal
        case .notEqual: .notEqual
        case .less: .less
        case .lessOrEqual: .lessOrEqual
        case .greater: .greater
        case .greaterOrEqual: .greaterOrEqual
        case .contains, .begins, .ends, .like, .isIn, .isBetween:
            throw error(.unsuitableOperator, "\(operation.name) doesn't suit this property")
        }
    }

    fileprivate func text() throws(INPredicateError) -> String {
        guard let text = value.text else { throw error(.unsuitableValue, "a text is needed") }
        return text
    }

    fileprivate func texts() throws(INPredicateError) -> [String] {
        guard let texts = value.texts else { throw error(.unsuitableValue, "a list of texts is needed") }
        return texts
    }

    fileprivate func dates() throws(INPredicateError) -> [Date] {
        guard let dates = value.dates else { throw error(.unsuitableValue, "a list of dates is needed") }
        return dates
    }

    fileprivate func refuseOptions(exceptFor operation: Operation? = nil) throws(INPredicateError) {
        guard !hasOptions || self.operation == operation else {
            throw error(.unsuitableOperator, "[c] and [d] are for comparisons of texts other than by order")
        }
    }
}
