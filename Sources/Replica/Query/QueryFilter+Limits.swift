/// The limits that a type's server has for the filters of `/query`. A device sends a filter within them and decides the
/// rest itself.
package struct FilterLimits: Hashable, Sendable {
    /// The levels of nested operators.
    package var depth: Int
    /// The conditions and operators.
    package var terms: Int
    /// The values in all conditions.
    package var values: Int

    package init(depth: Int, terms: Int, values: Int) {
        (self.depth, self.terms, self.values) = (depth, terms, values)
    }
}

extension QueryFilter {
    /// The rest of a server's limits that a filter may still use.
    private struct Budget {
        /// Conditions and operators.
        var terms: Int
        /// Values in all conditions.
        var values: Int

        mutating func spend(terms: Int, values: Int) -> Bool {
            guard terms <= self.terms, values <= self.values else { return false }
            self.terms -= terms
            self.values -= values
            return true
        }
    }

    /// Returns the filter within limits, with parts beyond them left open: those that are nested too deep, and the last
    /// ones of too many.
    ///
    /// - Parameter limits: The limits; nil for none.
    package func within(_ limits: FilterLimits?) -> QueryFilter {
        guard let limits else { return self }
        var budget = Budget(terms: limits.terms, values: limits.values)
        return limited(limits.depth, &budget)
    }

    private func limited(_ depth: Int, _ budget: inout Budget) -> QueryFilter {
        switch self {
        case .open: return .open
        case .condition(let condition):
            let operators = condition.isNegatedByOperator ? 1 : 0
            return operators <= depth && budget.spend(terms: 1 + operators, values: condition.valueCount) ? self : .open
        case .all(let parts):
            guard depth > 0, budget.spend(terms: 1, values: 0) else { return .open }
            return .all(parts.map { $0.limited(depth - 1, &budget) })
        case .any(let parts):
            let earlier = budget
            guard depth > 0, budget.spend(terms: 1, values: 0) else { return .open }
            let limited = parts.map { $0.limited(depth - 1, &budget) }
            guard !limited.contains(.open) else {
                // With one part open, all of it is.
                budget = earlier
                return .open
            }
            return .any(limited)
        }
    }
}

extension QueryFilter.Condition {
    /// Whether its JSON has the operator NOT: all negated conditions but `notEqual`.
    var isNegatedByOperator: Bool { if case .equal = comparison { false } else { isNegated } }

    fileprivate var valueCount: Int { if case .isIn(let constants) = comparison { constants.count } else { 1 } }
}
