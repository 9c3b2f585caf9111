/// A list of values of a record, which is kept within its JSON, such as a mail's recipients.
package struct QueryList<Record: Sendable>: Sendable {
    /// The property on the server.
    package let name: String
    package let read: @Sendable (Record) -> QueryValue
    /// What a text of an element is called on the server; nil for what is read in memory alone.
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
    /// What of a condition on the elements of a list can be said where one of them meets it.
    ///
    /// - Parameter element: The element in this expression.
    func filter(of element: QueryElement, in list: QueryList<Record>) -> QueryFilter {
        switch self {
        case .or(let one, let other):
            return .either([one.filter(of: element, in: list), other.filter(of: element, in: list)])
        case .and(let one, let other):
            // Two elements may meet one each.
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
