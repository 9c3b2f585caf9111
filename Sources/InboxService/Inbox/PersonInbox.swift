package import GRDB

/// One person's inbox, in one snapshot of the database.
///
/// It shows the shown deliveries, and the shown broadcasts without a delivery for the person.
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
