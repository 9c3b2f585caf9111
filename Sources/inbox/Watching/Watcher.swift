import Foundation
import Groundwork

/// Shows what is watched, in the way that its reader wants.
protocol Watcher {
    mutating func begin()
    /// - Parameter event: What brought the state about.
    mutating func show(_ state: WatchState, after event: WatchEvent)
    mutating func end()
}

extension Watcher {
    mutating func begin() {}
    mutating func end() {}
}

/// For scripts: each state as a JSON object on a line.
struct JSONWatcher: Watcher {
    private var last: JSON?

    mutating func show(_ state: WatchState, after event: WatchEvent) {
        guard let json = state.json, json != last else { return }
        last = json
        Output.line(json.description)
    }
}
