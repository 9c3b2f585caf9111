import GRDB
import Groundwork

/// A table with rows that belong to people: how they are exported, and how they are erased.
///
/// Every table with a column `person`, the person's number, or `personName`, the app's id, is one; a test looks whether
/// it is in ``all``.
package struct PersonalTable: Sendable {
    /// The table's name in the database.
    let table: String
    /// What exports and receipts call its rows.
    package let name: String
    /// Whether the person `?1` is the app's id: rows of a person who may be unknown. Otherwise it is the person's
    /// number.
    var isByName = false
    /// Selects the keys of the rows of the person `?1`, in the order of an export.
    let keys: String
    /// Selects the row of the person `?1` with the key `?2`, for ``json``.
    let row: String
    /// A row as an export gives it.
    let json: @Sendable (Row) throws -> JSON
    /// Deletes the rows of the person `?1`, or what in them is of the person.
    let erase: String
    /// How many rows an export reads at a time.
    var partSize = 100

    /// In the order in which they are erased: one that is looked up through another comes before it.
    package static let all: [PersonalTable] = [
        .purges, .batches, .attributes, .deliveries, .imports, .events, .reach, .outbox, .blobs, .tokenEnds,
        .endedTokens, .audit,
    ]

    /// What the statements take as `?1`.
    func owner(_ person: Person) -> DatabaseValue {
        isByName ? person.name.databaseValue : person.id.databaseValue
    }
}
