package import Foundation
package import Groundwork

#if PostgreSQL
    import Postgres
#endif

/// One write in the writer's transaction: its operations, and the effects to announce once the transaction is durable.
///
/// As with ``ReadTransaction``, its operations are the seam between the domain and its storage.
///
/// It is valid only in the closure that receives it, on the writer's connection.
package final class WriteTransaction {
    let db: SQLConnection
    /// The time of the write.
    package let now: Date
    private(set) var effects = WriteEffects()
    private(set) var lastMessageID: Int
    /// The number of this server, if others share the database.
    private let node: Int?
    package let random: RandomSource
    /// The limits of the data per person.
    let limits: FairUse
    let eventQuota: EventQuota

    /// The values of people that this write, and those before it in the same transaction, have read and written.
    private(set) var known: ResolvedPeople
    /// The events of people as those before it in the same transaction have left them, by person.
    private let earlierEventUses: [Int: EventQuota.Use]
    /// The people whose sequences PostgreSQL receives before the next statement that reads them. A row that one
    /// transaction updates again and again is slow to find, so many changes of one person are one update.
    private var unsentSequences: Set<Int> = []
    /// The lookup of the request's idempotency key, if it was sent before.
    var keyLookup: KeyLookup?

    init(
        db: SQLConnection,
        now: Date,
        lastMessageID: Int,
        node: Int? = nil,
        random: RandomSource,
        limits: FairUse = FairUse(),
        known: ResolvedPeople = ResolvedPeople(),
        keyLookup: KeyLookup? = nil,
        eventQuota: EventQuota? = nil,
        eventUses: [Int: EventQuota.Use] = [:]
    ) {
        (self.known, self.keyLookup) = (known, keyLookup)
        self.eventQuota = eventQuota ?? EventQuota(limits)
        earlierEventUses = eventUses
        self.limits = limits
        self.node = node
        self.db = db
        self.now = now
        self.lastMessageID = lastMessageID
        self.random = random
    }

    /// The read operations. They see the writes of this transaction so far.
    package var reading: ReadTransaction {
        sendSequences()
        return ReadTransaction(db)
    }

    /// Sends the statements that are still queued. Called after the last operation.
    func finish() {
        sendSequences()
    }

    private func sendSequences() {
        #if PostgreSQL
            guard !unsentSequences.isEmpty, case .postgres(let transaction) = db else { return }
            let people = unsentSequences.sorted()
            unsentSequences = []
            guard people.count <= Self.individualUpdateLimit else {
                let sequences = people.compactMap { known.sequences[$0] }
                return transaction.enqueue(.init(Self.updatedSequences, [people, sequences]))
            }
            for person in people {
                transaction.enqueue(
                    .init(Self.updatedSequence, [known.sequences[person], person], ofPerson: person)
                )
            }
        #endif
    }

    #if PostgreSQL
        /// The number of people whose sequences are updated by a statement each, which names the partition.
        private static let individualUpdateLimit = 64
    #endif

    func newMessageID() -> MessageID {
        let id = MessageID(after: lastMessageID, at: now, node: node, random: random)
        lastMessageID = id.rawValue
        effects.sent += 1
        return id
    }

    /// Makes other servers of the same database wait, before they write for the same person, until this transaction has
    /// ended. From now on, it reads the person's latest values.
    ///
    /// SQLite has one writer, so there is nothing to wait for.
    ///
    /// - Throws: ``RecordNotFoundError`` if the person was erased.
    package func lock(_ person: Person) throws {
        #if PostgreSQL
            if case .postgres = db { _ = try lastSequence(of: person.id) }
        #endif
    }

    /// Returns the next sequence of a person, for one change of one record.
    func nextSequence(of person: Int) throws -> Int {
        let sequence = try lastSequence(of: person) + 1
        try setSequence(sequence, of: person)
        effects.own[person] = sequence
        return sequence
    }

    private func lastSequence(of person: Int) throws -> Int {
        if let last = known.sequences[person] { return last }
        guard let last: Int = try db.value(Self.lockedSequence, [person]) else { throw RecordNotFoundError() }
        known.sequences[person] = last
        return last
    }

    /// Reads a person's sequence. In PostgreSQL, other servers wait for this transaction's end before they write for
    /// the same person: so each change has a sequence of its own, and they become visible in their order.
    private static let lockedSequence = SQLText(
        sqlite: "SELECT sequence FROM person WHERE id = ?",
        postgres: "SELECT sequence FROM person WHERE id = ? FOR NO KEY UPDATE"
    )

    /// Sets a sequence that was read in this transaction. An `UPDATE … RETURNING` would do both at once, but it costs a
    /// journal of its own: five times as much.
    private func setSequence(_ sequence: Int, of person: Int) throws {
        known.sequences[person] = sequence
        #if PostgreSQL
            if case .postgres = db {
                unsentSequences.insert(person)
                return
            }
        #endif
        try db.run(Self.updatedSequence, [sequence, person])
    }

    private static let updatedSequence: SQLText = "UPDATE \(SQLText.ofPerson) SET sequence = ? WHERE id = ?"

    /// Many people on PostgreSQL, who are found as by ``advancedSequences``.
    private static let updatedSequences: SQLText = """
        UPDATE person p SET sequence = r.sequence FROM unnest((SELECT ?), (SELECT ?)) AS r (id, sequence)
        WHERE p.id = r.id
        """

    /// Advances the sequence of each person who has a message in their inbox.
    func nextSequences(of message: MessageID, at stage: MessageStage) throws {
        #if PostgreSQL
            if case .postgres = db {
                let people: [Int] = try db.values(
                    "SELECT person FROM delivery WHERE message = ? AND state = ?",
                    [message.rawValue, stage.rawValue]
                )
                return try advanceSequences(Self.advancedSequences, [people])
            }
        #endif
        try advanceSequences(
            """
            UPDATE person SET sequence = sequence + 1
            WHERE id IN (SELECT person FROM delivery WHERE message = ? AND state = ?) RETURNING id, sequence
            """,
            [message.rawValue, stage.rawValue]
        )
    }

    /// Advances the sequences of people with given numbers on PostgreSQL.
    ///
    /// PostgreSQL doesn't see how many numbers a `SELECT` has, and expects few. So it finds each row by its key in its
    /// partition, and never reads all people. With `= ANY`, each number would be looked for in each partition.
    private static let advancedSequences: SQLText = """
        UPDATE person p SET sequence = p.sequence + 1 FROM unnest((SELECT ?)) AS r (id) WHERE p.id = r.id
        RETURNING p.id, p.sequence
        """

    /// Runs a statement that advances people's sequences, and returns people with their new ones.
    func advanceSequences(_ sql: SQLText, _ arguments: SQLArguments) throws {
        sendSequences()
        for row in try db.rows(sql, arguments) { note(row[1], of: row[0]) }
    }

    #if PostgreSQL
        /// Runs statements in one round trip. Those that advance people's sequences return people with their new ones.
        func advanceSequences(
            by statements: [PostgresTransaction.Statement],
            in transaction: PostgresTransaction
        ) throws {
            sendSequences()
            for result in try transaction.execute(statements) {
                for row in result { note(try row[1], of: try row[0]) }
            }
        }
    #endif

    /// Records a sequence that a statement has advanced.
    private func note(_ sequence: Int, of person: Int) {
        effects.own[person] = sequence
        if known.sequences[person] != nil { known.sequences[person] = sequence }
    }

    /// Clears the cached people, after rows of people were deleted.
    func forgetPeople() {
        sendSequences()
        known = ResolvedPeople()
    }

    /// Advances the sequence of each of the given people, with one statement of SQLite.
    func nextSequences(ofPeople names: [String]) throws {
        try advanceSequences(
            """
            UPDATE person SET sequence = sequence + 1 WHERE name IN (SELECT value FROM json_each(?))
            RETURNING id, sequence
            """,
            [names]
        )
    }

    /// Returns the next sequence of broadcasts, for one change of one broadcast.
    func nextBroadcastSequence() throws -> Int {
        let sequence: Int? = try db.value(
            "UPDATE counter SET value = value + 1 WHERE name = 'broadcast' RETURNING value"
        )
        guard let sequence else { throw RecordNotFoundError() }
        effects.broadcast = sequence
        return sequence
    }

    /// Sets the sequence of broadcasts, which this transaction has read and locked.
    func setBroadcastSequence(_ sequence: Int) throws {
        try db.run("UPDATE counter SET value = ? WHERE name = 'broadcast'", [sequence])
        effects.broadcast = sequence
    }

    /// Returns the next sequence of surfaces, for one change of one surface.
    func nextSurfaceSequence() throws -> Int {
        let sequence: Int? = try db.value("UPDATE counter SET value = value + 1 WHERE name = 'surface' RETURNING value")
        guard let sequence else { throw RecordNotFoundError() }
        effects.surface = sequence
        return sequence
    }

    /// Finds a person, or creates one: people aren't registered.
    ///
    /// - Parameter advancing: Whether to advance the person's sequence too.
    /// - Returns: The person's number and sequence.
    func person(named name: String, advancing: Bool) throws -> (id: Int, sequence: Int) {
        // Whoever another server has created since the transaction began is found by the attempt to create.
        let isNew = known.missing.remove(Array(name.utf8)) != nil
        if try isNew || !findAndLock(name) {
            let sequence = advancing ? 1 : 0
            // Another server may create the person at the same time, and a third one erase it: once more, then.
            for _ in 0..<3 {
                if let id = try insertPerson(named: name, sequence: sequence) {
                    (known.numbers[Array(name.utf8)], known.sequences[id]) = (id, sequence)
                    if advancing { effects.own[id] = sequence }
                    return (id, sequence)
                }
                if try findAndLock(name) { break }
            }
        }
        guard let id = known.numbers[Array(name.utf8)] else { throw RecordNotFoundError() }
        return (id, try advancing ? nextSequence(of: id) : lastSequence(of: id))
    }

    /// Returns a person's number after ``lock(_:)``, or nil if the person is unknown.
    func lockedNumber(ofPerson name: String) throws -> Int? {
        try findAndLock(name) ? known.numbers[Array(name.utf8)] : nil
    }

    /// Reads a person's number and sequence, and locks the person as ``lock(_:)`` does.
    ///
    /// - Returns: Whether the person is known.
    private func findAndLock(_ name: String) throws -> Bool {
        if known.numbers[Array(name.utf8)] != nil { return true }
        if case .sqlite = db {
            guard let row = try db.row("SELECT id, sequence FROM person WHERE name = ?", [name]) else { return false }
            let id: Int = row[0]
            (known.numbers[Array(name.utf8)], known.sequences[id]) = (id, row[1])
            return true
        }
        // Two statements: in a join, the person's partition isn't known when PostgreSQL plans it.
        guard let id = try ReadTransaction(db).number(ofPerson: name) else { return false }
        do {
            _ = try lastSequence(of: id)
        } catch is RecordNotFoundError {
            // The person was erased while this transaction waited, and the name with it.
            return false
        }
        known.numbers[Array(name.utf8)] = id
        return true
    }

    /// Creates people who are unknown, and makes other servers wait before they write for any of these people, as
    /// ``lock(_:)`` does.
    ///
    /// - Parameter queue: Queues reads that may follow in the last of its round trips.
    func createAndLock(people names: [String], then queue: () throws -> Void = {}) throws {
        #if PostgreSQL
            if case .postgres(let transaction) = db {
                return try createAndLock(people: names, in: transaction, then: queue)
            }
        #endif
        try queue()
    }

    #if PostgreSQL
        /// Creates and locks people as ``createAndLock(people:then:)`` does: in one round trip those who are known to
        /// be missing, and otherwise in two at most. ``ResolvedPeople/outdated`` people are locked with them.
        ///
        /// All servers lock those who exist first, and create the others then, both in the order of the names. So two
        /// of them don't wait for each other, unless someone is created in between.
        ///
        /// - Parameter cache: Receives those who are found and created.
        func createAndLock(
            people names: [String],
            in transaction: PostgresTransaction,
            knowing cache: Locked<PersonNumbers>? = nil,
            then queue: () throws -> Void = {}
        ) throws {
            func unresolved(_ names: [String]) -> [String] { names.filter { known.numbers[Array($0.utf8)] == nil } }
            let unknown = ResolvedPeople.distinct(unresolved(names))
            guard !unknown.isEmpty || !known.outdated.isEmpty else { return try queue() }
            sendSequences()
            let unread = unknown.filter { !known.missing.contains(Array($0.utf8)) }
            if !unread.isEmpty { try known.lock(unread, in: transaction, knowing: cache) }
            let new = unresolved(unknown)
            let rest = ResolvedPeople.distinct(new + known.outdated)
            known.outdated = []
            guard !rest.isEmpty else { return try queue() }
            if !new.isEmpty { try insertPeople(named: new) }
            // It sees those that another server has created meanwhile: the insertion has waited for them.
            try known.lock(rest, in: transaction, knowing: cache, then: queue)
        }
    #endif

    /// The number of this server's share of totals that several servers count, 0 if it has the database alone. With
    /// one row for all, they would wait for each other.
    var slot: Int { node ?? 0 }

    /// Verifies that a person hasn't been erased since the request arrived.
    ///
    /// - Throws: ``RecordNotFoundError``.
    package func requireExistence(of person: Person) throws {
        try lock(person)
        guard try exists(person) else { throw RecordNotFoundError() }
    }

    /// Returns whether a person still exists, that is, hasn't been erased since the request arrived.
    func exists(_ person: Person) throws -> Bool {
        try db.value("SELECT 1 FROM person WHERE id = ?", [person.id]) == 1
    }

    /// Returns a setting of the server. A missing setting is created with the given value.
    package func setting(_ name: String, orNew value: Data) throws -> Data {
        try db.run("INSERT INTO setting (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING", [name, value])
        return try db.value("SELECT value FROM setting WHERE name = ?", [name]) ?? value
    }

    /// Announces the time of an action that was added to the due-queue.
    func announceDue(at time: Date) {
        effects.due = min(effects.due ?? .max, max(0, time.milliseconds))
    }

    /// Requests a check of the outbox once this transaction is durable.
    func announceDeliveries() {
        effects.deliveries = true
    }

    /// Announces that tokens of a person don't work any more.
    ///
    /// - Parameter person: The person's number. Nil for someone unknown.
    func announceEndedTokens(of person: Int?, named name: String) {
        if let person { effects.endedTokens.insert(person) } else { effects.endedUnknown.insert(Array(name.utf8)) }
    }

    /// Announces that API keys, or the keys that sign tokens, have changed.
    func announceKeys() {
        effects.keys = true
    }

    /// Returns a person's stored events, if this write or one before it in the same transaction has noted them.
    func eventUse(of person: Person) -> EventQuota.Use? {
        effects.eventUses[person.id] ?? earlierEventUses[person.id]
    }

    /// Records a person's stored events, for those that come later.
    func note(_ use: EventQuota.Use, of person: Person) {
        effects.eventUses[person.id] = use
    }

    /// Announces that a person was erased.
    func announceErasure(of person: Int) {
        effects.erased.insert(person)
    }
}

/// A required row doesn't exist.
package struct RecordNotFoundError: Error {}
