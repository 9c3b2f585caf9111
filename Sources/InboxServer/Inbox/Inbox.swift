import GRDB

/// One person's inbox, in one snapshot of the database.
///
/// What the person sees is the shown deliveries, and the shown broadcasts for which there is no delivery yet.
struct Inbox {
    let db: Database
    let person: Person

    func state() throws -> PersonState {
        try db.state(of: person)
    }
}
