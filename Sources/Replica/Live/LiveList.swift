/// The current result of a query, updated incrementally.
///
/// A state machine without I/O. A change is applied by examining the changed rows alone: whether they match, and at
/// which index. The list buffers some records beyond the shown ones, so the store is read again only when the buffer
/// has run out.
package struct LiveList<Record: Sendable & Equatable>: Sendable {
    private let query: StoreQuery<Record>
    /// The records from the first match on, in the query's order.
    private var buffer: [Record] = []
    /// Whether `buffer` contains all matches.
    private var isComplete = false
    /// The records that the query shows.
    private(set) var shown: [Record] = []

    package init(_ query: StoreQuery<Record>) {
        self.query = query
    }

    /// The number of records from the first match to the end of the query's range; nil for all.
    private var end: Int? { query.limit.map { query.offset + $0 } }

    /// The number of records to buffer beyond the needed ones.
    private static var margin: Int { 32 }

    /// The query to read when the list is empty or has run short.
    package var reading: StoreQuery<Record> {
        var reading = query
        reading.offset = 0
        reading.limit = end.map { $0 + Self.margin }
        return reading
    }

    /// Replaces the list with the result of ``reading``.
    ///
    /// - Returns: The changes to the shown records.
    package mutating func replace(with records: [Record]) -> ListChanges {
        buffer = records
        isComplete = reading.limit.map { records.count < $0 } ?? true
        return show { $0 != $1 }
    }

    /// Applies changed rows, and the ids of removed ones.
    ///
    /// - Returns: The changes to the shown records; nil if the list has run short. Then the result of ``reading`` has
    ///   to be passed to ``replace(with:)``.
    package mutating func apply(changed: [QueryTable<Record>.Row], removed: [String]) -> ListChanges? {
        let id = query.table.id
        let affected = Set(removed).union(changed.map { id($0.record) })
        let last = buffer.last
        buffer.removeAll { affected.contains(id($0)) }
        for row in changed where query.matches(row) {
            // A record that sorts after the last one of the list may not be the next match: others may lie between
            // them.
            if !isComplete, let last, query.order.precedes(last, row.record) { continue }
            if !isComplete, last == nil { return nil }
            insert(row.record)
        }
        if let end {
            if !isComplete, buffer.count < end { return nil }
            if buffer.count > end + 2 * Self.margin {
                buffer.removeLast(buffer.count - end - Self.margin)
                isComplete = false
            }
        }
        return show { old, new in affected.contains(id(new)) && old != new }
    }

    private mutating func insert(_ record: Record) {
        var (low, high) = (0, buffer.count)
        while low < high {
            let middle = (low + high) / 2
            if query.order.precedes(buffer[middle], record) { low = middle + 1 } else { high = middle }
        }
        buffer.insert(record, at: low)
    }

    private mutating func show(_ isChanged: (Record, Record) -> Bool) -> ListChanges {
        let start = min(query.offset, buffer.count)
        let end = min(end ?? buffer.count, buffer.count)
        let new = start == 0 && end == buffer.count ? buffer : Array(buffer[start..<max(start, end)])
        let changes = ListChanges(from: shown, to: new, id: query.table.id, isChanged: isChanged)
        shown = new
        return changes
    }
}
