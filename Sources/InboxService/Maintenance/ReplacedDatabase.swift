import Foundation
import GRDB

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A database whose place another one is about to take.
struct ReplacedDatabase {
    let file: URL

    /// What SQLite keeps beside a database, and would read into whichever has its name.
    private var companions: [String] { ["-wal", "-shm", "-journal"].map { file.path + $0 } }

    /// Makes the file contain the whole database: the log beside it is checkpointed to the disk, and then removed. So
    /// if the process dies at any point, there is the old database or the new one.
    ///
    /// The log of a damaged database is only removed.
    ///
    /// - Throws: ``MaintenanceError`` if another process has it open.
    func settle() throws {
        if FileManager.default.fileExists(atPath: file.path) { try fold() }
        for path in companions where unlink(path) != 0 && errno != ENOENT {
            throw MaintenanceError("\(path) can't be removed: \(String(cString: strerror(errno))).")
        }
    }

    private func fold() throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        do {
            let queue = try DatabaseQueue(path: file.path, configuration: configuration)
            try queue.writeWithoutTransaction { db in
                // A look first: it rolls back what a process that died has left half done.
                _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema")
                _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = DELETE")
            }
            try queue.close()
        } catch let error as DatabaseError {
            switch error.resultCode {
            case .SQLITE_NOTADB, .SQLITE_CORRUPT: return
            case .SQLITE_BUSY, .SQLITE_LOCKED:
                throw MaintenanceError("\(file.path) is in use by another program. End it first.")
            default: throw MaintenanceError(error, at: file.path)
            }
        }
    }
}
