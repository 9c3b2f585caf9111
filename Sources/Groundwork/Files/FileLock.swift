package import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A lock file, which one process at a time holds, that protects another file.
///
/// The system releases the lock when the process ends, including after a crash.
package final class FileLock: Sendable {
    private let path: String
    // Guarded by the lock. The open file while the lock is held.
    private let descriptor = Locked<Int32?>(nil)

    package init(_ file: URL) {
        path = file.path
    }

    deinit { release() }

    /// Acquires the lock if no other process or lock holds it.
    ///
    /// - Returns: Whether the lock is held.
    package func acquire() -> Bool {
        descriptor.withLock { descriptor in
            if descriptor != nil { return true }
            let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            guard file >= 0 else { return false }
            guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
                close(file)
                return false
            }
            descriptor = file
            return true
        }
    }

    package func release() {
        descriptor.withLock { descriptor in
            if let file = descriptor {
                // Unlocked explicitly: a child process that is being spawned may still share the descriptor until its
                // `exec`.
                flock(file, LOCK_UN)
                close(file)
            }
            descriptor = nil
        }
    }
}
