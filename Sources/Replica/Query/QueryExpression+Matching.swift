import Foundation
import Groundwork

extension QueryExpression {
    /// Returns whether a record meets the condition. The evaluation in memory decides where SQL and the server can't.
    package func matches(_ record: Record) -> Bool {
        value(of: record, [:]).isTrue
    }

    private typealias Bindings = [QueryElement: QueryValue]

    private func value(of record: Record, _ elements: Bindings) -> QueryValue {
        func value(_ expression: QueryExpression) -> QueryValue { expression.value(of: record, elements) }
        func holds(_ expression: QueryExpression) -> Bool { value(expression).isTrue }
        switch self {
        case .constant(let constant): return constant
        case .field(let field): return field.read(record)
        case .dictionary(let dictionary): return .object(QueryValue.Opaque(value: dictionary.read(record)))
        case .list(let list): return list.read(record)
        case .record: return QueryValue(record)
        case .element(let id): return elements[id] ?? .null
        case .member(let base, let keyPath): return value(base).member(keyPath)
        case .pair(let pairs, let key): return value(pairs).value(for: value(key))
        case .not(let part): return .bool(!holds(part))
        case .and(let one, let other): return .bool(holds(one) && holds(other))
        case .or(let one, let other): return .bool(holds(one) || holds(other))
        case .equal(let one, let other): return .bool(value(one).isEqual(to: value(other)))
        case .less(let one, let other, let orEqual):
            return .bool(value(one).order(to: value(other)).map { orEqual ? $0 <= 0 : $0 < 0 } ?? false)
        case .text(let match, let text, let part):
            guard case .text(let text) = value(text), case .text(let part) = value(part) else { return .bool(false) }
            return .bool(match.holds(text, part))
        case .contains(let list, let element):
            let wanted = value(element)
            return .bool(value(list).elements?.contains { $0.isEqual(to: wanted) } ?? false)
        case .any(let list, let id, let body):
            return .bool(
                value(list).elements?.contains { element in
                    body.value(of: record, elements.merging([id: element]) { $1 }).isTrue
                } ?? false
            )
        case .all(let list, let id, let body):
            return .bool(
                value(list).elements?.allSatisfy { element in
                    body.value(of: record, elements.merging([id: element]) { $1 }).isTrue
                } ?? false
            )
        case .coalesce(let one, let other):
            let first = value(one)
            return first.isNull ? value(other) : first
        case .unwrapped(let one, let other): return value(one).isNull ? .null : value(other)
        case .conditional(let test, let one, let other): return holds(test) ? value(one) : value(other)
        }
    }
}

extension QueryExpression.TextMatch {
    /// Returns whether a text matches. Texts are in NFC, and compared by their bytes.
    func holds(_ text: String, _ part: String) -> Bool {
        switch self {
        case .contains: SearchText.contains(text, part)
        case .startsWith: text.utf8.starts(with: part.utf8)
        case .localizedStandardContains: SearchText.contains(SearchText.folded(text), SearchText.folded(part))
        case .comparison(let comparison): comparison.holds(text, part)
        }
    }
}
