import Foundation
import GRDB
import GRDBSQLite
import Groundwork

/// Opens a store's file: finishes what was broken off, and rebuilds what is damaged.
enum StoreOpening {
    ///
    /// - Parameter checkedSize: Files up to so many bytes are looked through.
    static func open(
        _ location: StoreLocation,
        _ types: [RecordType],
        checkedSize: Int
    ) throws(StoreError) -> (DatabasePool, StoreRepair?) {
        try makeFolder(location)
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

    /// Opens the file as it is.
    static func pool(
        _ location: StoreLocation,
        _ types: [RecordType],
        checkedSize: Int = 0
    ) throws(StoreError) -> DatabasePool {
        do {
            var configuration = Configuration()
            configuration.label = "swift-inbox"
            // Another process may be in the middle of a commit.
            configuration.busyMode = .timeout(10)
            #if canImport(Darwin)
                // Apple's systems end an app that they suspend while it holds a lock on a file of an app group: it can
                // say beforehand that it is about to be suspended.
                configuration.observesSuspensionNotifications = true
            #endif
            configuration.prepareDatabase { db in
                // SQLite deletes the log by its name when the last connection closes. After a sign-out, that name may
                // belong to another store.
                var isKept: CInt = 1
                sqlite3_file_control(db.sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, &isKept)
            }
            try makePrivate(location.file)
            let (pool, isLeft, isCurrent) = try withRetries {
                let pool = try DatabasePool(path: location.file.path, configuration: configuration)
                // All on the connection that is open already: another one would take as long as all else.
                return try pool.writeWithoutTransaction { db in
                    // A write is durable before its call returns, also in a power failure. (Opening a pool sets
                    // NORMAL.) On Apple's systems only fcntl's F_FULLFSYNC makes a disk write its own cache; elsewhere
                    // fullfsync has no effect.
                    try db.execute(sql: "PRAGMA synchronous = FULL; PRAGMA fullfsync = ON")
                    return (pool, try db.isLeft(), try Schema.isCurrent(db, types))
                }
            }
            if isLeft {
                try finishLeaving(location, pool)
                return try self.pool(location, types, checkedSize: checkedSize)
            }
            if !isCurrent { try migrate(pool, types) }
            if (FileFacts(of: location.file)?.size ?? 0) + (FileFacts(of: location.log)?.size ?? 0) <= checkedSize {
                try lookThrough(pool)
            }
            // Whatever the size: only this device has the contents of these tables.
            try pool.writeWithoutTransaction { db in try SecondCopies.check(db) }
            // What opening asks first, so that damage to it is found here.
            _ = try pool.writeWithoutTransaction { db in try ReplicaStore.nextDue(db, types) }
            return pool
        } catch let error as DatabaseError where schemaErrors.contains(error.resultCode) {
            // Tables, or the list of migrations, aren't as any version has left them.
            throw .damaged(DatabaseError(resultCode: .SQLITE_CORRUPT, message: error.message))
        } catch {
            throw ReplicaStore.storeError(error)
        }
    }

    /// What SQLite says of a schema that isn't what it was: a table that isn't there or is there already, a row that
    /// breaks its rules.
    private static let schemaErrors: [ResultCode] = [
        .SQLITE_ERROR, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_RANGE,
    ]

    /// Tries again where another process has the file to itself: to give a new file its log needs that, and SQLite
    /// doesn't wait for it.
    private static func withRetries<T>(_ body: () throws -> T) throws -> T {
        for _ in 0..<100 {
            do {
                return try body()
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                Thread.sleep(forTimeInterval: 0.01)
            }
        }
        return try body()
    }

    /// Brings the tables up to date, beside other processes that do the same at the same time.
    ///
    /// GRDB looks what is to be done before it locks the file. So a step that fails may have been done by another
    /// process meanwhile: then the next look finds more done than the last, which can happen once for each step.
    static func migrate(_ pool: DatabasePool, _ types: [RecordType]) throws {
        let migrator = Schema.migrator(types: types)
        for attempt in 0...migrator.migrations.count {
            do {
                return try migrator.migrate(pool)
            } catch {
                if attempt == migrator.migrations.count { throw error }
            }
        }
    }

    private static func makeFolder(_ location: StoreLocation) throws(StoreError) {
        let folder = location.file.deletingLastPathComponent()
        guard FileFacts(of: folder)?.isDirectory != true else { return }
        do {
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw .directory(path: folder.path, reason: error.localizedDescription)
        }
    }

    /// Creates the file if there is none, readable by its owner only. SQLite gives its log the same permissions.
    private static func makePrivate(_ file: URL) throws {
        guard !FileManager.default.fileExists(atPath: file.path) else { return }
        guard EmptyFile.make(at: file) else {
            throw DatabaseError(resultCode: .SQLITE_CANTOPEN, message: "unable to make the file")
        }
    }

    /// Checks for damage that SQLite doesn't report by itself.
    private static func checkUndamaged(_ location: StoreLocation) throws(StoreError) {
        if FileManager.default.fileExists(atPath: location.damageNote.path) {
            throw .damaged(DatabaseError(resultCode: .SQLITE_CORRUPT, message: "found while it was in use"))
        }
        // To SQLite, an empty file is a new database. One that was synced wasn't empty.
        if FileFacts(of: location.file)?.size == 0, FileManager.default.fileExists(atPath: location.lock.path) {
            throw .damaged(DatabaseError(resultCode: .SQLITE_NOTADB, message: "the file is empty"))
        }
    }

    private static func lookThrough(_ pool: DatabasePool) throws {
        let finding = try pool.writeWithoutTransaction { db in try String.fetchOne(db, sql: "PRAGMA quick_check(1)") }
        guard finding == "ok" else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: finding ?? "it can't be looked through")
        }
    }

    /// Deletes a store that was marked as left and is still there: the process that did so died, or is about to delete
    /// it.
    private static func finishLeaving(_ location: StoreLocation, _ pool: DatabasePool) throws {
        try pool.close()
        try location.deleteClosed()
    }
}
