import Foundation
package import GRDB
package import Groundwork
import InboxModel

/// A person as the app's backend sees them.
package struct StoredPerson: Sendable {
    package let person: Person
    let createdAt: Int
    /// The person's attributes, a JSON object.
    let attributes: String

    /// Reads a person. Returns nil if the person is unknown.
    package init?(named name: String, in db: Database) throws {
        let row = try db.row(
            """
            SELECT p.id, p.account, p.createdAt, a.value
            FROM person p LEFT JOIN attributes a ON a.person = p.id WHERE p.name = ?
            """,
            [name]
        )
        guard let row else { return nil }
        person = Person(id: row[0], name: name, account: row[1])
        createdAt = row[2]
        attributes = row[3] ?? "{}"
    }

    package var json: JSON {
        get throws {
            [
                "id": .string(person.name), "createdAt": JSON(Date(milliseconds: createdAt)),
                "attributes": try JSON(parsing: Array(attributes.utf8)),
            ]
        }
    }
}

extension WriteTransaction {
    /// Replaces the attributes of a person. An unknown person is created.
    package func put(_ attributes: PersonAttributes, of name: String) throws -> (person: StoredPerson, isNew: Bool) {
        let isNew = try StoredPerson(named: name, in: db) == nil
        let id = try person(named: name, advancing: false).id
        try db.run(
            "INSERT INTO attributes (person, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
            [id, JSON.object(attributes.json).description]
        )
        guard let person = try StoredPerson(named: name, in: db) else { throw RecordNotFound() }
        return (person, isNew)
    }
}
