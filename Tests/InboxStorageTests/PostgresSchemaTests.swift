import GRDB
import Postgres
import Testing

@testable import InboxService

/// A column or an index, as both databases describe it. Names are in lower case, as PostgreSQL folds them.
private struct Part: Hashable, Comparable, CustomStringConvertible {
    let table: String
    let name: String
    var detail = ""

    var description: String { "\(table).\(name) \(detail)" }

    static func < (lhs: Part, rhs: Part) -> Bool { lhs.description < rhs.description }
}

@Suite(.timeLimit(.minutes(5))) struct PostgresSchemaTests {
    // MARK: What differs from SQLite, and nothing else

    private static let ownTables: Set = ["personname", "personaccount", "webhookcount", "migration", "node"]
    /// GRDB's list of migrations, and SQLite's sequences.
    private static let sqliteTables: Set = ["grdb_migrations", "sqlite_sequence"]
    private static let ownColumns: Set = [
        "erasure.parts", "erasure.vacuumedat", "figure.slot", "actionfigure.slot", "audit.slot", "blob.number",
    ]
    /// Counted in `webhookCount`.
    private static let sqliteColumns: Set = ["webhook.pending", "webhook.dead"]
    private static let flags: Set = ["webhook.isenabled", "webhook.isgone", "event.iswithheld"]
    private static let small: Set = [
        "message.state", "delivery.state", "delivery.withheld", "due.kind", "reach.reach", "idempotency.status",
    ]
    /// The primary key begins with the person.
    private static let sqliteIndexes: Set = ["reach_person", "outbox_person"]
    private static let ownIndexes: Set = ["delivery_message", "erasure_parts", "imported_message", "outbox_event"]

    // MARK: Both catalogs

    /// A file that was just migrated.
    private func sqlite<Value>(_ body: (Database) throws -> Value) throws -> Value {
        let queue = try DatabaseQueue()
        try Schema.migrator.migrate(queue)
        return try queue.read(body)
    }

    private func postgres<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        try await StorageDatabase.migrated.value.0.use(nil, body)
    }

    /// SQLite's columns, with what they have to be on PostgreSQL.
    private func sqliteColumns() throws -> Set<Part> {
        try sqlite { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT lower(m.name), lower(c.name), c.type, c."notnull" OR c.pk > 0, c.dflt_value
                    FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table'
                    """
            )
            return Set(
                rows.compactMap { row in
                    let (table, name, type, isRequired): (String, String, String, Bool) = (
                        row[0], row[1], row[2], row[3]
                    )
                    let column = "\(table).\(name)"
                    guard !Self.sqliteTables.contains(table), !Self.sqliteColumns.contains(column) else { return nil }
                    let isFlag = Self.flags.contains(column)
                    let kind =
                        switch type {
                        case "TEXT": "text C"
                        case "BLOB": "bytea"
                        case "INTEGER": isFlag ? "boolean" : Self.small.contains(column) ? "smallint" : "bigint"
                        default: type
                        }
                    var initial: String? = row[4]
                    if isFlag, initial == "0" { initial = "false" }
                    // Each has its own function.
                    if initial == "random()" { initial = "function" }
                    return Part(table: table, name: name, detail: detail(kind, isRequired, initial))
                }
            )
        }
    }

    private func postgresColumns() async throws -> Set<Part> {
        let rows = try await postgres { connection in
            try connection.execute(
                """
                SELECT c.relname::text, a.attname::text, format_type(a.atttypid, a.atttypmod), a.attnotnull,
                    coalesce(l.collname::text, ''), pg_get_expr(d.adbin, d.adrelid)
                FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
                LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
                LEFT JOIN pg_collation l ON l.oid = a.attcollation
                WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
                    AND a.attnum > 0 AND NOT a.attisdropped
                """
            ).map { row in
                (
                    try row[0] as String, try row[1] as String, try row[2] as String, try row[3] as Bool,
                    try row[4] as String, try row[5] as String?
                )
            }
        }
        return Set(
            rows.map { table, name, type, isRequired, collation, initial in
                var initial = initial.map { String($0.prefix { $0 != ":" }) }
                // Where SQLite's default isn't written: the numbers of rows.
                if initial?.hasPrefix("nextval") ?? false { initial = nil }
                if initial?.contains("'x'") ?? false { initial = "function" }
                let kind = type + (collation.isEmpty ? "" : " \(collation)")
                return Part(table: table, name: name, detail: detail(kind, isRequired, initial))
            }
        )
    }

    private func detail(_ kind: String, _ isRequired: Bool, _ initial: String?) -> String {
        kind + (isRequired ? " NOT NULL" : "") + (initial.map { " DEFAULT " + $0.replacing("'", with: "") } ?? "")
    }

    // MARK: Tests

    @Test func `each column of SQLite's tables has a counterpart of the same meaning`() async throws {
        let columns = try await postgresColumns()
        let shared = columns.filter { part in
            !Self.ownTables.contains(part.table) && !Self.ownColumns.contains("\(part.table).\(part.name)")
        }
        let expected = try sqliteColumns()
        #expect(expected.count > 100)
        #expect(expected.subtracting(shared).sorted() == [])
        #expect(shared.subtracting(expected).sorted() == [])
        // What is listed as different is there.
        #expect(Self.ownTables.isSubset(of: columns.map(\.table)))
        #expect(Self.ownColumns.isSubset(of: columns.map { "\($0.table).\($0.name)" }))
    }

    @Test func `each text is compared by its bytes`() async throws {
        let other = try await postgresColumns().filter { $0.detail.hasPrefix("text") && !$0.detail.hasPrefix("text C") }
        #expect(other.sorted() == [])
    }

    @Test func `a new database has the rows that a new file has`() async throws {
        let tables = Set(try sqliteColumns().map(\.table)).sorted()
        let counted = try sqlite { db in
            try tables.map { try Int.fetchOne(db, sql: "SELECT count(*) FROM \($0)") ?? 0 }
        }
        let counters = try sqlite { db in
            try Row.fetchAll(db, sql: "SELECT name, value FROM counter ORDER BY name").map {
                "\($0[0] as String)=\($0[1] as Int)"
            }
        }
        let (found, foundCounters) = try await postgres { connection in
            let found: [Int] = try tables.map { try connection.execute("SELECT count(*) FROM \($0)")[0][0] }
            let counters = try connection.execute("SELECT name, value FROM counter ORDER BY name")
            return (found, try counters.map { "\(try $0[0] as String)=\(try $0[1] as Int)" })
        }
        #expect(found == counted)
        #expect(foundCounters == counters)
        #expect(counters.count == 4)
    }

    @Test func `each index of SQLite's tables has a counterpart that begins with its columns`() async throws {
        let expected = try sqlite { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT lower(m.tbl_name), lower(m.name), l."unique", l.partial,
                        (SELECT group_concat(lower(name)) FROM
                            (SELECT name FROM pragma_index_xinfo(m.name) WHERE "key" ORDER BY seqno))
                    FROM sqlite_master m JOIN pragma_index_list(m.tbl_name) l ON l.name = m.name
                    WHERE m.type = 'index' AND l.origin = 'c'
                    """
            ).map { row in
                let columns: String = row[4]
                return (Part(table: row[0], name: row[1]), "\(row[2] as Bool) \(row[3] as Bool) \(columns)")
            }
        }
        let found = try await postgres { connection in
            try connection.execute(
                """
                SELECT t.relname::text, c.relname::text, i.indisunique, i.indpred IS NOT NULL,
                    (SELECT string_agg(a.attname::text, ',' ORDER BY k.place)
                    FROM unnest(i.indkey) WITH ORDINALITY k (number, place)
                    JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.number)
                FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid
                WHERE t.relnamespace = 'public'::regnamespace AND NOT c.relispartition
                """
            ).map { row in
                (
                    try row[0] as String, try row[1] as String,
                    "\(try row[2] as Bool) \(try row[3] as Bool) \(try row[4] as String)"
                )
            }
        }
        let byName = Dictionary(uniqueKeysWithValues: found.map { (Part(table: $0.0, name: $0.1), $0.2) })
        #expect(expected.count > 20)
        for (index, detail) in expected where !Self.sqliteIndexes.contains(index.name) {
            let other = byName[index] ?? ""
            #expect(other == detail || other.hasPrefix(detail + ","), "\(index): \(detail), and \(other)")
        }
        let names = Set(expected.map(\.0.name))
        let additional = byName.keys.map(\.name).filter { name in
            !names.contains(name) && !["_pkey", "_key"].contains { name.hasSuffix($0) }
        }
        #expect(Set(additional) == Self.ownIndexes)
        #expect(Self.sqliteIndexes.isSubset(of: names))
    }

    @Test func `tables of people's rows have 64 partitions, and keys that begin with the person`() async throws {
        let (partitions, keys) = try await postgres { connection in
            var partitions: [String: Int] = [:]
            let rows = try connection.execute(
                """
                SELECT c.relname::text, (SELECT count(*) FROM pg_inherits i WHERE i.inhparent = c.oid)
                FROM pg_class c WHERE c.relkind = 'p' AND c.relnamespace = 'public'::regnamespace
                """
            )
            for row in rows { partitions[try row[0]] = try row[1] as Int }
            var keys: [String: String] = [:]
            let first = try connection.execute(
                """
                SELECT t.relname::text, a.attname::text FROM pg_index i
                JOIN pg_class t ON t.oid = i.indrelid AND t.relkind = 'p'
                JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = i.indkey[0] WHERE i.indisprimary
                """
            )
            for row in first { keys[try row[0]] = try row[1] as String }
            return (partitions, keys)
        }
        let tables = PostgresSchema.personTables
        #expect(tables.count == 9)
        let names = (tables.map(\.name) + PostgresSchema.nameTables).map { $0.lowercased() }
        #expect(partitions == Dictionary(uniqueKeysWithValues: names.map { ($0, 64) }))
        var expected = ["personname": "name", "personaccount": "account"]
        for table in tables { expected[table.name] = table.person }
        #expect(keys == expected)
    }

    /// Names of the operator's and of this package, ids that aren't secret, and hashes that stay as long as their rows.
    private static let sampled: Set = [
        "actionfigure.action", "apikey.hash", "apikey.name", "apikey.scopes", "audit.erasure", "audit.kind",
        "audit.reason", "counter.name", "destroyedsurface.id", "erasure.id", "erasure.personhash", "erasure.removed",
        "event.type", "formertokenkey.hash", "imported.source", "message.campaign", "message.category",
        "message.consentcategory", "message.earlierconsentcategory", "message.grantedconsentcategory",
        "message.surface", "migration.name", "migration.needed", "outbox.type", "setting.name", "surface.id",
        "surface.settings", "webhook.types",
    ]

    @Test func `the planner has samples of those texts and bytes alone that are listed`() async throws {
        let columns = try await postgres { connection in
            try connection.execute(
                """
                SELECT c.relname || '.' || a.attname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
                WHERE c.relnamespace = \(PostgresNamespace.current) AND c.relkind IN ('r', 'p')
                    AND NOT c.relispartition AND a.attnum > 0 AND NOT a.attisdropped
                    AND a.atttypid IN ('text'::regtype, 'bytea'::regtype) AND coalesce(a.attstattarget, -1) <> 0
                """
            ).map { try $0[0] as String }
        }
        #expect(Set(columns).symmetricDifference(Self.sampled).sorted() == [])
    }

    @Test func `people's numbers and payloads' ids are unique in all partitions`() async throws {
        try await postgres { connection in
            let error = failure(RolledBack.self) {
                try connection.transaction { connection in
                    for table in ["person", "outbox"] {
                        for number in 1...40 {
                            connection.enqueue(
                                table == "person"
                                    ? "INSERT INTO person (name, account, sequence, createdAt) VALUES ($1, $1, 0, 0)"
                                    : """
                                    INSERT INTO outbox (webhook, event, person, type, body, createdAt, attempts, nextAt)
                                    VALUES (1, $1, length($1) + random() * 1000, '', '', 0, 0, 0)
                                    """,
                                ["\(number)"]
                            )
                        }
                        let row = try connection.execute(
                            "SELECT count(DISTINCT id), count(DISTINCT tableoid) FROM \(table)"
                        )
                        #expect(try row[0][0] == 40)
                        #expect(try row[0][1] > 10)
                    }
                    throw RolledBack()
                }
            }
            #expect(error != nil)
        }
    }
}

/// Ends a transaction of which nothing shall stay.
struct RolledBack: Error {}
