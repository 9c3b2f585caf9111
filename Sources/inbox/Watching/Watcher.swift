import Foundation
import Groundwork

/// Presents the watched state in one output format.
protocol Watcher<Snapshot> {
    associatedtype Snapshot: Watchable

    mutating func begin()
    /// Shows a state.
    ///
    /// - Parameter event: The event that led to the state.
    mutating func show(_ state: WatchState<Snapshot>, after event: WatchEvent<Snapshot>)
    mutating func end()
}

extension Watcher {
    mutating func begin() {}
    mutating func end() {}

    /// Shows all events until the sequence ends.
    mutating func follow(_ events: AsyncThrowingStream<WatchEvent<Snapshot>, any Error>) async throws {
        begin()
        defer { end() }
        var state = WatchState<Snapshot>()
        for try await event in events {
            switch event {
            case .snapshot(let snapshot): state.snapshot = snapshot
            case .connection(let connection): state.connection = connection
            case .redraw: break
            }
            show(state, after: event)
        }
    }
}

/// A watcher for scripts: each state as a JSON object on one line.
struct JSONWatcher<Snapshot: Watchable>: Watcher {
    private var last: JSON?

    mutating func show(_ state: WatchState<Snapshot>, after event: WatchEvent<Snapshot>) {
        guard let json = state.json, json != last else { return }
        last = json
        Output.line(json.description)
    }
}
