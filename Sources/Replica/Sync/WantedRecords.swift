package import Groundwork

/// Records beyond a device's window, for which a query or the person asked.
package enum WantedRecords: Hashable, Sendable {
    /// By id.
    case ids([String])
    /// The first ones that the server has for a filter, in an order.
    ///
    /// The filter may let more pass than the query has, so a number of them is asked for, and no more than the limit.
    case matches(filter: JSON, sort: JSON, limit: Int)
}

/// Somebody waits for records beyond the window.
struct Wish: Sendable {
    let number: Int
    /// The type's name.
    let type: String
    let records: WantedRecords
    /// What became of it; nil while the server hasn't been asked, or hasn't answered.
    var outcome: Result<Void, SyncError>?

    func isSame(as other: Wish) -> Bool { type == other.type && records == other.records }
}
