/// One person's inbox, in one snapshot of the database: ``ReadTransaction/inbox(of:)``.
///
/// It shows the shown deliveries, and the shown broadcasts without a delivery for the person.
package struct PersonInbox {
    let reading: ReadTransaction
    package let person: Person

    init(_ reading: ReadTransaction, of person: Person) {
        self.reading = reading
        self.person = person
    }

    var db: SQLConnection { reading.db }

    package func state() throws -> PersonState {
        try reading.state(of: person)
    }
    /// Returns the state. PostgreSQL reads it in the round trip of the next statement.
    package func queuedState() throws -> QueuedState {
        try reading.queuedState(of: person)
    }
}
