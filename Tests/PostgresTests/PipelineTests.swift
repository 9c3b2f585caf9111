import Foundation
import Postgres
import RunningPostgres
import Testing

@Suite(.timeLimit(.minutes(5))) struct PipelineTests {
    private static let schema = "CREATE TABLE t (id bigint PRIMARY KEY)"

    private static func ids(_ connection: PostgresConnection) throws -> [Int] {
        try connection.execute("SELECT id FROM t ORDER BY id").map { try $0[0] }
    }

    @Test func `results come in the order of the statements, in one round trip`() async throws {
        try await TestDatabase().use { connection in
            let before = connection.roundTrips
            let results = try connection.pipeline((1...50).map { PostgresStatement("SELECT $1", [$0]) })
            #expect(try results.map { try $0[0][0] } == Array(1...50))
            #expect(connection.roundTrips == before + 1)
        }
    }

    @Test func `more than both sockets hold is sent and received at the same time`() async throws {
        try await TestDatabase().use { connection in
            let text = String(repeating: "x", count: 1_048_576)
            let results = try connection.pipeline((0..<24).map { _ in PostgresStatement("SELECT $1", [text]) })
            #expect(try results.allSatisfy { try $0[0][0] == text })
        }
    }

    @Test func `an error in the middle names its statement, and nothing took effect`() async throws {
        try await TestDatabase(Self.schema).use { connection in
            let insert = "INSERT INTO t VALUES ($1)"
            let error = failure {
                try connection.pipeline([1, 2, 1, 3].map { PostgresStatement(insert, [$0]) })
            }
            #expect(error?.kind == .uniqueViolation)
            #expect(error?.statement == 2)
            #expect(error?.sql == insert)
            #expect(error?.constraint == "t_pkey")
            #expect(error?.mayHaveCommitted == false)
            #expect(try Self.ids(connection).isEmpty)
            // The statement stays prepared, the connection usable.
            try connection.pipeline([1, 2].map { PostgresStatement(insert, [$0]) })
            #expect(try Self.ids(connection) == [1, 2])
        }
    }

    @Test func `a pipeline with BEGIN and COMMIT is a transaction, with settings of its own`() async throws {
        try await TestDatabase(Self.schema).use { connection in
            let before = connection.roundTrips
            let results = try connection.pipeline([
                PostgresStatement("BEGIN"), .setLocal("statement_timeout", "123456ms"),
                PostgresStatement("INSERT INTO t VALUES ($1)", [1]), PostgresStatement("SHOW statement_timeout"),
                PostgresStatement("COMMIT"),
            ])
            #expect(connection.roundTrips == before + 1)
            #expect(try results[3][0][0] == "123456ms")
            #expect(try connection.execute("SHOW statement_timeout")[0][0] == "0")
            #expect(try Self.ids(connection) == [1])
        }
    }

    @Test func `a transaction of a pipeline that fails is rolled back`() async throws {
        try await TestDatabase(Self.schema).use { connection in
            let error = failure {
                try connection.pipeline([
                    PostgresStatement("BEGIN"), PostgresStatement("INSERT INTO t VALUES (1)"),
                    PostgresStatement("SELECT 1 / $1", [0]), PostgresStatement("COMMIT"),
                ])
            }
            #expect(error?.statement == 2)
            #expect(error?.sqlState == "22012")
            #expect(!connection.isInTransaction)
            let ids = try Self.ids(connection)
            #expect(ids.isEmpty)
        }
    }

    @Test func `a commit of a transaction that had failed is an error`() async throws {
        try await TestDatabase(Self.schema).use { connection in
            try connection.execute("BEGIN")
            _ = failure { try connection.execute("SELECT 1 / $1", [0]) }
            #expect(failure { try connection.execute("COMMIT") }?.message.contains("rolled back") == true)
            #expect(!connection.isInTransaction)
        }
    }

    @Test func `a queued statement goes with the next one, and its error names it`() async throws {
        try await TestDatabase(Self.schema).use { connection in
            let before = connection.roundTrips
            connection.enqueue("INSERT INTO t VALUES ($1)", [1])
            connection.enqueue("INSERT INTO t VALUES ($1)", [2])
            #expect(connection.roundTrips == before)
            let ids = try Self.ids(connection)
            #expect(ids == [1, 2])
            #expect(connection.roundTrips == before + 1)
            connection.enqueue("INSERT INTO t VALUES ($1)", [2])
            let error = failure { try connection.execute("SELECT 1") }
            #expect(error?.statement == 0)
            #expect(error?.sql == "INSERT INTO t VALUES ($1)")
            #expect(try connection.execute("SELECT 1")[0][0] == 1)
        }
    }

    @Test func `statements are prepared once, and the least recently used are removed`() async throws {
        var limits = PostgresConnection.Limits()
        limits.statements = 10
        try await TestDatabase().use(limits: limits) { connection in
            func prepared() throws -> [String] {
                try connection.execute("SELECT statement FROM pg_prepared_statements ORDER BY 1").map { try $0[0] }
            }
            for round in 1...40 {
                try connection.execute("SELECT $1", [round])
                try connection.execute("SELECT \(round)")
            }
            let all = try prepared()
            // With those of transactions, and the one that runs.
            #expect(all.count <= 15)
            #expect(all.contains("SELECT $1"))
            #expect(all.contains("SELECT 40"))
            #expect(!all.contains("SELECT 1"))
            // The same text with another type is another statement.
            #expect(try connection.execute("SELECT $1", ["a"])[0][0] == "a")
            #expect(try connection.execute("SELECT $1", [1])[0][0] == 1)
            #expect(try connection.execute("SELECT 1")[0][0] == 1)
        }
    }

    @Test func `a statement that can't be prepared isn't remembered`() async throws {
        try await TestDatabase().use { connection in
            for _ in 0..<2 {
                #expect(failure { try connection.execute("SELECT * FROM later") }?.sqlState == "42P01")
            }
            try connection.executeScript("CREATE TABLE later (a int)")
            #expect(try connection.execute("SELECT * FROM later").isEmpty)
        }
    }

    @Test func `a statement whose table has another column is prepared again`() async throws {
        let database = try await TestDatabase(Self.schema)
        let settings = try database.settings
        let pauses = Pauses()
        try await database.use { (connection) throws in
            let other = try PostgresConnection(settings)
            defer { other.close() }
            #expect(try connection.execute("SELECT * FROM t").isEmpty)
            try other.executeScript("ALTER TABLE t ADD COLUMN a bigint")
            #expect(failure { try connection.execute("SELECT * FROM t") }?.kind == .conflict)
            #expect(try connection.execute("SELECT * FROM t").isEmpty)
            try other.executeScript("ALTER TABLE t ADD COLUMN b bigint")
            try connection.transaction(retries: PostgresRetries(backOff: pauses.backOff)) { connection in
                try connection.execute("INSERT INTO t VALUES (1, 2, 3)")
                let third: Int = try connection.execute("SELECT * FROM t")[0][2]
                #expect(third == 3)
            }
        }
    }

    @Test func `a script runs several statements, all or none`() async throws {
        try await TestDatabase(Self.schema).use { connection in
            #expect(
                failure { try connection.executeScript("INSERT INTO t VALUES (1); SELECT 1 / 0") }?.sqlState == "22012"
            )
            #expect(try Self.ids(connection).isEmpty)
            try connection.executeScript("INSERT INTO t VALUES (1); INSERT INTO t VALUES (2)")
            #expect(try Self.ids(connection) == [1, 2])
            #expect(failure { try connection.executeScript("COPY t TO STDOUT") }?.kind == .other)
        }
    }
}
