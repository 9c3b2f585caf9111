package import Groundwork

/// What a query asks a server for, of a type of which a device holds slices: the newest records that pass a filter.
package struct Slice: Sendable {
    /// Names the query: the same one has the same key in every process.
    package let key: String
    /// Filters of `/query`: the next one is asked with where a server doesn't take the one before. Each may let more
    /// pass than the query has, and none less. Where there is none, or none is taken, the newest of all records are
    /// asked for.
    package let filters: [JSON]
    /// Whether the query is about groups, each of which counts once.
    package let isCollapsed: Bool
    /// How many the query shows; nil for all.
    package let wanted: Int?

    /// - Parameter query: A text that no other query has, of whatever length.
    package init(query: String, filters: [JSON], isCollapsed: Bool, wanted: Int?) {
        self.init(key: StoreLocation.digest(of: query), filters, isCollapsed, wanted)
    }

    init(key: String, _ filters: [JSON], _ isCollapsed: Bool, _ wanted: Int?) {
        self.key = key
        self.filters = filters
        self.isCollapsed = isCollapsed
        self.wanted = wanted
    }

    /// How many of the newest records are asked for where nothing of a query can be said to a server, and it has no
    /// limit.
    static let newest = 200
    /// How many slices of a type are kept; the ones that weren't used for longest go.
    package static let most = 50
    /// After so long without use a slice goes, in milliseconds.
    static let longestUnused = 30 * 86_400_000
    /// How exactly it is known when a slice was last used, in milliseconds.
    static let useInterval = 3_600_000
    /// What was asked for by id stays so long, whatever becomes of the slices, in milliseconds: it may be on a screen.
    static let longestOpened = 86_400_000
}
