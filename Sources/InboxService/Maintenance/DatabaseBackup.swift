public import Foundation
import GRDB

/// Backs up a server's database, and restores backups.
///
/// Both functions block the calling thread until they finish.
public enum DatabaseBackup {
    /// Copies a database. A server may write to it at the same time.
    ///
    /// The copy has the state at the beginning, in one file that only its owner can read. The file takes its name once
    /// it has passed SQLite's `integrity_check` and is synced to the disk. Until then, an earlier file of that name
    /// stays in place.
    ///
    /// - Parameters:
    ///   - database: The file to copy.
    ///   - backup: The destination of the copy.
    ///   - force: Whether an existing file may be replaced.
    ///   - progress: Receives the number of copied pages and the total.
    /// - Throws: ``MaintenanceError``. ``ServerSetupError`` if a server uses the file that would be replaced.
    public static func make(
        of database: URL,
        to backup: URL,
        force: Bool = false,
        progress: @escaping (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) throws {
        guard backup.resolvingSymlinksInPath() != database.resolvingSymlinksInPath() else {
            throw MaintenanceError("\(backup.path) is the database itself. Choose another name for the backup.")
        }
        try refuse(toReplace: backup, force: force)
        // If the two names are mixed up, the file that a server uses must not be overwritten.
        let lock = FileManager.default.fileExists(atPath: backup.path) ? try DatabaseLock(for: backup) : nil
        defer { lock?.release() }
        try DatabaseCopy(destination: backup).make(of: database, progress: progress)
    }

    /// Restores a backup in place of a database.
    ///
    /// The restored inboxes and surfaces begin a new generation of states: a device with an earlier state receives
    /// `cannotCalculateChanges` and runs a full sync, because it may hold records that the backup doesn't contain.
    ///
    /// Erasures of people and revocations of API keys, tokens and signing keys that the replaced database has since the
    /// backup hold in the restored one too. The audit log is continued. The file keeps its owner and mode.
    ///
    /// If the process dies at any point, the file is either the old or the new database.
    ///
    /// - Parameters:
    ///   - backup: The copy that ``make(of:to:force:progress:)`` made.
    ///   - database: The server's database file. No server may have it open.
    ///   - force: Whether an existing database may be replaced.
    ///   - now: The time, which distinguishes this restore from others.
    ///   - progress: Receives the number of copied pages and the total.
    /// - Returns: The erasures and revocations that were applied again.
    /// - Throws: ``MaintenanceError``, if the backup is the database itself among others. ``ServerSetupError`` if a
    ///   server uses the database.
    @discardableResult
    public static func restore(
        _ backup: URL,
        to database: URL,
        force: Bool = false,
        now: Date = Date(),
        progress: @escaping (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) throws -> RestoreReport {
        guard backup.resolvingSymlinksInPath() != database.resolvingSymlinksInPath() else {
            throw MaintenanceError("\(backup.path) is the backup itself. Choose another --database.")
        }
        // Before the lock, which has a file of its own.
        try refuse(toReplace: database, force: force)
        try check(backup)
        let lock = try DatabaseLock(for: database)
        defer { lock.release() }
        // Another one may have been first.
        try refuse(toReplace: database, force: force)
        var report = RestoreReport()
        try DatabaseCopy(destination: database).make(
            of: backup,
            finish: { copy in
                try Schema.migrator.migrate(copy)
                report = try RestoreCarryover.apply(of: database, to: copy, now: now)
                try copy.write { db in
                    for counter in ["broadcast", "surface"] {
                        let value = try Int.fetchOne(
                            db,
                            sql: "SELECT value FROM counter WHERE name = ?",
                            arguments: [counter]
                        )
                        guard let value else { continue }
                        try db.execute(
                            sql: "UPDATE counter SET value = ? WHERE name = ?",
                            arguments: [PersonState.nextGeneration(after: value, at: now), counter]
                        )
                    }
                }
            },
            replace: { temporary in
                try FileOwner(of: database)?.applyOwnerAndMode(to: temporary)
                try ReplacedDatabase(file: database).consolidate()
            },
            progress: progress
        )
        return report
    }

    /// Checks that this version of the server can read a backup.
    ///
    /// - Throws: ``MaintenanceError`` if a file isn't a server's database, or is of a newer version.
    private static func check(_ backup: URL) throws {
        let queue = try DatabaseCopy.openReadOnly(backup)
        defer { try? queue.close() }
        do {
            guard let unknown = try queue.read({ db in try Schema.unknownMigrations(in: db) }).first else { return }
            throw MaintenanceError("\(backup.path) was created by a newer version (\(unknown)). Upgrade inbox first.")
        } catch let error as DatabaseError {
            throw MaintenanceError(error, at: backup.path)
        }
    }

    private static func refuse(toReplace file: URL, force: Bool) throws {
        guard force || !FileManager.default.fileExists(atPath: file.path) else {
            throw MaintenanceError("\(file.path) already exists. Choose another name, or use --force to replace it.")
        }
    }
}
