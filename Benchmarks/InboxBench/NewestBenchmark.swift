import GRDB
import InboxClient
import Replica

/// Reading the newest 50 of 10,000 messages as values, compared with C that steps through the same statement and copies
/// every column.
enum NewestBenchmark {
    private static let limit = 50
    private static let count = 10_000

    static func run(_ context: Context) async throws -> [Line] {
        let device = try await DeviceStore(in: context.workspace.subfolder("newest"))
        try await device.fill(Corpus.answer(count))

        let (recording, item) = try await device.recordingOfNewest(limit)
        let store = try device.open()
        let inbox = try await device.inbox()
        let raw = try RawDatabase(device.location.file)
        let repeats = 200

        var inside: [(ours: Double, raw: Double)] = []
        var outside: [(ours: Double, raw: Double)] = []
        for round in 0...context.effort.rounds {
            let ours = try await store.read { db in
                try (0..<repeats).map { _ in
                    try seconds { try db.messages(.inbox, surface: nil, limit: limit, offset: 0) }
                }
            }
            var calls: [Double] = []
            for _ in 0..<repeats { calls.append(try await seconds { try await inbox.messages(limit: limit) }) }
            try raw.execute("BEGIN")
            let theirs = try (0..<repeats).map { _ in
                try seconds {
                    guard try raw.read(recording, item) == limit else { throw BenchmarkError("C reads other rows") }
                }
            }
            try raw.execute("COMMIT")
            // The first round warms up.
            guard round > 0 else { continue }
            inside.append((median(ours), median(theirs)))
            outside.append((median(calls), median(theirs)))
        }
        await inbox.close()
        await store.close()
        return [
            Line(
                "newest 50 of 10,000",
                .time,
                rounds: inside,
                goal: 2.5,
                note: "as values, in an open read; C: same SQL, all columns"
            ),
            Line("newest 50 of 10,000, API", .time, rounds: outside, note: "Inbox.messages(limit: 50); C as above"),
        ]
    }
}
