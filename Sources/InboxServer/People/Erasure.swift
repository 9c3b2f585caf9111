import Crypto
import Foundation
import GRDB
import Groundwork
import InboxModel

/// The receipt for a person who was erased. Names the person by SHA-256 alone.
struct Erasure: Sendable {
    let id: String
    let personHash: Data
    let at: Int
    /// How many rows went, by name: a JSON object.
    let removed: String

    init(id: String, personHash: Data, at: Int, removed: String) {
        (self.id, self.personHash, self.at, self.removed) = (id, personHash, at, removed)
    }

    /// - Returns: Nil where there is no such receipt.
    init?(id: String, in db: Database) throws {
        guard let row = try db.row("SELECT personHash, at, removed FROM erasure WHERE id = ?", [id]) else { return nil }
        self.init(id: id, personHash: row[0], at: row[1], removed: row[2])
    }

    var json: JSON {
        get throws {
            [
                "id": .string(id), "erasedAt": JSON(Date(milliseconds: at)),
                "personSha256": .string(
                    personHash.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
                ),
                "removed": try JSON(parsing: Array(removed.utf8)),
            ]
        }
    }

    static func hash(of name: String) -> Data {
        Data(SHA256.hash(data: Array(name.utf8)))
    }

    /// The id of a new receipt: 125 random bits.
    static func newID(_ random: RandomSource) -> String {
        "e" + random.token(length: 25)
    }
}

extension Database {
    /// The time before which tokens of a person were issued that no longer work: the first whole second after the person was
    /// erased, as tokens have whole seconds. Nil for one who never was.
    func tokensSince(of name: String) throws -> Date? {
        let at: Int? = try value("SELECT max(at) FROM erasure WHERE personHash = ?", [Erasure.hash(of: name)])
        return at.map { Date(timeIntervalSince1970: Double($0 / 1_000 + 1)) }
    }
}

extension WriteTransaction {
    /// Erases a person: all rows, and the content of messages that no one else got. Of these messages a number remains, as after a
    /// recall.
    ///
    /// - Parameter receipt: The id of the receipt.
    /// - Returns: Who it was; nil where nobody has heard of the person.
    func erase(_ name: String, receipt: String) throws -> (person: Person, erasure: Erasure)? {
        guard let person = try StoredPerson(named: name, in: db)?.person else { return nil }
        let id = person.id
        var removed = JSONObject([("contents", JSON(try eraseContents(of: id)))])
        for table in PersonalTable.all {
            try db.run(table.erase, [id])
            removed.add(table.name, JSON(db.changesCount))
        }
        try db.run("DELETE FROM person WHERE id = ?", [id])
        try db.run("UPDATE counter SET value = max(value, ?) WHERE name = 'erasedPerson'", [id])
        let erasure = Erasure(
            id: receipt,
            personHash: Erasure.hash(of: name),
            at: now.milliseconds,
            removed: JSON.object(removed).description
        )
        try db.run(
            "INSERT INTO erasure (id, personHash, at, removed) VALUES (?, ?, ?, ?)",
            [erasure.id, erasure.personHash, erasure.at, erasure.removed]
        )
        return (person, erasure)
    }

    /// - Returns: How many messages lost their content.
    private func eraseContents(of person: Int) throws -> Int {
        let messages = try Int.fetchAll(
            db,
            sql: """
                SELECT m.id FROM delivery d INDEXED BY delivery_sequence CROSS JOIN message m ON m.id = d.message
                WHERE d.person = ?1 AND m.recipients IS NOT NULL AND m.content <> ''
                    AND NOT EXISTS (SELECT 1 FROM delivery o WHERE o.message = m.id AND o.person <> ?1)
                """,
            arguments: [person]
        )
        for message in messages {
            try db.run(
                """
                UPDATE message
                SET content = '', surface = '', category = NULL, groupKey = NULL, campaign = NULL, consentCategory = NULL,
                    grantedConsentCategory = NULL, earlierConsentCategory = NULL, state = 2
                WHERE id = ?
                """,
                [message]
            )
            for kind in DueKind.allCases where kind != .purge {
                try unschedule(kind, message: MessageID(rawValue: message))
            }
        }
        return messages.count
    }
}
