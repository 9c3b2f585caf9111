import Eventually
import Foundation
import Postgres
import RunningPostgres
import Testing

@Suite(.timeLimit(.minutes(5))) struct DeadlineTests {
    @Test func `a statement is cancelled at its deadline, and the connection stays`() async throws {
        try await TestDatabase("CREATE TABLE t (id bigint PRIMARY KEY)").use(limits: .patient) { connection in
            connection.deadline = .now + .seconds(2)
            let start = ContinuousClock.now
            let error = failure {
                try connection.pipeline([
                    PostgresStatement("INSERT INTO t VALUES (1)"), PostgresStatement("SELECT pg_sleep(60)"),
                ])
            }
            #expect(ContinuousClock.now - start < .seconds(30))
            #expect(error?.kind == .timedOut)
            #expect(error?.sqlState == "57014")
            #expect(error?.statement == 1)
            #expect(connection.isUsable)
            // The deadline has passed: nothing more is sent.
            let before = connection.roundTrips
            #expect(failure { try connection.execute("SELECT 1") }?.kind == .timedOut)
            #expect(connection.roundTrips == before)
            connection.deadline = nil
            // The request to cancel reaches no later statement.
            for _ in 0..<50 { try connection.execute("SELECT pg_sleep(0.001)") }
            #expect(try connection.execute("SELECT count(*) FROM t")[0][0] == 0)
        }
    }

    @Test func `a transaction is rolled back at its deadline`() async throws {
        try await TestDatabase("CREATE TABLE t (id bigint PRIMARY KEY)").use(limits: .patient) { (connection) throws in
            connection.deadline = .now + .seconds(1)
            let error = failure {
                _ = try connection.transaction { connection in
                    try connection.execute("INSERT INTO t VALUES (1)")
                    try connection.execute("SELECT pg_sleep(60)")
                }
            }
            #expect(error?.kind == .timedOut)
            #expect(!connection.isInTransaction)
            connection.deadline = .now + .seconds(1)
            let pipeline = failure {
                try connection.pipeline([
                    PostgresStatement("BEGIN"), PostgresStatement("INSERT INTO t VALUES (1)"),
                    PostgresStatement("SELECT pg_sleep(60)"), PostgresStatement("COMMIT"),
                ])
            }
            #expect(pipeline?.kind == .timedOut)
            #expect(!connection.isInTransaction)
            connection.deadline = nil
            #expect(try connection.execute("SELECT count(*) FROM t")[0][0] == 0)
        }
    }

    @Test func `a copy and a script end at their deadline`() async throws {
        let database = try await TestDatabase("CREATE TABLE t (id bigint); CREATE TABLE u (id bigint)")
        let settings = try database.settings
        try await database.use { (other) throws in
            // Waits for a lock.
            try other.execute("BEGIN")
            try other.execute("LOCK TABLE t")
            for body in [
                { try $0.executeScript("INSERT INTO t VALUES (1)") },
                { _ = try $0.copy(into: "t", columns: ["id"]) { try $0.append([1]) } },
            ] as [(PostgresConnection) throws -> Void] {
                let connection = try PostgresConnection(settings, limits: .patient)
                connection.deadline = .now + .seconds(1)
                #expect(failure { try body(connection) }?.kind == .timedOut)
                #expect(!connection.isUsable)
            }
            try other.execute("ROLLBACK")
            #expect(try other.execute("SELECT count(*) FROM t")[0][0] == 0)
        }
    }

    @Test func `a server that is paused doesn't block beyond the deadline`() async throws {
        try await DatabaseServer.run { server in
            let settings = try server.settings()
            let connection = try await blocking { Held(try PostgresConnection(settings)) }
            try await server.pause()
            let (error, duration) = await connection.use { connection in
                let start = ContinuousClock.now
                connection.deadline = .now + .seconds(1)
                let error = failure { try connection.execute("SELECT 1") }
                return (error, ContinuousClock.now - start)
            }
            #expect(error?.kind == .timedOut)
            #expect(error?.mayHaveCommitted == true)
            #expect(duration < .seconds(30))
            #expect(await connection.use { $0.isUsable } == false)
            // Nor does the attempt to connect.
            let patient = try PostgresSettings(server.address() + "?connect_timeout=1")
            let refused = try await blocking { failure { _ = try PostgresConnection(patient) } }
            #expect(refused?.kind == .unavailable)
            try await server.resume()
            #expect(try await blocking { try PostgresConnection(settings).execute("SELECT 1")[0][0] } == 1)
        }
    }

    /// A commit that is cancelled while it waits for a standby is confirmed, though it may be on no other disk.
    @Test(arguments: [true, false])
    func `a commit that waits for a standby isn't confirmed by the deadline`(isExplicit: Bool) async throws {
        try await DatabaseServer.run { server in
            let settings = try server.settings()
            try await blocking {
                let connection = try PostgresConnection(settings)
                try connection.executeScript("CREATE TABLE t (id bigint PRIMARY KEY)")
                try connection.executeScript("ALTER SYSTEM SET synchronous_standby_names = 'none'")
                try connection.execute("SELECT pg_reload_conf()")
                let setting = PostgresStatement("SHOW synchronous_standby_names")
                while try connection.pipeline([setting])[0][0][0] != "none" { Thread.sleep(forTimeInterval: 0.01) }
            }
            func count() async throws -> Int {
                try await blocking { try PostgresConnection(settings).execute("SELECT count(*) FROM t")[0][0] }
            }
            let (error, isUsable) = try await blocking {
                let connection = try PostgresConnection(settings)
                // The commit has begun then, also on a busy machine: it alone waits.
                connection.deadline = .now + .seconds(2)
                let error = failure {
                    if isExplicit {
                        try connection.transaction { $0.enqueue("INSERT INTO t VALUES (1)") }
                    } else {
                        try connection.execute("INSERT INTO t VALUES (1)")
                    }
                }
                return (error, connection.isUsable)
            }
            #expect(error?.kind == .timedOut)
            #expect(error?.mayHaveCommitted == true)
            guard isExplicit else { return }
            // It goes on to wait for the standby: no one sees what it has written before.
            #expect(!isUsable)
            #expect(try await count() == 0)
            try await blocking {
                let connection = try PostgresConnection(settings)
                try connection.executeScript("ALTER SYSTEM RESET synchronous_standby_names")
                try connection.execute("SELECT pg_reload_conf()")
            }
            #expect(try await eventually { try await count() == 1 })
        }
    }

    /// What commits: an explicit commit, the end of a pipeline, that of a script, and that of a copy.
    enum Commit: CaseIterable {
        case explicit, pipeline, script, copy

        func insert(_ connection: PostgresConnection) throws {
            let sql = "INSERT INTO t VALUES (1)"
            switch self {
            case .explicit: try connection.transaction { $0.enqueue(sql) }
            case .pipeline: try connection.execute(sql)
            case .script: try connection.executeScript(sql)
            case .copy: _ = try connection.copy(into: "t", columns: ["id"]) { try $0.append([1]) }
            }
        }
    }

    @Test(arguments: Commit.allCases)
    func `a commit whose wait for a standby is cancelled elsewhere isn't confirmed`(
        _ commit: Commit
    ) async throws {
        try await DatabaseServer.run { server in
            let settings = try server.settings()
            let error = try await blocking {
                // Only a warning reports it, and the database's default is to send none.
                try PostgresConnection(settings).executeScript("ALTER DATABASE inbox SET client_min_messages = error")
                let connection = try PostgresConnection(settings)
                try connection.executeScript("CREATE TABLE t (id bigint PRIMARY KEY)")
                try connection.executeScript("ALTER SYSTEM SET synchronous_standby_names = 'none'")
                try connection.execute("SELECT pg_reload_conf()")
                let setting = PostgresStatement("SHOW synchronous_standby_names")
                while try connection.pipeline([setting])[0][0][0] != "none" { Thread.sleep(forTimeInterval: 0.01) }
                // Commits wait once the checkpointer has read the setting, which it does before a checkpoint.
                try connection.execute("CHECKPOINT")
                let backend = Int(connection.backend)
                Thread.detachNewThread {
                    guard let other = try? PostgresConnection(settings) else { return }
                    let waits = "SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND wait_event = 'SyncRep'"
                    while (try? other.execute(waits, [backend]).isEmpty) == true { Thread.sleep(forTimeInterval: 0.01) }
                    _ = try? other.execute("SELECT pg_cancel_backend($1::int)", [backend])
                }
                return failure { try commit.insert(connection) }
            }
            #expect(error?.mayHaveCommitted == true)
        }
    }

    @Test func `a statement that waits before a commit is cancelled, and nothing is stored`() async throws {
        let database = try await TestDatabase("CREATE TABLE t (id bigint PRIMARY KEY); INSERT INTO t VALUES (1)")
        let settings = try database.settings
        try await database.use { (other) throws in
            try other.execute("BEGIN")
            try other.execute("UPDATE t SET id = 2")
            let connection = try PostgresConnection(settings, limits: .patient)
            connection.deadline = .now + .seconds(1)
            let error = failure {
                try connection.transaction { connection in
                    connection.enqueue("INSERT INTO t VALUES (7)")
                    connection.enqueue("UPDATE t SET id = 3 WHERE id = 1")
                }
            }
            #expect(error?.kind == .timedOut && error?.mayHaveCommitted == false)
            #expect(connection.isUsable)
            try other.execute("ROLLBACK")
            #expect(try other.execute("SELECT id FROM t").map { try $0[0] } == [1])
        }
    }
}
