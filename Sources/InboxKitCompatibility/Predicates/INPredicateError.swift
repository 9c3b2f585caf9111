/// The reason why a predicate can't be read, with the place.
///
/// Its texts name properties and operators, never a value: values can be personal data.
public struct INPredicateError: Error, Hashable, CustomStringConvertible, Sendable {
    /// A kind of failure.
    public enum Reason: Hashable, Sendable {
        /// The format isn't one of a predicate: something else is expected at this place.
        case syntax
        /// The form is one of `NSPredicate`'s, but not supported here, such as MATCHES, SUBQUERY or `[FIRST]`.
        case unsupported
        /// The model has no property of this name that predicates can use, such as a mail's body.
        case unknownProperty
        /// The property doesn't support the operator, the option or the modifier.
        case unsuitableOperator
        /// The value has another type than the property.
        case unsuitableValue
        /// An argument is missing, left over, or doesn't suit its place in the format.
        case argument
        /// The predicate is longer or nested deeper than allowed (``INPredicateLimits``).
        case limit
    }

    /// The kind of the failure.
    public let reason: Reason
    /// The place in the format: the number of Unicode scalars before it. Nil for a predicate without a format.
    public let offset: Int?
    /// A description in English: the mistake, and the form to use instead.
    public let message: String

    init(_ reason: Reason, at offset: Int?, _ message: String) {
        (self.reason, self.offset, self.message) = (reason, offset, message)
    }

    /// The ``message``, with the place.
    public var description: String {
        guard let offset else { return "A predicate can't be read: \(message)." }
        return "A predicate can't be read, at character \(offset + 1): \(message)."
    }
}

/// The limits of a predicate that is read from a format.
public enum INPredicateLimits {
    /// The length of a format, in bytes of UTF-8.
    public static let formatLength = 65_536
    /// The levels of parentheses.
    public static let depth = 64
    /// The comparisons.
    public static let comparisons = 500
    /// The values in all lists.
    public static let values = 10_000
}
