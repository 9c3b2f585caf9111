#if PostgreSQL
    import Foundation
    import Groundwork

    /// Our server on a database of PostgreSQL with many people, each with as many messages.
    ///
    /// The rows are inserted by SQL, as sends to a hundred people each would have left them.
    final class PostgresPopulation {
        let people: Int
        /// The number of messages of each person.
        let messages: Int
        let address: String
        let port: Int
        /// The time of making the database, in seconds, and its size in bytes.
        let (time, size): (Double, Int)
        private let server: Child
        private let readers: [Servers.Account]

        private static let recipients = 100
        /// How long the due queue is watched, in seconds.
        private static let patience = 15.0
        /// The number of people whose inboxes are read.
        private static let readerCount = 500
        // The bytes of rows with their indexes, twice: the write-ahead log and larger indexes are beside them.
        private static let deliverySize = 2 * 300
        private static let personSize = 2 * 450
        private static let messageSize = 2 * 1_200

        /// Returns whether the disk has room for so many people with so many messages.
        static func hasRoom(for people: Int, messages: Int, in folder: URL) throws -> Bool {
            let values = try folder.resourceValues(forKeys: [.volumeAvailableCapacityKey])
            let size =
                people * (personSize + messages * deliverySize) + people * messages / recipients * messageSize
            return size < values.volumeAvailableCapacity ?? 0
        }

        init(people: Int, messages: Int, _ setting: PostgresSetting) async throws {
            (self.people, self.messages) = (people, messages)
            let address = try await PostgresSetting.newDatabase(of: setting.postgres)
            self.address = address
            // A first start makes the tables.
            try Servers.start(database: address).stop()
            let database = try RawPostgres(address)
            time = try seconds {
                for script in Self.scripts(people: people, messages: messages) { try database.execute(script) }
            }
            size = database.integer("SELECT pg_database_size(current_database())")
            let server = try Servers.start(database: address)
            self.server = server
            port = server.port
            readers = try (0..<(messages > 0 ? min(people, Self.readerCount) : 0)).map { number in
                let person = 1 + number * 7_919_003 % people
                let token = try Servers.token(of: "person-\(person)", port: server.port)
                return Servers.Account(id: "a\(person)", token: token, state: "")
            }
            if let reader = readers.first {
                let answer = try Servers.newest(of: reader)[0].json(from: port)
                let records = answer["methodResponses"]?.arrayValue?.last?.arrayValue?[1]["list"]?.arrayValue
                guard records?.count == messages else { throw BenchmarkError("an inbox doesn't have \(messages)") }
            }
        }

        func stop() { server.stop() }

        /// Requests to send a message to people of the whole range.
        var sends: [PreparedRequest] {
            (0..<2_000).map { Servers.send(Corpus.content(0), to: "person-\(1 + $0 * 7_919_003 % people)") }
        }

        /// Requests for the newest messages of many people, none of which has been answered before.
        func newest(round: Int) -> [PreparedRequest] {
            let all = readers.map { Servers.newest(of: $0, variants: 10 * (round + 1)).suffix(10) }
            return (0..<10).flatMap { variant in all.map { $0[$0.startIndex + variant] } }
        }

        /// Returns the number of messages that are delivered in a second after they fall due.
        func deliveries(_ count: Int) throws -> Double {
            let time = Int(Date().timeIntervalSince1970 * 1_000) + 3_000
            let due = Date(milliseconds: time)
            let sends = (0..<count).map { number in
                var content = Corpus.content(1)
                content.add("deliverAt", .string(RFC3339.string(from: due)))
                return Servers.send(content, to: "person-\(1 + number * 7_919_003 % people)")
            }
            _ = try Load(sends, to: port, seconds: 60, limit: count)
            guard Date() < due else { throw BenchmarkError("messages fell due before all were sent") }
            let database = try RawPostgres(address)
            let left = "SELECT count(*) FROM due WHERE at <= \(time)"
            guard database.integer(left) == count else { throw BenchmarkError("not all messages wait") }
            var waiting = count
            while waiting > 0, -due.timeIntervalSinceNow < Self.patience {
                usleep(2_000)
                waiting = database.integer(left)
            }
            let rate = Double(count - waiting) / -due.timeIntervalSinceNow
            // What is left would fall into the next round.
            try database.execute("DELETE FROM due WHERE at <= \(time)")
            return rate
        }

        private static func scripts(people: Int, messages: Int) -> [String] {
            let content = String(decoding: JSON.object(Corpus.content(1)).utf8, as: UTF8.self)
                .replacingOccurrences(of: "'", with: "''")
            let now = Int(Date().timeIntervalSince1970 * 1_000)
            let sent = people * messages / recipients
            // A millisecond for each message, in the past. An id begins with it (MessageID).
            let start = now - sent - 3_600_000
            return [
                """
                INSERT INTO person (id, name, account, sequence, createdAt)
                SELECT g, 'person-' || g, 'a' || g, \(messages), \(start) FROM generate_series(1, \(people)) g
                """,
                "INSERT INTO personName SELECT 'person-' || g, g FROM generate_series(1, \(people)) g",
                "INSERT INTO personAccount SELECT 'a' || g, g FROM generate_series(1, \(people)) g",
                "SELECT setval('personNumber', \(people))",
                """
                INSERT INTO message (id, content, surface, category, deliverAt, expiresAt, createdAt, recipients, state)
                SELECT (\(start)::bigint + n) << 21, '\(content)', 'inbox', 'orders', \(start)::bigint + n,
                    \(now + 30 * 86_400_000)::bigint + n, \(start)::bigint + n, \(recipients), 1
                FROM generate_series(0, \(sent - 1)) n
                """,
                """
                INSERT INTO delivery (message, person, created, sequence, edited, deliverAt, state)
                SELECT at << 21, p, k, k, k, at, 1
                FROM generate_series(1, \(people)) p, generate_series(1, \(messages)) k,
                    LATERAL (SELECT \(start)::bigint + (p - 1) / \(recipients) * \(messages) + k - 1 AS at) AS time
                """,
                "INSERT INTO due (kind, message, person, at) SELECT 2, id, 0, expiresAt FROM message",
                "VACUUM ANALYZE",
                "CHECKPOINT",
            ]
        }
    }
#endif
