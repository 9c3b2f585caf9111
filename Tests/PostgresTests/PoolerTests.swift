import Foundation
import Postgres
import RunningPostgres
import Testing

/// PgBouncer in transaction mode between.
@Suite(.timeLimit(.minutes(5))) struct PoolerTests {
    @Test func `pipelines, transactions, savepoints and copies go through a pooler`() async throws {
        let database = try await TestDatabase("CREATE TABLE t (id bigint PRIMARY KEY, n bigint)")
        let settings = try database.server.poolerSettings(database.name)
        try await database.use(settings) { connection in
            let before = connection.roundTrips
            let results = try connection.pipeline([
                PostgresStatement("BEGIN"), .setLocal("statement_timeout", "1234ms"),
                PostgresStatement("INSERT INTO t VALUES ($1, $2)", [1, nil as Int?]),
                PostgresStatement("SHOW statement_timeout"), PostgresStatement("COMMIT"),
            ])
            #expect(try results[3][0][0] == "1234ms")
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
            #expect(try connection.execute("SELECT count(*) FROM pg_prepared_statements")[0][0] == 0)
            connection.deadline = .now + .milliseconds(200)
            #expect(failure { try connection.execute("SELECT pg_sleep(60)") }?.kind == .timedOut)
            connection.deadline = nil
            #expect(try connection.execute("SELECT 1")[0][0] == 1)
        }
    }

    @Test func `a listener through a pooler is refused`() async throws {
        let settings = try await DatabaseServer.shared.value.poolerSettings()
        #expect(failure { _ = try PostgresListener(settings, channels: ["changes"]) }?.kind == .rejected)
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
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )[0][0]
        }
        #expect((1...4).contains(backends))
        await pool.close()
    }
}
