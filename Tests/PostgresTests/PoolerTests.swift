import Foundation
import Postgres
import RunningPostgres
import Testing

/// PgBouncer in transaction mode between.
@Suite(.timeLimit(.minutes(5))) struct PoolerTests {
    @Test func `pipelines, transactions, savepoints and copies go through a pooler`() async throws {
        let database = try await TestDatabase("CREATE TABLE t (id bigint PRIMARY KEY, n bigint)")
        let settings = try database.server.poolerSettings(database.name)
        try await database.use(settings, limits: .patient) { connection in
            let before = connection.roundTrips
            let results = try connection.pipeline([
                PostgresStatement("BEGIN"), .setLocal("statement_timeout", "123456ms"),
                PostgresStatement("INSERT INTO t VALUES ($1, $2)", [1, nil as Int?]),
                PostgresStatement("SHOW statement_timeout"), PostgresStatement("COMMIT"),
            ])
            #expect(try results[3][0][0] == "123456ms")
            #expect(connection.roundTrips == before + 1)
            try connection.transaction { connection in
                #expect(failure { _ = try connection.savepoint { try $0.execute("INSERT INTO t VALUES (1)") } } != nil)
                connection.enqueue("INSERT INTO t VALUES (2)")
            }
            let copied = try connection.copy(into: "t", columns: ["id"]) { copy in
                for id in 3...1000 { try copy.append([id]) }
            }
            #expect(copied == 998)
            #expect(try connection.execute("SELECT count(*) FROM t WHERE id = ANY($1)", [[1, 2, 1000]])[0][0] == 3)
            // Nothing stays on the server's connection.
            let seen = try connection.transaction { connection in
                connection.setForSession([("inbox.node", "7")])
                return try connection.execute("SELECT current_setting('inbox.node')")[0][0] as String
            }
            #expect(seen == "7")
            #expect(try connection.execute("SELECT coalesce(current_setting('inbox.node', true), '')")[0][0] == "")
            #expect(try connection.execute("SELECT count(*) FROM pg_prepared_statements")[0][0] == 0)
            connection.deadline = .now + .seconds(1)
            #expect(failure { try connection.execute("SELECT pg_sleep(60)") }?.kind == .timedOut)
            connection.deadline = nil
            #expect(try connection.execute("SELECT 1")[0][0] == 1)
        }
    }

    @Test func `a transaction through a pooler has its settings, whatever the database's are`() async throws {
        let database = try await TestDatabase()
        let name = database.name
        try await database.use { connection in
            for setting in ["client_min_messages = error", "standard_conforming_strings = off"] {
                try connection.executeScript("ALTER DATABASE \(name) SET \(setting)")
            }
        }
        let (direct, pooled) = (try database.settings, try database.server.poolerSettings(name))
        for settings in [direct, pooled] {
            let values = try await database.use(settings) { connection in
                try connection.transaction { connection in
                    let row = try connection.execute(
                        """
                        SELECT current_setting('client_min_messages'), current_setting('standard_conforming_strings')
                        """
                    )[0]
                    return [try row[0], try row[1]] as [String]
                }
            }
            #expect(values == ["warning", "on"])
        }
    }

    /// The answer to the commit is lost between the database and the pooler, which then answers to the first statement
    /// that wasn't answered.
    @Test(arguments: [true, false])
    func `a commit whose answer a pooler misses is of unknown outcome`(isExplicit: Bool) async throws {
        try await DatabaseServer.run { server in
            let (direct, settings) = (try server.settings(), try server.poolerSettings())
            let relay = try await DatabaseRelay(for: server)
            try await server.movePooler(to: relay.port)
            let held = try await blocking {
                let connection = try PostgresConnection(settings)
                try connection.executeScript("CREATE TABLE t (id bigint PRIMARY KEY)")
                return Held(connection)
            }
            try await relay.cut(after: 0)
            let insert = PostgresStatement("INSERT INTO t VALUES (1)")
            let error = await held.use { connection in
                failure {
                    if isExplicit {
                        try connection.transaction { $0.enqueue(insert) }
                    } else {
                        try connection.pipeline([insert, PostgresStatement("SELECT 1")])
                    }
                }
            }
            // The pooler's own error, which stands at the first statement.
            #expect(error?.sqlState == "08P01" && error?.statement == 0, "\(error.map { "\($0)" } ?? "")")
            #expect(error?.kind == .unavailable)
            #expect(error?.mayHaveCommitted == true)
            #expect(await held.use { $0.isUsable } == false)
            // It was stored indeed.
            #expect(try await blocking { try PostgresConnection(direct).execute("SELECT id FROM t").count } == 1)
            await relay.stop()
        }
    }

    @Test func `a transaction that can't have been committed isn't of unknown outcome`() async throws {
        try await DatabaseServer.run { server in
            let settings = try server.poolerSettings()
            let relay = try await DatabaseRelay(for: server)
            try await server.movePooler(to: relay.port)
            let held = try await blocking { Held(try PostgresConnection(settings)) }
            let error = await held.use { connection in
                failure {
                    _ = try connection.transaction { connection in
                        try connection.execute("CREATE TABLE t (id bigint PRIMARY KEY)")
                        try connection.execute("SELECT pg_terminate_backend(pg_backend_pid())")
                    }
                }
            }
            #expect(error?.kind == .unavailable)
            #expect(error?.mayHaveCommitted == false)
            await relay.stop()
        }
    }

    @Test func `a listener through a pooler is refused`() async throws {
        let settings = try await DatabaseServer.shared.value.poolerSettings()
        #expect(failure { _ = try PostgresListener(settings, channels: ["changes"]) { _ in } }?.kind == .rejected)
    }

    @Test func `more clients than connections of the pooler lose nothing`() async throws {
        let database = try await TestDatabase("CREATE TABLE t (id bigint PRIMARY KEY)")
        var limits = PostgresPool.Limits()
        limits.connections = 16
        limits.wait = 60
        let pool = try PostgresPool(database.server.poolerSettings(database.name), limits: limits)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<64 {
                group.addTask {
                    try await pool.run { connection in
                        for round in 0..<10 {
                            try connection.transaction { connection in
                                try connection.execute("SELECT id FROM t WHERE id = $1", [task])
                                connection.enqueue("INSERT INTO t VALUES ($1)", [task * 10 + round])
                            }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await database.use { try $0.execute("SELECT count(*) FROM t")[0][0] } == 640)
        let backends: Int = try await database.use { connection in
            try connection.execute(
                // Without an autovacuum.
                """
                SELECT count(*) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
                """
            )[0][0]
        }
        #expect((1...4).contains(backends))
        await pool.close()
    }
}
