import Foundation
import GRDB
package import Groundwork
import InboxModel

/// A person as the app's backend sees them.
package struct StoredPerson: Sendable {
    package let person: Person
    let createdAt: Int
    /// The person's attributes, a JSON object.
    let attributes: String

    /// - Parameter row: The number, the account, the date of creation and the attributes, which may be null.
    fileprivate init(named name: String, row: Row) {
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

extension ReadTransaction {
    /// Returns a person, or nil if the person is unknown.
    package func person(named name: String) throws -> StoredPerson? {
        try db.row(
            """
            SELECT p.id, p.account, p.createdAt, a.value
            FROM person p LEFT JOIN attributes a ON a.person = p.id WHERE p.name = ?
            """,
            [name]
        ).map { StoredPerson(named: name, row: $0) }
    }
}

extension WriteTransaction {
    /// Replaces the attributes of a person. An unknown person is created.
    package func put(_ attributes: PersonAttributes, of name: String) throws -> (person: StoredPerson, isNew: Bool) {
        let isNew = try reading.person(named: name) == nil
        let id = try person(named: name, advancing: false).id
        try db.run(
            "INSERT INTO attributes (person, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
            [id, JSON.object(attributes.json).description]
        )
        guard let person = try reading.person(named: name) else { throw RecordNotFound() }
        return (person, isNew)
    }
}
