import Groundwork

/// The number of a store's current observers.
final class ObserverCount: Sendable {
    // Guarded by its lock: live lists begin and end in any task.
    private let count = Locked(0)

    var isEmpty: Bool { count.withLock { $0 } == 0 }

    /// Counts one observer until the token is released.
    func begin() -> Token { Token(self) }

    /// The registration of one observer, which ends when it is released.
    final class Token: Sendable {
        private let observers: ObserverCount

        fileprivate init(_ observers: ObserverCount) {
            self.observers = observers
            observers.count.withLock { $0 += 1 }
        }

        deinit { observers.count.withLock { $0 -= 1 } }
    }
}
