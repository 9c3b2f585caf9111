import Foundation

/// Tells whoever listens.
///
/// A listener that is slow never holds up the sender nor the others: what it can't take is dropped, oldest first, as
/// its buffer says. A listener's place is given up when the task that iterates ends.
package final class Broadcast<Element: Sendable>: Sendable {
    private struct State {
        var listeners: [UUID: AsyncStream<Element>.Continuation] = [:]
        var branches: [Branch] = []
        var isFinished = false
    }

    private struct Branch {
        weak var broadcast: Broadcast?
    }

    // Guarded by the lock: listeners come and go on any thread.
    private let state = Locked(State())
    private let buffer: Int

    /// - Parameter buffer: How many elements wait for a slow listener. One is right where only the newest counts.
    package init(buffer: Int = 1) {
        self.buffer = buffer
    }

    /// The elements from now on, after a first one where given. Ends with ``finish()``.
    package func stream(startingWith first: Element? = nil) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Element.self,
            bufferingPolicy: .bufferingNewest(buffer)
        )
        let id = UUID()
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.listeners.removeValue(forKey: id) }
        }
        let isFinished = state.withLock { state in
            if !state.isFinished { state.listeners[id] = continuation }
            return state.isFinished
        }
        if let first { continuation.yield(first) }
        if isFinished { continuation.finish() }
        return stream
    }

    /// One that tells the same from now on, and ends with this one at the latest. It isn't held here.
    package func branch() -> Broadcast {
        let branch = Broadcast(buffer: buffer)
        let isFinished = state.withLock { state in
            state.branches.removeAll { $0.broadcast == nil }
            if !state.isFinished { state.branches.append(Branch(broadcast: branch)) }
            return state.isFinished
        }
        if isFinished { branch.finish() }
        return branch
    }

    package func send(_ element: Element) {
        let (listeners, branches) = state.withLock { (Array($0.listeners.values), $0.branches) }
        for listener in listeners { listener.yield(element) }
        for branch in branches { branch.broadcast?.send(element) }
    }

    /// Ends all streams, and those that are asked for later.
    package func finish() {
        let (listeners, branches) = state.withLock { state in
            state.isFinished = true
            defer { state.branches = [] }
            return (Array(state.listeners.values), state.branches)
        }
        for listener in listeners { listener.finish() }
        for branch in branches { branch.broadcast?.finish() }
    }

    /// How many listen now, to its branches too.
    package var listenerCount: Int {
        let (count, branches) = state.withLock { ($0.listeners.count, $0.branches) }
        return branches.reduce(count) { $0 + ($1.broadcast?.listenerCount ?? 0) }
    }
}
