import Foundation
import GRDB
import Postgres
import Testing

@testable import InboxService

@Suite(.timeLimit(.minutes(5))) struct QueuedRowTests {
    /// Runs a closure in a transaction of each database.
    private func onBoth(_ body: @escaping @Sendable (SQLConnection, () -> Int) throws -> Void) async throws {
        try await DatabaseQueue().write { db in try body(.sqlite(db)) { 0 } }
        try await StorageDatabase.migrated.value.0.use { connection in
            try connection.transaction { connection in
                try body(.postgres(PostgresTransaction(connection))) { connection.roundTrips }
            }
        }
    }

    private static let values = SQLText(
        sqlite: "SELECT ?, ?, ?, 1.5, x'0102', NULL",
        postgres: "SELECT ?::bigint, ?::text, ?::boolean, 1.5::double precision, '\\x0102'::bytea, NULL::bigint"
    )

    @Test func `a queued row has the values of each type, and null`() async throws {
        try await onBoth { db, _ in
            let queued = try db.queuedRow(Self.values, [Int.min, "é", true])
            let row = try #require(try queued.row())
            let (number, text, flag): (Int, String, Bool) = (row[0], row[1], row[2])
            let (real, bytes, null): (Double, Data, Int?) = (row[3], row[4], row[5])
            #expect(number == .min && text == "é" && flag)
            #expect(real == 1.5 && bytes == Data([1, 2]) && null == nil)
        }
    }

    @Test func `a queued row is the first one, or none`() async throws {
        try await onBoth { db, _ in
            let several = SQLText(
                sqlite: "SELECT 7 UNION ALL SELECT 8",
                postgres: "SELECT 7::bigint UNION ALL SELECT 8::bigint"
            )
            let (first, none) = (try db.queuedRow(several), try db.queuedRow("SELECT 1 WHERE 1 = 0"))
            let row = try #require(try first.row())
            #expect(row[0] as Int == 7)
            #expect(try none.row() == nil)
        }
    }

    @Test func `queued rows are read in one round trip with the next statement`() async throws {
        try await onBoth { db, roundTrips in
            let before = roundTrips()
            let echo = SQLText(sqlite: "SELECT ?", postgres: "SELECT ?::bigint")
            let queued = try (1...3).map { try db.queuedRow(echo, [$0]) }
            #expect(roundTrips() == before)
            #expect(try db.value(echo, [4]) == 4)
            let isPostgres = roundTrips() != 0
            for _ in 0..<2 {
                let found = try queued.reversed().map { try $0.row().map { row in row[0] as Int } }
                #expect(found == [3, 2, 1])
            }
            #expect(roundTrips() == before + (isPostgres ? 1 : 0))
        }
    }

    @Test func `a queued row that is needed first is sent alone, with those before it`() async throws {
        try await onBoth { db, roundTrips in
            let before = roundTrips()
            let echo = SQLText(sqlite: "SELECT ?", postgres: "SELECT ?::bigint")
            let (one, two) = (try db.queuedRow(echo, [1]), try db.queuedRow(echo, [2]))
            #expect(try one.row().map { $0[0] as Int } == 1)
            let isPostgres = roundTrips() != 0
            #expect(try two.row().map { $0[0] as Int } == 2)
            #expect(roundTrips() == before + (isPostgres ? 1 : 0))
            // A later one doesn't return an earlier one's result.
            let three = try db.queuedRow(echo, [3])
            #expect(try three.row().map { $0[0] as Int } == 3)
            #expect(try one.row().map { $0[0] as Int } == 1)
        }
    }

    @Test func `a queued row and a lock aren't changes, and follow what was changed before`() async throws {
        try await onBoth { db, _ in
            try db.run("CREATE TEMP TABLE queued (n integer)")
            try db.run("INSERT INTO queued VALUES (5)")
            let before = db.changeCount
            let queued = try db.queuedRow("SELECT n FROM queued")
            db.lock("SELECT 1 FROM queued FOR UPDATE")
            #expect(try queued.row() != nil)
            #expect(db.changeCount == before)
            try db.run("DROP TABLE queued")
        }
    }

    @Test func `the error of a queued row is thrown by the statement with which it is sent`() async throws {
        try await StorageDatabase.migrated.value.0.use { connection in
            let error = failure(PostgresError.self) {
                try connection.transaction { connection in
                    let db = SQLConnection.postgres(PostgresTransaction(connection))
                    _ = try db.queuedRow("SELECT 1 / 0")
                    let _: Int? = try db.value("SELECT 1::bigint")
                }
            }
            #expect(error?.sqlState == "22012")
        }
    }

    // MARK: States

    @Test func `a queued state has the sequences of the person, or 0, and of broadcasts`() async throws {
        let database = try await StorageDatabase()
        try await database.use { connection in
            _ = try PostgresSchema.prepare(connection)
            try connection.executeScript(
                """
                INSERT INTO person (id, name, account, sequence, createdAt)
                VALUES (1, 'ann', 'a', 5, 1), (2, 'bo', 'b', 6, 1);
                UPDATE counter SET value = 9 WHERE name = 'broadcast';
                UPDATE counter SET value = 8 WHERE name = 'surface'
                """
            )
            try connection.transaction(.snapshot) { connection in
                let reading = ReadTransaction(.postgres(PostgresTransaction(connection)))
                let people = [1, 2, 3].map { Person(id: $0, name: "p\($0)", account: "a\($0)") }
                let queued = try people.map { try reading.queuedState(of: $0) }
                let before = connection.roundTrips
                let states = try queued.map { try $0.value() }
                #expect(states == [5, 6, 0].map { PersonState(own: $0, broadcast: 9) })
                #expect(connection.roundTrips == before + 1)
            }
        }
    }
}
