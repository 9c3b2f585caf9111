package import Foundation
import Groundwork

extension WriteTransaction {
    /// The maximum number of due entries per transaction, so that other writes run in between.
    static let dueLimit = 50
    /// The number of changed rows after which a transaction processes no further entry.
    private static let dueRowLimit = 10_000

    /// Processes the entries that are due, earliest first. Those that became due while the server was down come first.
    ///
    /// - Parameters:
    ///   - end: The time up to which entries are due. Nil for the time of the transaction.
    ///   - time: The time from which on entries are postponed. Nil for the time of the transaction.
    ///   - hidden: The parts of broadcasts that were hidden before their removal, as ``hidePart(of:_:)`` has them. Nil
    ///     to hide none before.
    /// - Returns: Whether there may be more.
    func runDue(
        until end: Date? = nil,
        at time: Date? = nil,
        hidden: Locked<[Int: Int]>? = nil
    ) throws -> Bool {
        let end = (end ?? now).milliseconds
        let later = max(end, (time ?? now).milliseconds) + Self.postponement
        var due = try db.rows(Self.due, [end, Self.dueLimit])
        let arePurges = due.isEmpty
        var arePostponed = false
        if arePurges { (due, arePostponed) = try duePurges(until: end, orPostponedTo: later) }
        guard !due.isEmpty else { return arePostponed }
        var entries = try limitedByRecipientCount(due)
        if !arePurges { entries = try locked(entries, orPostponedTo: later) }
        let changes = db.changeCount
        for entry in entries {
            guard db.changeCount - changes < Self.dueRowLimit else { return true }
            let message = MessageID(rawValue: entry[1])
            let person: Int = entry[2]
            guard let kind = DueKind(rawValue: entry[0]) else { continue }
            // A broadcast is processed alone.
            if kind == .expire, entries.count == 1, let hidden, try hidePart(of: message, hidden) { return true }
            try unschedule(kind, message: message, person: person)
            switch kind {
            case .deliver: try deliver(message)
            case .expire: try remove(message)
            case .purge: try destroy(message, of: person)
            }
        }
        if due.count == Self.dueLimit || entries.count < due.count { return true }
        return try arePurges ? arePostponed : hasDuePurges(until: end)
    }

    /// The time in milliseconds after which an entry is due again whose rows another transaction had locked.
    private static let postponement = 2_000
    /// The number of further attempts to lock such rows, and the pause before each in seconds: most of them are locked
    /// for the time of a commit.
    private static let (lockAttempts, lockPause) = (10, 0.02)

    /// Locks the messages of due entries, and the people who have them, unless another transaction has for longer than
    /// a commit takes: to wait for one person, such as one who is being erased with all messages, would hold up all
    /// that is due and all writes of this server.
    ///
    /// - Parameter time: The time to which the other entries are postponed, in their order, in milliseconds since 1970.
    /// - Returns: The entries whose messages and people are locked.
    private func locked(_ entries: [SQLRow], orPostponedTo time: Int) throws -> [SQLRow] {
        if case .sqlite = db { return entries }
        // What isn't locked yet. A message may have a million people, so only those who are left are tried again.
        var messages: [Int] = entries.map { $0[1] }
        var people: [(message: Int, person: Int)] = []
        for attempt in 0...Self.lockAttempts {
            if attempt > 0 { Thread.sleep(forTimeInterval: Self.lockPause) }
            if !people.isEmpty {
                let left: [Int] = try db.values(Self.peopleLockedByOthers, [Array(Set(people.map { $0.person }))])
                let others = Set(left)
                people.removeAll { !others.contains($0.person) }
            }
            if !messages.isEmpty {
                let others: [Int] = try db.values(Self.messagesOfOthers, [messages])
                let free = Set(messages).subtracting(others)
                for row in try db.rows(Self.peopleOfOthers, [Array(free)]) { people.append((row[0], row[1])) }
                messages = others
            }
            if messages.isEmpty, people.isEmpty { return entries }
        }
        let others = Set(messages + people.map { $0.message })
        var free: [SQLRow] = []
        for (place, entry) in entries.enumerated() {
            guard others.contains(entry[1]), let kind = DueKind(rawValue: entry[0]) else {
                free.append(entry)
                continue
            }
            let message = MessageID(rawValue: entry[1])
            try schedule(kind, message: message, person: entry[2], at: Date(milliseconds: time + place))
        }
        return free
    }

    /// Locks messages, and returns those that another transaction has locked.
    private static let messagesOfOthers: SQLText = """
        SELECT m.id FROM message m WHERE m.id = ANY(?)
            AND (SELECT 1 FROM message o WHERE o.id = m.id FOR NO KEY UPDATE SKIP LOCKED) IS NULL
        """

    /// Locks the people who have messages, and returns those that another transaction has locked, each with a message.
    private static let peopleOfOthers: SQLText = """
        SELECT d.message, d.person FROM unnest(?) AS r (id)
        CROSS JOIN LATERAL (
            SELECT m.id FROM message m WHERE m.id = r.id AND m.recipients IS NOT NULL OFFSET 0
        ) AS m
        CROSS JOIN LATERAL (
            SELECT d.message, d.person FROM delivery d WHERE d.message = m.id AND d.state < 2 OFFSET 0
        ) AS d
        WHERE (SELECT 1 FROM person p WHERE p.id = d.person FOR NO KEY UPDATE SKIP LOCKED) IS NULL
        """

    /// Whether purges are processed by themselves, after all else that is due.
    private var processesPurgesApart: Bool { if case .sqlite = db { false } else { true } }

    /// Whether purges are left to a transaction of their own.
    private func hasDuePurges(until end: Int) throws -> Bool {
        guard processesPurgesApart else { return false }
        return try db.row("SELECT 1 FROM due WHERE at <= ? AND kind = 3 LIMIT 1", [end]) != nil
    }

    /// Returns the first of the entries, as many as concern no more than ``dueRowLimit`` people, and one at least.
    ///
    /// Their people are locked before the first one is processed, and others that write for them wait. A broadcast is
    /// processed alone: a write for a person locks it after the person.
    private func limitedByRecipientCount(_ entries: [SQLRow]) throws -> [SQLRow] {
        if case .sqlite = db { return entries }
        var recipients: [Int: Int] = [:]
        let messages: [Int] = entries.map { $0[1] }
        let alone = Self.dueRowLimit
        for row in try db.rows("SELECT id, coalesce(recipients, \(alone)) FROM message WHERE id = ANY(?)", [messages]) {
            recipients[row[0]] = row[1]
        }
        var people = 0
        return Array(
            entries.prefix { entry in
                let count = entry[0] == DueKind.purge.rawValue ? 1 : recipients[entry[1]] ?? 0
                defer { people += count }
                return people == 0 || people + count <= Self.dueRowLimit
            }
        )
    }

    /// Several servers process due entries at the same time, each its own. Entries of an unknown kind are left to
    /// servers of a newer version.
    private static let due = SQLText(
        sqlite: "SELECT kind, message, person FROM due WHERE at <= ? AND +kind IN (1, 2, 3) ORDER BY at, kind LIMIT ?",
        postgres: """
            SELECT kind::bigint, message, person FROM due WHERE at <= ? AND kind IN (1, 2) ORDER BY at, kind LIMIT ?
            FOR UPDATE SKIP LOCKED
            """
    )

    /// Returns the purges that are due, on PostgreSQL. Their people are locked first, as by a write that schedules one.
    /// All those of people that another transaction has locked are postponed: one person may have many.
    ///
    /// - Parameter time: The time to which they are postponed, in milliseconds since 1970.
    /// - Returns: The purges, and whether others were postponed.
    private func duePurges(
        until end: Int,
        orPostponedTo time: Int
    ) throws -> (purges: [SQLRow], arePostponed: Bool) {
        guard processesPurgesApart else { return ([], false) }
        let found: [Int] = try db.values(
            "SELECT person FROM due WHERE at <= ? AND kind = 3 ORDER BY at LIMIT ?",
            [end, Self.dueLimit]
        )
        guard !found.isEmpty else { return ([], false) }
        let others: [Int] = try db.values(Self.peopleLockedByOthers, [Array(Set(found))])
        let people = Set(found).subtracting(others)
        var arePostponed = false
        if !others.isEmpty {
            // None, while that transaction has locked them as well.
            arePostponed = try db.changed(Self.postponedPurges, [time, end, others]) > 0
            announceDue(at: Date(milliseconds: time))
        }
        guard !people.isEmpty else { return ([], arePostponed) }
        let purges = try db.rows(
            """
            SELECT kind::bigint, message, person FROM due WHERE at <= ? AND kind = 3 AND person = ANY(?)
            ORDER BY at LIMIT ? FOR UPDATE SKIP LOCKED
            """,
            [end, Array(people), Self.dueLimit]
        )
        return (purges, arePostponed)
    }

    private static let postponedPurges: SQLText = """
        UPDATE due u SET at = ?1 FROM (
            SELECT message, person FROM due WHERE at <= ?2 AND kind = 3 AND person = ANY(?3) FOR UPDATE SKIP LOCKED
        ) AS free
        WHERE u.kind = 3 AND u.message = free.message AND u.person = free.person
        """

    /// Locks people, and returns those that another transaction has locked. Whoever was erased isn't waited for.
    private static let peopleLockedByOthers: SQLText = """
        SELECT p.id FROM unnest(?) AS r (id)
        CROSS JOIN LATERAL (SELECT p.id FROM person p WHERE p.id = r.id OFFSET 0) AS p
        WHERE (SELECT 1 FROM person o WHERE o.id = p.id FOR NO KEY UPDATE SKIP LOCKED) IS NULL
        """

    /// The number of records of a table that one transaction deletes; records of the last millisecond are deleted
    /// together. A server that was stopped for long has many, and other writes run in between.
    private static let expiredLimit = 10_000

    /// Deletes records whose retention has ended, unless another server is doing so.
    ///
    /// - Returns: Whether there may be more.
    func deleteExpiredRecords() throws -> Bool {
        guard try db.tryLock(name: "deleteExpiredRecords") else { return false }
        var hasMore = false
        func end(_ lifetime: TimeInterval) -> Int { now.addingTimeInterval(-lifetime).milliseconds }
        func drop(_ table: String, _ column: String, before end: Int) throws {
            guard try mayHaveRows(table) else { return }
            let last: Int? = try db.value(
                "SELECT \(column) FROM \(table) WHERE \(column) < ? ORDER BY \(column) LIMIT 1 OFFSET ?",
                [end, Self.expiredLimit - 1]
            )
            let limit = last.map { $0 + 1 } ?? end
            guard let free = try lockExpired(table, column, before: limit) else { return }
            try db.run("DELETE FROM \(table) WHERE \(column) < ?", [free])
            hasMore = hasMore || last != nil && free == limit
        }
        // Before the outbox, as where a webhook is removed. The earlier secret no longer signs.
        try db.run(
            "UPDATE webhook SET earlierSecret = NULL, earlierUntil = NULL WHERE earlierUntil <= ?",
            [now.milliseconds]
        )
        try removeFormerSecrets()
        try drop("idempotency", "at", before: end(IdempotencyKey.lifetime))
        try drop("batch", "at", before: end(StoredBatch.lifetime))
        try drop("event", "receivedAt", before: end(StoredEvent.lifetime))
        try drop("outbox", "createdAt", before: end(OutboxLimits.lifetime))
        try drop("audit", "at", before: end(AuditEntry.lifetime))
        try drop("endedToken", "expiresAt", before: end(TokenRules.skew))
        try drop("blob", "at", before: end(Blob.lifetime) + 1)
        return hasMore
    }

    /// Whether a table may have rows. On PostgreSQL, a statement on all partitions is planned for a tenth of a second
    /// on a new connection, in which the other writes wait. The sizes of their files are known sooner.
    private func mayHaveRows(_ table: String) throws -> Bool {
        #if PostgreSQL
            guard case .postgres = db, PostgresSchema.personTables.contains(where: { $0.name == table }) else {
                return true
            }
            let size: Int? = try db.value(
                """
                SELECT pg_relation_size(inhrelid) FROM pg_inherits
                WHERE inhparent = to_regclass(?) AND pg_relation_size(inhrelid) > 0 LIMIT 1
                """,
                [table]
            )
            return size != nil
        #else
            return true
        #endif
    }

    /// Locks old records, so that their deletion doesn't wait for another server: that one may wait for records which
    /// are deleted.
    ///
    /// - Returns: The time before which all of them are locked. Those from then on are left for the next time. Nil if
    ///   there are none.
    private func lockExpired(_ table: String, _ column: String, before limit: Int) throws -> Int? {
        if case .sqlite = db { return limit }
        let text = "SELECT \(column) FROM \(table) WHERE \(column) < ? ORDER BY \(column)"
        let all: [Int] = try db.values(SQLText(text), [limit])
        guard !all.isEmpty else { return nil }
        let free: [Int] = try db.values(SQLText(text + " FOR UPDATE SKIP LOCKED"), [limit])
        let equal = zip(all, free).prefix { $0 == $1 }.count
        return equal == all.count ? limit : all[equal]
    }

    /// Delivers a due message to each inbox.
    func deliver(_ message: MessageID) throws {
        guard try stage(of: message) == .waiting else { return }
        if try isBroadcast(message) {
            try deliverBroadcast(message, sequence: nextBroadcastSequence())
        } else {
            try db.run("UPDATE message SET state = 1 WHERE id = ?", [message.rawValue])
            try nextSequences(of: message, at: .waiting)
            try db.run(
                """
                UPDATE delivery SET (state, created, sequence, edited) =
                    (SELECT 1, p.sequence, p.sequence, p.sequence FROM person p WHERE p.id = delivery.person)
                WHERE message = ? AND state = 0
                """,
                [message.rawValue]
            )
        }
    }

    /// Removes a message from all inboxes, along with its due entries. Each inbox that showed the message reports it as
    /// destroyed.
    func remove(_ message: MessageID) throws {
        guard let stage = try stage(of: message), stage != .gone else { return }
        try db.run("UPDATE message SET state = 2 WHERE id = ?", [message.rawValue])
        switch stage {
        case .waiting:
            // The message was in no inbox, so its removal isn't reported.
            _ = try db.changed("DELETE FROM delivery WHERE message = ?", [message.rawValue])
        case .shown where try isBroadcast(message):
            // These deliveries keep their sequences: the broadcast's own sequence reports the removal.
            _ = try db.changed("UPDATE delivery SET state = 2 WHERE message = ? AND state < 2", [message.rawValue])
            // Last, as other broadcasts wait for the sequence until this transaction has ended.
            try db.run(
                "UPDATE message SET broadcastSequence = ? WHERE id = ?",
                [try nextBroadcastSequence(), message.rawValue]
            )
        case .shown:
            try nextSequences(of: message, at: .shown)
            try db.run(
                """
                UPDATE delivery
                SET (state, sequence) = (SELECT 2, p.sequence FROM person p WHERE p.id = delivery.person)
                WHERE message = ? AND state = 1
                """,
                [message.rawValue]
            )
        case .gone: break
        }
        try unscheduleAll(of: message)
    }

    /// Destroys a message that a person deleted, unless the deletion was undone.
    private func destroy(_ message: MessageID, of person: Int) throws {
        let deleted: Int? = try db.value(
            "SELECT 1 FROM delivery WHERE message = ? AND person = ? AND state = 1 AND deletedAt IS NOT NULL",
            [message.rawValue, person]
        )
        if deleted != nil { try leaveTombstone(message, of: person) }
    }

    private func leaveTombstone(_ message: MessageID, of person: Int) throws {
        try db.run(
            "UPDATE delivery SET state = 2, sequence = ? WHERE message = ? AND person = ?",
            [try nextSequence(of: person), message.rawValue, person]
        )
    }

    /// Returns the stage of a message's life cycle, or nil if there is no such message.
    func stage(of message: MessageID) throws -> MessageStage? {
        let state: Int? = try db.value("SELECT state FROM message WHERE id = ?", [message.rawValue])
        return state.flatMap(MessageStage.init(rawValue:))
    }

    private func isBroadcast(_ message: MessageID) throws -> Bool {
        try db.value("SELECT recipients IS NULL FROM message WHERE id = ?", [message.rawValue]) ?? false
    }
}

extension ReadTransaction {
    /// Returns the time of the earliest entry of the due queue, or nil if it is empty.
    package func earliestDue() throws -> Date? {
        let earliest: Int? = try db.value("SELECT at FROM due WHERE \(DueKind.isKnown) ORDER BY at LIMIT 1")
        return earliest.map { Date(milliseconds: $0) }
    }
}

/// The action of a due entry: the `kind` column.
enum DueKind: Int, CaseIterable {
    /// Delivers a scheduled message.
    case deliver = 1
    /// Removes an expired message.
    case expire = 2
    /// Destroys a message that a person deleted and hasn't restored.
    case purge = 3

    /// The condition on an entry that it has one of these kinds. SQLite looks for it in the order of times: the `+`
    /// keeps it from the primary key.
    static let isKnown = SQLText(sqlite: "+kind IN (1, 2, 3)", postgres: "kind IN (1, 2, 3)")
}
