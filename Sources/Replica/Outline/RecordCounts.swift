package import GRDB
import Groundwork

/// The counts of a type's records, bucket by bucket.
package struct RecordCounts: Hashable, Sendable {
    package var buckets: [CountBucket]
    /// Whether they are of all records that the server has. Where not, they are what the server counted last, with the
    /// person's unanswered writes over it; or of what is held, where the server has counted nothing.
    package var isExact: Bool

    /// How many a server may count in one bucket, and in how many buckets: so that sums stay far from where they
    /// overflow.
    static let (most, mostBuckets) = (Int(Int32.max), 10_000)

    package static let none = RecordCounts(buckets: [], isExact: false)

    package init(buckets: [CountBucket], isExact: Bool) {
        (self.buckets, self.isExact) = (buckets, isExact)
    }
}

extension Database {
    /// The counts of a type; none of one that has no counts.
    package func counts(_ type: RecordType) throws -> RecordCounts {
        guard let rule = type.counts else { return .none }
        guard type.outline != nil else { return RecordCounts(buckets: try keptCounts(type, rule), isExact: true) }
        guard try !knowsAll(type) else { return RecordCounts(buckets: try keptCounts(type, rule), isExact: true) }
        let counted = try serverCounts(type, rule)
        return RecordCounts(buckets: try counted ?? keptCounts(type, rule), isExact: false)
    }

    /// The counts of the rows that are there.
    private func keptCounts(_ type: RecordType, _ rule: RecordType.CountRule) throws -> [CountBucket] {
        let columns = (rule.buckets + rule.counters.map(\.name)).joined(separator: ", ")
        return try countBuckets(cachedStatement(sql: "SELECT \(columns) FROM \"\(type.countTable)\""), rule)
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

    /// What the server counted last, with the difference that the person's unanswered writes and provisional rows make;
    /// nil where it has counted nothing.
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
        if let bulkRule = type.outline?.bulk, let place = rule.buckets.firstIndex(of: bulkRule.scope) {
            for (values, some) in numbers where bulk.contains(where: { $0.reaches(values[place]) }) {
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

    /// By how much the rows with unanswered writes, and those that didn't come from the server, count otherwise than
    /// the server counts them.
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
    /// Notes what the server has counted, where not all records are known here. Numbers that no inbox has are brought
    /// into their range; of more buckets than any inbox has, nothing is noted.
    func setServerCounts(_ type: RecordType, _ counts: JSON) throws {
        guard let rule = type.counts, let list = counts.arrayValue, list.count <= RecordCounts.mostBuckets,
            try !db.knowsAll(type)
        else { return }
        let known = list.map { bucket in
            JSON.object(
                JSONObject(
                    rule.buckets.map { ($0, bucket[$0]?.stringValue.map(JSON.string) ?? .null) }
                        + rule.counters.map { counter in
                            (counter.name, JSON(min(max(bucket[counter.name]?.intValue ?? 0, 0), RecordCounts.most)))
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
