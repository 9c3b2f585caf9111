package import Foundation
package import GRDB
package import Groundwork

/// One write inside the writer's transaction: the database, and what others have to hear once it is durable.
///
/// Lives only as long as the closure that it is given to, on the writer's connection.
package final class WriteTransaction {
    package let db: Database
    /// The time of the write.
    package let now: Date
    private(set) var effects = WriteEffects()
    private(set) var lastMessageID: Int
    package let random: RandomSource
    /// What is kept of one person.
    let limits: FairUse

    init(db: Database, now: Date, lastMessageID: Int, random: RandomSource, limits: FairUse = FairUse()) {
        self.limits = limits
        self.db = db
        self.now = now
        self.lastMessageID = lastMessageID
        self.random = random
    }

    func newMessageID() -> MessageID {
        let id = MessageID(after: lastMessageID, at: now, random: random)
        lastMessageID = id.rawValue
        effects.sent += 1
        return id
    }

    /// The next sequence of a person, for one change of one record.
    func nextSequence(of person: Int) throws -> Int {
        guard let last: Int = try db.value("SELECT sequence FROM person WHERE id = ?", [person]) else {
            throw RecordNotFound()
        }
        let sequence = last + 1
        try setSequence(sequence, of: person)
        effects.own[person] = sequence
        return sequence
    }

    /// Sets a sequence that was read in this transaction. That an `UPDATE … RETURNING` would do both at once costs a
    /// journal of its own: five times as much.
    private func setSequence(_ sequence: Int, of person: Int) throws {
        try db.run("UPDATE person SET sequence = ? WHERE id = ?", [sequence, person])
    }

    /// The next sequence of each person in whose inbox a message is, as one statement.
    func nextSequences(of message: MessageID, at stage: MessageStage) throws {
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    UPDATE person SET sequence = sequence + 1
                    WHERE id IN (SELECT person FROM delivery WHERE message = ? AND state = ?) RETURNING id, sequence
                    """
            ),
            arguments: [message.rawValue, stage.rawValue]
        )
        for row in rows { effects.own[row[0]] = row[1] }
    }

    /// The next sequence of each of some people, as one statement.
    ///
    /// - Parameter names: An array of names as JSON text; all have to be known.
    func nextSequences(ofPeople names: String) throws {
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: """
                    UPDATE person SET sequence = sequence + 1 WHERE name IN (SELECT value FROM json_each(?))
                    RETURNING id, sequence
                    """
            ),
            arguments: [names]
        )
        while let row = try rows.next() { effects.own[row[0]] = row[1] }
    }

    /// The next sequence of the broadcasts, for one change of one of them.
    func nextBroadcastSequence() throws -> Int {
        let sequence: Int? = try db.value(
            "UPDATE counter SET value = value + 1 WHERE name = 'broadcast' RETURNING value"
        )
        guard let sequence else { throw RecordNotFound() }
        effects.broadcast = sequence
        return sequence
    }

    /// The next sequence of the surfaces, for one change of one of them.
    func nextSurfaceSequence() throws -> Int {
        let sequence: Int? = try db.value("UPDATE counter SET value = value + 1 WHERE name = 'surface' RETURNING value")
        guard let sequence else { throw RecordNotFound() }
        effects.surface = sequence
        return sequence
    }

    /// Finds a person, or creates one: people aren't registered.
    ///
    /// - Parameter advancing: Whether to take the person's next sequence at the same time.
    /// - Returns: The person's row, and the sequence.
    func person(named name: String, advancing: Bool) throws -> (id: Int, sequence: Int) {
        let step = advancing ? 1 : 0
        guard let row = try db.row("SELECT id, sequence FROM person WHERE name = ?", [name]) else {
            let id = try makePerson(named: name, sequence: step)
            if advancing { effects.own[id] = step }
            return (id, step)
        }
        let (id, sequence): (Int, Int) = (row[0], row[1] + step)
        if advancing { try setSequence(sequence, of: id) }
        if advancing { effects.own[id] = sequence }
        return (id, sequence)
    }

    /// Makes sure that a person hasn't been erased since the request came.
    ///
    /// - Throws: ``RecordNotFound``.
    package func expect(_ person: Person) throws {
        guard try isKnown(person) else { throw RecordNotFound() }
    }

    /// Whether a person hasn't been erased since the request came.
    func isKnown(_ person: Person) throws -> Bool {
        try db.value("SELECT 1 FROM person WHERE id = ?", [person.id]) == 1
    }

    /// Creates a person under a new number, which no erased person has had.
    ///
    /// - Parameter name: The id of an unknown person.
    /// - Returns: The new person's row.
    @discardableResult
    func makePerson(named name: String, sequence: Int = 0) throws -> Int {
        try db.run(
            """
            INSERT INTO person (id, name, account, sequence, createdAt)
            SELECT 1 + max(value, coalesce((SELECT max(id) FROM person), 0)), ?, ?, ?, ?
            FROM counter WHERE name = 'erasedPerson'
            """,
            [name, newAccountID(), sequence, now.milliseconds]
        )
        return Int(db.lastInsertedRowID)
    }

    /// A setting of the server's own, which is made where there is none yet.
    package func setting(_ name: String, orNew value: Data) throws -> Data {
        try db.run("INSERT OR IGNORE INTO setting (name, value) VALUES (?, ?)", [name, value])
        return try db.value("SELECT value FROM setting WHERE name = ?", [name]) ?? value
    }

    /// Has something done at a time; a later call for the same thing moves it.
    func schedule(_ kind: DueKind, message: MessageID, person: Int = 0, at time: Date) throws {
        try db.run(
            """
            INSERT INTO due (kind, message, person, at) VALUES (?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET at = excluded.at
            """,
            [kind.rawValue, message.rawValue, person, time.milliseconds]
        )
        effects.scheduled = true
    }

    func unschedule(_ kind: DueKind, message: MessageID, person: Int = 0) throws {
        try db.run(
            "DELETE FROM due WHERE kind = ? AND message = ? AND person = ?",
            [kind.rawValue, message.rawValue, person]
        )
    }

    /// Drops all that is due of a message.
    func unscheduleAll(of message: MessageID) throws {
        // By kind, which the table's key begins with.
        for kind in DueKind.allCases {
            try db.run("DELETE FROM due WHERE kind = ? AND message = ?", [kind.rawValue, message.rawValue])
        }
    }

    /// Has the outbox looked at, once this is durable.
    func announceDeliveries() {
        effects.deliveries = true
    }

    /// A JMAP account id: opaque, 128 random bits.
    private func newAccountID() -> String {
        let digits = [random.next(), random.next()].map { value in
            let text = String(value, radix: 32)
            return String(repeating: "0", count: 13 - text.count) + text
        }
        return "a" + digits.joined()
    }
}

/// What a durable write changed, for those who wait for news.
package struct WriteEffects: Sendable {
    /// The latest own sequence of each person whose inbox changed.
    var own: [Int: Int] = [:]
    /// The latest broadcast sequence, where broadcasts changed.
    var broadcast: Int?
    /// The latest sequence of the surfaces, where settings changed.
    var surface: Int?
    /// Whether something was put into the due-queue.
    package var scheduled = false
    /// How many messages were sent, those to everyone among them.
    package var sent = 0
    /// How many writes it was.
    package var writes = 0
    /// Whether something may be due in the outbox.
    package var deliveries = false

    mutating func merge(_ later: WriteEffects) {
        own.merge(later.own) { _, latest in latest }
        broadcast = later.broadcast ?? broadcast
        surface = later.surface ?? surface
        scheduled = scheduled || later.scheduled
        sent += later.sent
        writes += later.writes
        deliveries = deliveries || later.deliveries
    }
}

/// A row that has to be there isn't.
package struct RecordNotFound: Error {}
