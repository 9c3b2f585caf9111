package import GRDB
import Groundwork

/// The counts of a type's records, by bucket.
package struct RecordCounts: Hashable, Sendable {
    package var buckets: [CountBucket]
    /// Whether the counts include all records on the server. Otherwise they are the server's last counts with the
    /// pending writes applied, or, if the server has sent none, the counts of the stored rows.
    package var isExact: Bool

    /// The maximum count in a bucket, and the maximum number of buckets, that are accepted from a server. They keep
    /// sums far from overflow.
    static let (maxCount, maxBuckets) = (Int(Int32.max), 10_000)

    package static let none = RecordCounts(buckets: [], isExact: false)

    package init(buckets: [CountBucket], isExact: Bool) {
        (self.buckets, self.isExact) = (buckets, isExact)
    }
}

extension RecordType {
    /// Returns ``storedCounts``.
    func makeStoredCounts() -> String {
        guard let counts else { return "" }
        let columns = (counts.buckets + counts.counters.map(\.name)).joined(separator: ", ")
        return "SELECT \(columns) FROM \"\(countTable)\""
    }
}

extension Database {
    /// Returns the counts of a type. They are empty if the type has no counts.
    package func counts(_ type: RecordType) throws -> RecordCounts {
        guard let rule = type.counts else { return .none }
        guard type.outline != nil else { return RecordCounts(buckets: try storedCounts(type, rule), isExact: true) }
        guard try !hasCompleteOutline(type) else {
            return RecordCounts(buckets: try storedCounts(type, rule), isExact: true)
        }
        let counted = try serverCounts(type, rule)
        return RecordCounts(buckets: try counted ?? storedCounts(type, rule), isExact: false)
    }

    /// Returns the counts of the stored rows.
    private func storedCounts(_ type: RecordType, _ rule: RecordType.CountRule) throws -> [CountBucket] {
        try countBuckets(cachedStatement(sql: type.storedCounts), rule)
    }

    private func countBuckets(_ statement: Statement, _ rule: RecordType.CountRule) throws -> [CountBucket] {
        let buckets = rule.buckets.count
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

    /// Returns the server's last counts, corrected for pending writes and provisional rows; nil if the server has sent
    /// none.
    private func serverCounts(_ type: RecordType, _ rule: RecordType.CountRule) throws -> [CountBucket]? {
        let row = try Row.fetchOne(
            cachedStatement(sql: "SELECT counts, countedAt FROM outline WHERE type = ? AND counts IS NOT NULL"),
            arguments: [type.name]
        )
        guard let row, let list = try JSON(parsing: (row[0] as String).utf8).arrayValue else { return nil }
        var numbers: [[String]: [Int]] = [:]
        for object in list {
            let values = rule.buckets.map { (object[$0]?.stringValue ?? "").normalized }
            let some = rule.counters.map { object[$0.name]?.intValue ?? 0 }
            numbers[values] = zip(numbers[values] ?? some.map { _ in 0 }, some).map { $0 + $1 }
        }
        let bulk = try pendingBulk(type)
        if let bulkRule = type.outline?.bulk, let index = rule.buckets.firstIndex(of: bulkRule.scope) {
            for (values, some) in numbers where bulk.contains(where: { $0.reaches(values[index]) }) {
                numbers[values] = zip(rule.counters, some).map { bulk.clears($0.condition, bulkRule) ? 0 : $1 }
            }
        }
        for table in type.rowTables {
            for change in try changes(type, rule, table, countedAt: row[1], bulk: bulk) {
                let earlier = numbers[change.values] ?? change.numbers.map { _ in 0 }
                numbers[change.values] = zip(earlier, change.numbers).map { max(0, $0 + $1) }
            }
        }
        return numbers.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { CountBucket(values: $0, numbers: $1) }
    }

    /// Returns the difference between this device's counts and the server's, for rows with pending writes and for
    /// provisional rows.
    private func changes(
        _ type: RecordType,
        _ rule: RecordType.CountRule,
        _ table: String,
        countedAt time: Int,
        bulk: [PendingBulk]
    ) throws -> [CountBucket] {
        let isOwn = table == type.table
        let onServer = { (name: String) -> String in
            if name == "phase" {
                let phase = type.phase.rule { "\"\(type.column($0)?.isWritable == true ? "server_\($0)" : $0)\"" }
                return "(\(phase.replacing(":now", with: String(time))))"
            }
            return "\"\(type.column(name)?.isWritable == true ? "server_\(name)" : name)\""
        }
        let sums = rule.counters.map { counter in
            let there = isOwn ? "provisionalUntil IS NULL AND " : ""
            let bulkRule = type.outline?.bulk
            let server = bulk.clears(counter.condition, bulkRule) ? "(NOT (\(bulk.sql(bulkRule)))) AND " : ""
            return "sum((\(counter.condition.rule())) - (\(there)\(server)(\(counter.condition.rule(onServer)))))"
        }
        let names = rule.buckets.map { "ifnull(\"\($0)\", '')" }
        let provisional = isOwn ? " OR provisionalUntil IS NOT NULL" : ""
        let sql = """
            SELECT \((names + sums).joined(separator: ", ")) FROM "\(table)"
                WHERE id IN (SELECT id FROM pending WHERE type = '\(type.name)')\(provisional)
                GROUP BY \(names.joined(separator: ", "))
            """
        return try countBuckets(makeStatement(sql: sql), rule)
    }
}

extension StoreWriter {
    /// Stores the server's counts, unless all records are known on this device. Out-of-range numbers are clamped.
    /// Counts with too many buckets are ignored.
    func setServerCounts(_ type: RecordType, _ counts: JSON) throws {
        guard let rule = type.counts, let list = counts.arrayValue, list.count <= RecordCounts.maxBuckets,
            try !db.hasCompleteOutline(type)
        else { return }
        let known = list.map { bucket in
            JSON.object(
                JSONObject(
                    rule.buckets.map { ($0, bucket[$0]?.stringValue.map(JSON.string) ?? .null) }
                        + rule.counters.map { counter in
                            (
                                counter.name,
                                JSON(min(max(bucket[counter.name]?.intValue ?? 0, 0), RecordCounts.maxCount))
                            )
                        }
                )
            )
        }
        try db.execute(
            sql: """
                INSERT INTO outline(type, isComplete, counts, countedAt) VALUES (?, 0, ?, ?)
                    ON CONFLICT DO UPDATE SET counts = excluded.counts, countedAt = excluded.countedAt
                """,
            arguments: [type.name, JSON.array(known).description, now]
        )
    }
}

/// The counts of the records that have the same values in the columns by which they are counted.
package struct CountBucket: Hashable, Sendable {
    /// The columns' values, in the order of the rule's buckets. Null is an empty text.
    package let values: [String]
    /// The counts, in the order of the rule's counters.
    package let numbers: [Int]
}
