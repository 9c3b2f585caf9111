import InboxClient
import Replica

/// The cost of a durable local action, compared with C that runs the recorded statements of the action with the same
/// values.
enum ActionBenchmark {
    private static let count = 10_000
    private static let actions = 40

    static func run(_ context: Context) async throws -> [Line] {
        let template = try await DeviceStore(in: context.workspace.subfolder("action"))
        try await template.fill(Corpus.answer(count))
        // Newest first, the order in which a person reads.
        let unread = (0..<count).reversed().filter { Corpus.isUnread($0) }.prefix((context.effort.rounds + 1) * actions)
            .map { Corpus.id($0) }
        let recorded = try template.copy(to: context.workspace.subfolder("recorded"))
        let recording = try await Recording.of(opening: { try await recorded.inbox() }) { inbox in
            for id in unread { try await markRead(inbox, id) }
            await inbox.close()
        }
        guard recording.transactions == unread.count else {
            throw BenchmarkError("\(unread.count) actions took \(recording.transactions) transactions")
        }
        let inbox = try await template.copy(to: context.workspace.subfolder("ours")).inbox()
        let raw = try RawDatabase(try template.copy(to: context.workspace.subfolder("raw")).location.file)

        var rounds: [(ours: Double, raw: Double)] = []
        for round in 0...context.effort.rounds {
            let range = round * actions..<(round + 1) * actions
            var ours: [Double] = []
            var theirs: [Double] = []
            // Alternately, one action at a time, so that both find the disk in the same state.
            for number in range {
                ours.append(try await seconds { try await markRead(inbox, unread[number]) })
                theirs.append(try seconds { try raw.replay(recording, number..<(number + 1)) })
            }
            if round > 0 { rounds.append((median(ours), median(theirs))) }
        }
        await inbox.close()
        let read = raw.integer("SELECT count(*) FROM pending WHERE path = 'readAt'")
        guard read == unread.count else { throw BenchmarkError("C marked \(read) of \(unread.count) messages read") }
        let statements = recording.statements.count / unread.count
        return [
            try await markAllRead(context, template),
            Line(
                "mark read",
                .time,
                rounds: rounds,
                note: "Inbox.markRead(id); C: the same \(statements) statements, durable"
            ),
        ]
    }

    /// Measures marking all messages read in one call, compared with the same statements in C.
    private static func markAllRead(_ context: Context, _ template: DeviceStore) async throws -> Line {
        let ids = (0..<count).map { Corpus.id($0) }
        let recorded = try template.copy(to: context.workspace.subfolder("recorded-all"))
        let recording = try await Recording.of(opening: { try await recorded.inbox() }) { inbox in
            try await inbox.markRead(ids)
            await inbox.close()
        }
        var rounds: [(ours: Double, raw: Double)] = []
        for round in 0...context.effort.rounds {
            let inbox = try await template.copy(to: context.workspace.subfolder("ours-all-\(round)")).inbox()
            let ours = try await seconds { try await inbox.markRead(ids) }
            await inbox.close()
            let copy = try template.copy(to: context.workspace.subfolder("raw-all-\(round)"))
            let raw = try RawDatabase(copy.location.file)
            let theirs = try seconds { try raw.replay(recording, 0..<recording.transactions) }
            if round > 0 { rounds.append((ours, theirs)) }
        }
        return Line(
            "mark \(count) read",
            .time,
            rounds: rounds,
            goal: 3,
            note: "one call, \(recording.statements.count) statements; C: the same, durable"
        )
    }

    private static func markRead(_ inbox: Inbox, _ id: String) async throws {
        guard try await inbox.markRead(id) else { throw BenchmarkError("a message was read already") }
    }
}
