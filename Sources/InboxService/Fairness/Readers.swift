import Groundwork

/// Everyone who reads on behalf of a person: gives each request its budget, and ends all of them when the server does.
package final class Readers: Sendable {
    private struct Running: Sendable {
        var last = 0
        var budgets: [Int: RequestBudget] = [:]
        var hasEnded = false
    }

    private let storage: Storage
    private let limits: FairUse
    private let slots: ReaderSlots?
    private let shares: ByteShares
    // Reached in `withLock` alone.
    private let running = Locked(Running())

    /// How long what is being read when the server ends may still take: an honest read is done by then.
    private static let grace = Duration.milliseconds(250)

    package init(storage: Storage, limits: FairUse) {
        self.storage = storage
        self.limits = limits
        slots = limits.isOn ? ReaderSlots(limits.readers) : nil
        shares = ByteShares(limits.personSize)
    }

    /// Answers a request, which reads as it is given.
    ///
    /// - Parameters:
    ///   - whenSlow: Called where a read takes longer than an honest one does, from the thread that reads.
    ///   - body: Also given what the request has of its person's bytes, which has to live as long as the answer.
    package func answer<Value>(
        _ person: Person,
        whenSlow: @escaping @Sendable (RequestBudget) -> Void,
        _ body: (PersonReads, ByteShare) async throws -> Value
    ) async throws -> Value {
        let share = shares.share(of: person)
        let budget = RequestBudget(limits, share: share)
        let number = running.withLock { running in
            running.last += 1
            running.budgets[running.last] = budget
            if running.hasEnded { budget.stop(.shutdown, after: Self.grace) }
            return running.last
        }
        defer { running.withLock { $0.budgets[number] = nil } }
        let reads = PersonReads(person: person, budget: budget, storage: storage, slots: slots, whenSlow: whenSlow)
        return try await body(reads, share)
    }

    /// The server ends: whoever still reads, and whoever begins to, has a moment left.
    package func end() {
        running.withLock { running in
            running.hasEnded = true
            for budget in running.budgets.values { budget.stop(.shutdown, after: Self.grace) }
        }
    }
}
