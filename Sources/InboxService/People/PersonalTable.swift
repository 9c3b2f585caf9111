import GRDB
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
    let keys: String
    /// The query for the row of the person `?1` with the key `?2`, as ``json`` reads it.
    let row: String
    /// Returns a row as JSON for an export.
    let json: @Sendable (Row) throws -> JSON
    /// The statement that deletes the rows of the person `?1`, or the person's data in them.
    let erase: String
    /// The number of rows that an export reads at a time.
    var partSize = 100

    /// All tables, in the order of erasure. A table that is looked up through another one precedes it.
    package static let all: [PersonalTable] = [
        .purges, .batches, .attributes, .deliveries, .imports, .events, .reach, .outbox, .blobs, .tokenEnds,
        .endedTokens, .audit,
    ]

    /// Returns the argument `?1` of the statements.
    func owner(_ person: Person) -> DatabaseValue {
        isByName ? person.name.databaseValue : person.id.databaseValue
    }
}

extension ReadTransaction {
    /// Returns the keys of a person's rows in a table, in the order of an export.
    func keys(of owner: DatabaseValue, in table: PersonalTable) throws -> [DatabaseValue] {
        try DatabaseValue.fetchAll(db, sql: table.keys, arguments: [owner])
    }

    /// Returns a row as JSON for an export, or nil if it was deleted meanwhile.
    func row(_ key: DatabaseValue, of owner: DatabaseValue, in table: PersonalTable) throws -> JSON? {
        try db.row(table.row, [owner, key]).map { try table.json($0) }
    }
}
