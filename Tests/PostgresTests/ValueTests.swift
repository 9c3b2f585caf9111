import Foundation
import Groundwork
import Postgres
import RunningPostgres
import SeededRandom
import Testing

@Suite(.timeLimit(.minutes(5))) struct ValueTests {
    /// Sends a value and reads it back.
    private func returned<Value: PostgresEncodable & PostgresDecodable>(_ values: [Value], as type: String) async throws
        -> [Value]
    {
        try await TestDatabase().use { connection in
            try values.map { value in try connection.execute("SELECT $1::\(type)", [value])[0][0] }
        }
    }

    @Test func `numbers are returned as they were sent, at their edges`() async throws {
        let numbers = [0, 1, -1, .max, .min, 1 << 31, -1 << 31]
        #expect(try await returned(numbers, as: "bigint") == numbers)
        let fractions = [0, -0.1, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity, -.infinity]
        #expect(try await returned(fractions, as: "double precision") == fractions)
        #expect(try await returned([true, false], as: "boolean") == [true, false])
    }

    @Test func `texts and bytes are returned as they were sent, empty and large`() async throws {
        let texts = ["", "a", "ä € 😀", "'\"\\{},", "\n\t", String(repeating: "ß", count: 524_288)]
        #expect(try await returned(texts, as: "text") == texts)
        let bytes: [[UInt8]] = [[], [0], Array(0...255), [UInt8](repeating: 7, count: 1_048_576)]
        #expect(try await returned(bytes, as: "bytea") == bytes)
        #expect(try await returned(bytes.map { Data($0) }, as: "bytea") == bytes.map { Data($0) })
    }

    @Test func `an absent value is null, which is neither empty nor zero`() async throws {
        #expect(try await returned([nil, "", "a"] as [String?], as: "text") == [nil, "", "a"])
        #expect(try await returned([nil, 0] as [Int?], as: "bigint") == [nil, 0])
        #expect(try await returned([nil, []] as [[UInt8]?], as: "bytea") == [nil, []])
    }

    @Test func `dates are milliseconds`() async throws {
        let dates = [Date(milliseconds: 0), Date(milliseconds: -1), Date(milliseconds: 1_764_249_600_123)]
        #expect(try await returned(dates, as: "bigint") == dates)
        try await TestDatabase().use { connection in
            let sent: Int = try connection.execute("SELECT $1", [dates[2]])[0][0]
            #expect(sent == 1_764_249_600_123)
        }
    }

    @Test func `arrays are parameters of ANY and unnest`() async throws {
        let texts = ["", "a\"b", "{c,d}", "\\", "NULL", " ", "ä"]
        try await TestDatabase().use { connection in
            let found = try connection.execute(
                "SELECT t FROM unnest($1) WITH ORDINALITY AS u (t, o) ORDER BY o",
                [texts]
            )
            #expect(try found.map { try $0[0] } == texts)
            let matched = try connection.execute(
                "SELECT n FROM generate_series(1, 9) n WHERE n = ANY($1)",
                [[3, 5, 99]]
            )
            #expect(try matched.map { row -> Int in try row[0] } == [3, 5])
            #expect(try connection.execute("SELECT 1 WHERE 1 = ANY($1)", [[Int]()]).isEmpty)
        }
        #expect(try await returned([texts, []], as: "text[]") == [texts, []])
        #expect(try await returned([[.min, 0, .max]], as: "bigint[]") == [[Int.min, 0, .max]])
        #expect(try await returned([[nil, 1, nil]] as [[Int?]], as: "bigint[]") == [[nil, 1, nil]])
        let binary = [[Data(), Data([0, 1])]]
        #expect(try await returned(binary, as: "bytea[]") == binary)
    }

    @Test func `random values of all types come back from a table`() async throws {
        let database = try await TestDatabase(
            "CREATE TABLE t (id bigint PRIMARY KEY, n bigint, s text, b bytea, d double precision, f boolean)"
        )
        try await database.use { connection in
            var random = Seeded(25)
            for id in 1...200 {
                let n = random.chance(0.2) ? nil : Int(truncatingIfNeeded: random.next())
                let s =
                    random.chance(0.2)
                    ? nil
                    : String(
                        (0..<Int.random(in: 0...40, using: &random)).map { _ in
                            Character(Unicode.Scalar(UInt32.random(in: 1...0xD7FF, using: &random)) ?? "x")
                        }
                    )
                let b = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
                let d = Double.random(in: -1e300...1e300, using: &random)
                let f = random.chance(0.5)
                try connection.execute("INSERT INTO t VALUES ($1, $2, $3, $4, $5, $6)", [id, n, s, b, d, f])
                let row = try connection.execute("SELECT n, s, b, d, f FROM t WHERE id = $1", [id])[0]
                #expect(try row[0] == n)
                // By their bytes: two texts that look alike are equal in Swift.
                #expect(try (row[1] as String?).map { Array($0.utf8) } == s.map { Array($0.utf8) })
                #expect(try row[2] == b)
                #expect(try row[3] == d)
                #expect(try row[4] == f)
            }
        }
    }

    @Test func `U+0000 in a text is refused before anything is sent`() async throws {
        try await TestDatabase().use { (connection) throws in
            let before = connection.roundTrips
            let values: [any PostgresEncodable] = ["a\0b", ["a", "b\0"]]
            for value in values {
                let error = failure { try connection.execute("SELECT $1::bigint, $2", [1, value]) }
                #expect(error?.kind == .invalidValue)
                #expect(error?.message.contains("parameter 2: the text contains U+0000") == true)
            }
            #expect(failure { try connection.execute("SELECT 1\0; DROP TABLE t") }?.kind == .invalidValue)
            #expect(connection.roundTrips == before)
            // Bytes may contain anything, and the connection is as it was.
            #expect(try connection.execute("SELECT $1", [[0] as [UInt8]])[0][0] == [0] as [UInt8])
        }
    }

    @Test func `a column of another type, null or a missing column is an error`() async throws {
        try await TestDatabase().use { connection in
            let row = try connection.execute(
                "SELECT 'a'::text AS name, NULL::bigint, 1.5::numeric, 7::int, 7::smallint"
            )[0]
            #expect(failure { _ = try row[0] as Int }?.message.contains("the column name has the type 25") == true)
            #expect(failure { _ = try row[1] as Int }?.message.contains("is null") == true)
            #expect(failure { _ = try row[2] as Double }?.kind == .invalidValue)
            #expect(failure { _ = try row[0] as [UInt8] }?.kind == .invalidValue)
            #expect(failure { _ = try row[5] as Int }?.message == "there is no column 5")
            #expect(try row[3] == 7)
            #expect(try row[4] == 7)
        }
    }

    @Test func `a statement that was prepared with a value takes null, and the reverse`() async throws {
        let database = try await TestDatabase("CREATE TABLE t (a int, b text)")
        try await database.use { connection in
            for a in [nil, 1, nil, 2] as [Int?] {
                try connection.execute("INSERT INTO t (a, b) VALUES ($1, $2)", [a, a.map { "\($0)" }])
            }
            let rows = try connection.execute("SELECT a, b FROM t ORDER BY a NULLS FIRST")
            #expect(try rows.map { try $0[0] as Int? } == [nil, nil, 1, 2])
            #expect(try rows.map { try $0[1] as String? } == [nil, nil, "1", "2"])
        }
    }
}
