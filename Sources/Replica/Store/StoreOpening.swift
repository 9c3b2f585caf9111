import Foundation
import GRDB
import GRDBSQLite
import Groundwork

/// The opening of a store's file. It finishes an interrupted rebuild, and rebuilds a damaged file.
enum StoreOpening {
    /// The time for which a transaction waits for one of another process, in seconds.
    static let patience: TimeInterval = 10

    /// Opens the store's file.
    ///
    /// - Parameter checkedSize: A file of up to this number of bytes is checked for damage.
    /// - Returns: The open file, and the repair if the file was damaged.
    static func open(
        _ location: StoreLocation,
        _ types: [RecordType],
        checkedSize: Int
    ) throws(StoreError) -> (DatabasePool, ReplicaRepair?) {
        try createFolder(location)
        try StoreRepair.finish(location)
        do {
            try checkUndamaged(location)
            return (try pool(location, types, checkedSize: checkedSize), nil)
        } catch {
            guard case .damaged(let reason) = error else { throw error }
            let repair = try StoreRepair.rebuild(location, types, because: reason)
            return (try pool(location, types, checkedSize: checkedSize), repair)
        }
    }

    /// Opens the file without repairing it.
    ///
    /// - Throws: ``StoreError/damaged(_:)`` if the file is damaged; ``StoreError/newer(path:migration:)`` if a newer
    ///   version has changed it.
    static func pool(
        _ location: StoreLocation,
        _ types: [RecordType],
        checkedSize: Int = 0
    ) throws(StoreError) -> DatabasePool {
        do {
            var configuration = Configuration()
            configuration.label = "Replica"
            configuration.busyMode = .timeout(patience)
            #if canImport(Darwin)
                // Apple's systems end an app that holds a lock on a file of an app group when it is suspended. The app
                // can post a notification before its suspension.
                configuration.observesSuspensionNotifications = true
            #endif
            configuration.prepareDatabase { db in
                // SQLite deletes the log by its name when the last connection closes. After a sign-out, that name may
                // belong to another store.
                var isKept: CInt = 1
                sqlite3_file_control(db.sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, &isKept)
            }
            try createFile(location.file)
            let (pool, isSignedOut, isCurrent) = try withRetries {
                let pool = try DatabasePool(path: location.file.path, configuration: configuration)
                // All of this uses the connection that is already open. Opening another one would take as long as the
                // rest together.
                return try pool.writeWithoutTransaction { db in
                    // A write is durable before its call returns, also in a power failure. (Opening a pool sets
                    // NORMAL.) On Apple's systems only fcntl's F_FULLFSYNC makes a disk write its own cache; elsewhere
                    // fullfsync has no effect.
                    try db.execute(sql: "PRAGMA synchronous = FULL; PRAGMA fullfsync = ON")
                    let isSignedOut = try db.isSignedOut()
                    // Before anything reads the tables: what this version doesn't know in them isn't damage.
                    if !isSignedOut, let migration = try Schema.newerMigration(in: db, types) {
                        throw StoreError.newer(path: location.file.path, migration: migration)
                    }
                    return (pool, isSignedOut, try Schema.isCurrent(db, types))
                }
            }
            if isSignedOut {
                try deleteSignedOut(location, pool)
                return try self.pool(location, types, checkedSize: checkedSize)
            }
            if !isCurrent { try migrate(pool, types) }
            if (FileFacts(of: location.file)?.size ?? 0) + (FileFacts(of: location.log)?.size ?? 0) <= checkedSize {
                try checkIntegrity(pool)
            }
            // Checked at any size: the contents of these tables exist on this device only.
            try pool.writeWithoutTransaction { db in try CoveringIndexes.check(db) }
            // The first queries after opening. They run here so that damage that they meet is handled, also that of the
            // names of columns.
            _ = try pool.writeWithoutTransaction { db in
                _ = try ReplicaStore.nextDue(db, TypeList(types))
                try db.execute(sql: "SELECT revision, session, version, isIncomplete FROM store")
            }
            return pool
        } catch let error as DatabaseError where schemaErrors.contains(error.resultCode) {
            // The tables or the list of migrations are in a state that no version leaves.
            throw .damaged(DatabaseError(resultCode: .SQLITE_CORRUPT, message: error.message))
        } catch let error as DatabaseError where unopenedErrors.contains(error.resultCode) {
            throw .unopened(path: location.file.path, error)
        } catch {
            throw ReplicaStore.storeError(error)
        }
    }

    /// The errors of SQLite for an unexpected schema: a table that is missing or already exists, or a row that violates
    /// a constraint.
    private static let schemaErrors: [ResultCode] = [
        .SQLITE_ERROR, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_RANGE,
    ]

    /// The errors of SQLite for a file that isn't one, or that this user can't write.
    private static let unopenedErrors: [ResultCode] = [.SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM]

    /// Retries for a second while another process has the file exclusively. Creating the log of a new file requires
    /// exclusive access, for which SQLite doesn't wait. Where it has waited already, nothing is retried.
    private static func withRetries<T>(_ body: () throws -> T) throws -> T {
        let start = ContinuousClock.now
        while true {
            do {
                return try body()
            } catch let error as DatabaseError
                where error.resultCode == .SQLITE_BUSY && ContinuousClock.now - start < .seconds(1)
            {
                Thread.sleep(forTimeInterval: 0.01)
            }
        }
    }

    /// Migrates the schema. Other processes may do the same concurrently.
    ///
    /// GRDB determines the pending migrations before it locks the file. So a migration that fails may have been applied
    /// by another process meanwhile. The next attempt then finds more of them applied, which can happen once for each
    /// migration.
    static func migrate(_ pool: DatabasePool, _ types: [RecordType]) throws {
        let migrator = Schema.migrator(types: types)
        for attempt in 0...migrator.migrations.count {
            do {
                return try migrator.migrate(pool)
            } catch {
                let isBusy = (error as? DatabaseError)?.resultCode == .SQLITE_BUSY
                if isBusy || attempt == migrator.migrations.count { throw error }
            }
        }
    }

    private static func createFolder(_ location: StoreLocation) throws(StoreError) {
        let folder = location.file.deletingLastPathComponent()
        guard FileFacts(of: folder)?.isDirectory != true else { return }
        do {
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw .directory(path: folder.path, reason: error.fileReason)
        }
    }

    /// Creates the file if there is none, readable by its owner only. SQLite gives its log the same permissions.
    private static func createFile(_ file: URL) throws {
        guard !FileManager.default.fileExists(atPath: file.path) else { return }
        guard EmptyFile.create(at: file) else {
            throw DatabaseError(resultCode: .SQLITE_CANTOPEN, message: "unable to create the file")
        }
    }

    /// Checks for damage that SQLite doesn't report by itself.
    private static func checkUndamaged(_ location: StoreLocation) throws(StoreError) {
        if FileManager.default.fileExists(atPath: location.damageNote.path) {
            throw .damaged(DatabaseError(resultCode: .SQLITE_CORRUPT, message: "found while it was in use"))
        }
        // To SQLite, an empty file is a new database, and so is one of one byte. One that was synced had more.
        if let size = FileFacts(of: location.file)?.size, size <= 1, location.wasSynced {
            let reason = size == 0 ? "the file is empty" : "the file has one byte"
            throw .damaged(DatabaseError(resultCode: .SQLITE_NOTADB, message: reason))
        }
    }

    private static func checkIntegrity(_ pool: DatabasePool) throws {
        let finding = try pool.writeWithoutTransaction { db in try String.fetchOne(db, sql: "PRAGMA quick_check(1)") }
        guard finding == "ok" else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: finding ?? "the file can't be checked")
        }
    }

    /// Deletes a store that is marked as signed out and still exists: the process that marked it was terminated, or is
    /// about to delete it.
    private static func deleteSignedOut(_ location: StoreLocation, _ pool: DatabasePool) throws {
        try pool.close()
        try location.deleteClosed()
    }
}
