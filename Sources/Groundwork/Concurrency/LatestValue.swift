/// A value that anyone may look at, and that tells whoever listens when it changes.
package final class LatestValue<Value: Sendable & Equatable>: Sendable {
    // Guarded by the lock.
    private let current: Locked<Value>
    private let broadcast = Broadcast<Value>()

    package init(_ value: Value) {
        current = Locked(value)
    }

    package var value: Value { current.withLock { $0 } }

    package func set(_ value: Value) {
        let hasChanged = current.withLock { current in
            guard current != value else { return false }
            current = value
            return true
        }
        if hasChanged { broadcast.send(value) }
    }

    /// The value now and each later one; of several in quick succession, the newest.
    package func values() -> AsyncStream<Value> { broadcast.stream(startingWith: value) }

    /// Tells each later value, and ends with this one at the latest.
    package func branch() -> Broadcast<Value> { broadcast.branch() }

    package func finish() { broadcast.finish() }
}
