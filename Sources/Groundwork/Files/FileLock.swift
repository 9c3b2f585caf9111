package import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file that one process at a time holds locked, for the sake of another file beside it.
///
/// The system lets go of the lock when the process ends, however it ends.
package final class FileLock: Sendable {
    private let path: String
    // Guarded by the lock: the open file while it is held.
    private let descriptor = Locked<Int32?>(nil)

    package init(_ file: URL) {
        path = file.path
    }

    deinit { release() }

    /// Takes the lock where nobody else has it.
    ///
    /// - Returns: Whether it is held now.
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
                // Said outright: a process that is being started at the moment may have the file open as well, until it
                // is itself.
                flock(file, LOCK_UN)
                close(file)
            }
            descriptor = nil
        }
    }
}
