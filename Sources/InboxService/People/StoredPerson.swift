import Foundation
package import Groundwork
import InboxModel

/// A person as the app's backend sees them.
package struct StoredPerson: Sendable {
    package let person: Person
    let createdAt: Int
    /// The person's attributes, a JSON object.
    let attributes: String

    /// - Parameter row: The number, the account, the date of creation and the attributes, which may be null.
    fileprivate init(named name: String, row: SQLRow) {
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
        try row(
            "SELECT p.id, p.account, p.createdAt, a.value FROM person p LEFT JOIN attributes a ON a.person = p.id",
            ofPerson: name
        ).map { StoredPerson(named: name, row: $0) }
    }

    /// Returns the first row of a statement for one person, or nil if the person is unknown.
    ///
    /// - Parameter sql: A statement over a person `p` without conditions.
    func row(_ sql: SQLText, ofPerson name: String) throws -> SQLRow? {
        if case .sqlite = db { return try db.row("\(sql) WHERE p.name = ?", [name]) }
        // Two statements: in a join, the person's partition isn't known when PostgreSQL plans it.
        return try number(ofPerson: name).flatMap { try db.row("\(sql) WHERE p.id = ?", [$0]) }
    }
}

extension ReadTransaction {
    /// Returns a person's number, or nil if the person is unknown.
    func number(ofPerson name: String) throws -> Int? {
        try db.value(
            SQLText(
                sqlite: "SELECT id FROM person WHERE name = ?",
                postgres: "SELECT person FROM personName WHERE name = ?"
            ),
            [name]
        )
    }
}

extension WriteTransaction {
    /// Replaces the attributes of a person. An unknown person is created.
    package func put(_ attributes: PersonAttributes, of name: String) throws -> (person: StoredPerson, isNew: Bool) {
        let isNew = try reading.person(named: name) == nil
        let id = try person(named: name, advancing: false).id
        try db.run(
            """
            INSERT INTO attributes (person, value) VALUES (?, ?)
            ON CONFLICT (person) DO UPDATE SET value = excluded.value
            """,
            [id, JSON.object(attributes.json).description]
        )
        guard let person = try reading.person(named: name) else { throw RecordNotFoundError() }
        return (person, isNew)
    }
}
