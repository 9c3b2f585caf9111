@testable import InboxServer
@testable import InboxService

extension PersonReads {
    /// Returns reads with the default limits and a byte share that is never used up.
    static func unlimited(_ person: Person, _ storage: Storage) -> PersonReads {
        PersonReads(
            person: person,
            budget: RequestBudget(FairUse(), share: ByteShares(.max).share(of: person)),
            storage: storage,
            slots: PersonSlots(2),
            computing: nil,
            whenSlow: { _ in }
        )
    }
}
