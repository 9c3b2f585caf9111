import InboxClient

/// Opening a closed inbox of 10,000 messages and reading its newest 50, compared with C that opens the file and reads
/// them.
enum OpenBenchmark {
    private static let count = 10_000
    private static let limit = 50
    private static let repetitions = 10

    static func run(_ context: Context) async throws -> [Line] {
        let device = try await DeviceStore(in: context.workspace.subfolder("open"))
        try await device.fill(Corpus.answer(count))
        let (recording, item) = try await device.recordingOfNewest(limit)
        var rounds: [(ours: Double, raw: Double)] = []
        for round in 0...context.effort.rounds {
            var (ours, theirs): ([Double], [Double]) = ([], [])
            for _ in 0..<repetitions {
                var opened: Inbox?
                ours.append(
                    try await seconds {
                        let inbox = try await device.inbox()
                        guard try await inbox.messages(limit: limit).count == limit else {
                            throw BenchmarkError("too few messages")
                        }
                        opened = inbox
                    }
                )
                await opened?.close()
                var raw: RawDatabase?
                theirs.append(
                    try seconds {
                        let database = try RawDatabase(device.location.file)
                        _ = try database.read(recording, item)
                        raw = database
                    }
                )
                raw?.keepLog()
            }
            if round > 0 { rounds.append((median(ours), median(theirs))) }
        }
        return [
            Line(
                "open to newest 50",
                .time,
                rounds: rounds,
                goal: 4,
                note: "Inbox.open and messages(limit: 50), of 10,000; C opens the file and reads them"
            )
        ]
    }
}
