import Groundwork

/// The running reads of all people. Each request gets a budget, and the shutdown of the server stops all of them.
package final class RequestReads: Sendable {
    private struct Running: Sendable {
        var last = 0
        var budgets: [Int: RequestBudget] = [:]
        var isShuttingDown = false
    }

    private let storage: Storage
    private let limits: FairUse
    private let slots: PersonSlots?
    private let computing: PersonSlots?
    private let shares: ByteShares
    // Accessed only in `withLock`.
    private let running = Locked(Running())

    /// The time for which a running read may continue after the shutdown begins. A legitimate read ends by then.
    private static let grace = Duration.milliseconds(250)

    package init(storage: Storage, limits: FairUse) {
        self.storage = storage
        self.limits = limits
        slots = limits.enforcesReadLimits ? PersonSlots(limits.readers) : nil
        computing = limits.enforcesReadLimits ? PersonSlots(1) : nil
        shares = ByteShares(limits.personSize)
    }

    /// Runs the handler of a request with the reads and the byte share that it may use.
    ///
    /// - Parameters:
    ///   - whenSlow: Called if a read takes longer than a legitimate one usually does, on the reading thread.
    ///   - body: The handler. The byte share that it receives must live as long as the response.
    package func run<Value>(
        for person: Person,
        whenSlow: @escaping @Sendable (RequestBudget) -> Void,
        _ body: (PersonReads, ByteShare) async throws -> Value
    ) async throws -> Value {
        let share = shares.share(of: person)
        let budget = RequestBudget(limits, share: share)
        let number = running.withLock { running in
            running.last += 1
            running.budgets[running.last] = budget
            if running.isShuttingDown { budget.stop(.shutdown, after: Self.grace) }
            return running.last
        }
        defer { running.withLock { $0.budgets[number] = nil } }
        let reads = PersonReads(
            person: person,
            budget: budget,
            storage: storage,
            slots: slots,
            computing: computing,
            whenSlow: whenSlow
        )
        return try await body(reads, share)
    }

    /// Stops all running and future reads after a grace period, because the server shuts down.
    package func shutDown() {
        running.withLock { running in
            running.isShuttingDown = true
            for budget in running.budgets.values { budget.stop(.shutdown, after: Self.grace) }
        }
    }
}
