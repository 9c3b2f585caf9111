import Dispatch
import Foundation
import Groundwork
import Postgres
import RunningPostgres
import Testing

@Suite(.timeLimit(.minutes(5))) struct TransactionTests {
    private static let schema = """
        CREATE TABLE t (id bigint PRIMARY KEY, n bigint NOT NULL DEFAULT 0);
        INSERT INTO t VALUES (101), (102);
        """
    private static let insert = "INSERT INTO t VALUES ($1)"

    private static func ids(_ connection: PostgresConnection) throws -> [Int] {
        try connection.execute("SELECT id FROM t WHERE id < 100 ORDER BY id").map { try $0[0] }
    }

    private struct Stopped: Error {}

    @Test func `a transaction that reads and then writes has two round trips`() async throws {
        try await TestDatabase(Self.schema).use { connection in
            let before = connection.roundTrips
            try connection.transaction { connection in
                connection.enqueue(.setLocal("statement_timeout", "5s"))
                let n: Int = try connection.execute("SELECT n FROM t WHERE id = 101 FOR UPDATE")[0][0]
                connection.enqueue("UPDATE t SET n = $1 WHERE id = 101", [n + 1])
                connection.enqueue(Self.insert, [1])
            }
            #expect(connection.roundTrips == before + 2)
            #expect(try connection.execute("SELECT n FROM t WHERE id = 101")[0][0] == 1)
            #expect(try Self.ids(connection) == [1])
            let second = connection.roundTrips
            try connection.transaction { $0.enqueue(Self.insert, [2]) }
            #expect(connection.roundTrips == second + 1)
            #expect(try Self.ids(connection) == [1, 2])
            let third = connection.roundTrips
            try connection.transaction { _ in }
            #expect(connection.roundTrips == third)
        }
    }

    @Test func `a parameter of the session is set where it changes, and after a rollback`() async throws {
        try await TestDatabase(Self.schema).use { connection in
            func current() throws -> String { try connection.execute("SELECT current_setting('inbox.node')")[0][0] }
            func seen(setting value: String, then body: () throws -> Void = {}) throws -> String {
                try connection.transaction { connection in
                    connection.setForSession([("inbox.node", value), ("lock_timeout", "7s")])
                    let seen = try current()
                    try body()
                    return seen
                }
            }
            #expect(try seen(setting: "1") == "1")
            #expect(try connection.execute("SHOW lock_timeout")[0][0] == "7s")
            // A value that the connection doesn't know of stays, as nothing is sent.
            try connection.execute("SELECT set_config('inbox.node', 'unknown', false)")
            #expect(try seen(setting: "1") == "unknown")
            #expect(try seen(setting: "2") == "2")
            #expect(throws: Stopped.self) { _ = try seen(setting: "3") { throw Stopped() } }
            #expect(try current() == "2")
            // It isn't known any more what the session has.
            try connection.execute("SELECT set_config('inbox.node', 'unknown', false)")
            #expect(try seen(setting: "2") == "2")
            // Nothing is sent of a transaction without statements.
            try connection.transaction { $0.setForSession([("inbox.node", "4")]) }
            #expect(try current() == "2")
            #expect(try seen(setting: "4") == "4")
        }
    }

    @Test func `a session's parameters are as they were at its beginning once they are reset`() async throws {
        try await TestDatabase(Self.schema).use { connection in
            func current() throws -> [String] {
                let row = try connection.execute(
                    "SELECT coalesce(current_setting('inbox.node', true), ''), current_setting('lock_timeout')"
                )[0]
                return [try row[0], try row[1]]
            }
            func set() throws {
                try connection.transaction { connection in
                    connection.setForSession([("inbox.node", "1"), ("lock_timeout", "7s")])
                    try connection.execute("SELECT 1")
                }
            }
            let start = try current()
            let before = connection.roundTrips
            try connection.resetSession()
            #expect(connection.roundTrips == before)
            try set()
            #expect(try current() == ["1", "7s"])
            // After a rollback it isn't known what the session has.
            #expect(throws: Stopped.self) {
                try connection.transaction { connection in
                    connection.setForSession([("inbox.node", "2")])
                    try connection.execute("SELECT 1")
                    throw Stopped()
                }
            }
            try connection.resetSession()
            #expect(try current() == start)
            try set()
            #expect(try current() == ["1", "7s"])
        }
    }

    @Test func `a transaction whose body throws is rolled back, also what was queued`() async throws {
        try await TestDatabase(Self.schema).use { (connection) throws in
            #expect(throws: Stopped.self) {
                try connection.transaction { connection in
                    try connection.execute(Self.insert, [1])
                    connection.enqueue(Self.insert, [2])
                    throw Stopped()
                }
            }
            #expect(throws: Stopped.self) {
                try connection.transaction { connection in
                    connection.enqueue(Self.insert, [3])
                    throw Stopped()
                }
            }
            #expect(!connection.isInTransaction)
            #expect(try Self.ids(connection).isEmpty)
        }
    }

    @Test func `an error of a statement that was queued last fails the transaction`() async throws {
        try await TestDatabase(Self.schema).use { connection in
            let error = failure {
                try connection.transaction { connection in
                    try connection.execute(Self.insert, [1])
                    connection.enqueue(Self.insert, [1])
                }
            }
            #expect(error?.kind == .uniqueViolation)
            #expect(!connection.isInTransaction)
            let ids = try Self.ids(connection)
            #expect(ids.isEmpty)
        }
    }

    @Test func `a savepoint that fails loses its own changes alone`() async throws {
        try await TestDatabase(Self.schema).use { connection in
            try connection.transaction { connection in
                try connection.savepoint { $0.enqueue(Self.insert, [1]) }
                #expect(
                    failure { _ = try connection.savepoint { try $0.execute(Self.insert, [1]) } }?.kind
                        == .uniqueViolation
                )
                #expect(failure { try connection.savepoint { $0.enqueue(Self.insert, [1]) } }?.kind == .uniqueViolation)
                #expect(throws: Stopped.self) {
                    try connection.savepoint { connection in
                        connection.enqueue(Self.insert, [2])
                        throw Stopped()
                    }
                }
                try connection.savepoint { connection in
                    try connection.execute(Self.insert, [3])
                    #expect(throws: Stopped.self) {
                        try connection.savepoint { connection in
                            try connection.execute(Self.insert, [4])
                            throw Stopped()
                        }
                    }
                    connection.enqueue(Self.insert, [5])
                }
            }
            #expect(try Self.ids(connection) == [1, 3, 5])
        }
    }

    @Test func `an error from before a savepoint isn't the savepoint's`() async throws {
        try await TestDatabase(Self.schema).use { connection in
            let ran = Locked(false)
            let error = failure {
                try connection.transaction { connection in
                    try connection.execute(Self.insert, [1])
                    connection.enqueue(Self.insert, [1])
                    try? connection.savepoint { _ in ran.withLock { $0 = true } }
                }
            }
            #expect(!ran.withLock { $0 })
            #expect(error != nil)
            let ids = try Self.ids(connection)
            #expect(ids.isEmpty)
        }
    }

    @Test func `two transactions that deadlock both succeed, one at its second attempt`() async throws {
        let database = try await TestDatabase(Self.schema)
        let pauses = Pauses()
        let both = Locked((arrived: 0, attempts: 0))
        let met = DispatchSemaphore(value: 0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for order in [[101, 102], [102, 101]] {
                group.addTask {
                    try await database.use { connection in
                        try connection.transaction(retries: PostgresRetries(backOff: pauses.backOff)) { connection in
                            let isFirst = both.withLock { both in
                                both.attempts += 1
                                return both.attempts <= 2
                            }
                            try connection.execute("UPDATE t SET n = n + 1 WHERE id = $1", [order[0]])
                            if isFirst {
                                let arrived = both.withLock { both in
                                    both.arrived += 1
                                    return both.arrived
                                }
                                if arrived == 2 { for _ in 0..<2 { met.signal() } }
                                met.wait()
                            }
                            try connection.execute("UPDATE t SET n = n + 1 WHERE id = $1", [order[1]])
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(both.withLock { $0.attempts } >= 3)
        #expect(!pauses.seconds.withLock { $0 }.isEmpty)
        #expect(try await database.use { try $0.execute("SELECT sum(n)::bigint FROM t")[0][0] } == 4)
    }

    @Test func `a serialization failure is retried, with growing pauses, and ends as a conflict`() async throws {
        let database = try await TestDatabase(Self.schema)
        let pauses = Pauses()
        /// Another connection changes what the transaction has read, in its first attempts.
        func increase(interruptions: Int) async throws -> (attempts: Int, error: PostgresError?) {
            let settings = try database.settings
            return try await database.use { connection in
                let other = try PostgresConnection(settings)
                defer { other.close() }
                var attempts = 0
                let error = failure {
                    try connection.transaction(
                        .serializable,
                        retries: PostgresRetries(limit: 3, backOff: pauses.backOff)
                    ) { connection in
                        attempts += 1
                        let n: Int = try connection.execute("SELECT n FROM t WHERE id = 101")[0][0]
                        if attempts <= interruptions { try other.execute("UPDATE t SET n = n + 1 WHERE id = 101") }
                        connection.enqueue("UPDATE t SET n = $1 WHERE id = 101", [n + 100])
                    }
                }
                return (attempts, error)
            }
        }
        let success = try await increase(interruptions: 2)
        #expect(success.attempts == 3)
        #expect(success.error == nil)
        #expect(try await database.use { try $0.execute("SELECT n FROM t WHERE id = 101")[0][0] } == 102)
        let first = pauses.seconds.withLock { $0 }
        try #require(first.count == 2)
        #expect((0.05...0.1).contains(first[0]))
        #expect((0.1...0.2).contains(first[1]))
        let end = try await increase(interruptions: 9)
        #expect(end.attempts == 4)
        #expect(end.error?.kind == .conflict)
        #expect(end.error?.sqlState == "40001")
    }

    @Test func `a snapshot reads one moment, and can't write`() async throws {
        let database = try await TestDatabase(Self.schema)
        let settings = try database.settings
        try await database.use { connection in
            let other = try PostgresConnection(settings)
            defer { other.close() }
            try connection.transaction(.snapshot) { connection in
                #expect(try Self.ids(connection).isEmpty)
                try other.execute(Self.insert, [1])
                #expect(try Self.ids(connection).isEmpty)
            }
            #expect(try Self.ids(connection) == [1])
            #expect(failure { _ = try connection.transaction(.snapshot) { try $0.execute(Self.insert, [2]) } } != nil)
        }
    }

    @Test func `writes don't depend on the read-only default of the database`() async throws {
        let database = try await TestDatabase("CREATE TABLE t (id bigint)")
        let name = database.name
        try await database.use { try $0.executeScript("ALTER DATABASE \(name) SET default_transaction_read_only = on") }
        try await database.use { connection in
            // Outside of a transaction.
            try connection.execute("INSERT INTO t VALUES (1)")
            try connection.transaction { _ = try $0.execute("INSERT INTO t VALUES (2)") }
        }
        // By this, libpq looks for another one.
        let asking = try PostgresSettings(database.server.address(name) + "?target_session_attrs=read-write")
        #expect(try await blocking { failure { _ = try PostgresConnection(asking) } }?.kind == .unavailable)
    }

    @Test func `a transaction within a transaction is refused`() async throws {
        try await TestDatabase(Self.schema).use { connection in
            let error = failure { try connection.transaction { try $0.transaction { _ in } } }
            #expect(error?.message.contains("use a savepoint") == true)
        }
    }

    @Test func `a copy inserts all rows or none`() async throws {
        try await TestDatabase("CREATE TABLE \"odd \"\"name\" (a bigint, b text, c bytea)").use { (connection) throws in
            func count() throws -> Int { try connection.execute("SELECT count(*) FROM \"odd \"\"name\"")[0][0] }
            func copy(_ body: (PostgresCopy) throws -> Void) throws -> Int {
                try connection.copy(into: "odd \"name", columns: ["a", "b", "c"], body)
            }
            let text = String(repeating: "ä", count: 100)
            let copied = try copy { copy in
                for id in 1...20_000 { try copy.append([id, id % 3 == 0 ? String?.none : text, Data([0, 255])]) }
            }
            #expect(copied == 20_000)
            let row = try connection.execute("SELECT b, c FROM \"odd \"\"name\" WHERE a = $1", [20_000])[0]
            #expect(try row[0] == text)
            #expect(try row[1] == Data([0, 255]))
            #expect(try connection.execute("SELECT b FROM \"odd \"\"name\" WHERE a = 3")[0][0] == String?.none)
            #expect(throws: Stopped.self) {
                _ = try copy { copy in
                    for id in 1...20_000 { try copy.append([id, text, Data()]) }
                    throw Stopped()
                }
            }
            // Nothing of a row that was refused is sent.
            let others = try copy { copy in
                #expect(failure { try copy.append([20_001, "\0", Data()]) }?.kind == .invalidValue)
                try copy.append([20_001, "a", Data()])
            }
            #expect(others == 1)
            try connection.execute("DELETE FROM \"odd \"\"name\" WHERE a = 20001")
            #expect(failure { _ = try copy { try $0.append([1]) } }?.kind == .invalidValue)
            #expect(failure { _ = try copy { try $0.append([1, "\0", Data()]) } }?.kind == .invalidValue)
            // The type isn't the column's.
            #expect(failure { _ = try copy { try $0.append([true, "", Data()]) } }?.kind == .invalidValue)
            #expect(try count() == 20_000)
            #expect(try copy { _ in } == 0)
            #expect(failure { _ = try connection.copy(into: "none", columns: ["a"]) { _ in } }?.sqlState == "42P01")
            try connection.transaction { connection in
                connection.enqueue("DELETE FROM \"odd \"\"name\"")
                let count = try connection.copy(into: "odd \"name", columns: ["a"]) { try $0.append([1]) }
                #expect(count == 1)
            }
            #expect(try count() == 1)
        }
    }
}
