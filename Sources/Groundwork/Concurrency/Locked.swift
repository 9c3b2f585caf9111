import Foundation

/// A value that is accessible only while its lock is held.
///
/// This is the package's only lock: `Synchronization.Mutex` requires a newer system than the client supports. The lock
/// is held while the closure runs. The closure must not block.
package final class Locked<Value>: @unchecked Sendable {
    // Declared before the value: an empty value (`Void`) shares the address of the property after it, and the thread
    // sanitizer would confuse the two.
    private let lock = NSLock()
    // Guarded by `lock`. It is accessed in `withLock` only, which justifies `@unchecked Sendable`.
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
