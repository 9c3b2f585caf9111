/// The reading of the ids of all records, page by page.
///
/// A state machine without I/O. If the list changes between two pages, a record may be missing from both. The list is
/// then requested from its start, ``WindowFetch/maxReadings`` times at most, and the result has the ids of all
/// readings.
struct IDListing: HalvingFetch, Hashable {
    /// The ids so far, in the server's order, without duplicates.
    private(set) var ids: [String] = []
    /// Whether no further page is needed.
    private(set) var isComplete = false
    private var known: Set<String> = []
    private var size = HalvingSize(10_000)
    private var position = 0
    private var readings = 1
    private var queryState: String?

    var next: WindowFetch.Page? {
        isComplete ? nil : WindowFetch.Page(position: position, limit: size.value)
    }

    var canHalve: Bool { size.canHalve }

    /// Records the answer to a page.
    ///
    /// - Parameter total: The number of ids in the list; nil if the server didn't report it.
    mutating func received(_ page: [String], total: Int?, queryState: String?) {
        ids += page.filter { known.insert($0).inserted }
        position += page.count
        self.queryState = self.queryState ?? queryState
        if self.queryState == queryState {
            isComplete = page.isEmpty || total.map { position >= $0 } ?? false
        } else if readings < WindowFetch.maxReadings {
            (position, readings, self.queryState) = (0, readings + 1, nil)
        } else {
            isComplete = true
        }
    }

    mutating func halve() { size.halve() }
}
