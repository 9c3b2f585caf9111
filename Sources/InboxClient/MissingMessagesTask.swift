import GRDB
import Groundwork
package import InboxModel
package import Replica

/// Asks the server for the missing messages of a query while it is observed: when a snapshot shows that it lacks some,
/// and again after each sync until it was answered.
package final class MissingMessagesTask: Sendable {
    private struct State {
        /// Whether the newest snapshot has all, or as many as are asked for.
        var isEnough = true
        /// The state as of which the server has named all that may be missing, and they are here.
        var namedAllAt: String?
    }

    // Guarded by its lock: whoever iterates sets it and looks, the task too.
    private let state = Locked(State())
    private let missing: MissingMessages
    private let triggers: AsyncStream<Void>.Continuation
    private let task: Task<Void, Never>

    /// - Parameter changes: Receives an element when the server has named all: a snapshot with that fact is due.
    init(_ missing: MissingMessages, _ store: ReplicaStore, _ engine: SyncEngine, _ changes: Broadcast<Void>) {
        let (signals, triggers) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        (self.missing, self.triggers) = (missing, triggers)
        let state = state
        task = Task {
            /// The state at which the server was last asked: what it doesn't have doesn't come by asking again.
            var askedAt: String?
            for await _ in signals where !state.withLock({ $0.isEnough }) {
                let current = await engine.state(of: .message)
                if let current, current == askedAt { continue }
                let rounds = engine.rounds()
                if current != nil,
                    let outcome = try? await missing.ask(store, { try await engine.fetchWhenDue($0, of: .message) })
                {
                    askedAt = await engine.state(of: .message)
                    if let namedAllAt = outcome.namedAllAt {
                        state.withLock { $0.namedAllAt = namedAllAt }
                        changes.send(())
                    }
                    continue
                }
                // Another process can't be asked for them.
                for await connection in engine.connectionState.values() where connection != .otherProcess { break }
                // There is no network, or nothing was ever synced: after the next sync, unless that has brought all.
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
        state.withLock { $0.isEnough = isComplete || missing.isFilled(count) }
        triggers.yield()
    }

    /// Whether the server has named all that there are (``MissingMessages/Outcome/isAll(_:)``).
    func hasNamedAll(_ db: Database) throws -> Bool {
        try MissingMessages.Outcome(namedAllAt: state.withLock { $0.namedAllAt }).isAll(db)
    }
}

extension Inbox {
    /// Requests the messages of a query that aren't on this device, for as long as the task is retained.
    ///
    /// - Returns: Nil for a query that shows only what is on the device, or that is invalid.
    package func askForMissing(_ query: Query<Message>) -> MissingMessagesTask? {
        guard let read = try? StoreQuery(query, in: .inbox, surface: nil) else { return nil }
        return MissingMessages(query, read, .inbox, nil).map { MissingMessagesTask($0, store, engine, changes) }
    }
}
