public import Foundation
import Groundwork
public import MailComposing
public import Replica

/// The people that the account has written to and heard from (``MailContact``), known without a network.
///
/// They are counted in the transaction that stores a mail, and forgotten with their last mail on this device. In a
/// store of an earlier version, the mails that are there already are counted in the background after it was opened.
extension Mail {
    /// Returns the contacts of a query. By default, the most used come first, and of equally used ones the latest.
    ///
    /// With the scope `slices`, they are those of the mails on this device. The query requests none from the server.
    ///
    /// - Throws: `MailError`: `invalidArgument` for an unsupported query (the error names the part), `storage`,
    ///   `closed`.
    @concurrent
    public func contacts(_ query: Query<MailContact> = Query()) async throws -> [MailContact] {
        try await fetch(query, .contact)
    }

    /// Returns the contacts for a text that a person is typing, the most used and latest first.
    ///
    /// Each typed word has to begin a word of the name, of the part before the `@`, or of the domain, without regard to
    /// case and accents. The last part of a domain is found after a full stop: `.org`.
    ///
    /// - Parameters:
    ///   - text: The typed text, of which at most eight words and 256 characters are used. A text without words finds
    ///   nothing.
    ///   - limit: The maximum number of contacts; at most 1,000.
    /// - Throws: `MailError`: `invalidArgument` for a negative limit, `storage`, `closed`.
    @concurrent
    public func contacts(matching text: String, limit: Int = 20) async throws -> [MailContact] {
        guard limit >= 0 else { throw MailError(.invalidArgument, "limit must not be negative.") }
        guard let search = ContactIndex.Search(text) else { return [] }
        return try await read { db in try db.contacts(matching: search, limit: min(limit, 1_000)) }
    }

    /// Returns the number of contacts of a query, regardless of its limit and offset.
    ///
    /// - Throws: As ``contacts(_:)``.
    @concurrent
    public func contactCount(_ query: Query<MailContact> = Query()) async throws -> Int {
        try await count(query, .contact)
    }

    /// Observes the contacts of a query.
    ///
    /// The first snapshot is available at once. The sequence ends when the iterating task is cancelled or the mail is
    /// closed.
    public func observeContacts(_ query: Query<MailContact> = Query()) -> MailSnapshots<MailContact> {
        MailSnapshots(store, changes, query, .contact, slices)
    }

    /// Returns the contact of an address, in any spelling; nil if there is none.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    @concurrent
    public func contact(for address: EmailAddress) async throws -> MailContact? {
        let id = address.key
        return try await contacts(Query(where: #Predicate { $0.id == id })).first
    }

    /// Returns the live object of a contact. All callers that request the same id get the same instance. The object is
    /// gone when the last mail is.
    ///
    /// - Returns: Nil if there is no contact with the id.
    /// - Throws: `MailError`: `storage`, `closed`.
    @MainActor
    public func liveContact(_ id: String) async throws -> LiveObject<MailContact>? {
        try await wrapping { try await contactObjects.object(id) }
    }

    /// Returns the live object of an address. Without a contact, it is gone until there is one.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    @MainActor
    package func liveContact(for address: EmailAddress) async throws -> LiveObject<MailContact> {
        let unknown = MailContact(
            id: address.key,
            name: address.name,
            email: address.email,
            writtenCount: 0,
            receivedCount: 0,
            lastUsedAt: .distantPast,
            rank: 0
        )
        return try await wrapping { try await contactObjects.object(unknown.id, orGone: unknown) }
    }

    @MainActor
    private var contactObjects: LiveObjects<MailContact> {
        let objects = liveContacts ?? liveObjects(.contact) { id in Query(where: #Predicate { $0.id == id }) }
        liveContacts = objects
        return objects
    }

    /// Returns a list of contacts for a user interface, as ``threadResults(where:sort:range:cachePolicy:)`` does for
    /// threads.
    @MainActor
    public func contactResults(
        where predicate: Predicate<MailContact>? = nil,
        sort: [SortDescriptor<MailContact>] = [],
        range: Range<Int> = 0..<200,
        cachePolicy: LiveResults<MailContact>.CachePolicy = .cacheThenNetwork
    ) -> LiveResults<MailContact> {
        results(.contact, predicate, sort, range, cachePolicy)
    }
}
