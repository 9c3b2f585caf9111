package import GRDB

/// The counts of the records that have the same values in the columns by which they are counted.
package struct CountBucket: Hashable, Sendable {
    /// In the order of the rule's buckets; null is empty text.
    package let values: [String]
    /// In the order of the rule's counters.
    package let numbers: [Int]
}

extension Database {
    /// The counts of a type, bucket by bucket; none of one that has no counts.
    package func counts(_ type: RecordType) throws -> [CountBucket] {
        guard let rule = type.counts else { return [] }
        let buckets = rule.buckets.count
        let columns = (rule.buckets + rule.counters.map(\.name)).joined(separator: ", ")
        let statement = try cachedStatement(sql: "SELECT \(columns) FROM \"\(type.countTable)\"")
        let rows = try Row.fetchCursor(statement)
        let reader = ColumnReader(statement)
        var counts: [CountBucket] = []
        while try rows.next() != nil {
            counts.append(
                CountBucket(
                    values: (0..<buckets).map { reader.text(Int32($0)) },
                    numbers: rule.counters.indices.map { reader.int(Int32(buckets + $0)) }
                )
            )
        }
        return counts
    }
}
