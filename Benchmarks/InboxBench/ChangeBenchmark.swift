import Groundwork
import InboxClient
import InboxModel
import Replica

/// From a commit to the change set of a list of 50, compared with C that reads the newest 50, in a small and in a large
/// inbox.
enum ChangeBenchmark {
    private static let limit = 50
    private static let repetitions = 60

    static func run(_ context: Context) async throws -> [Line] {
        var lines: [Line] = []
        for count in [200, context.effort.sizes.last ?? 10_000] {
            let device = try await DeviceStore(in: context.workspace.subfolder("change-\(count)"))
            try await device.fill(Corpus.answer(200))
            if count > 200 { try device.multiply(to: count) }
            lines += try await run(device, count, context.effort.rounds)
        }
        return lines
    }

    private static func run(_ device: DeviceStore, _ count: Int, _ rounds: Int) async throws -> [Line] {
        let (recording, item) = try await device.recordingOfNewest(limit)
        let raw = try RawDatabase(device.location.file)
        let inbox = try await device.inbox()
        let reader = try device.open()
        let ids = try await inbox.messages(limit: limit).map(\.id)
        let query = try StoreQuery(Query<Message>(limit: limit), in: .inbox)
        let list = Locked(LiveList(query))
        var snapshots = inbox.observe(limit: limit).makeAsyncIterator()
        _ = try await snapshots.next()
        var revision = try await reader.read { db in
            let records = try list.withLock { $0.reading }.fetch(db)
            _ = list.withLock { $0.replace(with: records) }
            return try db.revision()
        }

        var inside: [(ours: Double, raw: Double)] = []
        var outside: [(ours: Double, raw: Double)] = []
        for round in 0...rounds {
            var (ours, calls, theirs): ([Double], [Double], [Double]) = ([], [], [])
            for repetition in 0..<repetitions {
                let id = ids[(round * repetitions + repetition) % ids.count]
                if try await !inbox.markRead(id) { try await inbox.markUnread(id) }
                let start = ContinuousClock.now
                guard let next = try await snapshots.next(), !next.changes.updates.isEmpty else {
                    throw BenchmarkError("a change wasn't observed")
                }
                calls.append((ContinuousClock.now - start) / .seconds(1))
                let known = revision
                let (time, now) = try await reader.read { db in
                    let time = try seconds {
                        let changedRows = try query.table.changes(db, after: known)
                        let changes = changedRows.flatMap { rows in
                            list.withLock { $0.apply(changed: rows.changed, removed: rows.removed) }
                        }
                        guard changes?.updates.count == 1 else { throw BenchmarkError("a change wasn't seen") }
                    }
                    return (time, try db.revision())
                }
                revision = now
                ours.append(time)
                try raw.execute("BEGIN")
                theirs.append(try seconds { _ = try raw.read(recording, item) })
                try raw.execute("COMMIT")
            }
            guard round > 0 else { continue }
            inside.append((median(ours), median(theirs)))
            outside.append((median(calls), median(theirs)))
        }
        await inbox.close()
        await reader.close()
        return [
            Line(
                "one change of \(count)",
                .time,
                rounds: inside,
                goal: 2,
                note: "to the change set of the newest \(limit), in an open read; C: reads the newest \(limit)"
            ),
            Line(
                "one change of \(count), API",
                .time,
                rounds: outside,
                note: "from the return of the write to the snapshot; C as above"
            ),
        ]
    }
}
