package import Foundation
import Groundwork

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The right to write into a database file, which one process at a time has: the server, or who puts a backup in its
/// place.
///
/// The system gives it back when the process ends, however it ends. Reading, and making a backup, need none.
package struct DatabaseLock: Sendable {
    private let lock: FileLock

    /// - Throws: ``ServerSetupError`` where another process has it.
    package init(for database: URL) throws(ServerSetupError) {
        let file = URL(fileURLWithPath: database.resolvingSymlinksInPath().path + ".lock")
        lock = FileLock(file)
        guard lock.acquire() else {
            throw ServerSetupError(
                "Another server uses \(database.path), or \(file.path) can't be written. Stop the other one first, or choose another --database."
            )
        }
        // Root may come before the user that the server runs as.
        if geteuid() == 0 { try? FileOwner(of: database)?.give(file.path) }
    }

    package func release() {
        lock.release()
    }
}
