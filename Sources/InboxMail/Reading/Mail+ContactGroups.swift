import Foundation
public import Replica

/// The groups of the account's address books, known without a network.
///
/// They are there if the server has address books: those of RFC 9610, or Cyrus' own.
extension Mail {
    /// Returns the groups of a query, by default ordered by name.
    ///
    /// - Throws: `MailError`: `invalidArgument` for an unsupported query (the error names the part), `storage`,
    ///   `closed`.
    @concurrent
    public func contactGroups(_ query: Query<MailContactGroup> = Query()) async throws -> [MailContactGroup] {
        try await fetch(query, .contactGroup)
    }

    /// Observes the groups of a query.
    ///
    /// The first snapshot is available at once. The sequence ends when the iterating task is cancelled or the mail is
    /// closed.
    public func observeContactGroups(_ query: Query<MailContactGroup> = Query()) -> MailSnapshots<MailContactGroup> {
        MailSnapshots(store, changes, query, .contactGroup, slices)
    }

    /// Returns the contacts and groups for a text that a person is typing: first the best contact, then at most three
    /// groups with such a name, by name, then the other contacts as ``contacts(matching:limit:)`` has them.
    ///
    /// - Parameters:
    ///   - text: The typed text. A text without words finds nothing.
    ///   - limit: The maximum number of groups and contacts together; at most 1,000.
    /// - Throws: `MailError`: `invalidArgument` for a negative limit, `storage`, `closed`.
    @concurrent
    public func completions(matching text: String, limit: Int = 20) async throws -> [MailCompletion] {
        guard limit >= 0 else { throw MailError(.invalidArgument, "limit must not be negative.") }
        guard let search = ContactIndex.Search(text) else { return [] }
        return try await read { db in try db.completions(matching: search, limit: min(limit, 1_000)) }
    }
}
