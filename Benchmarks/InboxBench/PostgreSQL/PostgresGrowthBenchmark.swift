#if PostgreSQL
    import Foundation
    import Groundwork

    /// The same requests to servers on databases of more and more people, each with 20 messages, compared with the
    /// fewest.
    enum PostgresGrowthBenchmark {
        private static let messages = 20
        /// "Flat" of a rate, and of a time.
        private static let flat = 1.3

        static func run(_ context: Context) async throws -> [Line] {
            let (setting, effort) = (try await context.postgres(), context.effort)
            guard let fewest = effort.people.first else { return [] }
            let small = try await PostgresPopulation(people: fewest, messages: messages, setting)
            defer { small.stop() }
            var lines: [Line] = []
            for people in effort.people.dropFirst() {
                let hasRoom = try PostgresPopulation.hasRoom(
                    for: people,
                    messages: messages,
                    in: context.workspace.folder
                )
                let large = try await PostgresPopulation(people: people, messages: hasRoom ? messages : 0, setting)
                defer { large.stop() }
                let database = try RawPostgres(setting.address)
                lines += try compare(large, small, effort, database)
            }
            return lines
        }

        private static func compare(
            _ large: PostgresPopulation,
            _ small: PostgresPopulation,
            _ effort: Effort,
            _ database: RawPostgres
        ) throws -> [Line] {
            let name = "\(large.people) people"
            let made =
                (large.messages > 0 ? "\(large.messages) messages each" : "no messages, for which the disk has no room")
                + ", \(large.size / 1_000_000) MB, made in \(Int(large.time)) s"
            let few = "raw: ours with \(small.people) people"
            let everyone = Servers.sendToEveryone()
            let dueCount = effort.runSeconds < 1 ? 200 : 1_000
            func rounds(
                _ count: Int,
                _ body: (PostgresPopulation, Int) throws -> Double
            ) throws -> [(ours: Double, raw: Double)] {
                // What the server before has left to write isn't measured.
                try database.execute("CHECKPOINT")
                let all = try (0...count).map { round in
                    (ours: try body(large, round), raw: try body(small, round))
                }
                return Array(all.dropFirst())
            }
            var lines = [
                Line(
                    "sends, \(name)",
                    .rate,
                    rounds: try rounds(effort.rounds) { population, _ in
                        try Load(population.sends, to: population.port, seconds: effort.runSeconds).rate
                    },
                    goal: 1 / flat,
                    note: "PostgreSQL, \(made); \(few)"
                ),
                Line(
                    "send to everyone, \(name)",
                    .time,
                    rounds: try rounds(effort.rounds) { population, _ in
                        try seconds { for _ in 0..<10 { _ = try everyone.answer(from: population.port) } } / 10
                    },
                    goal: flat,
                    note: "PostgreSQL, one after the other; \(few)"
                ),
            ]
            guard large.messages > 0 else { return lines }
            lines += [
                Line(
                    "newest 50, \(name)",
                    .rate,
                    rounds: try rounds(effort.rounds) { population, round in
                        let requests = population.newest(round: round)
                        return try Load(requests, to: population.port, seconds: effort.runSeconds).rate
                    },
                    goal: 1 / flat,
                    note: "PostgreSQL, of many people, read again for each request; \(few)"
                ),
                Line(
                    "due queue, \(name)",
                    .rate,
                    rounds: try rounds(min(3, effort.rounds)) { population, _ in try population.deliveries(dueCount) },
                    goal: 1 / flat,
                    note:
                        "PostgreSQL, \(dueCount) messages to one person each, from when they fall due, beside "
                        + "\(large.people * large.messages / 100) that expire later; \(few)"
                ),
            ]
            return lines
        }
    }
#endif
