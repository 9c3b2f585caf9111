import Groundwork
import InboxClient
import InboxMail

/// What there is to see at a moment.
protocol Watchable: Sendable {
    /// The object of `--json`.
    var json: JSONObject { get }
}

extension InboxSnapshot: Watchable {}

extension MailSnapshot: Watchable where Item == MailThread {
    var json: JSONObject { threadsObject(items, counts, pendingWrites: pendingWrites) }
}

/// What a watching command knows at a moment.
struct WatchState<Snapshot: Watchable>: Sendable {
    var snapshot: Snapshot?
    var connection: ConnectionState = .idle

    /// The object of `watch --json`; nil before the first snapshot.
    var json: JSON? {
        guard let snapshot else { return nil }
        var object = snapshot.json
        object["connection"] = .string(connection.name)
        // Why news stay away, for a person: the server can't be reached, the device's disk is full.
        if case .offline(let reason, _) = connection { object["reason"] = .string(reason.description) }
        return .object(object)
    }
}

/// What changes it, or the way in which it is shown.
enum WatchEvent<Snapshot: Watchable>: Sendable {
    case snapshot(Snapshot)
    case connection(ConnectionState)
    /// The terminal has another size, or relative times have moved on.
    case look

    /// All that a watching command follows, in one sequence.
    ///
    /// Ends when the task that iterates is cancelled.
    static func all<Snapshots: AsyncSequence<Snapshot, any Error> & Sendable>(
        _ snapshots: Snapshots,
        _ states: AsyncStream<ConnectionState>,
        looks: AsyncStream<Void>?
    ) -> AsyncThrowingStream<WatchEvent, any Error> {
        let (events, continuation) = AsyncThrowingStream.makeStream(of: WatchEvent.self, throwing: (any Error).self)
        let task = Task {
            do {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        for try await snapshot in snapshots { continuation.yield(.snapshot(snapshot)) }
                    }
                    group.addTask {
                        for await state in states { continuation.yield(.connection(state)) }
                    }
                    if let looks {
                        group.addTask {
                            for await _ in looks { continuation.yield(.look) }
                        }
                    }
                    try await group.waitForAll()
                }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        continuation.onTermination = { _ in task.cancel() }
        return events
    }
}
