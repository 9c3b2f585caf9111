/// The database reads of one request, within the person's slots and the request's budget.
package struct PersonReads: Sendable {
    package let person: Person
    package let budget: RequestBudget
    private let storage: Storage
    // Nil if the limits of reads are off.
    private let slots: ReaderSlots?
    /// Called during a slow read, so that the budget is stopped when the client disconnects.
    private let whenSlow: @Sendable (RequestBudget) -> Void

    init(
        person: Person,
        budget: RequestBudget,
        storage: Storage,
        slots: ReaderSlots?,
        whenSlow: @escaping @Sendable (RequestBudget) -> Void
    ) {
        (self.person, self.budget) = (person, budget)
        (self.storage, self.slots, self.whenSlow) = (storage, slots, whenSlow)
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
            return try await storage.read(of: person) { [budget, whenSlow] reading in
                try reading.db.within(budget) {
                    whenSlow(budget)
                } _: {
                    try body(reading)
                }
            }
        }
    }
}
