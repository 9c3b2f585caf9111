import Foundation
import Groundwork

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file that one process at a time holds locked: the one that syncs the store beside it.
///
/// The system lets go of the lock when the process ends, however it ends.
final class FileLock: Sendable {
    private let path: String
    // Guarded by the lock: the open file while it is held.
    private let descriptor = Locked<Int32?>(nil)

    init(_ file: URL) {
        path = file.path
    }

    deinit { release() }

    /// Takes the lock where nobody else has it.
    ///
    /// - Returns: Whether it is held now.
    func acquire() -> Bool {
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

    func release() {
        descriptor.withLock { descriptor in
            if let file = descriptor { close(file) }
            descriptor = nil
        }
    }
}
