import Foundation
import GRDB
import Groundwork

/// The one writer: writes that arrive together share one durable transaction.
///
/// Each write runs in a savepoint of its own, so that one that fails undoes nothing of the others, and its caller hears of it
/// only after the commit. While a transaction is being made durable the next ones queue up: the more there is to write, the
/// more share one sync of the disk.
final class Writer: Sendable {
    private struct Job: Sendable {
        let run: @Sendable (WriteTransaction) throws -> Void
        /// Told after the commit, or when nothing was written.
        let finish: @Sendable ((any Error)?) -> Void
    }

    private struct Queue: Sendable {
        var jobs: [Job] = []
        var isDraining = false
    }

    private let storage: Storage
    private let clock: any WallClock
    private let random: RandomSource
    /// Hears of each commit before the callers do.
    private let committed: @Sendable (WriteEffects) -> Void
    // What waits, and whether a task is at work on it: reached in `withLock` alone, from any thread.
    private let queue = Locked(Queue())
    // The greatest message id; only the transaction at work reads and writes it.
    private let lastMessageID: Locked<Int>

    /// How many writes share a transaction at most.
    private static let groupLimit = 256

    init(
        storage: Storage,
        clock: any WallClock,
        random: RandomSource,
        committed: @escaping @Sendable (WriteEffects) -> Void
    ) async throws {
        self.storage = storage
        self.clock = clock
        self.random = random
        self.committed = committed
        lastMessageID = Locked(try await storage.read { db in try db.value("SELECT max(id) FROM message") ?? 0 })
    }

    /// How many writes wait for the one at work.
    var waiting: Int { queue.withLock { $0.jobs.count } }

    /// Writes, and returns once that is durable.
    ///
    /// - Parameter body: Runs on the writer's connection, once.
    /// - Throws: What `body` throws, or the `DatabaseError` because of which nothing was committed.
    func write<Value: Sendable>(_ body: @escaping @Sendable (WriteTransaction) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let result = Locked<Value?>(nil)
            let job = Job { transaction in
                let value = try body(transaction)
                result.withLock { $0 = value }
            } finish: { error in
                if let value = result.withLock({ $0 }), error == nil {
                    continuation.resume(returning: value)
                } else {
                    continuation.resume(throwing: error ?? CancellationError())
                }
            }
            let isIdle = queue.withLock { queue in
                queue.jobs.append(job)
                defer { queue.isDraining = true }
                return !queue.isDraining
            }
            // Not a child of the caller: a caller that is cancelled must not take the others' writes with it.
            if isIdle { Task { await drain() } }
        }
    }

    private func drain() async {
        while let group = nextGroup() { await commit(group) }
    }

    private func nextGroup() -> [Job]? {
        queue.withLock { queue in
            guard !queue.jobs.isEmpty else {
                queue.isDraining = false
                return nil
            }
            let group = Array(queue.jobs.prefix(Self.groupLimit))
            queue.jobs.removeFirst(group.count)
            return group
        }
    }

    private func commit(_ group: [Job]) async {
        do {
            let (failures, effects) = try await storage.pool.writeWithoutTransaction { db in
                try self.run(group, in: db)
            }
            committed(effects)
            for (job, failure) in zip(group, failures) { job.finish(failure) }
        } catch {
            for job in group { job.finish(error) }
        }
    }

    private func run(_ group: [Job], in db: Database) throws -> ([(any Error)?], WriteEffects) {
        var failures: [(any Error)?] = []
        var effects = WriteEffects()
        effects.writes = group.count
        let now = clock.now
        try db.inTransaction(.immediate) {
            for job in group {
                let transaction = WriteTransaction(
                    db: db,
                    now: now,
                    lastMessageID: lastMessageID.withLock { $0 },
                    random: random
                )
                do {
                    try db.inSavepoint {
                        try job.run(transaction)
                        return .commit
                    }
                    lastMessageID.withLock { $0 = transaction.lastMessageID }
                    effects.merge(transaction.effects)
                    failures.append(nil)
                } catch {
                    // A full disk ends the whole transaction, and then everyone has to hear of it.
                    guard db.isInsideTransaction else { throw error }
                    failures.append(error)
                }
            }
            return .commit
        }
        return (failures, effects)
    }
}
