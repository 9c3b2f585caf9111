public import InboxModel
public import Replica

extension Inbox {
    /// Returns the messages on this device, newest delivery first, then by id.
    ///
    /// - Parameters:
    ///   - filter: The part of the inbox.
    ///   - surface: The surface of the messages. Nil for all.
    ///   - limit: The maximum number of messages. Nil for no limit.
    ///   - offset: The number of messages to skip.
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

    /// Returns the messages of a query.
    ///
    /// - Parameters:
    ///   - query: The condition and the order. Without an order, the newest delivery comes first.
    ///   - filter: The part of the inbox that is queried.
    ///   - surface: The surface of the messages. Nil for all.
    /// - Throws: ``InboxError``: `invalidArgument` for a query that can't be translated (the error names the part),
    ///   `storage`, `closed`.
    @concurrent
    public func fetch(
        _ query: Query<Message>,
        in filter: MessageFilter = .inbox,
        surface: String? = nil
    ) async throws -> [Message] {
        let query = try Self.reading(query, filter, surface)
        return try await read { db in try query.fetch(db) }
    }

    /// Returns the number of messages of a query, without its limit and offset.
    ///
    /// A query of properties that the device knows of every message counts the whole inbox. These are the surface, the
    /// category, the group, the dates, and whether the message is pinned. A query of texts or other fields counts the
    /// messages that the device holds. While ``MessageCounts/isExact`` is false, the count covers the messages that are
    /// known so far.
    ///
    /// - Parameters: As in ``fetch(_:in:surface:)``.
    /// - Throws: As ``fetch(_:in:surface:)``.
    @concurrent
    public func count(
        _ query: Query<Message>,
        in filter: MessageFilter = .inbox,
        surface: String? = nil
    ) async throws -> Int {
        let query = try Self.reading(query, filter, surface)
        return try await read { db in try query.count(db) }
    }

    /// Returns the number of messages of a filter that this device holds.
    @concurrent
    package func countOnDevice(_ filter: MessageFilter) async throws -> Int {
        try await read { db in try db.countOnDevice(filter) }
    }

    /// Returns the given ids whose messages are on this device and have one of the statuses, in the given order, each
    /// once.
    package func ids(_ ids: [String], in statuses: Set<MessageStatus>) async throws -> [String] {
        try await read { db in
            let held = Set(try db.messages(ids, in: statuses))
            var listed: Set<String> = []
            return ids.filter { held.contains($0) && listed.insert($0).inserted }
        }
    }

    /// Resolves ids that may be another system's, in the given order. An id that isn't a message's on this device is
    /// looked up in the messages' additional data; an unknown id is returned unchanged.
    ///
    /// - Parameter key: The key of the additional data, where an import has kept the ids of another system.
    package func ids(_ ids: [String], orInAdditionalData key: String) async throws -> [String] {
        try await read { db in
            let own = Set(try db.messages(ids, in: Set(MessageStatus.allCases)))
            let others = try db.ids(inAdditionalData: key, of: ids.filter { !own.contains($0) })
            return ids.map { own.contains($0) ? $0 : others[$0] ?? $0 }
        }
    }

    /// Returns the ids of the messages on this device that may have one of some texts in their additional data, in any
    /// order. A query of these ids decodes no other message.
    ///
    /// - Parameter key: The key of the additional data.
    package func idsPossibly(inAdditionalData key: String, of texts: [String]) async throws -> [String] {
        try await read { db in try db.idsPossibly(inAdditionalData: key, of: texts) }
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

    /// Returns one message, or nil if this device doesn't know it, or if it has expired or was deleted.
    ///
    /// - Throws: ``InboxError``: `storage`, `closed`.
    @concurrent
    public func message(id: String) async throws -> Message? {
        try await read { db in try db.message(id: id) }
    }

    /// Returns the counts of the whole inbox.
    ///
    /// - Parameter surface: The surface of the messages. Nil for all.
    /// - Throws: ``InboxError``: `storage`, `closed`.
    @concurrent
    public func counts(surface: String? = nil) async throws -> MessageCounts {
        try await read { db in try db.messageCounts(surface: surface) }
    }

    /// Returns the counts of the whole inbox as of the last commit on this device, for example for badges. They are
    /// read from memory, without a query.
    ///
    /// A snapshot's counts agree with its list. These counts may be slightly ahead of it, and are behind it only while
    /// another process writes.
    ///
    /// - Parameters:
    ///   - surface: The surface of the messages. Nil for all.
    ///   - category: The category of the messages. Empty for messages without one, nil for all.
    public func latestCounts(surface: String? = nil, category: String? = nil) -> MessageCounts {
        MessageCounts(isClosed ? .none : store.counts(.message), surface: surface, category: category)
    }

    /// Returns a sequence of snapshots of the messages on this device: one at once, and another one after each change
    /// by the server, the person, another process or the passage of time.
    ///
    /// Each snapshot contains the changes since the previous one. A slow observer receives the newest snapshot only.
    /// The sequence ends when the iterating task is cancelled or the inbox is closed.
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

    /// Returns a sequence of snapshots of a query.
    ///
    /// - Parameters: As in ``fetch(_:in:surface:)``.
    /// - Returns: As ``observe(_:surface:limit:)``. The sequence throws ``InboxError`` `invalidArgument` at once for a
    ///   query that can't be translated.
    public func observe(
        _ query: Query<Message>,
        in filter: MessageFilter = .inbox,
        surface: String? = nil
    ) -> InboxSnapshots {
        InboxSnapshots(store, changes, engine, query, filter, surface)
    }

    /// Returns a sequence of snapshots of a query, whose messages that aren't on this device aren't fetched.
    package func observeStored(
        _ query: Query<Message>,
        in filter: MessageFilter,
        surface: String?
    ) -> InboxSnapshots {
        InboxSnapshots(store, changes, engine, query, filter, surface, fetchesMissing: false)
    }
}
