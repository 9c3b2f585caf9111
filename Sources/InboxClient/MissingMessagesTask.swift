import Groundwork
package import InboxModel
package import Replica

/// Fetches the missing messages of a query while it is observed, for as long as the newest snapshot is incomplete: at
/// once, and again after each change that might lead to another answer. After a failure, it waits for the next sync.
package final class MissingMessagesTask: Sendable {
    private struct State {
        /// Whether the newest snapshot is complete or filled up to the limit.
        var isSatisfied = true
        /// The state at which the server has listed all messages that may be missing. They are on this device.
        var completeAtState: String?
    }

    /// A request that was answered, and the device's state before it. Another one like it would have the same result.
    private struct Answered: Hashable {
        let request: RequestedRecords
        let state: String
    }

    /// The device hasn't synced yet.
    private struct NotSynced: Error {}

    // Guarded by the lock: the iterator and the task both read and write it.
    private let state = Locked(State())
    private let missing: MissingMessages
    private let triggers: AsyncStream<Void>.Continuation
    private let tasks: [Task<Void, Never>]

    /// - Parameter changes: Sends an element for each change of the device's messages. It is also sent one when the
    ///   server has listed all matches, so that a new snapshot reports it.
    init(_ missing: MissingMessages, _ store: ReplicaStore, _ engine: SyncEngine, _ changes: Broadcast<Void>) {
        let (signals, triggers) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        (self.missing, self.triggers) = (missing, triggers)
        let (state, changed) = (state, changes.stream())
        // A change may make something else missing without changing the snapshot, such as a page of outlines.
        let forwarding = Task { for await _ in changed { triggers.yield() } }
        let fetching = Task {
            var answered: Answered?
            var retry = RetryMachine()
            for await _ in signals where !state.withLock({ $0.isSatisfied }) {
                let rounds = engine.rounds()
                var asked: Answered?
                do {
                    asked = try await store.read { db in
                        guard let state = try db.syncPosition(.message)?.state else { throw NotSynced() }
                        return try missing.nextRequest(db, after: 0).map { Answered(request: $0, state: state) }
                    }
                    guard let asked, asked != answered else { continue }
                    let outcome = try await missing.fetch(store) { try await engine.fetchWhenDue($0, of: .message) }
                    retry.succeeded()
                    answered = asked
                    if let completeAtState = outcome.completeAtState {
                        state.withLock { $0.completeAtState = completeAtState }
                        changes.send(())
                    }
                } catch SyncError.method(let error) where !error.isRetryable {
                    // The round has succeeded, and the server rejects this request.
                    answered = asked
                } catch SyncError.method {
                    let now = store.clock.now
                    retry.failed(isRetryable: true, retryAfter: nil, at: now, jitter: engine.random.unit())
                    try? await store.clock.sleep(until: retry.earliest(at: now) ?? now)
                    triggers.yield()
                } catch {
                    // While another process syncs, messages can't be fetched through it.
                    for await connection in engine.connectionState.values() where connection != .otherProcess { break }
                    // No network, or no sync so far. Retries after the next sync, unless that has fetched all messages.
                    var rounded = rounds.makeAsyncIterator()
                    guard await rounded.next() != nil, !Task.isCancelled else { return }
                    triggers.yield()
                }
            }
        }
        tasks = [forwarding, fetching]
    }

    deinit {
        for task in tasks { task.cancel() }
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
    /// - Returns: Nil for a query that shows only messages on this device, or that is invalid.
    package func fetchMissing(_ query: Query<Message>) -> MissingMessagesTask? {
        guard let read = try? StoreQuery(query, in: .inbox, surface: nil) else { return nil }
        return MissingMessages(query, read, .inbox, nil).map { MissingMessagesTask($0, store, engine, changes) }
    }
}
