import Groundwork

/// The signing out of one person: what failed is done again when somebody asks for it.
final class Departure: Sendable {
    private let leave: @Sendable () async throws -> Void
    // Guarded by the lock, so that it runs once at a time; kept when it is done, nil where it failed.
    private let running = Locked<Task<Void, any Error>?>(nil)

    /// Begins at once.
    init(_ leave: @escaping @Sendable () async throws -> Void) {
        self.leave = leave
        _ = task()
    }

    /// Returns when nothing of the person is left.
    func finish() async throws { try await task().value }

    private func task() -> Task<Void, any Error> {
        running.withLock { running in
            if let running { return running }
            let task = Task {
                do {
                    try await leave()
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
