import Groundwork

/// A table with rows that belong to people, and how they are exported and erased.
///
/// Every table with a column `person` (the person's number) or `personName` (the app's id) is one. A test checks that
/// ``all`` contains it.
package struct PersonalTable: Sendable {
    /// The table's name in the database.
    let table: String
    /// The name of its rows in exports and receipts.
    package let name: String
    /// Whether the person `?1` is the app's id, for rows of people who may be unknown. Otherwise it is the person's
    /// number.
    var isByName = false
    /// The query for the keys of the rows of the person `?1`, in the order of an export.
    let keys: SQLText
    /// The type of the keys.
    var key: any SQLScalar.Type = Int.self
    /// The query for the row of the person `?1` with the key `?2`, as ``json`` reads it.
    let row: SQLText
    /// Returns a row as JSON for an export.
    let json: @Sendable (SQLRow) throws -> JSON
    /// The statement that deletes the rows of the person `?1`, or the person's data in them.
    let erase: SQLText
    /// The number of rows that an export reads at a time.
    var partSize = 100

    /// Whether its rows alone are read, with the messages of deliveries: neither what has the app's id, which may be of
    /// a person who is unknown, nor what is due.
    var isOfPerson: Bool { !isByName && table != "due" }

    /// All tables, in the order of erasure. A table that is looked up through another one precedes it.
    package static let all: [PersonalTable] = [
        .purges, .batches, .attributes, .deliveries, .imports, .events, .reach, .outbox, .blobs, .tokenEnds,
        .endedTokens, .audit,
    ]

    /// Returns the argument `?1` of the statements.
    func owner(_ person: Person) -> any SQLValue {
        isByName ? person.name : person.id
    }
}

extension ReadTransaction {
    /// Returns the keys of a person's rows in a table, in the order of an export.
    func keys(of owner: any SQLValue, in table: PersonalTable) throws -> [any SQLValue] {
        func keys<Key: SQLScalar>(_ type: Key.Type) throws -> [Key] { try db.values(table.keys, [owner]) }
        return try keys(table.key)
    }

    /// Returns a row as JSON for an export, or nil if it was deleted meanwhile.
    func row(_ key: any SQLValue, of owner: any SQLValue, in table: PersonalTable) throws -> JSON? {
        try db.row(table.row, [owner, key]).map { try table.json($0) }
    }
}
