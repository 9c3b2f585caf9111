public import InboxModel
public import Replica

extension Inbox {
    /// What there is to see now on this device: as the first snapshot of ``observe(_:in:surface:)``.
    ///
    /// - Parameters:
    ///   - query: Which messages, in which order; newest delivery first where it doesn't say.
    ///   - filter: Where they are; the query looks at those alone.
    ///   - surface: Only those of this surface; nil for all.
    /// - Throws: ``InboxError``: `invalidArgument` for a query that can't be read (it names the part), `storage`,
    ///   `closed`.
    @concurrent
    public func snapshot(
        of query: Query<Message> = Query(),
        in filter: MessageFilter = .inbox,
        surface: String? = nil
    ) async throws -> InboxSnapshot {
        try await snapshot(Self.reading(query, filter, surface), surface, MissingMessages.Outcome())
    }

    /// Syncs, asks the server for what a query has and this device doesn't hold, and gives what there is to see then.
    ///
    /// A query of the whole inbox without a limit gives what this device holds. Of other lists without a limit, up to
    /// 200 messages are asked for. Where another process keeps the inbox up to date, that one can't be asked:
    /// ``InboxSnapshot/isComplete`` says whether something is missing.
    ///
    /// - Parameters: As in ``snapshot(of:in:surface:)``.
    /// - Throws: The same; where the server can't be reached or fails, as ``sync()``.
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
            !missing.isFilled(first.messages.count)
        else { return first }
        do {
            let outcome = try await missing.ask(store) { try await engine.fetch($0, of: .message) }
            return try await snapshot(read, surface, outcome)
        } catch SyncError.otherProcess {
            return first
        } catch is CancellationError where !Task.isCancelled {
            // Cancelled by whoever closed the inbox meanwhile.
            throw InboxError.wrapping(StoreError.closed)
        } catch {
            throw InboxError.wrapping(error)
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
            let numbers = try InboxSnapshots.Numbers(db, surface)
            return InboxSnapshot(
                messages: messages,
                changes: ListChanges(from: [], to: messages, id: \.id) { $0 != $1 },
                counts: numbers.counts,
                pendingWrites: numbers.pendingWrites,
                isComplete: try outcome.isAll(db) || query.isComplete(messages, db),
                hasSynced: numbers.hasSynced,
                repair: repair
            )
        }
    }
}
