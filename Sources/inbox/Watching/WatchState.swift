import Groundwork
import InboxClient

/// What a watching command knows at a moment.
struct WatchState: Hashable, Sendable {
    var snapshot: InboxSnapshot?
    var connection: ConnectionState = .idle

    /// The object of `watch --json`; nil before the first snapshot.
    var json: JSON? {
        guard let snapshot else { return nil }
        var object = snapshot.json
        object["connection"] = .string(connection.name)
        return .object(object)
    }
}

/// What changes it, or the way in which it is shown.
enum WatchEvent: Sendable {
    case snapshot(InboxSnapshot)
    case connection(ConnectionState)
    /// The terminal has another size, or relative times have moved on.
    case look
}

extension Inbox {
    /// All that a watching command follows, in one sequence.
    ///
    /// Ends when the task that iterates is cancelled.
    func watchEvents(_ options: FilterOptions, looks: AsyncStream<Void>?) -> AsyncThrowingStream<WatchEvent, any Error>
    {
        let (events, continuation) = AsyncThrowingStream.makeStream(of: WatchEvent.self, throwing: (any Error).self)
        let snapshots = observe(options.filter, surface: options.surface, limit: options.limit)
        let states = connectionStates
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
