import Foundation
import GRDB

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A database that is about to be replaced by another one.
struct ReplacedDatabase {
    let file: URL

    /// The files that SQLite keeps next to a database, and would apply to any database of the same name.
    private var companions: [String] { ["-wal", "-shm", "-journal"].map { file.path + $0 } }

    /// Makes the file contain the whole database: the write-ahead log is checkpointed to the disk and then removed. If
    /// the process dies at any point, the file is therefore either the old or the new database.
    ///
    /// The log of a damaged database is only removed.
    ///
    /// - Throws: ``MaintenanceError`` if another process has the database open.
    func consolidate() throws {
        if FileManager.default.fileExists(atPath: file.path) { try checkpointLog() }
        for path in companions where unlink(path) != 0 && errno != ENOENT {
            throw MaintenanceError("\(path) can't be removed: \(String(cString: strerror(errno))).")
        }
    }

    private func checkpointLog() throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        do {
            let queue = try DatabaseQueue(path: file.path, configuration: configuration)
            try queue.writeWithoutTransaction { db in
                // The first read rolls back an incomplete transaction of a process that died.
                _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema")
                _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = DELETE")
            }
            try queue.close()
        } catch let error as DatabaseError {
            switch error.resultCode {
            case .SQLITE_NOTADB, .SQLITE_CORRUPT: return
            case .SQLITE_BUSY, .SQLITE_LOCKED:
                throw MaintenanceError("\(file.path) is in use by another program. Stop that program first.")
            default: throw MaintenanceError(error, at: file.path)
            }
        }
    }
}
