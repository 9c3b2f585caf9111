/// A predicate in the form of an `NSPredicate`, whose names aren't looked up yet. It is read from a format or, on
/// Apple's systems, from an `NSPredicate`.
///
/// It is at most ``INPredicateLimits/depth`` levels deep, so that it can be walked recursively.
indirect enum PredicateForm: Hashable, Sendable {
    case always(Bool)
    case comparison(PredicateComparison)
    case not(PredicateForm)
    case all([PredicateForm])
    case any([PredicateForm])
}

/// A comparison of a property with a value.
struct PredicateComparison: Hashable, Sendable {
    /// The elements of a list that have to meet the comparison.
    enum Modifier: Hashable, Sendable {
        case direct, any, all, none
    }

    /// The operators, with the property on the left.
    enum Operation: Hashable, Sendable {
        case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
        case contains, begins, ends, like
        /// The property is one of a list.
        case isIn
        /// The property is in the closed range between two values.
        case isBetween
    }

    var modifier = Modifier.direct
    var keyPath: String
    var operation: Operation
    var ignoresCase = false
    var ignoresAccents = false
    var value: PredicateValue
    /// The place of the property in the format, in Unicode scalars; nil without a format.
    var offset: Int?

    init(
        _ keyPath: String,
        _ operation: Operation,
        _ value: PredicateValue,
        modifier: Modifier = .direct,
        offset: Int? = nil
    ) {
        (self.keyPath, self.operation, self.value) = (keyPath, operation, value)
        (self.modifier, self.offset) = (modifier, offset)
    }

    /// Whether upper and lower case, or accents, don't count.
    var hasOptions: Bool { ignoresCase || ignoresAccents }
}

extension PredicateComparison.Operation {
    /// The operator as a format has it, for errors.
    var name: String {
        switch self {
        case .equal: "="
        case .notEqual: "!="
        case .less: "<"
        case .lessOrEqual: "<="
        case .greater: ">"
        case .greaterOrEqual: ">="
        case .contains: "CONTAINS"
        case .begins: "BEGINSWITH"
        case .ends: "ENDSWITH"
        case .like: "LIKE"
        case .isIn: "IN"
        case .isBetween: "BETWEEN"
        }
    }

    /// The operator for the operands in the other order; nil if there is none.
    var mirrored: Self? {
        switch self {
        case .equal: .equal
        case .notEqual: .notEqual
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        // 'unread' IN tagIDs
        case .isIn: .contains
        case .contains, .begins, .ends, .like, .isBetween: nil
        }
    }
}
