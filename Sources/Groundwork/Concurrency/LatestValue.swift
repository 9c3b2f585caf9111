/// A value that can be read from any thread, with streams of its changes.
package final class LatestValue<Value: Sendable & Equatable>: Sendable {
    // Guarded by the lock.
    private let current: Locked<Value>
    private let broadcast = Broadcast<Value>()
    /// Held while a value is set and sent, so that values are sent in the order in which they are set.
    private let order = Locked(())

    package init(_ value: Value) {
        current = Locked(value)
    }

    package var value: Value { current.withLock { $0 } }

    package func set(_ value: Value) {
        order.withLock { _ in
            let hasChanged = current.withLock { current in
                guard current != value else { return false }
                current = value
                return true
            }
            if hasChanged { broadcast.send(value) }
        }
    }

    /// Returns a stream of the current value and each later one. If values change in quick succession, only the newest
    /// is delivered.
    package func values() -> AsyncStream<Value> { broadcast.stream(startingWith: value) }

    /// Returns a channel of later values, which ends with this one at the latest.
    package func branch() -> Broadcast<Value> { broadcast.branch() }

    package func finish() { broadcast.finish() }
}
