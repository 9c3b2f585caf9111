import GRDB
import Postgres
import Testing

@testable import InboxService

/// Rows of a test, in the order in which they are given.
private final class GivenRows: MovedRows {
    private var rows: ArraySlice<MovedRow>

    init(_ rows: [MovedRow]) { self.rows = rows[...] }

    func next() -> MovedRow? { rows.popFirst() }
}

/// The description of the tables that a move uses, and what is derived from it.
@Suite(.timeLimit(.minutes(5))) struct MovedTableTests {
    // MARK: The tables of both databases

    /// What PostgreSQL has beside the rows: the versions, counts that triggers keep, and slots, whose rows are summed.
    private static let notMoved: Set = [
        "erasure.parts", "erasure.vacuumedat", "node.id", "node.session", "node.seenat", "node.groups", "node.message",
        "node.claims", "node.endedsession", "node.endedgroup", "node.fence",
        "migration.name", "migration.at", "migration.needed", "webhookcount.webhook", "webhookcount.slot",
        "webhookcount.pending", "webhookcount.dead", "figure.slot", "actionfigure.slot", "audit.slot",
    ]

    @Test func `each column of SQLite is moved`() throws {
        let queue = try DatabaseQueue()
        try Schema.migrator.migrate(queue)
        let found = try queue.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT m.name, c.name, c.type FROM sqlite_master m JOIN pragma_table_info(m.name) c
                    WHERE m.type = 'table' AND m.name NOT IN ('grdb_migrations', 'sqlite_sequence')
                    """
            ).map { "\($0[0] as String).\($0[1] as String) \($0[2] as String)" }
        }
        let moved = MovedTable.all.filter(\.isOnSQLite).flatMap { table in
            table.columns.filter { $0.sqlite != "rowid" }.map { column in
                let type =
                    switch column.kind {
                    case .integer, .small, .flag: "INTEGER"
                    case .text: "TEXT"
                    case .bytes: "BLOB"
                    }
                return "\(table.name).\(column.sqlite) \(type)"
            }
        }
        #expect(found.count > 100)
        #expect(Set(found).subtracting(moved).sorted() == [])
        #expect(Set(moved).subtracting(found).sorted() == [])
        #expect(moved.count == found.count)
    }

    @Test func `each column of PostgreSQL is moved`() async throws {
        let found = try await StorageDatabase.migrated.value.0.use(nil) { connection in
            try connection.execute(
                """
                SELECT c.relname::text, a.attname::text, format_type(a.atttypid, a.atttypmod)
                FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
                WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
                    AND a.attnum > 0 AND NOT a.attisdropped
                """
            ).map { row in
                let (table, column, type): (String, String, String) = (try row[0], try row[1], try row[2])
                return (name: "\(table).\(column)", type: type)
            }
        }
        let moved = MovedTable.all.flatMap { table in
            table.postgresColumns.map { place in
                let column = table.columns[place]
                let type =
                    switch column.kind {
                    case .integer: "bigint"
                    case .small: "smallint"
                    case .flag: "boolean"
                    case .text: "text"
                    case .bytes: "bytea"
                    }
                return "\(table.postgresName).\(column.postgresName) \(type)"
            }
        }
        let others = found.filter { !Self.notMoved.contains($0.name) }.map { "\($0.name) \($0.type)" }
        #expect(Set(others).subtracting(moved).sorted() == [])
        #expect(Set(moved).subtracting(others).sorted() == [])
        #expect(Self.notMoved.isSubset(of: found.map(\.name)))
    }

    @Test func `each sequence of PostgreSQL is set, and each number that SQLite keeps`() async throws {
        let sequences = try await StorageDatabase.migrated.value.0.use(nil) { connection in
            try connection.execute("SELECT relname::text FROM pg_class WHERE relkind = 'S'").map { row in
                try row[0] as String
            }
        }
        #expect(Set(MovedNumber.all.map(\.sequence)) == Set(sequences))
        let queue = try DatabaseQueue()
        try Schema.migrator.migrate(queue)
        let kept = try await queue.read { db in
            try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE sql LIKE '%AUTOINCREMENT%'")
        }
        #expect(Set(MovedNumber.all.filter(\.isKept).map(\.table)) == Set(kept))
    }

    /// Otherwise a part would sort the whole table, and a move would take the square of its time.
    @Test func `SQLite reads each table in the order of an index`() throws {
        let queue = try DatabaseQueue()
        try Schema.migrator.migrate(queue)
        try queue.read { db in
            for table in MovedTable.all {
                for isContinued in [false, true] {
                    let plan = try Row.fetchAll(
                        db,
                        sql: "EXPLAIN QUERY PLAN " + table.sqliteSelect(isContinued: isContinued),
                        arguments: StatementArguments(isContinued ? table.key.map { _ in 0 } : [])
                    ).map { $0["detail"] as String }
                    #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(table.name): \(plan)")
                    if isContinued { #expect(plan.contains { $0.hasPrefix("SEARCH") }, "\(table.name): \(plan)") }
                }
            }
        }
    }

    // MARK: What PostgreSQL can't store

    private static let table = MovedTable(
        "sample",
        key: [.integer("id"), .text("part")],
        [.text("content"), .small("state"), .flag("isOn"), .bytes("hash")]
    )

    private func problem(_ place: Int, _ value: MovedValue) -> String? {
        var row: MovedRow = [
            .integer(7), .text(Array("a".utf8)), .text(Array("é".utf8)), .integer(1), .integer(0), .bytes([0]),
        ]
        row[place] = value
        do throws(MaintenanceError) {
            try Self.table.checkForPostgres(row)
            return nil
        } catch {
            return error.description
        }
    }

    @Test func `a value that PostgreSQL can't store is named by table, key and column`() throws {
        #expect(problem(2, .text(Array("\u{FFFD}".utf8))) == nil)
        #expect(problem(2, .text([])) == nil)
        #expect(problem(2, .null) == nil)
        #expect(problem(3, .integer(32_767)) == nil)
        #expect(problem(5, .bytes([0, 0xFF])) == nil)
        let zero = try #require(problem(2, .text(Array("a\0b".utf8))))
        #expect(zero.hasPrefix(#"sample (id 7, part "a"), column content: the text contains U+0000"#))
        #expect(problem(2, .text([0x61, 0xFF]))?.contains("column content: the text isn't UTF-8") == true)
        #expect(problem(2, .bytes([0x61]))?.contains("another type") == true)
        #expect(problem(3, .integer(32_768))?.contains("column state: 32768 isn't in the column's range") == true)
        #expect(problem(4, .integer(2))?.contains("column isOn: 2 is neither 0 nor 1") == true)
        #expect(problem(0, .fraction)?.contains("column id: the value has another type") == true)
        #expect(problem(1, .text([0]))?.contains("column part") == true)
    }

    // MARK: The comparison

    private func compare(_ one: [MovedRow], _ other: [MovedRow]) throws -> (RowComparison, compared: Int) {
        let table = MovedTable("t", key: [.integer("a"), .text("b")], [.text("c"), .integer("d")])
        var comparison = RowComparison()
        var count = 0
        try comparison.compare(table, source: GivenRows(one), target: GivenRows(other)) { count += 1 }
        return (comparison, count)
    }

    private func row(_ a: Int, _ b: String, _ c: String? = nil, _ d: Int = 0) -> MovedRow {
        [.integer(a), .text(Array(b.utf8)), c.map { .text(Array($0.utf8)) } ?? .null, .integer(d)]
    }

    @Test func `equal rows have no difference, and a null isn't an empty text`() throws {
        let rows = [row(1, ""), row(1, "a", "x"), row(2, "\u{0}", "", 5)]
        #expect(try compare(rows, rows).0.count == 0)
        #expect(try compare(rows, rows).compared == 3)
        #expect(try compare([], []).0.count == 0)
        #expect(try compare([row(1, "a", "")], [row(1, "a")]).0.differences == [#"t (a 1, b "a") differs in c"#])
        // Equal to Swift's strings, but other bytes.
        #expect(try compare([row(1, "a", "\u{E9}")], [row(1, "a", "e\u{301}")]).0.count == 1)
    }

    @Test func `missing, additional and changed rows are each found once at any place`() throws {
        let all = [row(-1, "z"), row(1, "a"), row(1, "b"), row(2, ""), row(3, "é")]
        for place in all.indices {
            var fewer = all
            fewer.remove(at: place)
            let missing = try compare(all, fewer)
            #expect(missing.0.differences.count == 1 && missing.compared == all.count)
            #expect(missing.0.differences.first?.hasSuffix("is missing in the target") == true)
            let more = try compare(fewer, all)
            #expect(more.0.differences.count == 1 && more.compared == fewer.count)
            #expect(more.0.differences.first?.hasSuffix("is in the target alone") == true)
            var changed = all
            changed[place][2] = .text([0x61])
            changed[place][3] = .integer(9)
            let differs = try compare(all, changed).0
            #expect(differs.differences.count == 1)
            #expect(differs.differences.first?.hasSuffix("differs in c, d") == true)
        }
        #expect(try compare(all, []).0.count == all.count)
        #expect(try compare([], all).0.count == all.count)
    }

    @Test func `the first 20 differences are named, and all are counted`() throws {
        let comparison = try compare((0..<100).map { row($0, "") }, []).0
        #expect(comparison.count == 100)
        #expect(comparison.differences.count == 20)
        #expect(comparison.differences.last == #"t (a 19, b "") is missing in the target"#)
    }
}
