public import InboxModel
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
    /// - Throws: ``InboxError`` where the server can't be reached; ``messages(_:surface:limit:offset:)`` reads what is stored.
    @concurrent
    public func fetchMessages(surface: String? = nil) async throws -> [Message] {
        try await sync()
        return try await messages(surface: surface)
    }

    /// One message: as it is on this device, else after one sync.
    ///
    /// - Returns: Nil where the server has none either, or where it has expired or was deleted.
    /// - Throws: ``InboxError`` where it isn't on this device and the server can't be reached.
    @concurrent
    public func fetchMessage(id: String) async throws -> Message? {
        if let message = try await message(id: id) { return message }
        try await sync()
        return try await message(id: id)
    }

    /// What the connection to the server does now.
    public var connectionState: ConnectionState { isClosed ? .closed : engine.connectionState.value }

    /// What the connection does, from now on. Of several changes in quick succession, the newest is told.
    public var connectionStates: AsyncStream<ConnectionState> { states.stream(startingWith: connectionState) }

    /// Changes that the server refused, from now on. They have been taken back on this device.
    public var refusedActions: AsyncStream<RefusedAction> {
        refusals.stream().mapped(keepingNewest: 1_000) { RefusedAction($0) }
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
    package init(_ refusal: RefusedWrite) {
        let isEvent = refusal.type == QueueType.event.name
        let (entry, event) = (refusal.entry, refusal.entry.value)
        self.init(
            messageID: isEvent ? event[EventField.message.rawValue]?.stringValue ?? "" : entry.id,
            field: isEvent ? event[EventField.type.rawValue]?.stringValue ?? "" : entry.path,
            reason: refusal.error,
            explanation: refusal.detail
        )
    }
}
