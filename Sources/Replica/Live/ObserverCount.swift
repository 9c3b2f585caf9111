import Groundwork

/// The number of a store's current observers.
final class ObserverCount: Sendable {
    // Guarded by its lock: live lists begin and end in any task.
    private let state = Locked((current: 0, begun: 0))
    /// A broadcast each time an observer begins.
    let beginnings = Broadcast<Void>()

    var isEmpty: Bool { state.withLock { $0.current } == 0 }
    /// The number of observers that have begun, including those that have ended.
    var begun: Int { state.withLock { $0.begun } }

    /// Counts one observer until the token is released.
    func begin() -> Token { Token(self) }

    /// The registration of one observer, which ends when it is released.
    final class Token: Sendable {
        private let observers: ObserverCount

        fileprivate init(_ observers: ObserverCount) {
            self.observers = observers
            observers.state.withLock { $0 = ($0.current + 1, $0.begun + 1) }
            observers.beginnings.send(())
        }

        deinit { observers.state.withLock { $0.current -= 1 } }
    }
}
