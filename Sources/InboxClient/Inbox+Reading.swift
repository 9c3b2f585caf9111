public import InboxModel
public import Replica

extension Inbox {
    /// The messages on this device, newest delivery first, ties by id.
    ///
    /// - Parameters:
    ///   - filter: Which ones.
    ///   - surface: Only those of this surface; nil for all.
    ///   - limit: At most so many; nil for all.
    ///   - offset: How many to pass over.
    /// - Throws: ``InboxError``: `invalidArgument` for a negative number, `storage`, `closed`.
    @concurrent
    public func messages(
        _ filter: MessageFilter = .inbox,
        surface: String? = nil,
        limit: Int? = nil,
        offset: Int = 0
    ) async throws -> [Message] {
        guard limit ?? 0 >= 0, offset >= 0 else {
            throw InboxError(.invalidArgument, "limit and offset must not be negative.")
        }
        return try await read { db in try db.messages(filter, surface: surface, limit: limit, offset: offset) }
    }

    /// The messages of a query.
    ///
    /// - Parameters:
    ///   - query: Which ones, in which order; newest delivery first where it doesn't say.
    ///   - filter: Where they are; the query looks at those alone.
    ///   - surface: Only those of this surface; nil for all.
    /// - Throws: ``InboxError``: `invalidArgument` for a query that can't be read (it names the part), `storage`,
    ///   `closed`.
    @concurrent
    public func fetch(
        _ query: Query<Message>,
        in filter: MessageFilter = .inbox,
        surface: String? = nil
    ) async throws -> [Message] {
        let query = try Self.reading(query, filter, surface)
        return try await read { db in try query.fetch(db) }
    }

    /// How many messages a query has, its limit and offset set aside.
    ///
    /// Of the whole inbox where the query asks for what this device knows of every message: its surface, category,
    /// group, dates, and whether it is pinned. Where it asks for texts or other fields, of what is held here. While
    /// ``MessageCounts/isExact`` is false, of what is known by then.
    ///
    /// - Parameters: As in ``fetch(_:in:surface:)``.
    /// - Throws: The same.
    @concurrent
    public func count(
        _ query: Query<Message>,
        in filter: MessageFilter = .inbox,
        surface: String? = nil
    ) async throws -> Int {
        let query = try Self.reading(query, filter, surface)
        return try await read { db in try query.count(db) }
    }

    /// How many of the messages that this device holds belong to a filter.
    @concurrent
    package func heldCount(_ filter: MessageFilter) async throws -> Int {
        try await read { db in try db.heldCount(filter) }
    }

    static func reading(
        _ query: Query<Message>,
        _ filter: MessageFilter,
        _ surface: String?
    ) throws -> StoreQuery<Message> {
        do {
            return try StoreQuery(query, in: filter, surface: surface)
        } catch {
            throw InboxError.wrapping(error)
        }
    }

    /// One message; nil where it isn't known on this device, has expired, or was deleted.
    ///
    /// - Throws: ``InboxError``: `storage`, `closed`.
    @concurrent
    public func message(id: String) async throws -> Message? {
        try await read { db in try db.message(id: id) }
    }

    /// How many messages there are in the whole inbox.
    ///
    /// - Parameter surface: Only those of this surface; nil for all.
    /// - Throws: ``InboxError``: `storage`, `closed`.
    @concurrent
    public func counts(surface: String? = nil) async throws -> MessageCounts {
        try await read { db in try db.messageCounts(surface: surface) }
    }

    /// How many messages there were in the whole inbox as of the last commit on this device, for the badges of tabs:
    /// from memory, no query.
    ///
    /// A snapshot's counts agree with its list; these may be a moment ahead of it, and behind it only while another
    /// process writes.
    ///
    /// - Parameters:
    ///   - surface: Only those of this surface; nil for all.
    ///   - category: Only those of this category; empty for those that have none, nil for all.
    public func latestCounts(surface: String? = nil, category: String? = nil) -> MessageCounts {
        MessageCounts(isClosed ? .none : store.counts(.message), surface: surface, category: category)
    }

    /// What there is to see, and again whenever it changes: by the server, by the person, by another process, by time.
    ///
    /// The first snapshot comes at once; each says what changed since the one before. Whoever is slow gets the newest.
    /// Ends when the iterating task is cancelled or the inbox is closed.
    ///
    /// - Parameters: As in ``messages(_:surface:limit:offset:)``.
    /// - Returns: A sequence that throws ``InboxError``: `storage`.
    public func observe(
        _ filter: MessageFilter = .inbox,
        surface: String? = nil,
        limit: Int? = nil
    ) -> InboxSnapshots {
        InboxSnapshots(store, changes, engine, Query(limit: limit.map { max(0, $0) }), filter, surface)
    }

    /// The messages of a query, and again whenever they change.
    ///
    /// - Parameters: As in ``fetch(_:in:surface:)``.
    /// - Returns: As ``observe(_:surface:limit:)``. The sequence throws ``InboxError`` `invalidArgument` at once for a
    ///   query that can't be read.
    public func observe(
        _ query: Query<Message>,
        in filter: MessageFilter = .inbox,
        surface: String? = nil
    ) -> InboxSnapshots {
        InboxSnapshots(store, changes, engine, query, filter, surface)
    }
}
