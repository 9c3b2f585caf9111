public import Foundation
public import Replica

/// The mailboxes: the account's folders or labels. All of them are on the device, with either scope.
extension Mail {
    /// Returns the mailboxes of a query, by default in their sort order and by name.
    ///
    /// - Throws: `MailError`: `invalidArgument` for an unsupported query (the error names the part), `storage`,
    ///   `closed`.
    @concurrent
    public func mailboxes(_ query: Query<Mailbox> = Query()) async throws -> [Mailbox] {
        try await fetch(query, .mailbox)
    }

    /// Returns the number of mailboxes of a query, regardless of its limit and offset.
    ///
    /// - Throws: As ``mailboxes(_:)``.
    @concurrent
    public func mailboxCount(_ query: Query<Mailbox> = Query()) async throws -> Int {
        try await count(query, .mailbox)
    }

    /// Observes the mailboxes of a query.
    ///
    /// The first snapshot is available at once. The sequence ends when the iterating task is cancelled or the mail is
    /// closed.
    public func observeMailboxes(_ query: Query<Mailbox> = Query()) -> MailSnapshots<Mailbox> {
        MailSnapshots(store, changes, query, .mailbox, slices)
    }

    /// Returns a mailbox; nil if the account has none with this id.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    @concurrent
    public func mailbox(id: String) async throws -> Mailbox? {
        try await mailboxes(Query(where: #Predicate { $0.id == id })).first
    }

    /// Returns the live object of a mailbox, updated in place. All callers that request the same id get the same
    /// instance.
    ///
    /// - Returns: Nil if the account has none with this id.
    /// - Throws: `MailError`: `storage`, `closed`.
    @MainActor
    public func liveMailbox(_ id: String) async throws -> LiveObject<Mailbox>? {
        let objects = liveMailboxes ?? liveObjects(.mailbox) { id in Query(where: #Predicate { $0.id == id }) }
        liveMailboxes = objects
        return try await wrapping { try await objects.object(id) }
    }

    /// Returns a list of mailboxes for a user interface, as ``threadResults(where:sort:range:cachePolicy:)`` does for
    /// threads.
    @MainActor
    public func mailboxResults(
        where predicate: Predicate<Mailbox>? = nil,
        sort: [SortDescriptor<Mailbox>] = [],
        range: Range<Int> = 0..<200,
        cachePolicy: LiveResults<Mailbox>.CachePolicy = .cacheThenNetwork
    ) -> LiveResults<Mailbox> {
        results(.mailbox, predicate, sort, range, cachePolicy)
    }
}
