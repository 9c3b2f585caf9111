import Groundwork

/// The moments at which a process of the world may die. They are counted in order, and one of them is fatal.
final class KillPoints: Sendable {
    private struct State {
        var count = 0
        var hasEnded = false
    }

    // Guarded by the lock: writes run on their own threads.
    private let state = Locked(State())
    private let killIndex: Int?

    /// - Parameter killIndex: The index of the moment at which a process dies, or nil for none.
    init(killIndex: Int?) { self.killIndex = killIndex }

    /// The number of moments so far.
    var count: Int { state.withLock { $0.count } }

    /// Makes all further moments harmless.
    func end() { state.withLock { $0.hasEnded = true } }

    /// - Returns: Whether the process dies at this moment.
    func advance() -> Bool {
        state.withLock { state in
            guard !state.hasEnded else { return false }
            defer { state.count += 1 }
            return state.count == killIndex
        }
    }
}
