extension QueryExpression {
    /// The part of the condition that fields and constants can decide.
    package var filter: QueryFilter { filter(negated: false) }

    private func filter(negated: Bool) -> QueryFilter {
        switch self {
        case .constant(.bool(let bool)): return Self.fixed(bool != negated)
        case .field(let field) where field.column.kind == .bool:
            return Self.equal(self, .constant(.bool(true)), negated: negated)
        case .not(let part): return part.filter(negated: !negated)
        case .and(let one, let other):
            let parts = [one.filter(negated: negated), other.filter(negated: negated)]
            return negated ? .either(parts) : .joined(parts)
        case .or(let one, let other):
            let parts = [one.filter(negated: negated), other.filter(negated: negated)]
            return negated ? .joined(parts) : .either(parts)
        case .conditional(let test, let one, let other):
            return .either([
                .joined([test.filter(negated: false), one.filter(negated: negated)]),
                .joined([test.filter(negated: true), other.filter(negated: negated)]),
            ])
        case .coalesce(let one, let other):
            return one.unlessNull({ $0.filter(negated: negated) }, else: { other.filter(negated: negated) })
        case .unwrapped:
            return unlessNull({ $0.filter(negated: negated) }, else: { Self.fixed(negated) })
        case .equal(let one, let other): return Self.equal(one, other, negated: negated)
        case .less(let one, let other, let orEqual): return Self.less(one, other, orEqual: orEqual, negated: negated)
        case .text(let match, let text, .constant(.text(let part))):
            guard let comparable = text.comparableField, comparable.kind == .text, !part.utf8.contains(0) else {
                return .open
            }
            switch match {
            case .contains: return comparable.condition(.contains(part), negated)
            case .startsWith: return comparable.condition(.startsWith(part), negated)
            case .localizedStandardContains, .comparison: return .open
            }
        case .contains(.field(let field), .constant(.text(let name))) where field.column.kind == .members:
            let comparable = ComparableField(field: .column(field.column), kind: .members)
            return MemberSet.isValid(name) ? comparable.condition(.hasMember(name), negated) : Self.fixed(negated)
        case .contains(.constant(.list(let list)), let element):
            guard let comparable = element.comparableField, list.count <= QueryFilter.listLimit,
                !list.contains(where: \.hasZeroByte)
            else { return .open }
            // A value that the field can't have is never equal to it.
            return comparable.condition(.isIn(list.compactMap { comparable.constant($0) }), negated)
        // A server filter may pass more records than the predicate. The negation of such a filter would exclude
        // matching records.
        case .any(.list(let list), let element, let body) where !negated: return body.filter(of: element, in: list)
        default: return .open
        }
    }

    private static func fixed(_ bool: Bool) -> QueryFilter { bool ? .all([]) : .any([]) }

    /// Returns the filter of `body` if the expression has a value, combined with that of `fallback` if it is null.
    private func unlessNull(
        _ body: (QueryExpression) -> QueryFilter,
        else fallback: () -> QueryFilter
    ) -> QueryFilter {
        switch self {
        case .constant(let constant): return constant.isNull ? fallback() : body(self)
        case .unwrapped(let value, let wrapped):
            return value.unlessNull({ _ in wrapped.unlessNull(body, else: fallback) }, else: fallback)
        case .coalesce(let one, let other):
            return one.unlessNull(body, else: { other.unlessNull(body, else: fallback) })
        case .field, .pair:
            guard let comparable = comparableField else { return .open }
            return .either([
                .joined([comparable.condition(.equal(.null), true), body(self)]),
                .joined([comparable.condition(.equal(.null), false), fallback()]),
            ])
        default: return isCondition ? body(self) : .open
        }
    }

    /// Whether the expression is true or false, and never null.
    private var isCondition: Bool {
        switch self {
        case .not, .and, .or, .equal, .less, .text, .contains, .any, .all: true
        default: false
        }
    }

    // MARK: - Comparisons

    private static func equal(_ one: QueryExpression, _ other: QueryExpression, negated: Bool) -> QueryFilter {
        switch (one, other) {
        case (.constant(let one), .constant(let other)): return fixed(one.isEqual(to: other) != negated)
        case (.constant, _): return equal(other, one, negated: negated)
        case (.conditional(let test, let first, let second), _):
            return .either([
                .joined([test.filter(negated: false), equal(first, other, negated: negated)]),
                .joined([test.filter(negated: true), equal(second, other, negated: negated)]),
            ])
        case (.coalesce, .constant(let constant)), (.unwrapped, .constant(let constant)):
            return one.unlessNull(
                { equal($0, other, negated: negated) },
                else: { fixed(constant.isNull != negated) }
            )
        case (_, .constant(let constant)):
            if let comparable = one.comparableField {
                guard !constant.hasZeroByte else { return .open }
                guard let constant = comparable.constant(constant) else { return fixed(negated) }
                return comparable.condition(.equal(constant), negated)
            }
            guard one.isCondition else { return .open }
            if case .bool(let bool) = constant { return one.filter(negated: bool == negated) }
            return fixed(negated)
        default: return .open
        }
    }

    private static func less(
        _ one: QueryExpression,
        _ other: QueryExpression,
        orEqual: Bool,
        negated: Bool
    ) -> QueryFilter {
        switch (one, other) {
        case (.constant(let one), .constant(let other)):
            let holds = one.order(to: other).map { orEqual ? $0 <= 0 : $0 < 0 } ?? false
            return fixed(holds != negated)
        case (.coalesce, .constant), (.unwrapped, .constant):
            return one.unlessNull(
                { less($0, other, orEqual: orEqual, negated: negated) },
                else: { fixed(negated) }
            )
        case (.constant, .coalesce), (.constant, .unwrapped):
            return other.unlessNull(
                { less(one, $0, orEqual: orEqual, negated: negated) },
                else: { fixed(negated) }
            )
        case (_, .constant(let bound)):
            guard let comparable = one.comparableField, !bound.hasZeroByte else { return .open }
            guard let comparison = comparable.below(bound, orEqual: orEqual) else { return fixed(negated) }
            return comparable.condition(comparison, negated)
        case (.constant(let bound), _):
            guard let comparable = other.comparableField, !bound.hasZeroByte else { return .open }
            guard let comparison = comparable.above(bound, orEqual: orEqual) else { return fixed(negated) }
            return comparable.condition(comparison, negated)
        default: return .open
        }
    }

    /// The field that the expression reads, if it is one.
    private var comparableField: ComparableField? {
        switch self {
        case .field(let field):
            ComparableField(
                field: field.isStored ? .column(field.column) : .detail(field.column),
                kind: field.column.kind
            )
        case .pair(.dictionary(let dictionary), .constant(.text(let key))):
            ComparableField(field: .pair(dictionary.name, key: key), kind: .text)
        default: nil
        }
    }
}

extension QueryValue {
    /// Whether the value is a text with a zero byte, at which SQLite would end it.
    fileprivate var hasZeroByte: Bool {
        if case .text(let text) = self { text.utf8.contains(0) } else { false }
    }
}

/// A field, and the comparisons with it.
private struct ComparableField {
    let field: QueryFilter.Field
    let kind: RecordColumn.Kind

    func condition(_ comparison: QueryFilter.Condition.Comparison, _ isNegated: Bool) -> QueryFilter {
        .condition(QueryFilter.Condition(field: field, comparison: comparison, isNegated: isNegated))
    }

    /// Returns a constant in the field's type; nil if the field can't have that value.
    func constant(_ value: QueryValue) -> QueryFilter.Constant? {
        switch (kind, value) {
        case (_, .null): .null
        case (.text, .text(let text)): .text(text)
        case (.bool, .bool(let bool)): .bool(bool)
        case (.integer, .integer(let integer)): .integer(integer)
        case (.integer, .number(let number)): Int(exactly: number).map { .integer($0) }
        case (.date, .date(let date)): Int(exactly: date).map { .integer($0) }
        default: nil
        }
    }

    /// Returns the comparison that the field is less than a bound; nil if the two can't be compared, in which case it
    /// is false.
    func below(_ bound: QueryValue, orEqual: Bool) -> QueryFilter.Condition.Comparison? {
        // Fields are integers, but bounds may have fractions: `< 1.5` is `< 2`, and `<= 1.5` is `<= 1`.
        bounded(bound) { $0.rounded(orEqual ? .down : .up) }.map { orEqual ? .lessOrEqual($0) : .less($0) }
    }

    /// Returns the comparison that the field is greater than a bound; nil if the two can't be compared, in which case
    /// it is false.
    func above(_ bound: QueryValue, orEqual: Bool) -> QueryFilter.Condition.Comparison? {
        bounded(bound) { $0.rounded(orEqual ? .up : .down) }.map { orEqual ? .greaterOrEqual($0) : .greater($0) }
    }

    private func bounded(_ bound: QueryValue, _ round: (Double) -> Double) -> QueryFilter.Constant? {
        switch (kind, bound) {
        case (.text, .text(let text)): .text(text)
        case (.integer, .integer(let integer)): .integer(integer)
        case (.integer, .number(let number)), (.date, .date(let number)):
            // A bound that doesn't fit is clamped to a value beyond those of all fields.
            number.isNaN ? nil : .integer(Int(max(-9e15, min(9e15, round(number)))))
        default: nil
        }
    }
}
