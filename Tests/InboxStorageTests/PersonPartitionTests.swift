import Foundation
import Groundwork
import InboxModel
import Postgres
import RunningPostgres
import SeededRandom
import Testing

@testable import InboxService

/// One test at a time: they share a database, some change its tables, and a reader of many would be in a deadlock.
@Suite(.serialized, .timeLimit(.minutes(5))) struct PersonPartitionTests {
    /// Numbers at the ends of ranges, small ones, and random ones of each length.
    private static let numbers: [Int] = {
        var random = Seeded(64)
        let powers = (0..<63).map { 1 << $0 }
        let edges: [Int] = powers.flatMap { power in [power - 1, power, power + 1].flatMap { [$0, -$0] } }
        let ends: [Int] = [Int.min, Int.min + 1, Int.max - 1, Int.max]
        let any: [Int] = (0..<4_000).map { Int.random(in: Int.min...Int.max, using: &random) >> ($0 % 63) }
        return ends + edges + Array(-500...4_000) + any
    }()

    @Test func `a person's partition is the one in which PostgreSQL has the person's rows`() async throws {
        let numbers = Self.numbers
        let partitions = numbers.map { PersonPartition(of: $0).number }
        #expect(Set(partitions) == Set(0..<64))
        let others = try await StorageDatabase.migrated.value.0.use { connection in
            try connection.execute(
                """
                SELECT person FROM unnest($1, $2) AS sample (person, number)
                WHERE NOT satisfies_hash_partition('delivery'::regclass, 64, number::integer, person)
                """,
                [numbers, partitions]
            ).map { try $0[0] as Int }
        }
        #expect(others == [])
    }

    // MARK: Writing

    /// Some of the names are unknown, one is there twice, and of two the numbers aren't those that were found before.
    @Test func `people are found and locked by the partitions as by the tables`() async throws {
        let database = try await StorageDatabase()
        let known = (1...70).map { "p\($0)" }
        let lists = [
            known, ["p1"], ["unknown"], ["p9", "unknown", "p1", "p9", "again", "erased", "cafe\u{301}", "caf\u{E9}"],
            [],
            ["p7", "again", "erased", "p70", "caf\u{E9}"],
        ]
        try await database.use { connection in
            _ = try PostgresSchema.prepare(connection)
            try connection.executeScript(
                """
                INSERT INTO person (id, name, account, sequence, createdAt)
                SELECT n, 'p' || n, 'a' || n, 10 * n, 1 FROM generate_series(1, 70) n
                UNION ALL VALUES (100, 'caf\u{E9}', 'a100', 1000, 1), (101, 'again', 'a101', 1010, 1);
                INSERT INTO personName (name, person) SELECT name, id FROM person UNION ALL SELECT 'erased', 1000
                """
            )
            let cache = Locked(PersonNumbers())
            cache.withLock { $0.add(1_000, of: "erased", sequence: 0) }
            for names in lists {
                func people(_ namesPartitions: Bool) throws -> (ResolvedPeople, tables: Set<String>) {
                    try connection.transaction { connection in
                        let transaction = PostgresTransaction(connection, namesPartitions: namesPartitions)
                        var people = try ResolvedPeople(locking: names, in: transaction, knowing: cache)
                        if !people.outdated.isEmpty {
                            try people.lock(people.outdated, in: transaction, knowing: cache)
                        }
                        let tables = try connection.execute(
                            """
                            SELECT DISTINCT relname::text FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
                            WHERE pid = pg_backend_pid() AND mode = 'RowShareLock' AND relkind IN ('r', 'p')
                            """
                        )
                        return (people, Set(try tables.map { try $0[0] as String }))
                    }
                }
                let byTable = try people(false).0
                // Of a person who was erased, and is there again since.
                cache.withLock { $0.add(90, of: "again", sequence: 0) }
                let byPartition = try people(true)
                #expect(byPartition.0.numbers == byTable.numbers)
                #expect(byPartition.0.sequences == byTable.sequences)
                #expect(byPartition.0.missing == byTable.missing)
                #expect(byTable.numbers.count + byTable.missing.count == Set(names.map { Array($0.utf8) }).count)
                #expect(byTable.sequences.allSatisfy { $0.value == 10 * $0.key })
                // Only the partitions of people whose numbers are known are opened.
                if byTable.missing.isEmpty, !names.contains("again") {
                    let partitions = Set(byTable.sequences.keys.map { PersonPartition(of: $0).number })
                    #expect(byPartition.tables == Set(partitions.map { PostgresSchema.partition($0, of: "person") }))
                }
            }
        }
    }

    @Test func `the numbers of people are kept for those who were written for lately`() {
        var people = PersonNumbers()
        func numbers(_ names: String...) -> [Int]? { people.entries(of: names)?.map(\.entry.number) }
        let limit = PersonNumbers.generationLimit
        people.add(1, of: "caf\u{E9}", sequence: 0)
        people.add(2, of: "cafe\u{301}", sequence: 0)
        let (both, unknown) = (numbers("caf\u{E9}", "cafe\u{301}"), numbers("caf\u{E9}", "unknown"))
        #expect(both == [2, 1] && unknown == nil)
        // Used again in each generation, it stays.
        var kept: [[Int]?] = []
        for generation in 1...2 {
            for number in 0..<limit { people.add(number, of: "\(generation) \(number)", sequence: 0) }
            kept.append(numbers("caf\u{E9}"))
        }
        let forgotten = numbers("cafe\u{301}")
        #expect(kept == [[1], [1]] && forgotten == nil)
    }

    @Test func `a sequence is expected once it was read as this server had left it`() {
        var people = PersonNumbers()
        func entry() -> PersonNumbers.Entry? { people.entries(of: ["ann"])?.first?.entry }
        func wrote(_ sequence: Int) { people.note([7: sequence, 8: 1]) }
        // A person who wasn't read isn't known by a write.
        wrote(1)
        #expect(entry() == nil)
        people.add(7, of: "ann", sequence: 1)
        wrote(2)
        #expect(entry() == PersonNumbers.Entry(number: 7, sequence: 2, isExpected: false))
        people.add(7, of: "ann", sequence: 2)
        wrote(3)
        #expect(entry() == PersonNumbers.Entry(number: 7, sequence: 3, isExpected: true))
        // Another server has written since.
        people.expectNothing(of: ["ann", "unknown"])
        #expect(entry() == PersonNumbers.Entry(number: 7, sequence: nil, isExpected: false))
        people.add(7, of: "ann", sequence: 9)
        #expect(entry()?.isExpected == false)
        // The same, where servers alternate.
        people.add(7, of: "ann", sequence: 11)
        #expect(entry()?.isExpected == false)
    }

    // MARK: Reading

    /// A database in which each of 400 people has the message with their own number, and the message 1,000.
    private static let database = Task {
        let database = try await StorageDatabase()
        try await database.use { connection in
            _ = try PostgresSchema.prepare(connection)
            try connection.executeScript(
                """
                INSERT INTO person (id, name, account, sequence, createdAt)
                SELECT n, 'p' || n, 'a' || n, 1, 1 FROM generate_series(1, 400) n;
                INSERT INTO message (id, content, surface, deliverAt, createdAt, recipients, state)
                SELECT n, '{"title":"' || n || '"}', 'inbox', n, n, 1, 1 FROM generate_series(1, 400) n
                UNION ALL SELECT 1000, '{"title":"all"}', 'inbox', 1000, 1000, 400, 1;
                INSERT INTO delivery (message, person, created, sequence, deliverAt, state)
                SELECT n, n, 1, 1, n, 1 FROM generate_series(1, 400) n
                UNION ALL SELECT 1000, n, 1, 1, 1000, 1 FROM generate_series(1, 400) n
                """
            )
        }
        return database
    }

    private static func person(_ number: Int) -> Person {
        Person(id: number, name: "p\(number)", account: "a\(number)")
    }

    /// The titles of a person's newest messages, in the transaction of a read.
    private static func newest(
        _ reading: ReadTransaction,
        of number: Int,
        isFetched: Bool = false
    ) throws -> [String?] {
        let inbox = reading.inbox(of: person(number))
        let filter = try InboxFilter(reading: JSONReader(["property": "deletedAt", "op": "equal", "value": .null]))
        let ids = try inbox.ids(filter: filter, isAscending: false, offset: 0, limit: 50, isFetched: isFetched)
        return try inbox.messages(ids).map(\.title)
    }

    private static let statements = """
        SELECT statement FROM pg_prepared_statements
        WHERE strpos(statement, 'delivery') > 0 OR strpos(statement, 'inboxMessage') > 0
        """

    private func withStorage(pooler: Bool = false, _ body: (Storage) async throws -> Void) async throws {
        let database = try await Self.database.value
        let pooler =
            pooler ? URL(string: database.server.address(database.name, port: database.server.poolerPort)) : nil
        let address = try #require(URL(string: database.server.address(database.name)))
        let storage = try await Storage.open(address, pooler: pooler)
        try await body(storage)
        try await storage.close()
    }

    @Test(arguments: [false, true])
    func `each person's newest messages are read from the person's partition`(throughPooler: Bool) async throws {
        try await withStorage(pooler: throughPooler) { storage in
            for number in [1, 2, 3, 77, 400] + Array(100..<200) {
                let (found, statements) = try await storage.read(of: Self.person(number)) { reading in
                    let found = try Self.newest(reading, of: number)
                    return (found, try reading.db.values(SQLText(Self.statements), isRare: true) as [String])
                }
                #expect(found == ["all", "\(number)"])
                let names = ["delivery", "inboxMessage"].map { table in
                    PostgresSchema.partition(PersonPartition(of: number).number, of: table)
                }
                for name in names {
                    #expect(statements.filter { $0.contains("\(name) d") }.count == (throughPooler ? 0 : 1))
                }
                #expect(statements.allSatisfy { $0.matches(of: /(delivery|inboxMessage)_[0-9]{2} d/).count > 0 })
            }
        }
    }

    @Test func `the state of an inbox is read from the person's partition`() async throws {
        try await withStorage { storage in
            for number in [1, 2, 77, 400] {
                let (own, statements) = try await storage.read(of: Self.person(number)) { reading in
                    let own = try reading.state(of: Self.person(number)).own
                    let sql =
                        "SELECT statement FROM pg_prepared_statements WHERE strpos(statement, 'sequence FROM') > 0"
                    return (own, try reading.db.values(SQLText(sql), isRare: true) as [String])
                }
                let name = PostgresSchema.partition(PersonPartition(of: number).number, of: "person")
                #expect(own == 1)
                #expect(statements.contains { $0.contains("sequence FROM \(name) ") }, "\(statements)")
            }
            let others = try await storage.read { reading in try reading.state(of: Self.person(2)).own }
            #expect(others == 1)
        }
    }

    /// The number of scans of each partition by the connection of a read, since it last reported them.
    private static func scans(_ reading: ReadTransaction) throws -> [String: Int] {
        let rows = try reading.db.rows(
            """
            SELECT relname::text, (coalesce(seq_scan, 0) + coalesce(idx_scan, 0))::bigint FROM pg_stat_xact_user_tables
            WHERE schemaname = current_schema() AND relname ~ '_[0-9]{2}$'
            """,
            isRare: true
        )
        return Dictionary(uniqueKeysWithValues: rows.map { row in (row[0] as String, row[1] as Int) })
    }

    /// By PostgreSQL's own count, of the statements as they are.
    @Test func `what is read of a person scans one partition of a table`() async throws {
        try await withStorage { storage in
            for number in [1, 77, 400] {
                let scanned = try await storage.read(of: Self.person(number)) { reading in
                    let before = try Self.scans(reading)
                    let (inbox, now) = (reading.inbox(of: Self.person(number)), Date(milliseconds: 2_000))
                    let id = MessageID(rawValue: number)
                    let unread = try InboxFilter(
                        reading: JSONReader(["property": "readAt", "op": "equal", "value": .null])
                    )
                    _ = try Self.newest(reading, of: number)
                    _ = try inbox.count(filter: unread)
                    _ = try inbox.places(of: [id], filter: unread)
                    _ = try inbox.counts(at: now)
                    _ = try inbox.tabs(on: "inbox", now: now)
                    _ = try inbox.message(id)
                    _ = try inbox.backendMessage(id)
                    _ = try inbox.backendMessages(nil, page: Page(limit: 10, after: nil), now: now)
                    _ = try inbox.changes(since: ChangesPosition(at: PersonState(own: 0, broadcast: 0)), limit: 10)
                    return Set(try Self.scans(reading).filter { before[$0.key] != $0.value }.keys)
                }
                let partition = PersonPartition(of: number).number
                #expect(
                    scanned == [
                        PostgresSchema.partition(partition, of: "delivery"),
                        PostgresSchema.partition(partition, of: "person"),
                    ]
                )
            }
        }
    }

    @Test func `reads of several people name the table`() async throws {
        try await withStorage { storage in
            let (found, statements) = try await storage.read { reading in
                let found = try (1...3).map { try Self.newest(reading, of: $0) }
                return (found, try reading.db.values(SQLText(Self.statements), isRare: true) as [String])
            }
            #expect(found == (1...3).map { ["all", "\($0)"] })
            #expect(statements.count == 2)
            #expect(statements.allSatisfy { $0.contains("delivery d") && !$0.contains("delivery_") })
        }
    }

    @Test func `a read of one person finds nothing of another one, in any partition`() async throws {
        let other = try #require((2...400).first { PersonPartition(of: $0) == PersonPartition(of: 1) })
        let apart = try #require((2...400).first { PersonPartition(of: $0) != PersonPartition(of: 1) })
        try await withStorage { storage in
            for number in [other, apart] {
                let found = try await storage.read(of: Self.person(1)) { reading in
                    let inbox = reading.inbox(of: Self.person(number))
                    return (
                        try Self.newest(reading, of: number),
                        try inbox.messages([1, number, 1_000].map { MessageID(rawValue: $0) }).map(\.title)
                    )
                }
                #expect(found.0 == [])
                #expect(found.1 == [])
            }
        }
    }

    @Test func `a connection keeps the statements of all partitions beside as many others`() async throws {
        let database = try await Self.database.value
        let limits = PostgresStorage.readerLimits.connection
        let others = PostgresConnection.Limits().statements
        let settings = try database.settings
        let (prepared, left) = try await blocking {
            let connection = try PostgresConnection(settings, limits: limits)
            defer { connection.close() }
            try connection.transaction(.snapshot) { connection in
                for number in 0..<others { try connection.execute("SELECT \(number) AS single") }
                for number in 1...400 {
                    let transaction = PostgresTransaction(connection, of: PersonPartition(of: number))
                    for isFetched in [false, true] {
                        let reading = ReadTransaction(.postgres(transaction), isSnapshot: isFetched)
                        #expect(try Self.newest(reading, of: number, isFetched: isFetched) == ["all", "\(number)"])
                        #expect(try reading.state(of: Self.person(number)).own == 1)
                    }
                }
            }
            // What was discarded is removed with the next statement.
            let rows = try ["' AS single'", "'delivery_'", "'person_'"].map { text in
                let sql = "SELECT count(*) FROM pg_prepared_statements WHERE strpos(statement, \(text)) > 0"
                return try connection.pipeline([PostgresStatement(sql, isPrepared: false)])[0][0][0] as Int
            }
            return (rows[1] + rows[2], rows[0])
        }
        #expect(prepared == 64 * SQLText.partitionedStatements)
        #expect(left == others)
    }

    // MARK: Databases that differ

    private static let person = "person = nullif(current_setting('inbox.person', true), '')::bigint"

    @Test(
        arguments: [
            ("ALTER TABLE delivery_17 DISABLE ROW LEVEL SECURITY", "delivery_17 (row-level security is off)"),
            ("DROP POLICY person ON delivery_63", "delivery_63 (no policy)"),
            ("ALTER POLICY person ON delivery_05 USING (true)", "delivery_05 (its policy person says true instead of"),
            (
                "ALTER POLICY person ON delivery_05 USING (person = 0 OR \(person))",
                "delivery_05 (its policy person says ((person = "
            ),
            (
                """
                ALTER POLICY person ON delivery_05
                    USING (message = nullif(current_setting('inbox.person', true), '')::bigint)
                """,
                "says (message = (NULLIF(current_setting('inbox.person'::text, true), ''::text))::bigint) instead of "
                    + "(person = (NULLIF(current_setting('inbox.person'::text, true), ''::text))::bigint)"
            ),
            ("ALTER POLICY person ON delivery_05 WITH CHECK (true)", "its policy person says true instead of"),
            ("CREATE POLICY all_of_it ON delivery_05 USING (true)", "its policy all_of_it says true instead of"),
            (
                "ALTER POLICY person ON delivery_05 TO CURRENT_USER",
                "its policy person isn't for all commands of everyone"
            ),
            (
                "DROP POLICY person ON delivery_05; CREATE POLICY person ON delivery_05 FOR SELECT USING (\(person))",
                "its policy person isn't for all commands of everyone"
            ),
            (
                """
                DROP POLICY person ON delivery_05; CREATE POLICY person ON delivery_05 AS RESTRICTIVE USING (\(person))
                """,
                "its policy person isn't for all commands of everyone"
            ),
            ("ALTER TABLE delivery DETACH PARTITION delivery_05", "rows they should have: delivery_05"),
            ("ALTER TABLE person DETACH PARTITION person_05", "rows they should have: person_05"),
            ("ALTER TABLE delivery_05 RENAME TO delivery_64", "rows they should have: delivery_05"),
            (
                """
                ALTER TABLE delivery_05 RENAME TO delivery_64; ALTER TABLE delivery_06 RENAME TO delivery_05;
                ALTER TABLE delivery_64 RENAME TO delivery_06
                """,
                "rows they should have: delivery_05, delivery_06"
            ),
            (
                "DO $$ BEGIN FOR n IN 10..16 LOOP EXECUTE 'DROP POLICY person ON delivery_' || n; END LOOP; END $$",
                "delivery_10 (no policy), delivery_11 (no policy), delivery_12 (no policy), delivery_13 (no policy) and 3 "
                    + "more"
            ),
        ]
    )
    func `partitions that aren't as computed, or have another policy, aren't named`(
        sql: String,
        problem: String
    ) async throws {
        let database = try await Self.database.value
        try await database.use { connection throws in
            #expect(try PersonPartition.problem(in: connection) == nil)
            while true {
                do {
                    try connection.transaction { connection in
                        try connection.executeScript(sql)
                        let found = try PersonPartition.problem(in: connection)
                        #expect(found?.contains(problem) == true, "\(String(describing: found))")
                        throw RolledBack()
                    }
                } catch is RolledBack {
                    return
                } catch let error as PostgresError where error.kind == .conflict {
                    // Another test reads all partitions in one transaction, in another order.
                }
            }
        }
    }

    @Test func `the policies of all tables are as the schema makes them`() async throws {
        try await StorageDatabase.migrated.value.0.use { connection in
            let tables = PostgresSchema.personTables + PostgresSchema.namedPartitions
            let open = try PersonRole.openTables(connection, among: tables)
            #expect(open.map(\.table) == [])
            #expect(try PersonRole.wrongViews(connection) == [])
            let missing = [PostgresSchema.PersonTable(name: "nothing"), PostgresSchema.PersonTable(name: "surface")]
            let problems = try PersonRole.openTables(connection, among: missing)
            #expect(problems.map(\.problem) == ["no such table", "row-level security is off"])
        }
    }

    @Test func `a database whose partitions can't be named is read by the table`() async throws {
        let database = try await StorageDatabase()
        let address = try #require(URL(string: database.server.address(database.name)))
        try await Storage.open(address).close()
        try await database.use { connection in
            try connection.executeScript(
                """
                ALTER TABLE delivery_05 RENAME TO delivery_64; ALTER TABLE delivery_06 RENAME TO delivery_05;
                ALTER TABLE delivery_64 RENAME TO delivery_06;
                INSERT INTO message (id, content, surface, deliverAt, createdAt, recipients, state)
                VALUES (1000, '{"title":"all"}', 'inbox', 1000, 1000, 400, 1);
                INSERT INTO delivery (message, person, created, sequence, deliverAt, state)
                SELECT 1000, n, 1, 1, 1000, 1 FROM generate_series(1, 400) n
                """
            )
        }
        let storage = try await Storage.open(address)
        #expect(
            storage.problems == [
                "statements of one person name the table, which is slower: not the partitions of the people whose rows they "
                    + "should have: delivery_05, delivery_06"
            ]
        )
        for number in 1...400 {
            let found = try await storage.read(of: Self.person(number)) { try Self.newest($0, of: number) }
            #expect(found == ["all"])
        }
        try await storage.close()
    }

    // MARK: The migration

    @Test(arguments: [("partitionPolicies", "delivery"), ("personPolicies", "person")])
    func `the migration locks only the partitions, and an earlier server keeps running`(
        name: String,
        table: String
    ) async throws {
        let index = try #require(PostgresSchema.migrations.firstIndex { $0.name == name })
        let (older, migration) = (
            PostgresMigrator(Array(PostgresSchema.migrations[..<index])), PostgresSchema.migrations[index]
        )
        let database = try await StorageDatabase()
        try await database.use { connection in
            try older.migrate(connection)
            let locks = Locked<[String]>([])
            let error = failure(RolledBack.self) {
                try connection.transaction { connection in
                    try connection.executeScript(migration.sql)
                    let found = try connection.execute(
                        """
                        SELECT relation::regclass::text FROM pg_locks
                        WHERE pid = pg_backend_pid() AND locktype = 'relation' AND relation >= 16384
                            AND mode <> 'AccessShareLock' ORDER BY 1
                        """
                    ).map { try $0[0] as String }
                    locks.withLock { $0 = found }
                    throw RolledBack()
                }
            }
            #expect(error != nil)
            let partitions = PostgresSchema.namedPartitions.map(\.name).filter { $0.hasPrefix("\(table)_") }
            #expect(partitions.count == 64 && locks.withLock { $0 } == partitions)
            _ = try PostgresSchema.prepare(connection)
            // It starts, and its reads name the table.
            try older.migrate(connection)
            let role = try PersonRole.prepare(connection)
            try connection.executeScript(
                "INSERT INTO delivery (message, person, created, sequence, deliverAt, state) "
                    + "SELECT 1, n, 1, 1, 1, 1 FROM generate_series(1, 400) n"
            )
            try connection.transaction(.snapshot) { connection in
                try connection.pipeline([role.statement(for: 7)])
                let people = try connection.execute("SELECT person FROM delivery").map { try $0[0] as Int }
                #expect(people == [7])
            }
        }
    }
}
