public import Foundation

/// Which records to read, in which order: a predicate and sort descriptors in Foundation's own language, over the
/// public model types.
///
/// ```swift
/// let soon = Date.now.addingTimeInterval(86_400)
/// let query = Query<Message>(
///     where: #Predicate { message in
///         message.category == "orders" && (message.expiresAt ?? .distantFuture) < soon
///     },
///     sort: [SortDescriptor(\.priority, order: .reverse)],
///     limit: 20
/// )
/// ```
///
/// The predicate is read once into SQL (so that indexes are used), a filter for the server and a match in memory, and
/// all three find the same. It may use `==`, `!=`, `<`, `<=`, `>`, `>=`, `&&`, `||`, `!`, conditions as in `a ? b : c`,
/// `if let`, `?.`, `flatMap` and `??`; ranges and lists with `contains`; text with `contains`, `starts(with:)`,
/// `localizedStandardContains` and `isEmpty`; lists with `contains(where:)`, `allSatisfy`, `isEmpty` and `count`;
/// dictionaries by key, with or without a default. An enum case has to be captured in a constant first. Anything else
/// throws ``QueryError``, which names it.
///
/// Text is compared by its bytes in NFC: case and accents count, and no locale does. `localizedStandardContains`
/// disregards case, accents and width, alike on every device.
public struct Query<Record: Sendable>: Sendable {
    /// Which ones; nil for all.
    public var predicate: Predicate<Record>?
    /// In which order; where this leaves two equal, and where it is empty, the record's own order decides.
    ///
    /// Fields with a column of their own only, and no comparator that depends on a locale.
    public var sort: [SortDescriptor<Record>]
    /// At most so many; nil for all.
    public var limit: Int?
    /// How many to pass over.
    public var offset: Int

    /// Makes a query; what isn't given selects everything.
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
