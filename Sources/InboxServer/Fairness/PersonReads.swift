import GRDB
import NIOCore

/// How one request of a person reads from the database: in the person's turn, and within the request's budget.
struct PersonReads: Sendable {
    let person: Person
    let budget: RequestBudget
    private let storage: Storage
    // Nil where fair use is off.
    private let slots: ReaderSlots?
    /// What the request came on: where a read takes long, it is seen whether anybody still waits for it. Nil where it
    /// came on no connection.
    private let channel: (any Channel)?

    /// How long who has said that they send no more, and may still read an answer, waits for a slow one.
    private static let grace = Duration.milliseconds(250)

    init(person: Person, budget: RequestBudget, storage: Storage, slots: ReaderSlots?, channel: (any Channel)?) {
        (self.person, self.budget) = (person, budget)
        (self.storage, self.slots, self.channel) = (storage, slots, channel)
    }

    /// Reads on a snapshot.
    ///
    /// - Throws: ``BudgetError`` where the budget ended; what `body` throws.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        guard let slots else { return try await storage.read(body) }
        return try await slots.run(for: person.id) {
            try budget.check()
            return try await storage.read { [budget, channel] db in
                try db.within(budget) {
                    guard let channel else { return }
                    ConnectionGuard.onHangUp(of: channel, isStream: false) { isClosed in
                        budget.stop(.hangUp, after: isClosed ? .zero : Self.grace)
                    }
                } _: {
                    try body($0)
                }
            }
        }
    }
}
