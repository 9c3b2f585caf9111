import Replica

/// An iterator over a live query, which requests the query's slice before the first snapshot.
struct SliceIterator<Base: AsyncIteratorProtocol> {
    private var base: Result<Base, QueryError>
    /// Requests the query's slice; nil once it was called.
    private var begin: (@Sendable () async -> SliceUse?)?
    /// The use of the requested slice, which lasts as long as this iterator.
    private var use: SliceUse?

    init(_ base: Result<Base, QueryError>, begin: @escaping @Sendable () async -> SliceUse?) {
        (self.base, self.begin) = (base, begin)
    }

    /// Returns the next element; nil when the task is cancelled or the mail is closed.
    ///
    /// - Throws: `MailError`: `storage`, `invalidArgument` for an unsupported query.
    @concurrent
    mutating func next() async throws -> Base.Element? {
        if let begin {
            use = await begin()
            self.begin = nil
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
