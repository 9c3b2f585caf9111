package import Groundwork

/// The part of a server's records that a query needs: the newest records that match a filter.
package struct Slice: Sendable {
    /// The digest of the query. Equal queries have the same key in every process.
    package let key: String
    /// The filters of `/query`, in order of preference. If the server rejects one, the next one is sent.
    ///
    /// A filter may match more records than the query, and never fewer. Without a filter, or if the server rejects all
    /// of them, the newest of all records are requested.
    package let filters: [JSON]
    /// Whether the query is about groups, each of which counts once.
    package let isCollapsed: Bool
    /// The number of records, or of groups, that the query shows; nil for all.
    package let wanted: Int?

    /// - Parameter query: A text of any length that identifies the query.
    package init(query: String, filters: [JSON], isCollapsed: Bool, wanted: Int?) {
        self.init(key: StoreLocation.digest(of: query), filters, isCollapsed, wanted)
    }

    init(key: String, _ filters: [JSON], _ isCollapsed: Bool, _ wanted: Int?) {
        self.key = key
        self.filters = filters
        self.isCollapsed = isCollapsed
        self.wanted = wanted
    }

    /// The number of the newest records to request where the server accepts none of a query's filters and the query has
    /// no limit.
    static let defaultLimit = 200
    /// The maximum number of slices of a type. The least recently used ones beyond it are dropped.
    package static let maxCount = 50
    /// The time after which an unused slice is dropped, in milliseconds.
    static let maxUnusedTime = 30 * 86_400_000
    /// The precision with which the last use of a slice is stored, in milliseconds.
    static let useInterval = 3_600_000
    /// The time for which records that were requested by id are kept even if no slice has them, in milliseconds. They
    /// may be on a screen.
    static let openedLifetime = 86_400_000
}
