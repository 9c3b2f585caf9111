public import Foundation
public import Replica

/// Mailboxes: the account's folders or labels, all of which are on the device in both scopes.
extension Mail {
    /// The mailboxes of a query, by their order and name where it doesn't say.
    ///
    /// - Throws: `MailError`: `invalidArgument` for a query that can't be read (it names the part), `storage`,
    ///   `closed`.
    @concurrent
    public func mailboxes(_ query: Query<Mailbox> = Query()) async throws -> [Mailbox] {
        try await fetch(query, .mailbox)
    }

    /// How many mailboxes a query has, its limit and offset set aside.
    ///
    /// - Throws: As ``mailboxes(_:)``.
    @concurrent
    public func mailboxCount(_ query: Query<Mailbox> = Query()) async throws -> Int {
        try await count(query, .mailbox)
    }

    /// The mailboxes of a query, and again whenever they change.
    ///
    /// The first snapshot comes at once. Ends when the iterating task is cancelled or the mail is closed.
    public func observeMailboxes(_ query: Query<Mailbox> = Query()) -> MailSnapshots<Mailbox> {
        MailSnapshots(store, changes, query, .mailbox, slices)
    }

    /// One mailbox; nil where the account has none of that id.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    @concurrent
    public func mailbox(id: String) async throws -> Mailbox? {
        try await mailboxes(Query(where: #Predicate { $0.id == id })).first
    }

    /// The one live object for a mailbox, changed in place: whoever asks for the same id holds the same instance.
    ///
    /// - Returns: Nil where the account has none of that id.
    /// - Throws: `MailError`: `storage`, `closed`.
    @MainActor
    public func liveMailbox(_ id: String) async throws -> LiveObject<Mailbox>? {
        let objects = liveMailboxes ?? liveObjects(.mailbox) { id in Query(where: #Predicate { $0.id == id }) }
        liveMailboxes = objects
        return try await wrapping { try await objects.object(id) }
    }

    /// A list of mailboxes for screens, as ``threadProvider(where:sort:range:cachePolicy:)`` is one of threads.
    @MainActor
    public func mailboxProvider(
        where predicate: Predicate<Mailbox>? = nil,
        sort: [SortDescriptor<Mailbox>] = [],
        range: Range<Int> = 0..<200,
        cachePolicy: ModelProvider<Mailbox>.CachePolicy = .cacheThenNetwork
    ) -> ModelProvider<Mailbox> {
        provider(.mailbox, predicate, sort, range, cachePolicy)
    }
}
