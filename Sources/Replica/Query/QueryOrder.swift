import Foundation
package import Groundwork

/// The sort order of a query: by fields, and then by id in the direction of the last field. Null sorts before every
/// value.
package struct QueryOrder<Record: Sendable>: Sendable {
    /// A field to sort by.
    package struct Key: Sendable {
        package let field: QueryField<Record>
        package let isAscending: Bool

        package init(_ field: QueryField<Record>, isAscending: Bool) {
            self.field = field
            self.isAscending = isAscending
        }
    }

    package let keys: [Key]
    private let id: @Sendable (Record) -> String

    package init(_ keys: [Key], id: @escaping @Sendable (Record) -> String) {
        self.keys = keys
        self.id = id
    }

    /// Creates an order from sort descriptors.
    ///
    /// - Throws: ``QueryError`` for a descriptor that isn't by a field with a column, or whose comparator depends on a
    ///   locale.
    init(
        _ descriptors: [SortDescriptor<Record>],
        fields: QueryFields<Record>,
        id: @escaping @Sendable (Record) -> String
    ) throws(QueryError) {
        var keys: [Key] = []
        for descriptor in descriptors {
            guard let keyPath = descriptor.keyPath else {
                throw .unsupported(
                    "a sort by a comparison of whole records",
                    instead: "sort by properties, or sort the fetched records"
                )
            }
            let name = fields.name(of: keyPath)
            guard case .field(let field) = fields[keyPath], field.isStored else {
                throw .unsupported(
                    "a sort by \(name)",
                    instead: "sort by a property that has a column, or sort the fetched records"
                )
            }
            if var comparator = descriptor.stringComparator {
                comparator.order = .forward
                guard comparator == .lexical else {
                    throw .unsupported(
                        "a comparator that depends on the locale for \(name)",
                        instead: "use comparator: .lexical, and sort for display in the view"
                    )
                }
            }
            keys.append(Key(field, isAscending: descriptor.order == .forward))
        }
        self.init(keys, id: id)
    }

    private var isLastAscending: Bool { keys.last?.isAscending ?? true }

    /// The terms of `ORDER BY`.
    var sql: String {
        let terms = keys.map { "\"\($0.field.column.name)\" \($0.isAscending ? "ASC" : "DESC")" }
        return (terms + ["id \(isLastAscending ? "ASC" : "DESC")"]).joined(separator: ", ")
    }

    /// The comparators of `/query`. Text is compared by its bytes (RFC 4790).
    package var json: JSON {
        .array(
            keys.map { key in
                var comparator = JSONObject([
                    ("property", .string(key.field.column.name)), ("isAscending", .bool(key.isAscending)),
                ])
                if key.field.column.kind == .text { comparator["collation"] = "i;octet" }
                return .object(comparator)
            }
        )
    }

    /// Returns whether a record sorts before another.
    package func precedes(_ one: Record, _ other: Record) -> Bool {
        for key in keys {
            let (first, second) = (key.field.read(one), key.field.read(other))
            let order =
                switch (first.isNull, second.isNull) {
                case (true, true): 0
                case (true, false): -1
                case (false, true): 1
                case (false, false): first.order(to: second) ?? 0
                }
            if order != 0 { return (order < 0) == key.isAscending }
        }
        let (first, second) = (id(one), id(other))
        return isLastAscending ? first < second : second < first
    }
}
