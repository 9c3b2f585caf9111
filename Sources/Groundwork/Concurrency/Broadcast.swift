import Foundation

/// Tells whoever listens.
///
/// A listener that is slow never holds up the sender nor the others: what it can't take is dropped, oldest first, as its buffer
/// says. A listener's place is given up when the task that iterates ends.
package final class Broadcast<Element: Sendable>: Sendable {
    private struct State {
        var listeners: [UUID: AsyncStream<Element>.Continuation] = [:]
        var isFinished = false
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

    package func send(_ element: Element) {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(element) }
    }

    /// Ends all streams, and those that are asked for later.
    package func finish() {
        let listeners = state.withLock { state in
            state.isFinished = true
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }

    /// How many listen now.
    package var listenerCount: Int { state.withLock { $0.listeners.count } }
}
