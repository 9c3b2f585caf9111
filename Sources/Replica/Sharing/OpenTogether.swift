import Foundation
import Groundwork

/// What the places of a process have open together, each thing under its name, such as the path of a file: opened by
/// the first who asks, joined by the others.
package final class OpenTogether<Open: AnyObject & Sendable>: Sendable {
    private struct State {
        var open: [String: Open] = [:]
        var opening: [String: Task<Open, any Error>] = [:]
    }

    // Reached in `withLock` alone, from any thread.
    private let state = Locked(State())

    package init() {}

    /// Returns what is open under a name, or opens it.
    ///
    /// - Parameters:
    ///   - join: Adds the caller to its users. Returns false if it is about to be closed, so that it has to be opened
    ///   again. Throws if it can't be shared with the caller.
    ///   - new: Begins to open it. It is called once for all concurrent callers.
    /// - Throws: The errors of the closures and of the task. ``StoreError/closed`` if each opened value is unusable at
    ///   once, repeatedly.
    package func open(
        _ name: String,
        joining join: (Open) throws -> Bool,
        opening new: () -> Task<Open, any Error>
    ) async throws -> Open {
        if let open = state.withLock({ $0.open[name] }), try join(open) { return open }
        for _ in 0..<3 {
            let open = try await opening(name, new).value
            if try join(open) { return open }
        }
        throw StoreError.closed
    }

    private func opening(_ name: String, _ new: () -> Task<Open, any Error>) -> Task<Open, any Error> {
        state.withLock { state in
            if let task = state.opening[name] { return task }
            let opening = new()
            let task = Task {
                let result = await opening.result
                self.state.withLock { state in
                    state.opening[name] = nil
                    if case .success(let open) = result { state.open[name] = open }
                }
                return try result.get()
            }
            state.opening[name] = task
            return task
        }
    }

    /// Whoever asks from now on opens it again.
    package func forget(_ open: Open) {
        state.withLock { state in
            for (name, other) in state.open where other === open { state.open[name] = nil }
        }
    }
}

extension StoreLocation {
    /// The name of its file in ``OpenTogether``: the same, whatever links lead to it.
    package var name: String { file.resolvingSymlinksInPath().standardizedFileURL.path }
}
