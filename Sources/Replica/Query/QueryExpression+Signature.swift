extension StoreQuery {
    /// A text that is the same for queries with the same result, as far as their form shows. A screen compares it to
    /// see whether its query has changed.
    package var signature: String {
        let keys = order.keys.map { "\($0.field.column.name) \($0.isAscending)" }
        return "\(phases) \(condition.signature) \(keys) \(limit ?? -1) \(offset)"
    }
}

extension QueryExpression {
    fileprivate var signature: String {
        switch self {
        case .constant(let value): "\(value)".debugDescription
        case .field(let field): field.column.name
        case .dictionary(let dictionary): dictionary.name
        case .list(let list): list.name
        case .record: "record"
        case .element(let element): "element \(element.number)"
        case .member(let root, let path): "(\(root.signature) \(path))"
        case .pair(let dictionary, let key): "(\(dictionary.signature) \(key.signature))"
        case .not(let part): "(not \(part.signature))"
        case .and(let one, let other): "(\(one.signature) and \(other.signature))"
        case .or(let one, let other): "(\(one.signature) or \(other.signature))"
        case .equal(let one, let other): "(\(one.signature) = \(other.signature))"
        case .less(let one, let other, let orEqual): "(\(one.signature) \(orEqual ? "<=" : "<") \(other.signature))"
        case .text(let match, let text, let part): "(\(text.signature) \(match) \(part.signature))"
        case .contains(let list, let element): "(\(list.signature) contains \(element.signature))"
        case .any(let list, let element, let body): "(any \(element.number) \(list.signature) \(body.signature))"
        case .all(let list, let element, let body): "(all \(element.number) \(list.signature) \(body.signature))"
        case .coalesce(let one, let other): "(\(one.signature) ?? \(other.signature))"
        case .unwrapped(let one, let other): "(\(one.signature) ? \(other.signature))"
        case .conditional(let test, let one, let other):
            "(\(test.signature) ? \(one.signature) : \(other.signature))"
        }
    }
}
