import Foundation
import Groundwork

/// Shows what is watched, in the way that its reader wants.
protocol Watcher<Snapshot> {
    associatedtype Snapshot: Watchable

    mutating func begin()
    /// - Parameter event: What brought the state about.
    mutating func show(_ state: WatchState<Snapshot>, after event: WatchEvent<Snapshot>)
    mutating func end()
}

extension Watcher {
    mutating func begin() {}
    mutating func end() {}

    /// Shows all that comes, until the events end.
    mutating func follow(_ events: AsyncThrowingStream<WatchEvent<Snapshot>, any Error>) async throws {
        begin()
        defer { end() }
        var state = WatchState<Snapshot>()
        for try await event in events {
            switch event {
            case .snapshot(let snapshot): state.snapshot = snapshot
            case .connection(let connection): state.connection = connection
            case .look: break
            }
            show(state, after: event)
        }
    }
}

/// For scripts: each state as a JSON object on a line.
struct JSONWatcher<Snapshot: Watchable>: Watcher {
    private var last: JSON?

    mutating func show(_ state: WatchState<Snapshot>, after event: WatchEvent<Snapshot>) {
        guard let json = state.json, json != last else { return }
        last = json
        Output.line(json.description)
    }
}
