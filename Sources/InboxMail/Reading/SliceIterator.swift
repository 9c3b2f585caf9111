import Replica

/// An iterator over a live query, which requests the query's slice before the first snapshot. While the request can't
/// be stored, such as on a full disk, it is repeated before each snapshot.
struct SliceIterator<Base: AsyncIteratorProtocol> {
    private var base: Result<Base, QueryError>
    /// Requests the query's slice; nil once it is stored.
    private var begin: (@Sendable () async -> SliceRegistry.RegisteredUse)?
    /// The use of the requested slice, which lasts as long as this iterator.
    private var use: SliceUse?

    init(_ base: Result<Base, QueryError>, begin: @escaping @Sendable () async -> SliceRegistry.RegisteredUse) {
        (self.base, self.begin) = (base, begin)
    }

    /// Returns the next element; nil when the task is cancelled or the mail is closed.
    ///
    /// - Throws: `MailError`: `storage`, `invalidArgument` for an unsupported query.
    @concurrent
    mutating func next() async throws -> Base.Element? {
        if let begin {
            let begun = await begin()
            use = begun.use
            if begun.isStored { self.begin = nil }
        }
        do {
            var iterator = try base.get()
            defer { base = .success(iterator) }
            return try await iterator.next()
        } catch {
            throw MailError.wrapping(error)
        }
    }
}
