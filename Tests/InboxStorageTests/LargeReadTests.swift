import Foundation
import Groundwork
import Postgres
import RunningPostgres
import Testing

@testable import InboxService

/// Reads of large messages, of which PostgreSQL would send all at once.
@Suite(.timeLimit(.minutes(5))) struct LargeReadTests {
    private static let count = 24
    private static let size = 600_000

    /// Runs a test on a database in which a person has large messages. The n-th one's content begins with `n`.
    private func withLargeMessages(_ body: @escaping @Sendable (PersonInbox, PostgresConnection) throws -> Void)
        async throws
    {
        let database = try await StorageDatabase()
        try await database.use { connection in
            _ = try PostgresSchema.prepare(connection)
            try connection.executeScript(
                """
                INSERT INTO person (id, name, account, sequence, createdAt) VALUES (1, 'ann', 'a', 1, 1);
                INSERT INTO message (id, content, surface, deliverAt, createdAt, recipients, state)
                SELECT n, n || ' ' || repeat('x', \(Self.size)), 'inbox', n, n, 1, 1
                FROM generate_series(1, \(Self.count)) n;
                INSERT INTO delivery (message, person, created, sequence, deliverAt, state)
                SELECT n, 1, n, n, n, 1 FROM generate_series(1, \(Self.count)) n
                """
            )
            let reading = ReadTransaction(.postgres(PostgresTransaction(connection)))
            try connection.transaction(.snapshot) { connection in
                try body(reading.inbox(of: Person(id: 1, name: "ann", account: "a")), connection)
            }
        }
    }

    @Test func `large messages are read in parts, each once and in the order of the request`() async throws {
        try await withLargeMessages { inbox, connection in
            // Some that don't exist, and one twice.
            var ids: [MessageID?] = (1...Self.count).reversed().map { MessageID(rawValue: $0) }
            ids.insert(nil, at: 3)
            ids.insert(MessageID(rawValue: 99), at: 7)
            ids.append(MessageID(rawValue: 5))
            var found: [Int: String] = [:]
            let before = connection.roundTrips
            try inbox.forEachMessage(of: ids) { index, message, content in
                #expect(found[index] == nil && content.count > Self.size)
                found[index] = String(decoding: content.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self)
                #expect(message.id == ids[index])
            }
            #expect(found.count == Self.count + 1)
            for (index, id) in ids.enumerated() where id?.rawValue ?? 99 != 99 {
                #expect(found[index] == id.map { "\($0.rawValue)" })
            }
            // Seven of 600 kB at a time.
            #expect(connection.roundTrips - before == 4)
        }
    }

    @Test func `rows of large messages are fetched in parts that become smaller`() async throws {
        try await withLargeMessages { _, connection in
            let transaction = PostgresTransaction(connection)
            let rows = try transaction.cursor(
                "SELECT id, content FROM message ORDER BY id",
                [],
                isBounded: false,
                isRare: false
            )
            let before = connection.roundTrips
            var ids: [Int] = []
            while let row = try rows.next() { ids.append(try row[0]) }
            #expect(ids == Array(1...Self.count))
            // Eight at first, and then one after the other.
            #expect(connection.roundTrips - before >= Self.count - 8)
        }
    }

    @Test func `rows of small messages are fetched in parts that become larger`() async throws {
        let database = try await StorageDatabase()
        try await database.use { connection in
            try connection.transaction { connection in
                let rows = try PostgresTransaction(connection).cursor(
                    "SELECT n::bigint FROM generate_series(1, 1000) n",
                    [],
                    isBounded: false,
                    isRare: false
                )
                var numbers: [Int] = []
                while let row = try rows.next() { numbers.append(try row[0]) }
                #expect(numbers == Array(1...1_000))
                #expect((10...24).contains(connection.roundTrips))
            }
        }
    }
}
