/// One read on a snapshot of the database.
///
/// Its operations, with those of ``WriteTransaction``, are the seam between the domain and its storage: the callers
/// know neither SQL nor the database's types. Each room declares its own beside the values that they return.
///
/// It is valid only in the closure that receives it, on the reader's connection. That of ``WriteTransaction/reading``
/// also contains the changes that the write has made so far.
package struct ReadTransaction {
    let db: SQLConnection
    /// The values that were read from the snapshot. Nil in a write, which changes them.
    private let known: Known?

    /// - Parameter isSnapshot: Whether nothing changes while it is read.
    init(_ db: SQLConnection, isSnapshot: Bool = false) {
        self.db = db
        known = isSnapshot ? Known() : nil
    }

    /// Used by one thread at a time, in the closure that receives the read.
    private final class Known {
        var states: [Int: QueuedState] = [:]
        var messages: [(id: MessageID, row: SQLRow)] = []
        /// The person whose dates are in the messages' rows.
        var person: Int?
        /// The place of the message that is requested next, if they are requested in their order.
        var next = 0
    }

    /// Returns one person's inbox in this snapshot.
    package func inbox(of person: Person) -> PersonInbox { PersonInbox(self, of: person) }

    /// Returns the state of a person's inbox in this snapshot.
    func state(of person: Person) throws -> PersonState {
        try queuedState(of: person).value()
    }

    /// Returns the state of a person's inbox in this snapshot. It is read together with the next statement.
    func queuedState(of person: Person) throws -> QueuedState {
        if let state = known?.states[person.id] { return state }
        let state = QueuedState(row: try db.queuedRow(Self.state, [person.id]))
        known?.states[person.id] = state
        return state
    }

    /// Whether messages that were read before they are requested are kept until then.
    var keepsMessages: Bool { known != nil }

    /// Keeps a short list of messages that are requested next, in place of those that were kept before.
    func keep(_ messages: [(id: MessageID, row: SQLRow)], of person: Person) {
        guard let known else { return }
        (known.messages, known.person, known.next) = (messages, person.id, 0)
    }

    /// Returns a message that was kept.
    func kept(_ id: MessageID, of person: Person) -> SQLRow? {
        guard let known, known.person == person.id else { return nil }
        if !known.messages.indices.contains(known.next) || known.messages[known.next].id != id {
            guard let place = known.messages.firstIndex(where: { $0.id == id }) else { return nil }
            known.next = place
        }
        defer { known.next += 1 }
        return known.messages[known.next].row
    }

    private static let state: SQLText = """
        SELECT coalesce((SELECT sequence FROM \(SQLText.ofPerson) WHERE id = ?), 0),
            coalesce((SELECT value FROM counter WHERE name = 'broadcast'), 0)
        """

    /// Returns the sequence of broadcasts in this snapshot.
    func broadcastState() throws -> Int {
        try db.value("SELECT value FROM counter WHERE name = 'broadcast'") ?? 0
    }

    /// Returns the greatest message id, or 0 if there is no message.
    func lastMessageID() throws -> Int {
        try db.value("SELECT max(id) FROM message") ?? 0
    }
}

/// The state of a person's inbox that may not have been read yet. It is valid in its transaction.
package struct QueuedState {
    fileprivate let row: QueuedRow

    package func value() throws -> PersonState {
        guard let row = try row.row() else { throw RecordNotFoundError() }
        return PersonState(own: row[0], broadcast: row[1])
    }
}
