import Groundwork
import InboxClient
import InboxMail

/// A snapshot that can be watched.
protocol Watchable: Sendable {
    /// The object for `--json`.
    var json: JSONObject { get }
}

extension InboxSnapshot: Watchable {}

extension MailSnapshot: Watchable where Item == MailThread {
    var json: JSONObject { threadsObject(items, counts, pendingWrites: pendingWrites) }
}

/// The current state of a watching command.
struct WatchState<Snapshot: Watchable>: Sendable {
    var snapshot: Snapshot?
    var connection: ConnectionState = .idle

    /// The object for `watch --json`. Nil before the first snapshot.
    var json: JSON? {
        guard let snapshot else { return nil }
        var object = snapshot.json
        object["connection"] = .string(connection.name)
        // The reason why the device isn't up to date, for a person, such as an unreachable server or a full disk.
        if case .offline(let reason, _) = connection { object["reason"] = .string(reason.description) }
        return .object(object)
    }
}

/// An event that changes the state or its presentation.
enum WatchEvent<Snapshot: Watchable>: Sendable {
    case snapshot(Snapshot)
    case connection(ConnectionState)
    /// The terminal was resized, or relative times have changed.
    case redraw

    /// Merges all events of a watching command into one sequence.
    ///
    /// The sequence ends when the iterating task is cancelled. It throws the error of the snapshots, and `closed` if
    /// they end by themselves.
    static func all<Snapshots: AsyncSequence<Snapshot, any Error> & Sendable>(
        _ snapshots: Snapshots,
        _ states: AsyncStream<ConnectionState>,
        redraws: AsyncStream<Void>?
    ) -> AsyncThrowingStream<WatchEvent, any Error> {
        let (events, continuation) = AsyncThrowingStream.makeStream(of: WatchEvent.self, throwing: (any Error).self)
        let task = Task {
            do {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        for try await snapshot in snapshots { continuation.yield(.snapshot(snapshot)) }
                        if !Task.isCancelled { throw InboxError.closedElsewhere }
                    }
                    group.addTask {
                        for await state in states { continuation.yield(.connection(state)) }
                    }
                    if let redraws {
                        group.addTask {
                            for await _ in redraws { continuation.yield(.redraw) }
                        }
                    }
                    // Throws the first error at once, and cancels the others: `waitForAll()` would wait for them.
                    while try await group.next() != nil {}
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
