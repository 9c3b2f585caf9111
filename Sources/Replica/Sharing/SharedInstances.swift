import Foundation
import Groundwork

/// The values that a process has open and shares among their users, by name, such as the path of a file. The first
/// caller opens a value; later callers join it.
package final class SharedInstances<Open: AnyObject & Sendable>: Sendable {
    private struct State {
        var open: [String: Open] = [:]
        var opening: [String: Task<Open, any Error>] = [:]
    }

    // Guarded by its lock; accessed from any thread.
    private let state = Locked(State())

    package init() {}

    /// Returns the value under a name, and opens it if necessary.
    ///
    /// - Parameters:
    ///   - join: Adds the caller to the value's users. Returns false if the value is about to be closed and has to be
    ///     opened again. Throws if the value can't be shared with the caller.
    ///   - new: Begins to open the value. It is called once for all concurrent callers.
    /// - Throws: The errors of the closures and of the task. ``StoreError/closed`` if three opened values in a row are
    ///   already closing.
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

    /// Removes a value. The next caller opens it again.
    package func remove(_ open: Open) {
        state.withLock { state in
            for (name, other) in state.open where other === open { state.open[name] = nil }
        }
    }
}

extension StoreLocation {
    /// The store's name in ``SharedInstances``: the path of its file, with symbolic links resolved.
    package var name: String { file.resolvingSymlinksInPath().standardizedFileURL.path }
}
