import Foundation
import GRDB
package import Groundwork

#if PostgreSQL
    import Postgres
#endif

/// The single writer. Writes that arrive together share one durable transaction.
///
/// A failed write doesn't undo the others, and its caller receives the error only after the commit. While a transaction
/// is being made durable, further writes queue up: the higher the load, the more writes share one sync of the disk.
package final class Writer: Sendable {
    struct Job: Sendable {
        let scope: WriteScope
        /// Whether it waits for rows that another server has locked, as long as it takes.
        let isPatient: Bool
        let needs: WriteNeeds
        let run: @Sendable (WriteTransaction) throws -> Void
        /// Called after the commit, or when nothing was written.
        let finish: @Sendable ((any Error)?) -> Void
    }

    private struct Queue: Sendable {
        var jobs: [Job] = []
        var isDraining = false
    }

    private let storage: Storage
    let clock: any WallClock
    let random: RandomSource
    let limits: FairUse
    let eventQuota: EventQuota
    /// Called after each commit, before the callers resume.
    private let committed: @Sendable (WriteEffects) -> Void
    // The waiting jobs, and whether they are being drained. Accessed only in `withLock`, from any thread.
    private let queue = Locked(Queue())
    // The greatest committed message id. Only the running transaction accesses it.
    private let lastMessageID: Locked<Int>
    // The thread for writes. It may block on the disk, which the threads of tasks must not.
    private let thread = DispatchQueue(label: "swift-inbox.writer")
    #if PostgreSQL
        // Accessed only in `withLock`, by the task that forms and commits the groups.
        private let locked = Locked(LockedPeople())
        // Accessed only in `withLock`, on the thread of a transaction.
        let numbers = Locked(PersonNumbers())
    #endif
    private let waitingLimit: Int

    /// The number of writes that wait, by default.
    package static let waitingLimit = 4_096

    /// The maximum number of writes in one transaction.
    private static let groupLimit = 256
    /// The same if several servers share the database: rows that a transaction has written are locked until its end.
    private static let sharedGroupLimit = 64

    #if PostgreSQL
        /// The time for which writes are gathered after a group of several, beside other servers.
        private static let gathering = Duration.microseconds(500)
    #endif

    /// - Parameters:
    ///   - waitingLimit: The number of writes that wait for the running one. A further one fails at once.
    ///   - committed: Called after each commit, before the callers resume.
    package init(
        storage: Storage,
        clock: any WallClock,
        random: RandomSource,
        limits: FairUse = FairUse(),
        waitingLimit: Int = Writer.waitingLimit,
        committed: @escaping @Sendable (WriteEffects) -> Void
    ) async throws {
        self.storage = storage
        self.clock = clock
        self.random = random
        self.limits = limits
        eventQuota = EventQuota(limits)
        self.waitingLimit = waitingLimit
        self.committed = committed
        // A server among others continues its own ids.
        let isAmongOthers = storage.node != nil
        lastMessageID = Locked(isAmongOthers ? 0 : try await storage.read { reading in try reading.lastMessageID() })
    }

    /// The number of writes that wait for the running one.
    package var waiting: Int { queue.withLock { $0.jobs.count } }

    /// Runs a write, and returns once it is durable.
    ///
    /// - Parameters:
    ///   - scope: The rows that the write changes. It matters if several servers share the database.
    ///   - isPatient: Whether it waits for rows that another server has locked, as long as a write may take. Otherwise
    ///     it fails after 2 s, or 5 s if it has the scope ``WriteScope/shared``. All writes of this server wait with
    ///     it.
    ///   - needs: What `body` reads first.
    ///   - body: Runs on the writer's connection, in a transaction that it may share. If another write of the
    ///     transaction fails, `body` is rolled back and runs again. So it must have no side effects outside the
    ///     database.
    /// - Throws: The error of `body`, the error of the database that prevented the commit, or ``WriterBusyError``.
    package func write<Value: Sendable>(
        _ scope: WriteScope,
        isPatient: Bool = false,
        needs: WriteNeeds = WriteNeeds(),
        _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let result = Locked<Value?>(nil)
            let job = Job(scope: scope, isPatient: isPatient, needs: needs) { transaction in
                let value = try body(transaction)
                result.withLock { $0 = value }
            } finish: { error in
                if let value = result.withLock({ $0 }), error == nil {
                    continuation.resume(returning: value)
                } else {
                    continuation.resume(throwing: error ?? CancellationError())
                }
            }
            let isIdle = queue.withLock { queue -> Bool? in
                guard queue.jobs.count < waitingLimit else { return nil }
                queue.jobs.append(job)
                defer { queue.isDraining = true }
                return !queue.isDraining
            }
            guard let isIdle else { return job.finish(WriterBusyError()) }
            if isIdle { startDraining() }
        }
    }

    /// Runs a write of the scope ``WriteScope/shared``, and returns once it is durable.
    ///
    /// - Throws: As ``write(_:isPatient:needs:_:)``.
    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws -> Value {
        try await write(.shared, body)
    }

    private func startDraining() {
        switch storage.engine {
        case .sqlite(let pool):
            thread.async { while let group = self.nextGroup() { self.commit(group, to: pool) } }
        #if PostgreSQL
            case .postgres(let storage):
                // The first write is given to the connection at once, not by a task that begins later.
                #if canImport(Darwin)
                    Task { await drain(to: storage) }
                #else
                    Task.immediate { await drain(to: storage) }
                #endif
        #endif
        }
    }

    #if PostgreSQL
        private func drain(to storage: PostgresStorage) async {
            while let group = nextGroup() {
                await commit(group, to: storage)
                // Those that were answered send their next writes now. On a server that is alone these find the
                // database ready; beside others, whose groups come in between, fewer and larger ones do more.
                if group.count > 1, storage.node?.isAlone == false { try? await Task.sleep(for: Self.gathering) }
            }
        }
    #endif

    private func nextGroup() -> [Job]? {
        queue.withLock { queue in
            guard !queue.jobs.isEmpty else {
                queue.isDraining = false
                return nil
            }
            let group = storage.isShared ? sharedGroup(of: queue.jobs) : Array(queue.jobs.prefix(Self.groupLimit))
            queue.jobs.removeFirst(group.count)
            return group
        }
    }

    /// Returns the first writes that share a transaction if several servers share the database.
    private func sharedGroup(of jobs: [Job]) -> [Job] {
        let group = jobs.prefix { $0.scope != .shared && !$0.isPatient && !mayBeLocked($0) }
            .prefix(Self.sharedGroupLimit)
        return group.isEmpty ? Array(jobs.prefix(1)) : group.sorted { $0.scope < $1.scope }
    }

    /// Whether a write is for a person whose row was locked for too long.
    private func mayBeLocked(_ job: Job) -> Bool {
        #if PostgreSQL
            return job.scope.person.map { person in locked.withLock { $0.mayBeLocked(person) } } ?? false
        #else
            return false
        #endif
    }

    private func commit(_ group: [Job], to pool: DatabasePool) {
        do {
            finish(
                group,
                with: try pool.writeWithoutTransaction { db in
                    // Failures are rare, so the first attempt uses no savepoints.
                    try run(group, usingSavepoints: false, in: db) ?? run(group, usingSavepoints: true, in: db)
                        ?? GroupOutcome()
                }
            )
        } catch {
            for job in group { job.finish(error) }
        }
    }

    private func finish(_ group: [Job], with outcome: GroupOutcome) {
        lastMessageID.withLock { $0 = outcome.lastMessageID }
        eventQuota.apply(outcome.effects)
        committed(outcome.effects)
        for (job, failure) in zip(group, outcome.failures) { job.finish(failure) }
    }

    /// The results of a committed group.
    struct GroupOutcome: Sendable {
        var failures: [(any Error)?] = []
        var effects = WriteEffects()
        var lastMessageID = 0
        #if PostgreSQL
            /// The number of the server that has noted the group, with the group's own number. Nil if nothing changed.
            var number: NodeNumber?
        #endif

        mutating func add(_ transaction: WriteTransaction) {
            lastMessageID = transaction.lastMessageID
            effects.merge(transaction.effects)
            failures.append(nil)
        }
    }

    func newOutcome(of group: [Job]) -> GroupOutcome {
        var outcome = GroupOutcome(lastMessageID: lastMessageID.withLock { $0 })
        outcome.effects.writes = group.count
        return outcome
    }

    /// Runs the writes of a group in one transaction.
    ///
    /// - Parameter usingSavepoints: Whether each write runs in its own savepoint.
    /// - Returns: Nil if nothing was committed, because without savepoints a write failed after it had changed
    ///   something.
    /// - Throws: An error that ends the whole transaction, such as a full disk. Every caller receives it.
    private func run(_ group: [Job], usingSavepoints: Bool, in db: Database) throws -> GroupOutcome? {
        var outcome = newOutcome(of: group)
        var hasPartialWrite = false
        let now = clock.now
        try db.inTransaction(.immediate) {
            for job in group {
                let transaction = WriteTransaction(
                    db: .sqlite(db),
                    now: now,
                    lastMessageID: outcome.lastMessageID,
                    node: storage.node?.id,
                    random: random,
                    limits: limits,
                    eventQuota: eventQuota,
                    eventUses: outcome.effects.eventUses
                )
                let changes = db.totalChangesCount
                do {
                    if usingSavepoints {
                        try db.inSavepoint {
                            try job.run(transaction)
                            return .commit
                        }
                    } else {
                        try job.run(transaction)
                    }
                    outcome.add(transaction)
                } catch {
                    guard db.isInsideTransaction else { throw error }
                    if !usingSavepoints && db.totalChangesCount != changes {
                        hasPartialWrite = true
                        return .rollback
                    }
                    outcome.failures.append(error)
                }
            }
            return .commit
        }
        return hasPartialWrite ? nil : outcome
    }
}

#if PostgreSQL
    extension Writer {
        /// Commits a group. Where a row stays locked for a while, its writes are committed one by one, first those that
        /// need no such row: they don't wait for it, and only the others fail.
        private func commit(_ group: [Job], to storage: PostgresStorage) async {
            var limit = lockLimit(of: group)
            var waiting = group
            if group.count > 1 {
                guard await tryCommit(group, to: storage, waiting: Self.groupLockLimit) != nil else { return }
                waiting = []
                for job in group {
                    // A person's writes stay in their order.
                    let isBehind = job.scope.person != nil && waiting.contains { $0.scope == job.scope }
                    if isBehind {
                        waiting.append(job)
                    } else if await tryCommit([job], to: storage, waiting: Self.leastLockLimit) != nil {
                        waiting.append(job)
                    }
                }
            }
            for job in waiting {
                let person = job.scope.person
                let refusal = person.flatMap { person in locked.withLock { $0.refusal(of: person, at: .now) } }
                if let refusal {
                    job.finish(refusal)
                } else if let error = await tryCommit([job], to: storage, waiting: limit) {
                    job.finish(error)
                    if let person { locked.withLock { $0.note(error, of: person, at: .now) } }
                    // Whatever has locked this row may have locked others.
                    limit = limit.map { max($0 / 2, Self.leastLockLimit) }
                } else if let person {
                    locked.withLock { $0.forget(person) }
                }
            }
        }

        /// The time for which a group waits for a row that another server has locked. Nil for no limit of its own.
        private func lockLimit(of group: [Job]) -> Duration? {
            if group.contains(where: \.isPatient) { return nil }
            if group.contains(where: mayBeLocked) { return Self.leastLockLimit }
            // A write for many people is refused less readily: each attempt costs more.
            return group.contains { $0.scope == .shared } ? .seconds(5) : .seconds(2)
        }

        private static let leastLockLimit = Duration.milliseconds(100)
        /// The time for which several writes together wait for a locked row.
        private static let groupLockLimit = Duration.milliseconds(250)

        /// Commits a group, unless a row stays locked for longer than a time.
        ///
        /// - Returns: The error of the locked row. Then nothing was stored, and no caller has been answered.
        private func tryCommit(
            _ group: [Job],
            to storage: PostgresStorage,
            waiting limit: Duration?
        ) async -> PostgresError? {
            do {
                let unfinished = try await storage.write { connection -> GroupOutcome? in
                    let outcome = try self.run(group, on: connection, of: storage, waiting: limit)
                    guard outcome.effects.endedUnknown.isEmpty else { return outcome }
                    // On the connection's thread: callers and other servers don't wait for this task to continue.
                    if let node = storage.node, let number = outcome.number {
                        node.announce(number, Announcement(outcome.effects), on: connection)
                    }
                    self.finish(group, with: outcome)
                    return nil
                }
                if let outcome = unfinished {
                    if let node = storage.node, let number = outcome.number {
                        node.announce(number, await announcement(of: outcome.effects))
                    }
                    finish(group, with: outcome)
                }
            } catch let error as PostgresError where error.sqlState == "55P03" {
                return error
            } catch {
                if (error as? PostgresError)?.mayHaveCommitted ?? false {
                    // Everything that is cached of the database is read again, here and by the other servers.
                    eventQuota.forget()
                    committed(WriteEffects(isIncomplete: true))
                    storage.node?.announceUnknown()
                }
                for job in group { job.finish(error) }
            }
            return nil
        }

        /// Returns the announcement of the committed changes.
        ///
        /// A person whose tokens were ended while unknown may meanwhile have been created by another server and cached
        /// by a third. A person who is still unknown is read after this commit.
        private func announcement(of effects: WriteEffects) async -> Announcement {
            var announcement = Announcement(effects)
            guard !effects.endedUnknown.isEmpty else { return announcement }
            do {
                let created = try await storage.readBriefly { reading in
                    try effects.endedUnknown.compactMap { name in
                        try reading.number(ofPerson: String(decoding: name, as: UTF8.self))
                    }
                }
                announcement.endedTokens.formUnion(created)
            } catch {
                announcement.endedTokens.insert(0)
            }
            return announcement
        }
    }
#endif

/// The error of a write that was refused because too many others wait. Nothing was stored, and it may be repeated
/// later.
package struct WriterBusyError: Error, CustomStringConvertible {
    package let description = "Too many writes wait for the database."
}
