/// A list of values of a record, stored in the record's JSON, such as an email's recipients.
package struct QueryList<Record: Sendable>: Sendable {
    /// The name of the server's property.
    package let name: String
    package let read: @Sendable (Record) -> QueryValue
    /// Returns the server's name for a string of an element; nil if it can only be evaluated in memory.
    package let text: @Sendable (AnyKeyPath) -> String?

    package init(
        _ name: String,
        text: @escaping @Sendable (AnyKeyPath) -> String?,
        _ read: @escaping @Sendable (Record) -> QueryValue
    ) {
        (self.name, self.text, self.read) = (name, text, read)
    }
}

extension QueryExpression {
    /// Returns the filter for lists with an element that meets this condition.
    ///
    /// - Parameter element: The element in this expression.
    func filter(of element: QueryElement, in list: QueryList<Record>) -> QueryFilter {
        switch self {
        case .or(let one, let other):
            return .either([one.filter(of: element, in: list), other.filter(of: element, in: list)])
        case .and(let one, let other):
            // Two elements may each meet one of the conditions, so part of the filter is open.
            return .joined([one.filter(of: element, in: list), other.filter(of: element, in: list), .open])
        case .equal(.constant(let constant), let part):
            return QueryExpression.equal(part, .constant(constant)).filter(of: element, in: list)
        case .equal(.member(.element(element), let keyPath), .constant(.text(let text))):
            guard let name = list.text(keyPath) else { return .open }
            return .condition(
                QueryFilter.Condition(
                    field: .element(list.name, text: name),
                    comparison: .equal(.text(text)),
                    isNegated: false
                )
            )
        default: return .open
        }
    }
}
