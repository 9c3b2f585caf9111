import Groundwork

/// A simulated device's disk. While it is full, all writes of the device's processes fail.
final class Disk: Sendable {
    // Guarded by the lock: writes run on their own threads.
    private let full = Locked(false)

    var isFull: Bool {
        get { full.withLock { $0 } }
        set { full.withLock { $0 = newValue } }
    }
}
