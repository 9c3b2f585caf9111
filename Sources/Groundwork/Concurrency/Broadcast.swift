import Foundation

/// A channel that sends each element to all of its streams.
///
/// A slow consumer never blocks the sender or other consumers: elements beyond its buffer are dropped, oldest first. A
/// stream is removed when the task that iterates it ends.
package final class Broadcast<Element: Sendable>: Sendable {
    private struct State {
        var listeners: [UUID: AsyncStream<Element>.Continuation] = [:]
        var branches: [Branch] = []
        var isFinished = false
    }

    private struct Branch {
        weak var broadcast: Broadcast?
    }

    // Guarded by the lock: streams are added and removed on any thread.
    private let state = Locked(State())
    private let buffer: Int

    /// - Parameter buffer: The number of elements that are buffered for a slow consumer. One is right if only the
    ///   newest element matters.
    package init(buffer: Int = 1) {
        self.buffer = buffer
    }

    /// Returns a stream of the elements sent from now on, preceded by `first` if it is given. ``finish()`` ends the
    /// stream.
    ///
    /// - Parameter first: Evaluated after the stream has begun to receive elements, so that none of them is older than
    ///   `first`. It may read a lock, under which nothing is sent.
    package func stream(startingWith first: @autoclosure () -> Element? = nil) -> AsyncStream<Element> {
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
            if let first = first() { continuation.yield(first) }
            return state.isFinished
        }
        if isFinished { continuation.finish() }
        return stream
    }

    /// Returns a channel that receives the same elements from now on. It ends with this one at the latest, and this one
    /// holds it weakly.
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

    /// Ends all streams, including those that are requested later.
    package func finish() {
        let (listeners, branches) = state.withLock { state in
            state.isFinished = true
            defer { state.branches = [] }
            return (Array(state.listeners.values), state.branches)
        }
        for listener in listeners { listener.finish() }
        for branch in branches { branch.broadcast?.finish() }
    }

    /// The number of active streams, including those of its branches.
    package var listenerCount: Int {
        let (count, branches) = state.withLock { ($0.listeners.count, $0.branches) }
        return branches.reduce(count) { $0 + ($1.broadcast?.listenerCount ?? 0) }
    }
}
