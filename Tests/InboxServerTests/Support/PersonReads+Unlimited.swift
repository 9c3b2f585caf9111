@testable import InboxServer
@testable import InboxService

extension PersonReads {
    /// Reads as one who asks for little does.
    static func unlimited(_ person: Person, _ storage: Storage) -> PersonReads {
        PersonReads(
            person: person,
            budget: RequestBudget(FairUse(), share: ByteShares(.max).share(of: person)),
            storage: storage,
            slots: ReaderSlots(2),
            whenSlow: { _ in }
        )
    }
}
