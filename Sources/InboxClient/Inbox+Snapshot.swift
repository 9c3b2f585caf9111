public import InboxModel
public import Replica

extension Inbox {
    /// Returns a snapshot of the inbox on this device, like the first snapshot of ``observe(_:in:surface:)``.
    ///
    /// - Parameters:
    ///   - query: The condition and the order. Without an order, the newest delivery comes first.
    ///   - filter: The part of the inbox that is queried.
    ///   - surface: The surface of the messages. Nil for all.
    /// - Throws: ``InboxError``: `invalidArgument` for a query that can't be translated (the error names the part),
    ///   `storage`, `closed`.
    @concurrent
    public func snapshot(
        of query: Query<Message> = Query(),
        in filter: MessageFilter = .inbox,
        surface: String? = nil
    ) async throws -> InboxSnapshot {
        try await snapshot(Self.reading(query, filter, surface), surface, MissingMessages.Outcome())
    }

    /// Syncs, fetches the messages of a query that this device doesn't hold, and returns a snapshot.
    ///
    /// For the whole inbox without a limit, the snapshot shows the messages that this device holds. For other lists
    /// without a limit, up to 200 messages are fetched. While another process keeps the inbox up to date, messages
    /// can't be fetched through it: ``InboxSnapshot/isComplete`` reports whether some are missing.
    ///
    /// - Parameters: As in ``snapshot(of:in:surface:)``.
    /// - Throws: As ``snapshot(of:in:surface:)``, and as ``sync()`` if the server can't be reached or fails.
    @concurrent
    public func fetchSnapshot(
        of query: Query<Message> = Query(),
        in filter: MessageFilter = .inbox,
        surface: String? = nil
    ) async throws -> InboxSnapshot {
        let read = try Self.reading(query, filter, surface)
        try await sync()
        let first = try await snapshot(read, surface, MissingMessages.Outcome())
        guard !first.isComplete, let missing = MissingMessages(query, read, filter, surface),
            !missing.isFilled(first.items.count)
        else { return first }
        return try await request {
            do {
                let outcome = try await missing.fetch(store) { try await engine.fetch($0, of: .message) }
                return try await snapshot(read, surface, outcome)
            } catch SyncError.otherProcess {
                return first
            }
        }
    }

    @concurrent
    private func snapshot(
        _ query: StoreQuery<Message>,
        _ surface: String?,
        _ outcome: MissingMessages.Outcome
    ) async throws -> InboxSnapshot {
        try await read { db in
            let messages = try query.fetch(db)
            let details = try InboxSnapshots.Details(db, surface)
            return InboxSnapshot(
                items: messages,
                changes: ListChanges(from: [], to: messages, id: \.id) { $0 != $1 },
                counts: details.counts,
                pendingWrites: details.pendingWrites,
                isComplete: try outcome.isComplete(db) || query.isComplete(messages, db),
                hasSynced: details.hasSynced,
                repair: repair
            )
        }
    }
}
