import Groundwork

/// How many live lists there are of a store: somebody looks.
final class Onlookers: Sendable {
    // Guarded by its lock: lists begin and end in any task.
    private let count = Locked(0)

    var isEmpty: Bool { count.withLock { $0 } == 0 }

    /// Counts as one until it goes.
    func begin() -> Token { Token(self) }

    final class Token: Sendable {
        private let all: Onlookers

        fileprivate init(_ all: Onlookers) {
            self.all = all
            all.count.withLock { $0 += 1 }
        }

        deinit { all.count.withLock { $0 -= 1 } }
    }
}
