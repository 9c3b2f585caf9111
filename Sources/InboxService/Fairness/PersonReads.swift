package import GRDB

/// The database reads of one request, within the person's slots and the request's budget.
package struct PersonReads: Sendable {
    package let person: Person
    package let budget: RequestBudget
    private let storage: Storage
    // Nil where fair use is off.
    private let slots: ReaderSlots?
    /// Called for a slow read: it stops the budget when the client disconnects.
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

    /// Reads on a snapshot.
    ///
    /// - Throws: ``BudgetError`` where the budget ended; what `body` throws.
    package func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        guard let slots else { return try await storage.read(body) }
        return try await slots.run(for: person.id) {
            try budget.check()
            return try await storage.read { [budget, whenSlow] db in
                try db.within(budget) {
                    whenSlow(budget)
                } _: {
                    try body($0)
                }
            }
        }
    }
}
