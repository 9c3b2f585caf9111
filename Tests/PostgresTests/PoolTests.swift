import Dispatch
import Eventually
import Foundation
import Groundwork
import Postgres
import RunningPostgres
import SeededRandom
import Testing

/// Waits until a pool has a connection.
func eventuallyAnswers(_ pool: PostgresPool) async throws -> Bool {
    try await eventually { (try? await pool.run { try $0.execute("SELECT 1")[0][0] }) == 1 }
}

@Suite(.timeLimit(.minutes(10))) struct PoolTests {
    private struct Stopped: Error {}

    @Test func `the end of a snapshot is sent at once, and its answer read later`() async throws {
        let database = try await TestDatabase("CREATE TABLE t (id bigint)")
        let pool = try PostgresPool(database.settings, limits: limits(connections: 1))
        func backend() async throws -> Int {
            try await pool.snapshot { connection in
                try connection.execute("SELECT count(*) FROM t")
                return Int(connection.backend)
            }
        }
        for round in 1...4 {
            let backend = try await backend()
            let hasEnded = try await eventually {
                try await database.use { connection in
                    let sql = "SELECT state FROM pg_stat_activity WHERE pid = $1"
                    return try connection.execute(sql, [backend])[0][0] == "idle"
                }
            }
            #expect(hasEnded, "round \(round)")
            // What comes next is a transaction of its own, and sees what was committed since.
            try await database.use { _ = try $0.execute("INSERT INTO t VALUES ($1)", [round]) }
            #expect(try await pool.run { try $0.execute("SELECT count(*) FROM t")[0][0] } == round)
        }
        // A connection that is lost while the answer is unread is replaced.
        let last = try await backend()
        // Returns when the process has ended.
        try await database.use { _ = try $0.execute("SELECT pg_terminate_backend($1::integer, 10000)", ["\(last)"]) }
        #expect(try await pool.snapshot { try $0.execute("SELECT count(*) FROM t")[0][0] } == 4)
        await pool.close()
    }

    @Test func `a statement that isn't waited for reports its failure`()
        async throws
    {
        let database = try await TestDatabase("CREATE TABLE t (id bigint PRIMARY KEY)")
        try await database.use { connection in
            let failures = Locked<[Int]>([])
            func send(_ number: Int) {
                connection.send(PostgresStatement("INSERT INTO t VALUES ($1)", [number])) {
                    failures.withLock { $0.append(number) }
                }
            }
            for number in [1, 2, 2, 3, 3, 4] { send(number) }
            let count: Int = try connection.execute("SELECT count(*) FROM t")[0][0]
            #expect(count == 4)
            #expect(failures.withLock { $0 } == [2, 3])
            send(5)
            connection.close()
            // It may have taken effect.
            #expect(failures.withLock { $0 } == [2, 3, 5])
        }
    }

    @Test func `a statement behind a commit runs after it, and not for one that failed`() async throws {
        let database = try await TestDatabase(
            """
            CREATE TABLE t (id bigint PRIMARY KEY, parent bigint REFERENCES t DEFERRABLE INITIALLY DEFERRED);
            CREATE TABLE seen (id bigint PRIMARY KEY)
            """
        )
        try await database.use { connection in
            let failures = Locked<[Int]>([])
            func insert(_ id: Int, parent: Int? = nil, marks: Int? = nil) throws -> Bool {
                try connection.transaction { connection in
                    connection.enqueue("INSERT INTO t VALUES ($1, $2)", [id, parent])
                    let mark = PostgresStatement("INSERT INTO seen SELECT id FROM t WHERE id = $1", [marks ?? id])
                    try connection.follow(with: mark) { failures.withLock { $0.append(id) } }
                }
                return connection.hasUnreadAnswer
            }
            // It is prepared with the first one.
            #expect(try insert(1))
            #expect(try insert(2))
            // The commit fails, by its constraint.
            #expect(failure { _ = try insert(3, parent: 99) }?.sqlState == "23503")
            #expect(connection.isUsable && !connection.isInTransaction)
            #expect(try insert(4, parent: 2))
            // The one behind it fails, and the commit doesn't.
            #expect(try insert(5, marks: 2))
            let rows = try ["t", "seen"].map { table in
                try connection.execute("SELECT id FROM \(table) ORDER BY id").map { try $0[0] as Int }
            }
            #expect(rows == [[1, 2, 4, 5], [1, 2, 4]])
            #expect(failures.withLock { $0 } == [5])
            let prepared: Int = try connection.execute(
                "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE 'INSERT INTO seen%'"
            )[0][0]
            #expect(prepared == 1)
        }
    }

    @Test func `a statement behind a commit that can't be prepared fails alone`() async throws {
        let database = try await TestDatabase("CREATE TABLE t (id bigint PRIMARY KEY)")
        try await database.use { connection in
            let failures = Locked<[Int]>([])
            func insert(_ id: Int, then sql: String) throws {
                try connection.transaction { connection in
                    connection.enqueue("INSERT INTO t VALUES ($1)", [id])
                    try connection.follow(with: PostgresStatement(sql)) { failures.withLock { $0.append(id) } }
                }
            }
            for id in [1, 2] { try insert(id, then: "SELECT count(*) FROM missing") }
            // What runs before the commit fails, so the transaction is open when this is prepared.
            #expect(failure { try insert(2, then: "SELECT count(*) FROM t WHERE id > 0") }?.sqlState == "23505")
            #expect(connection.isUsable && !connection.isInTransaction)
            try insert(3, then: "SELECT count(*) FROM t WHERE id > 0")
            try connection.execute("CREATE TABLE missing (id bigint)")
            try insert(4, then: "SELECT count(*) FROM missing")
            let count: Int = try connection.execute("SELECT count(*) FROM t")[0][0]
            #expect(count == 4)
            #expect(failures.withLock { $0 } == [1, 2])
        }
    }

    private func limits(connections: Int, wait: Double = 60) -> PostgresPool.Limits {
        var limits = PostgresPool.Limits()
        limits.connections = connections
        limits.wait = wait
        return limits
    }

    @Test func `64 tasks share 4 connections, and each has one by itself`() async throws {
        let database = try await TestDatabase("CREATE TABLE t (id bigint PRIMARY KEY, backend bigint)")
        let pool = try PostgresPool(database.settings, limits: limits(connections: 4))
        let running = Locked((now: 0, most: 0))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<64 {
                group.addTask {
                    for round in 0..<10 {
                        try await pool.run { connection in
                            running.withLock { running in
                                running.now += 1
                                running.most = max(running.most, running.now)
                            }
                            try connection.transaction { connection in
                                let backend = Int(connection.backend)
                                connection.enqueue("INSERT INTO t VALUES ($1, $2)", [task * 10 + round, backend])
                            }
                            running.withLock { $0.now -= 1 }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(running.withLock { $0.most } <= 4)
        let (rows, backends) = try await database.use { connection -> (Int, Int) in
            let row = try connection.execute("SELECT count(*), count(DISTINCT backend) FROM t")[0]
            return (try row[0], try row[1])
        }
        #expect(rows == 640)
        #expect((1...4).contains(backends))
        await pool.close()
        #expect(pool.counts == (0, 0))
        await #expect(throws: PostgresError.self) { try await pool.run { _ in } }
    }

    @Test func `the connection that was idle last is used first`() async throws {
        let database = try await TestDatabase()
        let pool = try PostgresPool(database.settings, limits: limits(connections: 4))
        #expect(try await eventually { pool.counts.connected == 4 })
        // A thread waits again only after its caller has the result, so a series may need another attempt. If the one
        // that was idle longest were used, no series would ever have one connection.
        let hasOne = try await eventually {
            var backends: Set<Int32> = []
            for _ in 0..<8 {
                backends.insert(try await pool.run { $0.backend })
                try await Task.sleep(for: .milliseconds(5))
            }
            return backends.count == 1
        }
        #expect(hasOne)
        await pool.close()
    }

    @Test func `a call that waits too long, or exceeds the queue, throws busy`() async throws {
        let database = try await TestDatabase()
        // Long enough that the second call is seen to wait.
        var few = limits(connections: 1, wait: 3)
        few.waiting = 1
        let pool = try PostgresPool(database.settings, limits: few)
        #expect(try await eventuallyAnswers(pool))
        let (began, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let slow = Task {
            try await pool.run { _ in
                began.signal()
                end.wait()
            }
        }
        try await blocking { began.wait() }
        let second = Task { try await pool.run { _ in } }
        #expect(try await eventually { pool.counts.waiting == 1 })
        let third = await #expect(throws: PostgresError.self) { try await pool.run { _ in } }
        #expect(third?.kind == .busy)
        let expired = await #expect(throws: PostgresError.self) { try await second.value }
        #expect(expired?.kind == .busy)
        #expect(expired?.message.contains("3.0 s") == true)
        end.signal()
        try await slow.value
        #expect(try await pool.run { try $0.execute("SELECT 1")[0][0] } == 1)
        await pool.close()
    }

    @Test func `a call that waits for another connection than a lost one has a limit, too`() async throws {
        let database = try await TestDatabase()
        let relay = try await DatabaseRelay(for: database.server)
        let settings = try database.server.settings(database.name, port: relay.port)
        // Long enough that the second call is seen to wait.
        var one = limits(connections: 1, wait: 2)
        one.connection.cancellation = 8
        let pool = PostgresPool(settings, limits: one)
        #expect(try await eventuallyAnswers(pool))
        // The end of a snapshot is prepared by the first one.
        #expect(try await pool.snapshot { try $0.execute("SELECT 1")[0][0] } == 1)
        let (began, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let first = Task {
            try await pool.snapshot { connection in
                try connection.execute("SELECT 1")
                began.signal()
                end.wait()
            }
        }
        try await blocking { began.wait() }
        let second = Task { try await pool.run { _ in } }
        #expect(try await eventually { pool.counts.waiting == 1 })
        // The answer to the first one's end is waited for longer, and the limit of the second one passes meanwhile.
        try await relay.hold()
        end.signal()
        try await first.value
        let error = await #expect(throws: PostgresError.self) { try await second.value }
        #expect(error?.kind == .busy)
        try await relay.release()
        #expect(try await eventuallyAnswers(pool))
        await pool.close()
        await relay.stop()
    }

    @Test func `a returned connection has no open transaction, queue or deadline`() async throws {
        let database = try await TestDatabase("CREATE TABLE t (id bigint PRIMARY KEY)")
        let pool = try PostgresPool(database.settings, limits: limits(connections: 1))
        let backend = try await pool.run { connection in
            try connection.execute("BEGIN")
            try connection.execute("INSERT INTO t VALUES (1)")
            connection.enqueue("INSERT INTO t VALUES (2)")
            return connection.backend
        }
        await #expect(throws: Stopped.self) {
            try await pool.run { connection in
                #expect(!connection.isInTransaction)
                #expect(try connection.execute("SELECT count(*) FROM t")[0][0] == 0)
                try connection.execute("BEGIN")
                _ = failure { try connection.execute("SELECT 1 / $1", [0]) }
                connection.deadline = .now
                throw Stopped()
            }
        }
        let next = try await pool.run { connection in
            #expect(!connection.isInTransaction)
            try connection.execute("INSERT INTO t VALUES (3)")
            return connection.backend
        }
        #expect(next == backend)
        #expect(try await database.use { try $0.execute("SELECT id FROM t").map { try $0[0] } } == [3])
        await pool.close()
    }

    @Test func `a connection that was lost while it was idle is replaced before the next use`() async throws {
        let database = try await TestDatabase()
        let pool = try PostgresPool(database.settings, limits: limits(connections: 2))
        for _ in 0..<5 {
            let backend = try await pool.run { Int($0.backend) }
            try await database.use { connection in
                try connection.execute("SELECT pg_terminate_backend($1::int)", [backend])
                let alive = PostgresStatement("SELECT 1 FROM pg_stat_activity WHERE pid = $1", [backend])
                while try !connection.pipeline([alive])[0].isEmpty {}
            }
            #expect(try await pool.run { try $0.execute("SELECT 1")[0][0] } == 1)
        }
        await pool.close()
    }

    @Test func `a statement that takes too long is cancelled, and its connection is used again`() async throws {
        var brief = limits(connections: 1)
        brief.use = 0.2
        brief.connection = .patient
        let pool = try await PostgresPool(DatabaseServer.shared.value.settings(), limits: brief)
        let backend = try await pool.run { $0.backend }
        let error = await #expect(throws: PostgresError.self) {
            try await pool.run { _ = try $0.execute("SELECT pg_sleep(60)") }
        }
        #expect(error?.kind == .timedOut)
        #expect(try await pool.run { $0.backend } == backend)
        await pool.close()
    }

    @Test func `closing ends what still runs after three seconds`() async throws {
        let database = try await TestDatabase("CREATE TABLE t (id bigint PRIMARY KEY)")
        let pool = try PostgresPool(database.settings, limits: limits(connections: 2))
        let other = try await blocking { [settings = try database.settings] in
            let connection = try PostgresConnection(settings)
            try connection.execute("BEGIN")
            try connection.execute("LOCK TABLE t")
            return Held(connection)
        }
        let (began, ended) = (DispatchSemaphore(value: 0), Locked(false))
        let waiting = Task {
            try await pool.run { connection in
                try connection.transaction { connection in
                    began.signal()
                    try connection.execute("INSERT INTO t VALUES (1)")
                }
            }
        }
        // It has its time: what takes no longer isn't ended.
        let brief = Task {
            try await pool.run { connection in
                began.signal()
                try connection.execute("SELECT pg_sleep(0.5)")
                ended.withLock { $0 = true }
            }
        }
        try await blocking {
            began.wait()
            began.wait()
        }
        let start = ContinuousClock.now
        await pool.close()
        let took = ContinuousClock.now - start
        // Otherwise it would take the time of the pool's use, which is half a minute.
        #expect(took > .seconds(2) && took < .seconds(20), "\(took)")
        let error = await #expect(throws: PostgresError.self) { try await waiting.value }
        #expect(error?.mayHaveCommitted == false)
        try await brief.value
        #expect(ended.withLock { $0 })
        // Its locks are free.
        let isOver = try await eventually {
            try await database.use { connection in
                try connection.execute(
                    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
                )[0][0] == 0
            }
        }
        #expect(isOver)
        await other.use { $0.close() }
        #expect(try await database.use { try $0.execute("SELECT count(*) FROM t")[0][0] } == 0)
    }

    @Test func `closing doesn't wait for a database that is paused`() async throws {
        try await DatabaseServer.run { server in
            let pool = try PostgresPool(server.settings(), limits: limits(connections: 2))
            #expect(try await eventually { pool.counts.connected == 2 })
            try await server.pause()
            let waiting = Task { try await pool.run { _ = try $0.execute("SELECT 1") } }
            try await Task.sleep(for: .milliseconds(200))
            let start = ContinuousClock.now
            await pool.close()
            let took = ContinuousClock.now - start
            #expect(took < .seconds(20), "\(took)")
            await #expect(throws: PostgresError.self) { try await waiting.value }
            try await server.resume()
        }
    }

    @Test func `a pool fails at once while the database is down, and works when it is back`() async throws {
        try await DatabaseServer.run { server in
            let pauses = Pauses()
            let pool = try PostgresPool(
                server.settings(),
                limits: limits(connections: 3),
                backOff: pauses.backOff
            )
            #expect(try await eventuallyAnswers(pool))
            try await server.kill()
            #expect(try await eventually { (try? await pool.run { _ = try $0.execute("SELECT 1") }) == nil })
            #expect(try await eventually { pool.outage != nil })
            let start = ContinuousClock.now
            for _ in 0..<100 {
                let error = await #expect(throws: PostgresError.self) { try await pool.run { _ in } }
                #expect(error?.kind == .unavailable)
            }
            // Each would wait for up to a minute.
            #expect(ContinuousClock.now - start < .seconds(40))
            #expect(!pauses.seconds.withLock { $0 }.isEmpty)
            try await server.restart()
            #expect(try await eventuallyAnswers(pool))
            #expect(pool.outage == nil)
            #expect(try await eventually { pool.counts.connected == 3 })
            await pool.close()
            #expect(pool.counts.connected == 0)
        }
    }

    @Test func `a pool uses the connections that a full database leaves it, and more later`() async throws {
        try await DatabaseServer.run(options: ["max_connections=8"]) { server in
            let settings = try server.settings()
            var others: [Held] = []
            for _ in 0..<8 { others.append(try await blocking { try Held(PostgresConnection(settings)) }) }
            let pool = PostgresPool(settings, limits: limits(connections: 4), backOff: Pauses().backOff)
            #expect(try await eventually { pool.outage != nil })
            let error = await #expect(throws: PostgresError.self) { try await pool.run { _ in } }
            #expect(error?.kind == .unavailable && error?.sqlState == "53300", "\(String(describing: error))")
            for other in others[..<2] { await other.use { $0.close() } }
            #expect(try await eventually { pool.counts.connected == 2 })
            let numbers = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<50 {
                    group.addTask { try await pool.run { try $0.execute("SELECT $1", [number])[0][0] } }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(numbers.sorted() == Array(0..<50))
            #expect(pool.outage == nil)
            for other in others[2...] { await other.use { $0.close() } }
            #expect(try await eventually { pool.counts.connected == 4 })
            await pool.close()
        }
    }

    @Test func `a pool's reported outcomes match the stored rows while connections are cut`() async throws {
        let database = try await TestDatabase("CREATE TABLE t (id bigint PRIMARY KEY)")
        let relay = try await DatabaseRelay(for: database.server)
        let pauses = Pauses()
        let pool = try PostgresPool(
            database.server.settings(database.name, port: relay.port),
            limits: limits(connections: 8),
            backOff: pauses.backOff
        )
        #expect(try await eventuallyAnswers(pool))
        let isOver = Locked(false)
        let cutter = Task {
            var random = Seeded(25)
            var cuts = 0
            while !isOver.withLock({ $0 }) {
                try await relay.cut(after: Int.random(in: 0..<4_000, using: &random))
                while try await !relay.passed().isCut, !isOver.withLock({ $0 }) {
                    try await Task.sleep(for: .milliseconds(2))
                }
                cuts += 1
            }
            return cuts
        }
        let results = await withTaskGroup(of: [(id: Int, error: PostgresError?)].self) { group in
            for task in 0..<16 {
                group.addTask {
                    var results: [(id: Int, error: PostgresError?)] = []
                    for round in 0..<60 {
                        let id = task * 1_000 + round
                        do {
                            try await pool.run { connection in
                                try connection.transaction { connection in
                                    try connection.execute("SELECT count(*) FROM t WHERE id = $1", [id])
                                    connection.enqueue("INSERT INTO t VALUES ($1)", [id])
                                }
                            }
                            results.append((id, nil))
                        } catch {
                            results.append((id, error as? PostgresError))
                        }
                    }
                    return results
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        isOver.withLock { $0 = true }
        let cuts = try await cutter.value
        let stored = Set(
            try await database.use { try $0.execute("SELECT id FROM t").map { row -> Int in try row[0] } }
        )
        var counts = (stored: 0, refused: 0, unknown: 0)
        for (id, error) in results {
            if let error {
                #expect(error.kind == .unavailable)
                if error.mayHaveCommitted { counts.unknown += 1 } else { counts.refused += 1 }
                #expect(error.mayHaveCommitted || !stored.contains(id))
            } else {
                counts.stored += 1
                #expect(stored.contains(id))
            }
        }
        #expect(results.count == 960)
        #expect(cuts > 3, "\(counts)")
        #expect(counts.stored > 0 && counts.refused + counts.unknown > 0, "\(counts)")
        await pool.close()
        await relay.stop()
    }
}
