import GRDB
import Groundwork

/// A table with rows that belong to people: how they are exported, and how they are erased.
///
/// Every table with a column `person` is one; a test looks whether it is in ``all``.
struct PersonalTable: Sendable {
    /// The table's name in the database.
    let table: String
    /// What exports and receipts call its rows.
    let name: String
    /// Selects the keys of the rows of the person `?1`, in the order of an export.
    let keys: String
    /// Selects the row of the person `?1` with the key `?2`, for ``json``.
    let row: String
    /// A row as an export gives it.
    let json: @Sendable (Row) throws -> JSON
    /// Deletes the rows of the person `?1`.
    let erase: String
    /// How many rows an export reads at a time.
    var partSize = 100

    /// In the order in which they are erased: one that is looked up through another comes before it.
    static let all: [PersonalTable] = [
        .purges, .batches, .attributes, .deliveries, .imports, .events, .reach, .outbox, .blobs,
    ]
}
