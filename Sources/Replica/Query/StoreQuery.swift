import Foundation
package import GRDB
package import Groundwork

/// A translated query, ready to be run on the store, on the server, and on records in memory.
package struct StoreQuery<Record: Sendable>: Sendable {
    package let table: QueryTable<Record>
    /// The phases of the records; empty for all. Their meaning is up to the type.
    let phases: [Int]
    package let condition: QueryExpression<Record>
    package let order: QueryOrder<Record>
    package var limit: Int?
    package var offset: Int
    /// The part of the condition that SQL decides.
    private let filter: QueryFilter

    /// Translates a query.
    ///
    /// - Parameters:
    ///   - phases: The phases of the records; empty for all.
    ///   - scope: A condition that has to be met in addition to the predicate.
    /// - Throws: ``QueryError``.
    package init(
        _ query: Query<Record> = Query(),
        _ table: QueryTable<Record>,
        phases: [Int] = [],
        scope: QueryExpression<Record>? = nil
    ) throws(QueryError) {
        guard query.limit ?? 0 >= 0, query.offset >= 0 else {
            throw QueryError("A query's limit and offset must not be negative.")
        }
        self.table = table
        self.phases = phases
        var parts = scope.map { [$0] } ?? []
        if let predicate = query.predicate { parts.append(try QueryReader.read(predicate, fields: table.fields)) }
        condition = parts.dropFirst().reduce(parts.first ?? .constant(.bool(true))) { .and($0, $1) }
        order = query.sort.isEmpty ? table.order : try QueryOrder(query.sort, fields: table.fields, id: table.id)
        // The cap is more than any device holds, and far from overflow.
        limit = query.limit.map { min($0, Self.most) }
        offset = min(query.offset, Self.most)
        filter = condition.filter.inColumns.within(Self.sqlLimits)
    }

    private static var most: Int { Int(Int32.max) }

    /// The limits for SQLite: its parser has a stack of 100 symbols, expressions are at most 1,000 levels deep, and a
    /// statement has 32,766 values, of which lists are padded to twice their length. The rest is decided in memory.
    private static var sqlLimits: FilterLimits { FilterLimits(depth: 12, terms: 900, values: 15_000) }

    /// Returns whether a row matches the query.
    func matches(_ row: QueryTable<Record>.Row) -> Bool {
        (phases.isEmpty || phases.contains(row.phase)) && condition.matches(row.record)
    }

    /// The filter for the server; nil for none. It may pass records that don't match.
    package var serverFilter: JSON? {
        condition.filter.within(table.type.filterLimits).json
    }

    // MARK: - The store

    /// Returns the records.
    package func fetch(_ db: Database) throws -> [Record] {
        var records: [Record] = []
        try forEach(db) { records.append($0.record) }
        return records
    }

    /// Returns the number of matching records, regardless of the limit and the offset: of all records on the server if
    /// outline rows can decide the query, otherwise of those on the device.
    package func count(_ db: Database) throws -> Int {
        let outlineFilter = outlineFilter
        guard table.type.outline != nil, filter.isExact, outlineFilter.isExact, condition.filter.isExact else {
            return try countOnDevice(db)
        }
        var arguments = StatementArguments()
        let sql = "SELECT count(*) FROM \"\(table.type.outlineTable)\"\(whereClause(outlineFilter, &arguments))"
        return try countOnDevice(db) + (Int.fetchOne(db.cachedStatement(sql: sql), arguments: arguments) ?? 0)
    }

    /// Returns whether the server has no further records that belong to a result.
    ///
    /// - Parameter shown: The records that the query returned.
    package func isComplete(_ shown: [Record], _ db: Database) throws -> Bool {
        guard let outline = table.type.outline else { return true }
        guard try db.hasCompleteOutline(table.type) else { return false }
        var arguments = StatementArguments()
        var clause = whereClause(outlineFilter, &arguments)
        // In a list that is full, only records that sort before its last one can be missing.
        if let limit, shown.count >= limit, let last = shown.last, order.keys.count == 1, let key = order.keys.first,
            outline.columns.contains(key.field.column.name)
        {
            clause += clause.isEmpty ? " WHERE " : " AND "
            clause += before(last, by: key, &arguments)
        }
        let sql = "SELECT 1 FROM \"\(table.type.outlineTable)\"\(clause) LIMIT 1"
        return try Int.fetchOne(db.cachedStatement(sql: sql), arguments: arguments) == nil
    }

    /// Returns an SQL condition for the rows that precede a record in the order of one key. Null sorts before every
    /// value.
    private func before(_ last: Record, by key: QueryOrder<Record>.Key, _ arguments: inout StatementArguments) -> String
    {
        let column = "\"\(key.field.column.name)\""
        let (id, sign) = (table.id(last).databaseValue, key.isAscending ? "<" : ">")
        guard let value = key.field.read(last).columnValue else {
            arguments += [id]
            return "(\(key.isAscending ? "" : "\(column) IS NOT NULL OR ")(\(column) IS NULL AND id \(sign) ?))"
        }
        arguments += [value, id]
        return "(\(key.isAscending ? "\(column) IS NULL OR " : "")(\(column), id) \(sign) (?, ?))"
    }

    /// Whether outline rows alone decide which records match, and in which order.
    package var isDecidedByOutline: Bool {
        let (outlineFilter, columns) = (outlineFilter, table.type.outline?.columns ?? [])
        return outlineFilter.isExact && condition.filter.isExact
            && order.keys.allSatisfy { columns.contains($0.field.column.name) }
    }

    /// Returns the ids of the first records that aren't on the device and may match: in the query's order if outline
    /// rows decide it, otherwise in the outline's.
    package func missing(_ db: Database, limit: Int) throws -> [String] {
        guard let outline = table.type.outline else { return [] }
        var arguments = StatementArguments()
        let clause = whereClause(outlineFilter, &arguments)
        let order = isDecidedByOutline ? order.sql : "\"\(outline.order)\" DESC, id DESC"
        arguments += [limit]
        return try String.fetchAll(
            db.cachedStatement(
                sql: "SELECT id FROM \"\(table.type.outlineTable)\"\(clause) ORDER BY \(order) LIMIT ?"
            ),
            arguments: arguments
        )
    }

    /// The part of the condition that outline rows decide.
    private var outlineFilter: QueryFilter {
        let names = Set(table.type.outline?.columns ?? [])
        return condition.filter.within(Self.sqlLimits).keeping { field in
            if case .column(let column) = field { names.contains(column.name) || column.name == "id" } else { false }
        }
    }

    /// Returns the number of matching records on the device, regardless of the limit and the offset.
    package func countOnDevice(_ db: Database) throws -> Int {
        var arguments = StatementArguments()
        guard filter.isExact else {
            var all = self
            (all.limit, all.offset) = (nil, 0)
            var count = 0
            try all.forEach(db) { _ in count += 1 }
            return count
        }
        let statement = try db.cachedStatement(
            sql: "SELECT count(*) FROM \"\(table.type.table)\"\(whereClause(filter, &arguments))"
        )
        return try Int.fetchOne(statement, arguments: arguments) ?? 0
    }

    /// Calls a closure with each row of the result, in order.
    func forEach(_ db: Database, _ body: (QueryTable<Record>.Row) -> Void) throws {
        var arguments = StatementArguments()
        var sql =
            "SELECT \(table.selection) FROM \"\(table.type.table)\"\(whereClause(filter, &arguments)) "
            + "ORDER BY \(order.sql)"
        // If SQL can't decide the whole condition, it can't apply the limit and the offset.
        if filter.isExact {
            sql += " LIMIT ? OFFSET ?"
            arguments += [limit ?? -1, offset]
            return try table.read(db.cachedStatement(sql: sql), arguments) { row in
                body(row)
                return true
            }
        }
        guard limit != 0 else { return }
        var passed = 0
        try table.read(db.cachedStatement(sql: sql), arguments) { row in
            guard condition.matches(row.record) else { return true }
            passed += 1
            if passed > offset { body(row) }
            return limit.map { passed < offset + $0 } ?? true
        }
    }

    /// Returns a `WHERE` clause of the phases and a filter; empty if there are no conditions.
    private func whereClause(_ filter: QueryFilter, _ arguments: inout StatementArguments) -> String {
        var parts: [String] = []
        // Literals instead of arguments, so that SQLite can use partial indexes.
        switch phases.count {
        case 0: break
        case 1: parts.append("phase = \(phases[0])")
        default: parts.append("phase IN (\(phases.map(String.init).joined(separator: ", ")))")
        }
        if let sql = filter.sql(&arguments) { parts.append(sql) }
        return parts.isEmpty ? "" : " WHERE \(parts.joined(separator: " AND "))"
    }
}

extension QueryValue {
    /// The value as it is stored in a column; nil for null, and for values that no column contains.
    fileprivate var columnValue: DatabaseValue? {
        switch self {
        case .bool(let bool): bool.databaseValue
        case .integer(let integer): integer.databaseValue
        case .date(let milliseconds): Int(milliseconds).databaseValue
        case .text(let text): text.databaseValue
        case .null, .number, .list, .object: nil
        }
    }
}
