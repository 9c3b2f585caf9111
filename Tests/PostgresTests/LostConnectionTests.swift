import Dispatch
import Eventually
import Foundation
import Groundwork
import Postgres
import RunningPostgres
import Testing

@Suite(.timeLimit(.minutes(10))) struct LostConnectionTests {
    /// What a client knows of a row that it inserted.
    private enum Outcome { case committed, failed, unknown }

    @Test func `an answer that is cut at any byte is an error or the whole answer`() async throws {
        let database = try await TestDatabase("CREATE TABLE t (id bigint PRIMARY KEY)")
        let relay = try await DatabaseRelay(for: database.server)
        // Without TLS, so that it is cut within a message, too.
        let address = database.server.address(database.name, port: relay.port)
        let settings = try PostgresSettings(address + "?sslmode=disable")
        /// Sends a transaction while the connection is cut after a number of bytes of answers.
        func insert(_ id: Int, cutAfter count: Int) async throws -> Outcome {
            let held = try await blocking { Held(try PostgresConnection(settings)) }
            try await relay.cut(after: count)
            return await held.use { connection in
                defer { connection.close() }
                let error = failure {
                    let results = try connection.pipeline([
                        PostgresStatement("BEGIN"), PostgresStatement("INSERT INTO t VALUES ($1) RETURNING id", [id]),
                        PostgresStatement("COMMIT"),
                    ])
                    #expect(try results[1][0][0] == id)
                }
                guard let error else { return .committed }
                #expect(error.kind == .unavailable)
                #expect(!connection.isUsable)
                return error.mayHaveCommitted ? .unknown : .failed
            }
        }
        #expect(try await insert(1_000_000, cutAfter: 1 << 20) == .committed)
        let whole = try await relay.passed().count
        #expect(whole > 50)
        var outcomes: [Outcome] = []
        for count in 0..<whole { outcomes.append(try await insert(count, cutAfter: count)) }
        let stored = Set(
            try await database.use { try $0.execute("SELECT id FROM t").map { row -> Int in try row[0] } }
        )
        for (id, outcome) in outcomes.enumerated() {
            if outcome == .committed { #expect(stored.contains(id)) }
            if outcome == .failed { #expect(!stored.contains(id)) }
        }
        #expect(outcomes.contains(.unknown))
        #expect(outcomes.first == .unknown)
        // The answer to the commit came; only the end of the pipeline was cut.
        #expect(outcomes.last == .committed)
        await relay.stop()
    }

    @Test func `an error states whether the statements may have been committed`() async throws {
        let database = try await TestDatabase("CREATE TABLE t (id bigint PRIMARY KEY)")
        let relay = try await DatabaseRelay(for: database.server)
        let settings = try database.server.settings(database.name, port: relay.port)
        let insert = PostgresStatement("INSERT INTO t VALUES ($1)", [1])
        for (statements, mayHave) in [
            ([PostgresStatement("BEGIN"), insert], false), ([insert], true),
            ([PostgresStatement("BEGIN"), insert, PostgresStatement("COMMIT")], true),
            ([PostgresStatement("BEGIN"), insert, PostgresStatement("ROLLBACK")], false),
        ] {
            let held = try await blocking { Held(try PostgresConnection(settings)) }
            try await relay.cut(after: 0)
            let error = await held.use { connection in failure { try connection.pipeline(statements) } }
            #expect(error?.mayHaveCommitted == mayHave)
            #expect(error?.description.contains("may have been committed") == mayHave)
        }
        await relay.stop()
    }

    @Test func `a commit is of unknown outcome if what follows it can't be sent`() async throws {
        let database = try await TestDatabase("CREATE TABLE t (id bigint PRIMARY KEY, name text)")
        let relay = try await DatabaseRelay(for: database.server)
        let address = database.server.address(database.name, port: relay.port)
        let settings = try PostgresSettings(address + "?sslmode=disable")
        let held = try await blocking { Held(try PostgresConnection(settings)) }
        let follower = PostgresStatement("SELECT count(*) FROM t WHERE id = $1", [1])
        // What follows is one message, since it is prepared.
        let prepared = await held.use { connection in failure { try connection.pipeline([follower]) } }
        #expect(prepared == nil)
        let backend = await held.use { Int($0.backend) }
        // The end of the connection arrives without a word of the server. libpq sends 8 kB, which the socket takes, and
        // then the commit. It reports the failure of that when it sends what follows.
        try await relay.cut(after: 0)
        try await database.use { _ = try $0.execute("SELECT pg_terminate_backend($1::int)", [backend]) }
        #expect(try await eventually { try await relay.passed().isCut })
        try await Task.sleep(for: .milliseconds(100))
        let failures = Locked(0)
        let error = await held.use { connection in
            failure {
                try connection.transaction { connection in
                    connection.enqueue("INSERT INTO t VALUES ($1, $2)", [1, String(repeating: "x", count: 10_000)])
                    try connection.follow(with: follower) { failures.withLock { $0 += 1 } }
                }
            }
        }
        #expect(error?.kind == .unavailable && error?.mayHaveCommitted == true)
        #expect(await held.use { $0.isUsable } == false)
        #expect(failures.withLock { $0 } == 0)
        await relay.stop()
    }

    /// PostgreSQL may also end a connection after the commit, or because its log is full once this commit is in it.
    @Test(arguments: [(true, true), (false, false)])
    func `an error that ends the connection leaves a commit open`(isDeferred: Bool, mayHave: Bool) async throws {
        let timing = isDeferred ? "DEFERRABLE INITIALLY DEFERRED" : "NOT DEFERRABLE"
        let database = try await TestDatabase(
            """
            CREATE TABLE t (id bigint PRIMARY KEY);
            CREATE FUNCTION leave() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;
            CREATE CONSTRAINT TRIGGER leave AFTER INSERT ON t \(timing) FOR EACH ROW EXECUTE FUNCTION leave()
            """
        )
        try await database.use { connection in
            let error = failure {
                try connection.pipeline([
                    PostgresStatement("BEGIN"), PostgresStatement("INSERT INTO t VALUES (1)"),
                    PostgresStatement("COMMIT"),
                ])
            }
            #expect(error?.sqlState == "57P01" && error?.kind == .unavailable)
            #expect(error?.mayHaveCommitted == mayHave)
            #expect(!connection.isUsable)
        }
    }

    @Test func `on a silent network, a statement or copy ends at its deadline`() async throws {
        let database = try await TestDatabase("CREATE TABLE t (a text)")
        let relay = try await DatabaseRelay(for: database.server)
        let settings = try database.server.settings(database.name, port: relay.port)
        let held = try await blocking { Held(try PostgresConnection(settings)) }
        try await relay.hold()
        let error = await held.use { connection in
            connection.deadline = .now + .seconds(1)
            return failure { try connection.execute("SELECT 1") }
        }
        #expect(error?.kind == .timedOut)
        #expect(await held.use { $0.isUsable } == false)
        try await relay.release()
        let copying = try await blocking { Held(try PostgresConnection(settings)) }
        let copied = await copying.use { connection in
            // The copy has begun then, also on a busy machine.
            connection.deadline = .now + .seconds(3)
            return failure {
                _ = try connection.copy(into: "t", columns: ["a"]) { copy in
                    try copy.append(["a"])
                    let hold = DispatchSemaphore(value: 0)
                    Task {
                        try? await relay.hold()
                        hold.signal()
                    }
                    hold.wait()
                    // More than the sockets take.
                    let text = String(repeating: "x", count: 1_048_576)
                    for _ in 0..<64 { try copy.append([text]) }
                }
            }
        }
        #expect(copied?.kind == .timedOut)
        #expect(await copying.use { $0.isUsable } == false)
        try await relay.release()
        #expect(try await database.use { try $0.execute("SELECT count(*) FROM t")[0][0] } == 0)
        await relay.stop()
    }

    @Test func `a killed backend or server is unavailable until it restarts`() async throws {
        try await DatabaseServer.run { server in
            let settings = try server.settings()
            try await blocking {
                try PostgresConnection(settings).executeScript("CREATE TABLE t (id bigint PRIMARY KEY)")
            }
            for round in 0..<3 {
                // After its backend was killed, the server recovers for a while.
                let found = Locked<Held?>(nil)
                #expect(
                    try await eventually {
                        let held = try? await blocking { Held(try PostgresConnection(settings)) }
                        found.withLock { $0 = held }
                        return held != nil
                    }
                )
                let held = try #require(found.withLock { $0 })
                let backend = await held.use { $0.backend }
                let lost = Task {
                    await held.use { connection in
                        failure {
                            _ = try connection.transaction { connection in
                                try connection.execute("INSERT INTO t VALUES ($1)", [round])
                                try connection.execute("SELECT pg_sleep(60)")
                            }
                        }
                    }
                }
                try await Task.sleep(for: .milliseconds(100))
                switch round {
                case 0: try await server.kill(backend: backend)
                case 1: try await server.kill()
                default: try await server.shutDown()
                }
                let error = await lost.value
                #expect(error?.kind == .unavailable)
                #expect(error?.mayHaveCommitted == false)
                #expect(await held.use { $0.isUsable } == false)
                let later = await held.use { connection in failure { try connection.execute("SELECT 1") } }
                #expect(later?.kind == .unavailable)
                if round > 0 {
                    let refused = try await blocking { failure { _ = try PostgresConnection(settings) } }
                    #expect(refused?.kind == .unavailable)
                    try await server.restart()
                }
            }
            let pool = PostgresPool(settings)
            #expect(try await eventuallyAnswers(pool))
            #expect(try await pool.run { try $0.execute("SELECT count(*) FROM t")[0][0] } == 0)
            await pool.close()
        }
    }
}
