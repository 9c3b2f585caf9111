import Eventually
import Foundation
import Groundwork
import Postgres
import RunningPostgres
import Testing

@testable import InboxService

@Suite(.timeLimit(.minutes(5))) struct PostgresMigratorTests {
    private static let first = PostgresMigration(
        name: "first",
        sql: "CREATE TABLE t (id bigint)",
        compatibility: .breaking
    )
    private static let added = PostgresMigration(
        name: "added",
        sql: "ALTER TABLE t ADD COLUMN n bigint",
        compatibility: .additive
    )
    private static let removed = PostgresMigration(
        name: "removed",
        sql: "ALTER TABLE t DROP COLUMN id",
        compatibility: .servers(knowing: "added")
    )
    private static let replaced = PostgresMigration(
        name: "replaced",
        sql: "ALTER TABLE t RENAME TO u",
        compatibility: .breaking
    )

    private func names(_ database: StorageDatabase) async throws -> [String] {
        try await database.use { connection in
            try connection.execute("SELECT name FROM migration ORDER BY at, name").map { try $0[0] as String }
        }
    }

    /// What is in the catalog: each object with its version.
    private func catalog(_ database: StorageDatabase) async throws -> [String] {
        try await database.use { connection in
            try connection.execute(
                """
                SELECT relname || ' ' || xmin::text || coalesce(relacl::text, '') FROM pg_class
                WHERE relnamespace = 'public'::regnamespace ORDER BY 1
                """
            ).map { try $0[0] as String }
        }
    }

    @Test func `eight servers start with an empty database, one migrates it, none fails`() async throws {
        let database = try await StorageDatabase()
        let roles = try await withThrowingTaskGroup(of: PersonRole.self) { group in
            for _ in 0..<8 { group.addTask { try await database.use { try PostgresSchema.prepare($0) } } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(roles.map(\.name) == ["\(database.name)_reader"])
        #expect(try await names(database) == PostgresSchema.migrations.map(\.name))
        // A further start changes nothing, and takes few round trips.
        let before = try await catalog(database)
        #expect(before.count > PostgresSchema.personTables.count * PostgresSchema.partitions)
        let roundTrips = try await database.use { connection in
            _ = try PostgresSchema.prepare(connection)
            return connection.roundTrips
        }
        #expect(roundTrips < 16)
        #expect(try await catalog(database) == before)
    }

    @Test func `a server with few connections has enough locks for each migration`() async throws {
        try await DatabaseServer.run(options: ["max_connections=20"]) { server in
            let settings = try server.settings()
            let count: Int = try await blocking {
                let connection = try PostgresConnection(settings)
                defer { connection.close() }
                _ = try PostgresSchema.prepare(connection)
                return try connection.execute("SELECT count(*) FROM migration")[0][0]
            }
            #expect(count == PostgresSchema.migrations.count)
        }
    }

    @Test func `a server that ends in the middle of a migration leaves nothing of it`() async throws {
        let database = try await StorageDatabase()
        let sql = PostgresSchema.migrations[1].sql + "SELECT pg_sleep(60)"
        let slow = PostgresMigration(name: "people", sql: sql, compatibility: .breaking)
        async let outcome = failure(PostgresError.self) {
            try await database.use { try PostgresMigrator([Self.first, slow]).migrate($0) }
        }
        let ended = Locked(0)
        _ = try await eventually {
            let count: Int = try await StorageDatabase.administrate { connection in
                try connection.execute(
                    """
                    SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
                    WHERE datname = $1 AND wait_event = 'PgSleep'
                    """,
                    [database.name]
                )[0][0]
            }
            ended.withLock { $0 += count }
            return ended.withLock { $0 } > 0
        }
        #expect(await outcome?.kind == .unavailable)
        #expect(try await names(database) == ["first"])
        #expect(try await catalog(database).map { $0.prefix { $0 != " " } } == ["migration", "migration_pkey", "t"])
        // The lock has ended with it.
        try await database.use { try PostgresMigrator([Self.first, Self.added]).migrate($0) }
        #expect(try await names(database) == ["first", "added"])
    }

    @Test func `an error in a migration leaves those before it`() async throws {
        let database = try await StorageDatabase()
        let wrong = PostgresMigration(name: "wrong", sql: "CREATE TABLE u (); SELECT 1 / 0", compatibility: .additive)
        let error = await failure(PostgresError.self) {
            try await database.use { try PostgresMigrator([Self.first, wrong, Self.added]).migrate($0) }
        }
        #expect(error?.sqlState == "22012")
        #expect(try await names(database) == ["first"])
        #expect(try await catalog(database).map { $0.prefix { $0 != " " } } == ["migration", "migration_pkey", "t"])
    }

    /// The migrations of the server that was there, those of the newer one, and whether the older one can still start.
    @Test(
        arguments: [
            ([first], [first, added], true), ([first], [first, added, removed], false),
            ([first, added], [first, added, removed], true), ([first, added], [first, added, replaced], false),
            ([first], [first, replaced], false), ([first], [first], true),
        ]
    )
    func `a server starts beside a newer one unless a migration needs it to know more`(
        older: [PostgresMigration],
        newer: [PostgresMigration],
        isPossible: Bool
    ) async throws {
        let database = try await StorageDatabase()
        try await database.use { try PostgresMigrator(older).migrate($0) }
        try await database.use { try PostgresMigrator(newer).migrate($0) }
        #expect(try await names(database) == newer.map(\.name))
        let error = await failure(ServerSetupError.self) {
            try await database.use { try PostgresMigrator(older).migrate($0) }
        }
        #expect((error == nil) == isPossible)
        if let error { #expect("\(error)".contains("newer version (")) }
        #expect(try await names(database) == newer.map(\.name))
    }

    /// Keeps a transaction open that has read a table, while a body runs.
    private func whileRead(
        _ database: StorageDatabase,
        until isOver: Locked<Bool>,
        _ body: () async throws -> Void
    ) async throws {
        let isRead = Locked(false)
        async let reader: Void = database.use { connection in
            try connection.transaction { connection in
                try connection.execute("SELECT count(*) FROM t")
                isRead.withLock { $0 = true }
                // If nothing ends it, the migration waits in vain, and its time is too long.
                let end = ContinuousClock.now + .seconds(60)
                while !isOver.withLock({ $0 }), .now < end { Thread.sleep(forTimeInterval: 0.005) }
            }
        }
        _ = try await eventually { isRead.withLock { $0 } }
        defer { isOver.withLock { $0 = true } }
        try await body()
        isOver.withLock { $0 = true }
        try await reader
    }

    @Test func `a migration waits briefly for a lock, and tries again after a pause`() async throws {
        let database = try await StorageDatabase()
        try await database.use { try PostgresMigrator([Self.first]).migrate($0) }
        let (isOver, pauses) = (Locked(false), Locked(0))
        let backOff = PostgresBackOff(
            first: 0,
            longest: 0,
            sleep: { _ in
                let count = pauses.withLock { count in
                    count += 1
                    return count
                }
                if count == 2 { isOver.withLock { $0 = true } }
                Thread.sleep(forTimeInterval: 0.01)
            }
        )
        try await whileRead(database, until: isOver) {
            let migrator = PostgresMigrator([Self.first, Self.added], lockTimeout: 50, backOff: backOff)
            try await database.use { try migrator.migrate($0) }
        }
        #expect(pauses.withLock { $0 } >= 2)
        #expect(try await names(database) == ["first", "added"])
        // Not forever.
        try await whileRead(database, until: Locked(false)) {
            let migrator = PostgresMigrator(
                [Self.first, Self.added, Self.removed],
                lockTimeout: 20,
                retries: 1,
                backOff: backOff
            )
            let error = await failure(ServerSetupError.self) { try await database.use { try migrator.migrate($0) } }
            // The process that has the lock is named.
            let pattern = /locked: t by process [0-9]+ \([^)]+\)/
            #expect(error?.description.contains(pattern) == true, "\(String(describing: error))")
        }
    }

    @Test func `an autovacuum that is at work doesn't stop a migration`() async throws {
        let options = ["autovacuum_naptime=1s", "deadlock_timeout=2s"]
        try await DatabaseServer.run(options: options) { server in
            let settings = try server.settings(try await server.newDatabase())
            func use<Value: Sendable>(
                _ body: @escaping @Sendable (PostgresConnection) throws -> Value
            ) async throws -> Value {
                try await blocking {
                    let connection = try PostgresConnection(settings)
                    defer { connection.close() }
                    return try body(connection)
                }
            }
            try await use { connection in
                try PostgresMigrator([Self.first]).migrate(connection)
                // It would take minutes.
                try connection.executeScript(
                    """
                    ALTER TABLE t SET (autovacuum_vacuum_cost_delay = 100, autovacuum_vacuum_cost_limit = 1);
                    INSERT INTO t SELECT generate_series(1, 200000);
                    DELETE FROM t WHERE id % 2 = 0
                    """
                )
            }
            let isAtWork = try await eventually {
                try await use { connection in
                    try !connection.execute(
                        "SELECT FROM pg_locks WHERE relation = 't'::regclass AND mode = 'ShareUpdateExclusiveLock'"
                    ).isEmpty
                }
            }
            #expect(isAtWork)
            let backOff = PostgresBackOff(first: 0, longest: 0)
            try await use { connection in
                let migrator = PostgresMigrator(
                    [Self.first, Self.added],
                    lockTimeout: 500,
                    retries: 5,
                    backOff: backOff
                )
                try migrator.migrate(connection)
            }
            let count: Int = try await use { try $0.execute("SELECT count(*) FROM migration")[0][0] }
            #expect(count == 2)
        }
    }

    @Test func `a view of the operator's on messages doesn't stop the migrations`() async throws {
        let index = try #require(PostgresSchema.migrations.firstIndex { $0.name == "samplesOfGroupKeys" })
        let database = try await StorageDatabase()
        try await database.use { connection in
            try PostgresMigrator(Array(PostgresSchema.migrations[..<index])).migrate(connection)
            try connection.executeScript("CREATE VIEW report AS SELECT groupKey FROM message")
            _ = try PostgresSchema.prepare(connection)
            let column = try connection.execute(
                """
                SELECT attstattarget::bigint FROM pg_attribute
                WHERE attrelid = 'message'::regclass AND attname = 'groupkey'
                """
            )
            #expect(try column[0][0] == 0)
            #expect(try connection.execute("SELECT count(*) FROM report")[0][0] == 0)
        }
        #expect(try await names(database).contains("samplesOfGroupKeys"))
    }

    @Test func `a migration removes the samples of secrets that an earlier version let be taken`() async throws {
        let index = try #require(PostgresSchema.migrations.firstIndex { $0.name == "samplesOfSecrets" })
        let database = try await StorageDatabase()
        try await database.use { connection in
            try PostgresMigrator(Array(PostgresSchema.migrations[..<index])).migrate(connection)
            try connection.executeScript(
                """
                CREATE FUNCTION secret(n integer) RETURNS bytea LANGUAGE sql AS 'SELECT sha256(int4send(n))';
                INSERT INTO setting (name, value) SELECT 'name' || n, secret(n) FROM generate_series(1, 50) n;
                INSERT INTO formerTokenKey (hash, secret, endsAt)
                SELECT secret(-n), secret(n), n FROM generate_series(1, 50) n;
                INSERT INTO webhook (
                    url, types, isEnabled, isGone, secret, earlierSecret, pausedUntil, createdAt
                )
                SELECT 'https://example.com/' || n, '[]', true, false, secret(n), secret(-n), 0, n
                FROM generate_series(1, 50) n;
                INSERT INTO idempotency (apiKey, key, bodyHash, status, response, at)
                SELECT 1, 'key' || n, secret(n), 201, '{}', n FROM generate_series(1, 50) n
                """
            )
            func sampled() throws -> [String] {
                try connection.executeScript("ANALYZE setting, formerTokenKey, webhook, idempotency")
                return try connection.execute(
                    """
                    SELECT tablename || '.' || attname FROM pg_stats
                    WHERE schemaname = current_schema()
                        AND attname IN ('value', 'secret', 'earliersecret', 'url', 'bodyhash')
                        AND tablename IN ('setting', 'formertokenkey', 'webhook', 'idempotency')
                        AND (most_common_vals IS NOT NULL OR histogram_bounds IS NOT NULL)
                    ORDER BY 1
                    """
                ).map { try $0[0] }
            }
            #expect(
                try sampled() == [
                    "formertokenkey.secret", "idempotency.bodyhash", "setting.value", "webhook.earliersecret",
                    "webhook.secret", "webhook.url",
                ]
            )
            _ = try PostgresSchema.prepare(connection)
            #expect(try sampled() == [])
            #expect(try connection.execute("SELECT FROM webhook WHERE secret = secret(7)").count == 1)
        }
    }

    @Test func `a server that has waited for another one's migration finds it done`() async throws {
        let database = try await StorageDatabase()
        let (isHeld, isWaiting) = (Locked(false), Locked(false))
        async let other: Void = database.use { connection in
            try connection.transaction { connection in
                try connection.execute("SELECT pg_advisory_xact_lock($1)", [PostgresMigrator.lock])
                isHeld.withLock { $0 = true }
                while !isWaiting.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.005) }
                try connection.executeScript(
                    """
                    CREATE TABLE t (id bigint); CREATE TABLE migration (name text, at bigint, needed text);
                    INSERT INTO migration VALUES ('first', 1, 'first')
                    """
                )
            }
        }
        _ = try await eventually { isHeld.withLock { $0 } }
        async let migration: Void = database.use { try PostgresMigrator([Self.first, Self.added]).migrate($0) }
        _ = try await eventually {
            try await database.use { connection in
                try connection.execute(
                    """
                    SELECT count(*) > 0 FROM pg_locks l JOIN pg_database d ON d.oid = l.database
                    WHERE l.locktype = 'advisory' AND NOT l.granted AND d.datname = current_database()
                    """
                )[0][0]
            }
        }
        isWaiting.withLock { $0 = true }
        try await other
        try await migration
        #expect(try await names(database) == ["first", "added"])
    }

    @Test func `through a pooler, a user's short timeouts don't end a migration`() async throws {
        let database = try await StorageDatabase()
        try await StorageDatabase.administrate { connection in
            try connection.executeScript("ALTER DATABASE \(database.name) SET statement_timeout = 2000")
        }
        let slow = PostgresMigration(name: "slow", sql: "SELECT pg_sleep(2.5)", compatibility: .additive)
        let settings = try database.server.poolerSettings(database.name)
        let (lock, timeout) = try await database.use(settings) { connection in
            try PostgresMigrator([Self.first, slow]).migrate(connection)
            let rows = try connection.pipeline([
                PostgresStatement("SELECT pg_try_advisory_lock($1)", [PostgresMigrator.lock]),
                PostgresStatement("SELECT pg_advisory_unlock($1)", [PostgresMigrator.lock]),
                PostgresStatement("SELECT current_setting('statement_timeout')"),
            ])
            return (try rows[0][0][0] as Bool, try rows[2][0][0] as String)
        }
        #expect(lock)
        #expect(timeout == "2s")
    }

    @Test func `a database with other tables, or of another user, is refused with advice`() async throws {
        let database = try await StorageDatabase()
        var guest = try await StorageDatabase()
        guest.user = "guest"
        try await StorageDatabase.administrate { try $0.executeScript("CREATE ROLE guest LOGIN PASSWORD 'secret'") }
        for (database, script, problem) in [
            (database, "CREATE TABLE other (id integer)", "there is a table other"),
            (database, "ALTER TABLE other RENAME TO migration", "a table migration that isn't an inbox server's"),
            (guest, "", "permission denied"),
        ] {
            if !script.isEmpty { try await database.use { try $0.executeScript(script) } }
            let error = await failure(ServerSetupError.self) {
                try await database.use { try PostgresMigrator().migrate($0) }
            }
            #expect("\(error as Any)".contains(problem))
            #expect("\(error as Any)".contains("CREATE DATABASE … OWNER …"))
        }
        #expect(try await catalog(database).count == 1)
    }

    @Test(
        arguments: [
            ("CREATE VIEW migration AS SELECT 1 AS name", "The schema public has a view migration that isn't"),
            ("CREATE SEQUENCE migration", "The schema public has a sequence migration that isn't"),
            (
                "CREATE TABLE migration (name varchar, at timestamptz, needed boolean)",
                "The schema public has a table migration that isn't"
            ),
            ("CREATE VIEW setting AS SELECT 1", #"relation "setting" already exists"#),
            ("CREATE TYPE message AS ENUM ('a')", #"type "message" already exists"#),
            (
                "CREATE FUNCTION serverSlot() RETURNS smallint LANGUAGE sql AS 'SELECT 1::smallint'",
                #"function "serverslot" already exists"#
            ),
        ]
    ) func `a name that something else has is in the error, with advice`(_ sql: String, _ problem: String) async throws
    {
        let database = try await StorageDatabase()
        try await database.use { try $0.executeScript(sql) }
        let error = await failure(ServerSetupError.self) {
            try await database.use { connection in
                _ = try PostgresNamespace.use(on: connection)
                _ = try PostgresSchema.prepare(connection)
            }
        }
        #expect(error?.description.contains(problem) == true, "\(error as Any)")
        #expect(error?.description.contains("or a schema of its own: CREATE SCHEMA …") == true, "\(error as Any)")
    }

    @Test func `tables of another user are refused with that user's name`() async throws {
        let database = try await StorageDatabase("migrated", ownedBy: "migrated_owner")
        var deputy = database
        deputy.user = "migrated_deputy"
        try await StorageDatabase.administrate {
            try $0.executeScript("CREATE ROLE migrated_deputy LOGIN PASSWORD 'secret' IN ROLE migrated_owner")
        }
        try await deputy.use { try PostgresMigrator([Self.first]).migrate($0) }
        let error = await failure(ServerSetupError.self) {
            try await database.use { try PostgresMigrator([Self.first]).migrate($0) }
        }
        let advice = #"REASSIGN OWNED BY "migrated_deputy" TO "migrated_owner""#
        #expect(error?.description.hasSuffix(advice) == true, "\(error as Any)")
    }
}
