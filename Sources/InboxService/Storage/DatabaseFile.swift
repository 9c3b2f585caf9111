package import Foundation
import GRDB
import Groundwork

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Validation of a database file before the server opens it and writes to it.
package enum DatabaseFile {
    /// `PRAGMA application_id` of each server's database: "INBX".
    static let applicationID = 0x494E_4258

    /// The maximum size in bytes of files that are checked before the server starts, which takes about half a second.
    /// `inbox doctor` checks larger ones.
    static let checkedSize = 64 * 1_048_576

    /// Checks a file.
    ///
    /// - Parameter option: The option of the command line that chooses the file.
    /// - Throws: ``ServerSetupError`` if the file can't be a server's database: it is a folder, belongs to another
    ///   program, is damaged, isn't writable, or is missing while its log has data. ``MaintenanceError`` describes
    ///   errors of SQLite.
    package static func check(_ file: URL, option: String = "--database") throws(ServerSetupError) {
        let path = file.path
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        guard !isFolder.boolValue else {
            throw ServerSetupError("\(path) is a folder. Specify a file, such as --database inbox.sqlite.")
        }
        let folder = file.resolvingSymlinksInPath().deletingLastPathComponent().path
        guard access(folder, W_OK) == 0 else {
            throw ServerSetupError(
                "The folder \(folder) isn't writable: \(reason). The write-ahead log is created next to \(path)."
            )
        }
        guard exists else { return try checkNew(file) }
        guard access(path, R_OK | W_OK) == 0 else {
            throw ServerSetupError(
                "\(path) can't be read and written: \(reason). Check that it belongs to the user that runs the server."
            )
        }
        let size = FileFacts(of: file)?.size ?? 0
        guard size > 0 else { return try checkNew(file) }
        do {
            let queue = try Self.queue(file)
            let finding = try queue.read { db -> String? in
                guard try !UnfinishedMove.isIn(db) else { return UnfinishedMove.description(of: path) }
                guard try isInboxDatabase(db) else {
                    return "\(path) \(foreignDescription) Nothing in it was changed. Choose another \(option)."
                }
                guard size <= checkedSize else { return nil }
                let found = try String.fetchOne(db, sql: "PRAGMA quick_check(1)") ?? ""
                return found == "ok" ? nil : "\(path) is damaged: \(found). \(advice)"
            }
            try queue.close()
            if let finding { throw ServerSetupError(finding) }
        } catch let error as ServerSetupError {
            throw error
        } catch let error as MaintenanceError {
            throw ServerSetupError("\(error.description) \(advice)")
        } catch let error as DatabaseError {
            throw ServerSetupError("\(MaintenanceError(error, at: path).description) \(advice)")
        } catch {
            throw ServerSetupError("\(path): \(error.fileReason).")
        }
    }

    /// Returns whether a server with this database creates it: there is no file yet, or an empty one. False for
    /// PostgreSQL.
    package static func isNew(_ database: URL) -> Bool {
        database.isFileURL && FileFacts(of: database)?.size ?? 0 == 0
    }

    /// Checks that a file that is missing or empty is a new database: there is no log then, since SQLite writes the
    /// first page of a file before its log. SQLite would delete the log of a file that was moved or truncated.
    private static func checkNew(_ file: URL) throws(ServerSetupError) {
        let log = URL(fileURLWithPath: file.resolvingSymlinksInPath().path + "-wal")
        guard let size = FileFacts(of: log)?.size, size > 0 else { return }
        throw ServerSetupError(
            """
            \(file.path) is missing or empty, and its log \(log.path) isn't: the file was moved, deleted or truncated. \
            Put it back, or run inbox restore. To begin with an empty database, remove the log.
            """
        )
    }

    /// Opens the file for reading only. If a process was killed during a first start or a restore, its journal is
    /// rolled back first, which requires writing.
    static func queue(_ file: URL) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        do {
            return try DatabaseQueue(path: file.path, configuration: configuration)
        } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_READONLY_ROLLBACK {
            var writing = configuration
            writing.readonly = false
            try DatabaseQueue(path: file.path, configuration: writing).close()
            return try DatabaseQueue(path: file.path, configuration: configuration)
        }
    }

    /// The description of another program's database, which follows its path.
    static let foreignDescription = "is a SQLite database, but not an inbox server's."

    /// Returns whether it has no tables except possibly the list of migrations, which a first start creates first.
    static func isEmpty(_ db: Database) throws -> Bool {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master WHERE tbl_name <> 'grdb_migrations'") == 0
    }

    /// Returns whether it is a server's database: it has the application id, or the tables of a version that didn't set
    /// the id, or it is empty.
    static func isInboxDatabase(_ db: Database) throws -> Bool {
        let id = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        if id == applicationID { return true }
        guard id == 0 else { return false }
        if try isEmpty(db) { return true }
        return try db.tableExists("grdb_migrations") && db.tableExists("delivery")
            && Schema.migrator.appliedIdentifiers(db).contains(Schema.first)
    }

    private static var reason: String { String(cString: strerror(errno)) }

    private static let advice = "Run inbox doctor to check it, or inbox restore to restore the last backup."
}
