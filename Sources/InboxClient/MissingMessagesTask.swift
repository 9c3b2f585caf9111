import Groundwork
package import InboxModel
package import Replica

/// Fetches the missing messages of a query while it is observed: when a snapshot is incomplete, and again after each
/// sync until a request has succeeded.
package final class MissingMessagesTask: Sendable {
    private struct State {
        /// Whether the newest snapshot is complete or filled up to the limit.
        var isSatisfied = true
        /// The state at which the server has listed all messages that may be missing. They are on this device.
        var completeAtState: String?
    }

    // Guarded by the lock: the iterator and the task both read and write it.
    private let state = Locked(State())
    private let missing: MissingMessages
    private let triggers: AsyncStream<Void>.Continuation
    private let task: Task<Void, Never>

    /// - Parameter changes: Receives an element when the server has listed all matches, so that a new snapshot reports
    ///   it.
    init(_ missing: MissingMessages, _ store: ReplicaStore, _ engine: SyncEngine, _ changes: Broadcast<Void>) {
        let (signals, triggers) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        (self.missing, self.triggers) = (missing, triggers)
        let state = state
        task = Task {
            /// The state at the last request. Another request at the same state would have the same result.
            var requestedAtState: String?
            for await _ in signals where !state.withLock({ $0.isSatisfied }) {
                let current = await engine.state(of: .message)
                if let current, current == requestedAtState { continue }
                let rounds = engine.rounds()
                if current != nil,
                    let outcome = try? await missing.fetch(store, { try await engine.fetchWhenDue($0, of: .message) })
                {
                    requestedAtState = await engine.state(of: .message)
                    if let completeAtState = outcome.completeAtState {
                        state.withLock { $0.completeAtState = completeAtState }
                        changes.send(())
                    }
                    continue
                }
                // While another process syncs, messages can't be fetched through it.
                for await connection in engine.connectionState.values() where connection != .otherProcess { break }
                // No network, or no sync so far. Retries after the next sync, unless that has fetched all messages.
                var rounded = rounds.makeAsyncIterator()
                guard await rounded.next() != nil, !Task.isCancelled else { return }
                triggers.yield()
            }
        }
    }

    deinit {
        task.cancel()
        triggers.finish()
    }

    package func note(_ count: Int, isComplete: Bool) {
        state.withLock { $0.isSatisfied = isComplete || missing.isFilled(count) }
        triggers.yield()
    }

    /// The result of the last request by which the server has listed all matches.
    var outcome: MissingMessages.Outcome {
        MissingMessages.Outcome(completeAtState: state.withLock { $0.completeAtState })
    }
}

extension Inbox {
    /// Requests the messages of a query that aren't on this device, for as long as the task is retained.
    ///
    /// - Returns: Nil for a query that shows only what is on the device, or that is invalid.
    package func fetchMissing(_ query: Query<Message>) -> MissingMessagesTask? {
        guard let read = try? StoreQuery(query, in: .inbox, surface: nil) else { return nil }
        return MissingMessages(query, read, .inbox, nil).map { MissingMessagesTask($0, store, engine, changes) }
    }
}
