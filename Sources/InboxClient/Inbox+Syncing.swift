import Groundwork
public import InboxModel
import JMAP
public import Replica

extension Inbox {
    /// Syncs now: sends pending writes and fetches changes.
    ///
    /// A live inbox syncs automatically. Concurrent calls share one round.
    ///
    /// - Throws: ``InboxError``, such as `notConnected`, `timedOut`, `unauthorized`. Pending writes are kept.
    @concurrent
    public func sync() async throws {
        try await request {
            try checkOpen()
            try await engine.sync()
        }
    }

    /// Runs a request to the server, and converts its errors.
    ///
    /// - Throws: ``InboxError``: `closed` also if the request was cancelled because the inbox was closed meanwhile.
    ///   `CancellationError` when the task is cancelled.
    func request<T>(_ body: () async throws -> T) async throws -> T {
        do {
            return try await body()
        } catch is CancellationError where !Task.isCancelled {
            throw InboxError.wrapping(StoreError.closed)
        } catch {
            throw InboxError.wrapping(error)
        }
    }

    /// Syncs, then returns the messages of the inbox, newest delivery first.
    ///
    /// - Parameter surface: The surface of the messages. Nil for all.
    /// - Throws: ``InboxError`` if the server can't be reached. ``messages(_:surface:limit:offset:)`` returns the
    ///   stored messages without a sync.
    @concurrent
    public func fetchMessages(surface: String? = nil) async throws -> [Message] {
        try await sync()
        return try await messages(surface: surface)
    }

    /// Fetches messages that are older than those on this device, to extend a list. They are kept for at least a day.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of messages, at least 1.
    ///   - filter: The part of the inbox.
    ///   - surface: The surface of the messages. Nil for all.
    /// - Returns: The number of fetched messages. 0 means that the list has no older messages.
    /// - Throws: ``InboxError``: `invalidArgument`; as ``sync()`` if the server can't be reached or fails;
    ///   `otherProcess` while another process keeps the inbox up to date, because messages can't be fetched through it.
    @concurrent
    @discardableResult
    public func loadOlder(
        limit: Int = 50,
        in filter: MessageFilter = .inbox,
        surface: String? = nil
    ) async throws -> Int {
        guard limit >= 1 else { throw InboxError(.invalidArgument, "limit must be at least 1.") }
        let query = try Self.reading(Query(), filter, surface)
        // All messages have to be known first. Otherwise the next older message may be unknown.
        if try await !read({ db in try db.hasCompleteOutline(.message) }) { try await sync() }
        let ids = try await read { db in try query.missing(db, limit: limit) }
        guard !ids.isEmpty else { return 0 }
        try await request { _ = try await engine.fetch(.ids(ids), of: .message) }
        return try await read { db in
            let left = Set(try query.missing(db, limit: .max))
            return ids.count { !left.contains($0) }
        }
    }

    /// Returns one message: from this device, or otherwise from the server.
    ///
    /// - Returns: Nil if the server doesn't have the message either, or if it has expired or was deleted.
    /// - Throws: ``InboxError`` if the message isn't on this device and the server can't be reached or fails;
    ///   `otherProcess` while another process keeps the inbox up to date, because messages can't be fetched through it.
    @concurrent
    public func fetchMessage(id: String) async throws -> Message? {
        if let message = try await message(id: id) { return message }
        guard Identifier.isValid(id) else { return nil }
        try await request { _ = try await engine.fetch(.ids([id]), of: .message) }
        return try await message(id: id)
    }

    /// Fetches the messages, including deleted ones, that this device doesn't hold and whose ids end with one of the
    /// texts.
    ///
    /// - Throws: As ``fetchMessage(id:)``.
    @concurrent
    package func fetchMessages(withIDSuffixes suffixes: [String]) async throws {
        let ids = try await read { db in
            try suffixes.flatMap { try db.outlineIDs(.message, withSuffix: $0, limit: Self.maxMatchesPerSuffix) }
        }
        guard !ids.isEmpty else { return }
        try await request { _ = try await engine.fetch(.ids(ids), of: .message) }
    }

    /// The maximum number of fetched messages per ending. Several results suffice to show that an ending is ambiguous.
    private static var maxMatchesPerSuffix: Int { 5 }

    /// The current state of the connection to the server.
    public var connectionState: ConnectionState { isClosed ? .closed : engine.connectionState.value }

    /// The states of the connection, starting with the current one. Of several changes in quick succession, only the
    /// newest is reported.
    public var connectionStates: AsyncStream<ConnectionState> { states.stream(startingWith: connectionState) }

    /// Changes that the server refused, from now on. They have been reverted on this device.
    public var refusedActions: AsyncStream<RefusedAction> {
        refusals.stream().mapped(keepingNewest: 1_000) { RefusedAction(ofInbox: $0) }
    }

    /// Returns the sync status of this device.
    ///
    /// - Throws: ``InboxError``: `storage`, `closed`.
    @concurrent
    public func status() async throws -> InboxStatus {
        let connection = connectionState
        return try await read { db in
            let position = try db.syncPosition(.message)
            return InboxStatus(
                connection: connection,
                pendingWrites: try db.pendingCount(RecordType.inbox),
                pendingEvents: try db.queuedCount(.event),
                droppedEvents: try db.droppedCount(),
                lastSync: position?.syncedAt,
                state: position?.state,
                unreadableRecords: try db.setAsideCount(RecordType.inbox)
            )
        }
    }
}

extension RefusedAction {
    /// Creates the refusal of a change to a message, or of an event.
    init(ofInbox refusal: RefusedWrite) {
        guard refusal.type == QueueType.event.name else {
            self.init(refusal)
            return
        }
        let event = refusal.entry.value
        self.init(
            recordID: event[EventField.message.rawValue]?.stringValue ?? "",
            property: event[EventField.type.rawValue]?.stringValue ?? "",
            reason: refusal.error,
            explanation: refusal.detail
        )
    }
}
