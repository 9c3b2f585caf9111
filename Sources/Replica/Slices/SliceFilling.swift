import Groundwork

/// How far the asking for a slice has come: a machine without input or output.
struct SliceFilling: Sendable {
    let slice: Slice
    /// The groups that it had, and whether they matched.
    let before: [String: Bool]
    /// The groups that it has by now.
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

    /// The filter to ask with; nil where the server takes none of them.
    var currentFilter: JSON? { slice.filters.indices.contains(filter) ? slice.filters[filter] : nil }

    /// How many there are to find.
    private var wanted: Int? { currentFilter == nil ? slice.wanted ?? Slice.newest : slice.wanted }

    /// What to ask for next.
    func next(resolved filter: JSON?) -> SliceQuestions.Part {
        let missing = wanted.map { $0 - found } ?? Self.page
        // Where the query has but a few of what the server gives, small steps would lead nowhere.
        let limit = position == 0 ? missing : max(missing, Self.step)
        return SliceQuestions.Part(
            filter: filter ?? .null,
            isCollapsed: slice.isCollapsed,
            position: position,
            limit: min(limit, Self.page)
        )
    }

    private static let page = 500
    private static let step = 50

    /// The server doesn't take the filter: the next one is tried from the start.
    mutating func refused() {
        (filter, position, found, groups) = (filter + 1, 0, 0, [:])
    }

    /// Takes what the server gave, in its order: each with its group, and whether the query has it. What comes after
    /// the last one that is wanted stays too: it has been fetched to be looked at, and would be again.
    mutating func take(_ records: [(group: String, matches: Bool)], of count: Int, isLast: Bool) {
        let isOpen = currentFilter == nil
        position += count
        for (group, matches) in records {
            groups[group] = (groups[group] ?? false) || matches
            // Where nothing was said to the server, all that it has could be looked through in vain.
            if matches || isOpen { found += 1 }
        }
        isDone = isLast || wanted.map { found >= $0 } ?? false
    }
}
