/// The fetch of the newest records, page by page.
///
/// A state machine without I/O. If the list changes between two pages, a record may be missing from both. The list is
/// then requested from its start, ``maxReadings`` times at most.
struct WindowFetch: HalvingFetch, Hashable {
    struct Page: Hashable, Sendable {
        let position: Int
        let limit: Int
    }

    /// The maximum number of readings of a list that changes while it is read.
    static let maxReadings = 5

    /// The number of records to fetch; nil for all.
    private let maxRecords: Int?
    /// The state from which changes are requested after the fetch.
    private var state: String?
    private var size: HalvingSize
    private var position = 0
    private var readings = 1
    private var queryState: String?
    private var isComplete = false

    /// - Parameters:
    ///   - earliest: The state from which changes are requested; nil for that of the first page.
    ///   - limit: The server's `maxObjectsInGet`.
    init(since earliest: String?, maxRecords: Int?, limit: Int) {
        (state, self.maxRecords) = (earliest, maxRecords)
        size = HalvingSize(limit)
    }

    var next: Page? { isComplete ? nil : Page(position: position, limit: limit) }

    var canHalve: Bool { limit > 1 }

    private var limit: Int { min(size.value, maxRecords.map { $0 - position } ?? size.value) }

    /// Records the answer to a page.
    ///
    /// - Parameters:
    ///   - count: The number of ids on the page.
    ///   - state: The state from before the page was read.
    /// - Returns: The state from which changes are requested after the fetch, and whether the page was the last one.
    mutating func received(_ count: Int, state: String, queryState: String?) -> (start: String, isLast: Bool) {
        let start = self.state ?? state
        self.state = start
        let hasMoved = position > 0 && queryState != self.queryState && readings < Self.maxReadings
        self.queryState = queryState
        guard !hasMoved else {
            (position, readings) = (0, readings + 1)
            return (start, false)
        }
        position += count
        isComplete = count == 0 || maxRecords.map { position >= $0 } ?? false
        return (start, isComplete)
    }

    mutating func halve() { size.halve(requested: limit) }
}
