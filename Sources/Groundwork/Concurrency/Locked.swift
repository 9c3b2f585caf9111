import Foundation

/// A value that is only reached while its lock is held.
///
/// The one lock of the package: `Synchronization.Mutex` needs a newer system than the client supports. The lock is held
/// for the length of the closure, which must not wait for anything.
package final class Locked<Value>: @unchecked Sendable {
    // Before the value: an empty one, `Void`, has the place of what follows it, and the thread sanitizer takes the two
    // for one.
    private let lock = NSLock()
    // Guarded by `lock`: read and written in `withLock` alone, which is why the class may call itself Sendable.
    private var value: Value

    package init(_ value: sending Value) {
        self.value = value
    }

    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
