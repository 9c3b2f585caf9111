#if PostgreSQL
    import Foundation
    import Groundwork

    /// Sending one message to many people over PostgreSQL, compared with C that copies as many rows.
    enum PostgresSendManyBenchmark {
        private static let copied = "copied-by-c-"

        static func run(_ context: Context) async throws -> [Line] {
            let setting = try await context.postgres()
            let count = context.effort.recipients
            let request = Servers.sendToMany(count)
            // The rows that C writes are for people of its own: they are no whole inbox.
            _ = try Servers.sendToMany(count, named: copied).answer(from: setting.port)
            let database = try RawPostgres(setting.address)
            try database.execute("VACUUM ANALYZE")
            let first = database.integer("SELECT min(person) FROM personName WHERE name LIKE '\(copied)%'")
            let last = database.integer("SELECT max(person) FROM personName WHERE name LIKE '\(copied)%'")
            guard last - first == count - 1 else { throw BenchmarkError("the people's numbers have gaps") }
            let content = String(decoding: JSON.object(Corpus.content(0)).utf8, as: UTF8.self)
                .replacingOccurrences(of: "'", with: "''")
            let now = Int(Date().timeIntervalSince1970 * 1_000)

            func copy(_ message: Int, withSequences: Bool) throws -> Double {
                let rows = (first...last).map { "\(message)\t\($0)\t\(message)\t\(message)\t\(message)\t\(now)\t1\n" }
                let bytes = Array(rows.joined().utf8)
                return try seconds {
                    try database.execute(
                        """
                        BEGIN;
                        INSERT INTO message (id, content, surface, category, groupKey, deliverAt, createdAt, recipients,
                            state)
                        VALUES (\(message), '\(content)', 'offers', 'orders', 'thread-0', \(now), \(now), \(count), 1)
                        """
                    )
                    if withSequences {
                        try database.execute(
                            "UPDATE person SET sequence = sequence + 1 WHERE id BETWEEN \(first) AND \(last)"
                        )
                    }
                    try database.copy(
                        "COPY delivery (message, person, created, sequence, edited, deliverAt, state) FROM STDIN",
                        rows: bytes
                    )
                    try database.execute("COMMIT")
                }
            }

            var (rounds, advancing): ([(ours: Double, raw: Double)], [Double]) = ([], [])
            for round in 0...context.effort.rounds {
                let ours = try seconds { _ = try request.answer(from: setting.port) }
                let raw = try copy(2_000_000 + round * 2, withSequences: false)
                let all = try copy(2_000_001 + round * 2, withSequences: true)
                guard round > 0 else { continue }
                rounds.append((ours, raw))
                advancing.append(all)
            }
            return [
                Line(
                    "one send to \(count), PostgreSQL",
                    .time,
                    rounds: rounds,
                    goal: 3,
                    note:
                        "POST /v1/messages to its answer; C: the message and one COPY of the deliveries, durable; with "
                        + "an UPDATE of the people's sequences too, \(Report.duration(median(advancing)))"
                )
            ]
        }
    }
#endif
