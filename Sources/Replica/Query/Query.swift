public import Foundation

/// A query of records: a predicate and sort descriptors in Foundation's own language, over the public model types, with
/// a limit and an offset.
///
/// ```swift
/// let now = Date.now
/// let query = Query<Note>(
///     where: #Predicate { note in
///         note.folder == "orders" && (note.hiddenUntil ?? now) <= now
///     },
///     sort: [SortDescriptor(\.stars, order: .reverse)],
///     limit: 20
/// )
/// ```
///
/// The predicate is translated once: to SQL (so that indexes are used), to a filter for the server, and to a match in
/// memory. All three have the same result. It can use `==`, `!=`, `<`, `<=`, `>`, `>=`, `&&`, `||`, `!`, conditions as
/// in `a ? b : c`, `if let`, `?.`, `flatMap` and `??`; ranges and lists with `contains`; text with `contains`,
/// `starts(with:)`, `localizedStandardContains` and `isEmpty`; lists with `contains(where:)`, `allSatisfy`, `isEmpty`
/// and `count`; dictionaries by key, with or without a default. An enum case has to be captured in a constant first.
/// Anything else throws ``QueryError``, which names it.
///
/// Text is compared by its bytes in NFC: comparisons are sensitive to case and accents, and independent of the locale.
/// `localizedStandardContains` ignores case, accents and width, with the same result on every device.
public struct Query<Record: Sendable>: Sendable {
    /// The condition that the records meet; nil for all records.
    public var predicate: Predicate<Record>?
    /// The sort order; empty for the record type's default order. Ties are sorted by id, in the direction of the last
    /// descriptor.
    ///
    /// Only fields with a column of their own are supported, and no comparator that depends on a locale.
    public var sort: [SortDescriptor<Record>]
    /// The maximum number of records; nil for all.
    public var limit: Int?
    /// The number of records to skip.
    public var offset: Int

    /// Creates a query. The default values select all records.
    public init(
        where predicate: Predicate<Record>? = nil,
        sort: [SortDescriptor<Record>] = [],
        limit: Int? = nil,
        offset: Int = 0
    ) {
        self.predicate = predicate
        self.sort = sort
        self.limit = limit
        self.offset = offset
    }
}

/// An error for a query that uses something the store doesn't support.
///
/// It is thrown when the query is used for the first time, before anything is read.
public struct QueryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The unsupported part of the query, and what to write instead.
    public let description: String

    init(_ description: String) {
        self.description = description
    }

    /// Returns the error for an unsupported part of a query.
    static func unsupported(_ part: String, instead: String? = nil) -> QueryError {
        QueryError("A query can't use \(part)\(instead.map { "; \($0)" } ?? "").")
    }
}
