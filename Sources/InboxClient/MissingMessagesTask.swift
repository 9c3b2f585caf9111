import Groundwork
import Replica

/// Asks the server for the missing messages of a query while it is observed: when a snapshot shows that it lacks some, and again after each sync until
/// it was answered.
final class MissingMessagesTask: Sendable {
    /// Whether the newest snapshot has all. Guarded by its lock: whoever iterates sets it, the task looks.
    private let isComplete = Locked(true)
    private let triggers: AsyncStream<Void>.Continuation
    private let task: Task<Void, Never>

    init(_ missing: MissingMessages, _ engine: SyncEngine) {
        let (signals, triggers) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.triggers = triggers
        let isComplete = isComplete
        task = Task {
            /// The state at which the server was last asked: what it doesn't have doesn't come by asking again.
            var askedAt: String?
            for await _ in signals where !isComplete.withLock({ $0 }) {
                let state = await engine.state(of: .message)
                if let state, state == askedAt { continue }
                let rounds = engine.rounds()
                if state != nil, (try? await engine.fetchWhenDue(missing.wanted, of: .message)) != nil {
                    askedAt = await engine.state(of: .message)
                    continue
                }
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

    func note(isComplete: Bool) {
        self.isComplete.withLock { $0 = isComplete }
        triggers.yield()
    }
}
