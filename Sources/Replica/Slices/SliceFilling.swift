import Groundwork

/// The progress of fetching a slice.
///
/// A state machine without I/O.
struct SliceFilling: Sendable {
    let slice: Slice
    /// The groups that the slice had before, and whether each of them matched.
    let before: [String: Bool]
    /// The groups that have been found so far, and whether each of them matches.
    private(set) var groups: [String: Bool] = [:]
    private(set) var isDone = false
    private var filter = 0
    private var position = 0
    private var found = 0

    init(_ slice: Slice, before: [String: Bool]) {
        self.slice = slice
        self.before = before
        isDone = slice.wanted == 0
    }

    /// The filter of the next request; nil if the server has rejected all of them.
    var currentFilter: JSON? { slice.filters.indices.contains(filter) ? slice.filters[filter] : nil }

    /// The number of matches to find; nil for all.
    private var wanted: Int? { currentFilter == nil ? slice.wanted ?? Slice.defaultLimit : slice.wanted }

    /// Returns the next page to request.
    ///
    /// - Parameter filter: ``currentFilter``, completed with the store's values.
    func next(resolved filter: JSON?) -> SliceRequests.Part {
        let missing = wanted.map { $0 - found } ?? Self.page
        // Small pages would take many requests if the query matches few of the records that the server returns.
        let limit = position == 0 ? missing : max(missing, Self.step)
        return SliceRequests.Part(
            filter: filter ?? .null,
            isCollapsed: slice.isCollapsed,
            position: position,
            limit: min(limit, Self.page)
        )
    }

    private static let page = 500
    private static let step = 50

    /// Records that the server rejected the filter. The next filter starts from the first page.
    mutating func refused() {
        (filter, position, found, groups) = (filter + 1, 0, 0, [:])
    }

    /// Adds the records that the server returned, in its order: the group of each, and whether the query matches it.
    ///
    /// Records beyond the wanted number are kept too, because they have already been fetched for matching.
    ///
    /// - Parameters:
    ///   - count: The number of ids that the server returned.
    ///   - isLast: Whether the server has no further records.
    mutating func add(_ records: [(group: String, matches: Bool)], of count: Int, isLast: Bool) {
        let isOpen = currentFilter == nil
        position += count
        for (group, matches) in records {
            groups[group] = (groups[group] ?? false) || matches
            // Without a filter every record counts. Otherwise all of the server's records might be read without a
            // match.
            if matches || isOpen { found += 1 }
        }
        isDone = isLast || wanted.map { found >= $0 } ?? false
    }
}
