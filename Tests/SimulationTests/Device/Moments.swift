import Groundwork

/// The moments at which a process of a world may die: counted in their order, and one of them the last of its process.
final class Moments: Sendable {
    private struct State {
        var count = 0
        var isOver = false
    }

    // Guarded by its lock: writes run on threads of their own.
    private let state = Locked(State())
    private let fatal: Int?

    /// - Parameter fatal: At the how manieth, from 0 on, a process dies; nil for none.
    init(fatal: Int?) { self.fatal = fatal }

    /// How many there were.
    var count: Int { state.withLock { $0.count } }

    /// From now on nobody dies.
    func end() { state.withLock { $0.isOver = true } }

    /// - Returns: Whether the process that passes it dies.
    func pass() -> Bool {
        state.withLock { state in
            guard !state.isOver else { return false }
            defer { state.count += 1 }
            return state.count == fatal
        }
    }
}
