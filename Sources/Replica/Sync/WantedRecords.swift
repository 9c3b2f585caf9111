package import Groundwork

/// Records beyond a device's window, for which a query or the person asked.
package enum WantedRecords: Hashable, Sendable {
    /// By id.
    case ids([String])
    /// The first ones that the server has for a filter, in an order.
    ///
    /// The filter may let more pass than the query has, so they are asked for in pages, each of no more than the limit.
    case matches(filter: JSON, sort: JSON, position: Int, limit: Int)
}

/// What the server said of ``WantedRecords``. Those that it has are there by then.
package struct WantedAnswer: Hashable, Sendable {
    /// How many it named.
    package var count: Int
    /// Whether there are none beyond these.
    package var isLast: Bool
    /// The state as of which it said so; nil where that isn't known.
    package var state: String?
}

/// Somebody waits for records beyond the window.
struct Wish: Sendable {
    let number: Int
    /// The type's name.
    let type: String
    let records: WantedRecords
    /// What became of it; nil while the server hasn't been asked, or hasn't answered.
    var outcome: Result<WantedAnswer, SyncError>?

    func isSame(as other: Wish) -> Bool { type == other.type && records == other.records }
}
