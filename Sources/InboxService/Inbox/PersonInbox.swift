package import GRDB

/// One person's inbox, in one snapshot of the database.
///
/// What the person sees is the shown deliveries, and the shown broadcasts for which there is no delivery yet.
package struct PersonInbox {
    let db: Database
    package let person: Person

    package init(db: Database, person: Person) {
        self.db = db
        self.person = person
    }

    package func state() throws -> PersonState {
        try db.state(of: person)
    }
}
