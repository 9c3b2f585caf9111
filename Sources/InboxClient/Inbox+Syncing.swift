public import InboxModel
import JMAP
import Replica
public import Groundwork

extension Inbox {
    /// Sends what the person did and takes what is new, now.
    ///
    /// An inbox that is live does this by itself. Calls that come together share one exchange.
    ///
    /// - Throws: ``InboxError``, such as `notConnected`, `timedOut`, `unauthorized`; nothing is lost then.
    @concurrent
    public func sync() async throws {
        do {
            try checkOpen()
            try await engine.sync()
        } catch is CancellationError where !Task.isCancelled {
            // Cancelled by whoever closed the inbox meanwhile.
            throw InboxError.wrapping(StoreError.closed)
        } catch {
            throw InboxError.wrapping(error)
        }
    }

    /// Syncs, then gives the messages of the inbox, newest delivery first.
    ///
    /// - Parameter surface: Only those of this surface; nil for all.
    /// - Throws: ``InboxError`` where the server can't be reached; ``messages(_:surface:limit:offset:)`` reads what is
    ///   stored.
    @concurrent
    public func fetchMessages(surface: String? = nil) async throws -> [Message] {
        try await sync()
        return try await messages(surface: surface)
    }

    /// Fetches older messages than this device holds, so that lists go further back. They stay for a day at least.
    ///
    /// - Parameters:
    ///   - limit: How many, from 1.
    ///   - filter: Of which list.
    ///   - surface: Only those of this surface; nil for all.
    /// - Returns: How many came; 0 where there are none, so that a list has come to its end.
    /// - Throws: ``InboxError``: `invalidArgument`; where the server can't be reached or fails, as ``sync()``;
    ///   `otherProcess` where another process keeps the inbox up to date, which can't be asked for them.
    @concurrent
    @discardableResult
    public func loadOlder(
        limit: Int = 50,
        in filter: MessageFilter = .inbox,
        surface: String? = nil
    ) async throws -> Int {
        guard limit >= 1 else { throw InboxError(.invalidArgument, "limit has to be 1 or more.") }
        let query = try Self.reading(Query(), filter, surface)
        // Not before all are known: the next older one may not be among those that are.
        if try await !read({ db in try db.knowsAll(.message) }) { try await sync() }
        let ids = try await read { db in try query.missing(db, limit: limit) }
        guard !ids.isEmpty else { return 0 }
        do {
            try await engine.fetch(.ids(ids), of: .message)
        } catch {
            throw InboxError.wrapping(error)
        }
        return try await read { db in
            let left = Set(try query.missing(db, limit: .max))
            return ids.count { !left.contains($0) }
        }
    }

    /// One message: as it is on this device, else as the server has it.
    ///
    /// - Returns: Nil where the server has none either, or where it has expired or was deleted.
    /// - Throws: ``InboxError`` where it isn't on this device and the server can't be reached or fails; `otherProcess`
    ///   where another process keeps the inbox up to date, which can't be asked for it.
    @concurrent
    public func fetchMessage(id: String) async throws -> Message? {
        if let message = try await message(id: id) { return message }
        guard Identifier.isValid(id) else { return nil }
        do {
            try await engine.fetch(.ids([id]), of: .message)
        } catch is CancellationError where !Task.isCancelled {
            // Cancelled by whoever closed the inbox meanwhile.
            throw InboxError.wrapping(StoreError.closed)
        } catch {
            throw InboxError.wrapping(error)
        }
        return try await message(id: id)
    }

    /// Fetches the messages, also deleted ones, that this device doesn't hold and whose ids end in some texts.
    ///
    /// - Throws: As ``fetchMessage(id:)``.
    @concurrent
    package func fetchMessages(endingIn texts: [String]) async throws {
        let ids = try await read { db in
            try texts.flatMap { try db.unheldIDs(.message, endingIn: $0, limit: Self.mostOfAnEnding) }
        }
        guard !ids.isEmpty else { return }
        do {
            try await engine.fetch(.ids(ids), of: .message)
        } catch is CancellationError where !Task.isCancelled {
            throw InboxError.wrapping(StoreError.closed)
        } catch {
            throw InboxError.wrapping(error)
        }
    }

    /// How many messages are fetched that have the same end: so many that it shows that it isn't enough to go by.
    private static var mostOfAnEnding: Int { 5 }

    /// What the connection to the server does now.
    public var connectionState: ConnectionState { isClosed ? .closed : engine.connectionState.value }

    /// The states of the connection, beginning with the present one. Of several changes in quick succession, only the
    /// newest is reported.
    public var connectionStates: AsyncStream<ConnectionState> { states.stream(startingWith: connectionState) }

    /// Changes that the server refused, from now on. They have been taken back on this device.
    public var refusedActions: AsyncStream<RefusedAction> {
        refusals.stream().mapped(keepingNewest: 1_000) { RefusedAction(ofInbox: $0) }
    }

    /// How this device stands towards the server.
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
                setAside: try db.setAsideCount(RecordType.inbox)
            )
        }
    }
}

extension RefusedAction {
    /// Creates the refusal of a change of a message, or of an event.
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
