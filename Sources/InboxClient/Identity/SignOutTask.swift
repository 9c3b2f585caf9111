import Groundwork

/// The sign-out of one person. A failed one is retried by the next session of that person.
final class SignOutTask: Sendable {
    private let signOut: @Sendable () async throws -> Void
    // Guarded by the lock, so that one attempt runs at a time. A completed task is kept; nil after a failure.
    private let running = Locked<Task<Void, any Error>?>(nil)

    /// Creates the task and starts it at once.
    init(_ signOut: @escaping @Sendable () async throws -> Void) {
        self.signOut = signOut
        _ = task()
    }

    /// Returns when all data of the person is deleted. Retries a failed sign-out.
    func finish() async throws { try await task().value }

    private func task() -> Task<Void, any Error> {
        running.withLock { running in
            if let running { return running }
            let task = Task {
                do {
                    try await signOut()
                } catch {
                    self.running.withLock { $0 = nil }
                    throw error
                }
            }
            running = task
            return task
        }
    }
}
