import Crypto
import Foundation
package import Groundwork
import InboxModel

/// The receipt for the erasure of a person. It identifies the person by SHA-256 only.
package struct Erasure: Sendable {
    let id: String
    let personHash: Data
    let at: Int
    /// The numbers of deleted rows by name, a JSON object.
    let removed: String
    /// The time at which the deleted rows were removed from PostgreSQL's files. Nil until then, and with SQLite, which
    /// overwrites them at once.
    let vacuumedAt: Int?

    init(id: String, personHash: Data, at: Int, removed: String, vacuumedAt: Int? = nil) {
        (self.id, self.personHash, self.at, self.removed) = (id, personHash, at, removed)
        self.vacuumedAt = vacuumedAt
    }

    package var json: JSON {
        get throws {
            var object = JSONObject([
                ("id", .string(id)), ("erasedAt", JSON(Date(milliseconds: at))),
                ("personSha256", .string(personHash.hexadecimal)),
                ("removed", try JSON(parsing: Array(removed.utf8))),
            ])
            if let vacuumedAt { object["vacuumedAt"] = JSON(Date(milliseconds: vacuumedAt)) }
            return .object(object)
        }
    }

    static func hash(of name: String) -> Data {
        Data(SHA256.hash(data: Array(name.utf8)))
    }

    /// Returns the id of a new receipt, with 125 random bits.
    static func newID(_ random: RandomSource) -> String {
        "e" + random.token(length: 25)
    }
}

extension ReadTransaction {
    /// Returns the receipt of an erasure, or nil if it doesn't exist.
    package func erasure(_ id: String) throws -> Erasure? {
        try db.row(Self.erasure, [id]).map { row in
            Erasure(id: id, personHash: row[0], at: row[1], removed: row[2], vacuumedAt: row[3])
        }
    }

    private static let erasure = SQLText(
        sqlite: "SELECT personHash, at, removed, NULL FROM erasure WHERE id = ?",
        postgres: "SELECT personHash, at, removed, vacuumedAt FROM erasure WHERE id = ?"
    )
}

/// The result of an erasure.
struct ErasedPerson: Sendable {
    /// The erased person; nil if the person was unknown.
    let person: Person?
    let erasure: Erasure
}

extension WriteTransaction {
    /// Erases a person: all rows, and the content of messages without another recipient. The number of such a message
    /// is kept, as after a recall.
    ///
    /// The erasure is recorded even if the person is unknown, so that tokens issued before are rejected in both cases.
    ///
    /// - Parameters:
    ///   - receipt: The id of the receipt.
    ///   - actor: The requester, for the audit log.
    func erase(_ name: String, receipt: String, by actor: AuditActor) throws -> ErasedPerson {
        // One after another: of two people, each may be the other recipient of a message whose content is to be erased.
        db.lock(name: "erasure")
        #if PostgreSQL
            if case .postgres = db { try lockMessages(of: name) }
        #endif
        // The person before the tokens, as other writes for one person lock them.
        _ = try lockedNumber(ofPerson: name)
        lockTokens(of: name)
        // The rows with the start of valid tokens are erased with the person, so the start is computed first.
        let start = try newTokenStart(of: name)
        #if PostgreSQL
            var parts: [Int] = []
            if case .postgres = db { parts = try reading.parts(ofPerson: name) }
        #endif
        let (person, removed) = try eraseRows(of: name, receipt: receipt)
        let erasure = Erasure(
            id: receipt,
            personHash: Erasure.hash(of: name),
            at: now.milliseconds,
            removed: JSON.object(removed).description
        )
        try db.run(
            "INSERT INTO erasure (id, personHash, at, removed, start) VALUES (?, ?, ?, ?, ?)",
            [erasure.id, erasure.personHash, erasure.at, erasure.removed, start]
        )
        #if PostgreSQL
            if case .postgres = db {
                try db.run("UPDATE erasure SET parts = ? WHERE id = ?", [parts, erasure.id])
            }
        #endif
        try audit(.personErased, by: actor, erasure: receipt)
        if let person { announceErasure(of: person.id) } else { announceEndedTokens(of: nil, named: name) }
        return ErasedPerson(person: person, erasure: erasure)
    }

    #if PostgreSQL
        /// Locks the rows that are locked before a person: the messages that the person alone has, with their due
        /// entries.
        private func lockMessages(of name: String) throws {
            guard let person = try reading.number(ofPerson: name) else { return }
            let messages: [Int] = try db.values(
                """
                SELECT m.id FROM delivery d JOIN message m ON m.id = d.message
                WHERE d.person = ? AND m.recipients = 1 AND m.content <> ''
                """,
                [person]
            )
            guard !messages.isEmpty else { return }
            db.lock(
                """
                SELECT 1 FROM due WHERE kind IN (1, 2) AND message = ANY(?) AND person = 0
                ORDER BY message, kind FOR UPDATE
                """,
                [messages]
            )
            db.lock("SELECT 1 FROM message WHERE id = ANY(?) ORDER BY id FOR NO KEY UPDATE", [messages])
        }
    #endif

    /// Erases all rows of a person.
    ///
    /// - Returns: The person, or nil if unknown, and the numbers of deleted rows by name.
    func eraseRows(of name: String, receipt: String) throws -> (person: Person?, removed: JSONObject) {
        var person = try reading.person(named: name)?.person
        if let known = person {
            // Rows that another write adds until then are erased too.
            do { try lock(known) } catch is RecordNotFoundError {}
            person = try reading.person(named: name)?.person
        }
        var removed = JSONObject([("contents", JSON(try person.map { try eraseContents(of: $0.id) } ?? 0))])
        try linkAudit(of: name, to: receipt)
        // A webhook that is being removed has locked payloads in another order.
        db.lock("SELECT 1 FROM webhook ORDER BY id FOR KEY SHARE")
        for table in PersonalTable.all {
            let owner: (any SQLValue)? = person.map(table.owner) ?? (table.isByName ? name : nil)
            removed.add(table.name, JSON(try owner.map { try db.changed(table.erase, [$0]) } ?? 0))
        }
        if let id = person?.id {
            forgetPeople()
            try deletePerson(id)
        }
        return (person, removed)
    }

    private func deletePerson(_ id: Int) throws {
        try db.run(
            SQLText(
                sqlite: "DELETE FROM person WHERE id = ?",
                postgres: """
                    WITH erased AS (DELETE FROM person WHERE id = ? RETURNING name, account),
                        names AS (DELETE FROM personName n USING erased e WHERE n.name = e.name)
                    DELETE FROM personAccount a USING erased e WHERE a.account = e.account
                    """
            ),
            [id]
        )
        // PostgreSQL's numbers are of a sequence, which gives none twice.
        try db.run("UPDATE counter SET value = ?1 WHERE name = 'erasedPerson' AND value < ?1", [id])
    }

    /// Locks messages that aren't locked yet, such as one that came meanwhile.
    ///
    /// - Throws: ``WriterBusyError`` if another transaction has locked one: it may wait for the person.
    private func requireLocks(of messages: [Int]) throws {
        if case .sqlite = db { return }
        let free: [Int] = try db.values(
            "SELECT id FROM message WHERE id = ANY(?) FOR NO KEY UPDATE SKIP LOCKED",
            [messages]
        )
        guard free.count == messages.count else { throw WriterBusyError() }
    }

    /// Erases the content of messages that have no other recipient.
    ///
    /// - Returns: The number of messages whose content was erased.
    private func eraseContents(of person: Int) throws -> Int {
        let messages: [Int] = try db.values(
            """
            SELECT m.id FROM delivery d INDEXED BY delivery_sequence CROSS JOIN message m ON m.id = d.message
            WHERE d.person = ?1 AND m.recipients IS NOT NULL AND m.content <> ''
                AND (m.recipients = 1
                    OR NOT EXISTS (SELECT 1 FROM delivery o WHERE o.message = m.id AND o.person <> ?1))
            """,
            [person]
        )
        try requireLocks(of: messages)
        guard !messages.isEmpty else { return 0 }
        // A few statements for all of them: a person may have a million.
        try db.run(Self.erasedContents, [messages])
        for kind in [DueKind.deliver, .expire] { try db.run(Self.unscheduledMessages, [kind.rawValue, messages]) }
        return messages.count
    }

    private static let erasedContents: SQLText = """
        UPDATE message
        SET content = '', surface = '', category = NULL, groupKey = NULL, campaign = NULL,
            consentCategory = NULL, grantedConsentCategory = NULL, earlierConsentCategory = NULL, state = 2
        WHERE id \(SQLText(sqlite: "IN (SELECT value FROM json_each(?))", postgres: "= ANY(?)"))
        """

    /// Entries that another server is processing are left to it, as by ``unscheduleAll(of:)``.
    private static let unscheduledMessages = SQLText(
        sqlite: "DELETE FROM due WHERE kind = ? AND message IN (SELECT value FROM json_each(?))",
        postgres: """
            DELETE FROM due u USING (
                SELECT message, person FROM due WHERE kind = ?1 AND message = ANY(?2) FOR UPDATE SKIP LOCKED
            ) AS free
            WHERE u.kind = ?1 AND u.message = free.message AND u.person = free.person
            """
    )
}
