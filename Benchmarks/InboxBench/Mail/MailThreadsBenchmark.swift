import Foundation
import InboxMail
import Replica

/// Reading the newest 50 threads of the inbox as values, compared with C that steps through the same statement and
/// copies every column.
enum MailThreadsBenchmark {
    private static let limit = 50
    private static let repeats = 200

    static func run(_ context: Context) async throws -> [Line] {
        let setting = try await context.mail()
        let device = try await setting.device()
        let query = Query<MailThread>(where: #Predicate { $0.isInInbox }, limit: limit)
        // Mail that is open twice in a process shares its connections, and those of the device aren't traced.
        let copy = try await setting.copy(of: device)
        let recording = try await Recording.of(opening: { try await setting.open(in: copy) }) { other in
            _ = try await other.mail.threads(query)
            await other.mail.close()
        }
        guard
            let item = recording.statements.firstIndex(where: {
                $0.contains("FROM \"thread\"") && $0.contains("ORDER BY")
            })
        else { throw BenchmarkError("no statement reads threads") }
        let raw = try RawDatabase(device.mail.store.location.file)
        let reading = try StoreQuery(query, .thread)

        var inside: [(ours: Double, raw: Double)] = []
        var outside: [(ours: Double, raw: Double)] = []
        for round in 0...context.effort.rounds {
            let ours = try await device.mail.store.read { db in
                try (0..<repeats).map { _ in try seconds { try reading.fetch(db) } }
            }
            var calls: [Double] = []
            for _ in 0..<repeats { calls.append(try await seconds { try await device.mail.threads(query) }) }
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
        return [
            Line(
                "\(limit) threads of \(setting.count) mails",
                .time,
                rounds: inside,
                goal: 3,
                note: "the newest of the inbox as values, in an open read; C: same SQL, all columns"
            ),
            Line(
                "\(limit) threads of \(setting.count) mails, API",
                .time,
                rounds: outside,
                note: "Mail.threads of the same query; C as above"
            ),
        ]
    }
}
