/// The list of a query that is kept up to date: a state machine without I/O.
///
/// Of a change it looks at the changed rows alone: whether they belong to the list, and where. It holds some more than
/// are shown, so that it has to read beyond its end only when these have run out.
package struct LiveList<Record: Sendable & Equatable>: Sendable {
    private let query: StoreQuery<Record>
    /// From the first that matches on, in order.
    private var held: [Record] = []
    /// Whether these are all that match.
    private var isComplete = false
    /// What is shown.
    private(set) var shown: [Record] = []

    package init(_ query: StoreQuery<Record>) {
        self.query = query
    }

    /// How many are needed so that all that is to be shown is held; nil for all.
    private var wanted: Int? { query.limit.map { query.offset + $0 } }

    /// How many more are held than are needed.
    private static var margin: Int { 32 }

    /// What to read where nothing is held, or too little.
    package var reading: StoreQuery<Record> {
        var reading = query
        reading.offset = 0
        reading.limit = wanted.map { $0 + Self.margin }
        return reading
    }

    /// Takes what ``reading`` gave.
    ///
    /// - Returns: What is different now in what is shown.
    package mutating func replace(with records: [Record]) -> ListChanges {
        held = records
        isComplete = reading.limit.map { records.count < $0 } ?? true
        return show { $0 != $1 }
    }

    /// Takes rows that changed, and the ids of those that were removed.
    ///
    /// - Returns: What is different now in what is shown; nil where the list has run short: then ``reading`` is to be
    ///   read and given to ``replace(with:)``.
    package mutating func apply(changed: [QueryTable<Record>.Row], removed: [String]) -> ListChanges? {
        let id = query.table.id
        let affected = Set(removed).union(changed.map { id($0.record) })
        let last = held.last
        held.removeAll { affected.contains(id($0)) }
        for row in changed where query.matches(row) {
            // What would come after the last that is held may not be the next: others may lie between.
            if !isComplete, let last, query.order.precedes(last, row.record) { continue }
            if !isComplete, last == nil { return nil }
            insert(row.record)
        }
        if let wanted {
            if !isComplete, held.count < wanted { return nil }
            if held.count > wanted + 2 * Self.margin {
                held.removeLast(held.count - wanted - Self.margin)
                isComplete = false
            }
        }
        return show { old, new in affected.contains(id(new)) && old != new }
    }

    private mutating func insert(_ record: Record) {
        var (low, high) = (0, held.count)
        while low < high {
            let middle = (low + high) / 2
            if query.order.precedes(held[middle], record) { low = middle + 1 } else { high = middle }
        }
        held.insert(record, at: low)
    }

    private mutating func show(_ isChanged: (Record, Record) -> Bool) -> ListChanges {
        let start = min(query.offset, held.count)
        let end = min(wanted ?? held.count, held.count)
        let new = start == 0 && end == held.count ? held : Array(held[start..<max(start, end)])
        let changes = ListChanges(from: shown, to: new, id: query.table.id, isChanged: isChanged)
        shown = new
        return changes
    }
}
