import Foundation
import GRDB
package import Groundwork

/// The one writer: writes that arrive together share one durable transaction.
///
/// One that fails undoes nothing of the others, and its caller hears of it only after the commit. While a transaction
/// is being made durable the next ones queue up: the more there is to write, the more share one sync of the disk.
package final class Writer: Sendable {
    private struct Job: Sendable {
        let run: @Sendable (WriteTransaction) throws -> Void
        /// Called after the commit, or when nothing was written.
        let finish: @Sendable ((any Error)?) -> Void
    }

    private struct Queue: Sendable {
        var jobs: [Job] = []
        var isDraining = false
    }

    private let storage: Storage
    private let clock: any WallClock
    private let random: RandomSource
    private let limits: FairUse
    /// Hears of each commit before the callers do.
    private let committed: @Sendable (WriteEffects) -> Void
    // What waits, and whether a task is at work on it: reached in `withLock` alone, from any thread.
    private let queue = Locked(Queue())
    // The greatest message id of what is committed; only the transaction at work reads and writes it.
    private let lastMessageID: Locked<Int>
    // Where the writes run: a thread may wait here for the disk, which those of tasks must not.
    private let thread = DispatchQueue(label: "swift-inbox.writer")

    /// How many writes share a transaction at most.
    private static let groupLimit = 256

    package init(
        storage: Storage,
        clock: any WallClock,
        random: RandomSource,
        limits: FairUse = FairUse(),
        committed: @escaping @Sendable (WriteEffects) -> Void
    ) async throws {
        self.storage = storage
        self.clock = clock
        self.random = random
        self.limits = limits
        self.committed = committed
        lastMessageID = Locked(try await storage.read { db in try db.value("SELECT max(id) FROM message") ?? 0 })
    }

    /// How many writes wait for the one at work.
    package var waiting: Int { queue.withLock { $0.jobs.count } }

    /// Writes, and returns once that is durable.
    ///
    /// - Parameter body: Runs on the writer's connection, in a transaction that it may share. Where another write of
    ///   that transaction fails, it is undone and runs again, so that all that it changes has to be in the database.
    /// - Throws: What `body` throws, or the `DatabaseError` because of which nothing was committed.
    package func write<Value: Sendable>(_ body: @escaping @Sendable (WriteTransaction) throws -> Value) async throws
        -> Value
    {
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
            if isIdle { thread.async { self.drain() } }
        }
    }

    private func drain() {
        while let group = nextGroup() { commit(group) }
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

    private func commit(_ group: [Job]) {
        do {
            let outcome = try storage.pool.writeWithoutTransaction { db in
                // Nearly always no write fails, and then none needs a savepoint.
                try run(group, apart: false, in: db) ?? run(group, apart: true, in: db) ?? GroupOutcome()
            }
            lastMessageID.withLock { $0 = outcome.lastMessageID }
            committed(outcome.effects)
            for (job, failure) in zip(group, outcome.failures) { job.finish(failure) }
        } catch {
            for job in group { job.finish(error) }
        }
    }

    /// What became of a group that is durable.
    private struct GroupOutcome {
        var failures: [(any Error)?] = []
        var effects = WriteEffects()
        var lastMessageID = 0
    }

    /// Runs the writes of a group in one transaction.
    ///
    /// - Parameter apart: Whether each runs in a savepoint of its own.
    /// - Returns: Nil where nothing was committed, since one failed half done while they weren't apart.
    /// - Throws: What ends the whole transaction, such as a full disk: then everyone has to hear of it.
    private func run(_ group: [Job], apart: Bool, in db: Database) throws -> GroupOutcome? {
        var outcome = GroupOutcome(lastMessageID: lastMessageID.withLock { $0 })
        var isHalfDone = false
        outcome.effects.writes = group.count
        let now = clock.now
        try db.inTransaction(.immediate) {
            for job in group {
                let transaction = WriteTransaction(
                    db: db,
                    now: now,
                    lastMessageID: outcome.lastMessageID,
                    random: random,
                    limits: limits
                )
                let changes = db.totalChangesCount
                do {
                    if apart {
                        try db.inSavepoint {
                            try job.run(transaction)
                            return .commit
                        }
                    } else {
                        try job.run(transaction)
                    }
                    outcome.lastMessageID = transaction.lastMessageID
                    outcome.effects.merge(transaction.effects)
                    outcome.failures.append(nil)
                } catch {
                    guard db.isInsideTransaction else { throw error }
                    if !apart && db.totalChangesCount != changes {
                        isHalfDone = true
                        return .rollback
                    }
                    outcome.failures.append(error)
                }
            }
            return .commit
        }
        return isHalfDone ? nil : outcome
    }
}
