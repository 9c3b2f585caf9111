package import Foundation
import GRDB
package import Groundwork

/// One write in the writer's transaction: its operations, and the effects to announce once the transaction is durable.
///
/// As with ``ReadTransaction``, its operations are the seam between the domain and its storage.
///
/// It is valid only in the closure that receives it, on the writer's connection.
package final class WriteTransaction {
    let db: Database
    /// The time of the write.
    package let now: Date
    private(set) var effects = WriteEffects()
    private(set) var lastMessageID: Int
    package let random: RandomSource
    /// The limits of what is stored per person.
    let limits: FairUse

    init(db: Database, now: Date, lastMessageID: Int, random: RandomSource, limits: FairUse = FairUse()) {
        self.limits = limits
        self.db = db
        self.now = now
        self.lastMessageID = lastMessageID
        self.random = random
    }

    /// The read operations, on what this transaction has written so far.
    package var reading: ReadTransaction { ReadTransaction(db) }

    func newMessageID() -> MessageID {
        let id = MessageID(after: lastMessageID, at: now, random: random)
        lastMessageID = id.rawValue
        effects.sent += 1
        return id
    }

    /// Returns the next sequence of a person, for one change of one record.
    func nextSequence(of person: Int) throws -> Int {
        guard let last: Int = try db.value("SELECT sequence FROM person WHERE id = ?", [person]) else {
            throw RecordNotFound()
        }
        let sequence = last + 1
        try setSequence(sequence, of: person)
        effects.own[person] = sequence
        return sequence
    }

    /// Sets a sequence that was read in this transaction. An `UPDATE … RETURNING` would do both at once, but it costs a
    /// journal of its own: five times as much.
    private func setSequence(_ sequence: Int, of person: Int) throws {
        try db.run("UPDATE person SET sequence = ? WHERE id = ?", [sequence, person])
    }

    /// Advances the sequence of each person who has a message in their inbox, with one statement.
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

    /// Advances the sequence of each of the given people, with one statement.
    ///
    /// - Parameter names: A JSON array of the names of known people.
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

    /// Returns the next sequence of broadcasts, for one change of one broadcast.
    func nextBroadcastSequence() throws -> Int {
        let sequence: Int? = try db.value(
            "UPDATE counter SET value = value + 1 WHERE name = 'broadcast' RETURNING value"
        )
        guard let sequence else { throw RecordNotFound() }
        effects.broadcast = sequence
        return sequence
    }

    /// Returns the next sequence of surfaces, for one change of one surface.
    func nextSurfaceSequence() throws -> Int {
        let sequence: Int? = try db.value("UPDATE counter SET value = value + 1 WHERE name = 'surface' RETURNING value")
        guard let sequence else { throw RecordNotFound() }
        effects.surface = sequence
        return sequence
    }

    /// Finds a person, or creates one: people aren't registered.
    ///
    /// - Parameter advancing: Whether to advance the person's sequence too.
    /// - Returns: The person's number and sequence.
    func person(named name: String, advancing: Bool) throws -> (id: Int, sequence: Int) {
        let step = advancing ? 1 : 0
        guard let row = try db.row("SELECT id, sequence FROM person WHERE name = ?", [name]) else {
            let id = try insertPerson(named: name, sequence: step)
            if advancing { effects.own[id] = step }
            return (id, step)
        }
        let (id, sequence): (Int, Int) = (row[0], row[1] + step)
        if advancing { try setSequence(sequence, of: id) }
        if advancing { effects.own[id] = sequence }
        return (id, sequence)
    }

    /// Verifies that a person hasn't been erased since the request arrived.
    ///
    /// - Throws: ``RecordNotFound``.
    package func requireExistence(of person: Person) throws {
        guard try exists(person) else { throw RecordNotFound() }
    }

    /// Returns whether a person still exists, that is, hasn't been erased since the request arrived.
    func exists(_ person: Person) throws -> Bool {
        try db.value("SELECT 1 FROM person WHERE id = ?", [person.id]) == 1
    }

    /// Creates a person with a new number, which no erased person has had.
    ///
    /// - Parameter name: The id of an unknown person.
    /// - Returns: The new person's number.
    @discardableResult
    func insertPerson(named name: String, sequence: Int = 0) throws -> Int {
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

    /// Returns a setting of the server. A missing setting is created with the given value.
    package func setting(_ name: String, orNew value: Data) throws -> Data {
        try db.run("INSERT OR IGNORE INTO setting (name, value) VALUES (?, ?)", [name, value])
        return try db.value("SELECT value FROM setting WHERE name = ?", [name]) ?? value
    }

    /// Schedules an action. A later call for the same action changes its time.
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

    /// Unschedules all actions of a message.
    func unscheduleAll(of message: MessageID) throws {
        // One statement per kind, since the table's primary key begins with it.
        for kind in DueKind.allCases {
            try db.run("DELETE FROM due WHERE kind = ? AND message = ?", [kind.rawValue, message.rawValue])
        }
    }

    /// Requests a check of the outbox once this transaction is durable.
    func announceDeliveries() {
        effects.deliveries = true
    }

    /// Returns a new JMAP account id, an opaque text with 128 random bits.
    private func newAccountID() -> String {
        let digits = [random.next(), random.next()].map { value in
            let text = String(value, radix: 32)
            return String(repeating: "0", count: 13 - text.count) + text
        }
        return "a" + digits.joined()
    }
}

/// The changes of a durable write, for waiting streams and services.
package struct WriteEffects: Sendable {
    /// The latest own sequence of each person whose inbox changed.
    var own: [Int: Int] = [:]
    /// The latest broadcast sequence, if broadcasts changed.
    var broadcast: Int?
    /// The latest sequence of surfaces, if settings changed.
    var surface: Int?
    /// Whether an action was added to the due-queue.
    package var scheduled = false
    /// The number of sent messages, including broadcasts.
    package var sent = 0
    /// The number of writes.
    package var writes = 0
    /// Whether the outbox may have due deliveries.
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

/// A required row doesn't exist.
package struct RecordNotFound: Error {}
