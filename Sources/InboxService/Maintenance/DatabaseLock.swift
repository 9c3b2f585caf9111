package import Foundation
import Groundwork

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The exclusive lock for writing to a database file. The server holds it, or a process that replaces the file.
///
/// The system releases the lock when the process ends, including after a crash. Reading and backups need no lock.
package struct DatabaseLock: Sendable {
    private let lock: FileLock

    /// Acquires the lock.
    ///
    /// - Parameter option: The option of the command line that chooses the database.
    /// - Throws: ``ServerSetupError`` if another process holds it.
    package init(for database: URL, option: String = "--database") throws(ServerSetupError) {
        let file = URL(fileURLWithPath: database.resolvingSymlinksInPath().path + ".lock")
        lock = FileLock(file)
        guard lock.acquire() else {
            throw ServerSetupError(
                """
                Another server is using \(database.path), or \(file.path) can't be written. Stop the other server, or \
                choose another \(option).
                """
            )
        }
        // Root may create the lock file before the server's user does.
        if geteuid() == 0 { try? FileOwner(of: database)?.apply(to: file.path) }
    }

    package func release() {
        lock.release()
    }
}
