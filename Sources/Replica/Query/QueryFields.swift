/// What the key paths of a record mean to queries.
///
/// Unchecked, since a dictionary can't say that its key paths are `Sendable`: they are written out in the code, and capture nothing.
package struct QueryFields<Record: Sendable>: @unchecked Sendable, ExpressibleByDictionaryLiteral {
    private let fields: [PartialKeyPath<Record>: QueryExpression<Record>]

    package init(dictionaryLiteral fields: (PartialKeyPath<Record>, QueryExpression<Record>)...) {
        self.fields = Dictionary(fields) { first, _ in first }
    }

    subscript(_ keyPath: PartialKeyPath<Record>) -> QueryExpression<Record>? { fields[keyPath] }
}
