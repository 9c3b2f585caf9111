/// The database reads of one request, within the person's slots and the request's budget.
package struct PersonReads: Sendable {
    package let person: Person
    package let budget: RequestBudget
    private let storage: Storage
    // Nil if the limits of reads are off.
    private let slots: PersonSlots?
    private let computing: PersonSlots?
    /// Called during a slow read, so that the budget is stopped when the client disconnects.
    private let whenSlow: @Sendable (RequestBudget) -> Void

    init(
        person: Person,
        budget: RequestBudget,
        storage: Storage,
        slots: PersonSlots?,
        computing: PersonSlots?,
        whenSlow: @escaping @Sendable (RequestBudget) -> Void
    ) {
        (self.person, self.budget) = (person, budget)
        (self.storage, self.slots, self.computing, self.whenSlow) = (storage, slots, computing, whenSlow)
    }

    /// Reads from a snapshot.
    ///
    /// - Throws: ``BudgetError`` if the budget is used up, or the error of `body`.
    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (ReadTransaction) throws -> Value
    ) async throws -> Value {
        guard let slots else { return try await storage.read(of: person, body) }
        return try await slots.run(for: person.id) {
            try budget.check()
            return try await storage.read(of: person, within: budget.timeLeft) { [budget, whenSlow] reading in
                try reading.db.within(budget) {
                    whenSlow(budget)
                } _: {
                    try body(reading)
                }
            }
        }
    }

    /// Runs work of the processor whose size the request decides, such as reading a large body: a person's is done one
    /// piece at a time, so that many requests of one person leave the other threads to other people.
    package func compute<Value: Sendable>(_ body: () throws -> Value) async throws -> Value {
        guard let computing else { return try body() }
        return try await computing.run(for: person.id) { try body() }
    }
}
