import Groundwork

/// Sending one message to many people, compared with C that writes the same rows, equally durable.
enum SendManyBenchmark {
    static func run(_ context: Context) async throws -> [Line] {
        let servers = try await context.servers()
        let count = context.effort.recipients
        let request = Servers.sendToMany(count)
        let database = try RawDatabase(servers.database)
        var rounds: [(ours: Double, raw: Double)] = []
        for round in 0...context.effort.rounds {
            let times = (
                ours: try seconds { _ = try request.answer(from: servers.port) },
                raw: try seconds { try database.send(toMany: count, named: Servers.manyPrefix) }
            )
            if round > 0 { rounds.append(times) }
        }
        return [
            Line(
                "one send to \(count)",
                .time,
                rounds: rounds,
                goal: 3,
                note: "POST /v1/messages to its answer; C: the same rows in one transaction, durable"
            )
        ]
    }
}
