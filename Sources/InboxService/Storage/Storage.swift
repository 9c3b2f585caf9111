package import Foundation
import GRDB

/// The server's SQLite file: opened, migrated, and durable before any response.
///
/// Reads run concurrently with each other and with the writer, each on a snapshot. All writes go through ``Writer``.
package struct Storage: Sendable {
    let pool: DatabasePool

    /// Opens the file, or creates it.
    ///
    /// - Throws: `DatabaseError` if the file can't be opened or isn't a database; ``ServerSetupError`` if a newer
    ///   version has migrated it.
    package init(file: URL) throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = true
        configuration.maximumReaderCount = 8
        // Another process may lock the file briefly, for a backup.
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in db.add(function: Collation.function) }
        pool = try DatabasePool(path: file.path(percentEncoded: false), configuration: configuration)
        // Opening a pool sets NORMAL, with which a power failure may lose the latest commits. Deleted data is
        // overwritten, so that erased data can't be recovered from the file. On Apple platforms, only fcntl's
        // F_FULLFSYNC flushes the disk's own cache; elsewhere fullfsync has no effect.
        try pool.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA secure_delete = ON")
        }
        if let unknown = try pool.read({ db in try Schema.unknownMigrations(in: db) }).first {
            throw ServerSetupError(
                "\(file.path) was migrated by a newer version (\(unknown)). Use that version, or restore a backup."
            )
        }
        try Schema.migrator.migrate(pool)
        try pool.writeWithoutTransaction { db in
            let id = DatabaseFile.applicationID
            if try Int.fetchOne(db, sql: "PRAGMA application_id") != id {
                try db.execute(sql: "PRAGMA application_id = \(id)")
            }
        }
    }

    /// Reads from a snapshot.
    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (ReadTransaction) throws -> Value
    ) async throws -> Value {
        try await pool.read { db in try body(ReadTransaction(db)) }
    }

    /// Moves the write-ahead log into the file and truncates it.
    func truncateLog() async throws {
        _ = try await pool.writeWithoutTransaction { db in try db.checkpoint(.truncate) }
    }

    /// Empties the write-ahead log and closes the file. Blocks the calling thread.
    package func close() throws {
        // The pool closes its writer before its readers, so SQLite doesn't checkpoint the log on its own.
        _ = try pool.writeWithoutTransaction { db in try db.checkpoint(.truncate) }
        try pool.close()
    }

    /// The sizes of the file and of its write-ahead log, in bytes.
    package var sizes: (file: Int, log: Int) { (Self.size(pool.path), Self.size(pool.path + "-wal")) }

    private static func size(_ path: String) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int ?? 0
    }

    /// Verifies that the file can be read.
    package func check() async throws {
        _ = try await pool.read { db in try db.value("SELECT count(*) FROM setting") as Int? }
    }
}

extension Database {
    /// Returns the first row of a cached statement.
    func row(_ sql: String, _ arguments: StatementArguments) throws -> Row? {
        try Row.fetchOne(cachedStatement(sql: sql), arguments: arguments)
    }

    /// Returns the first value of a cached statement.
    func value<Value: DatabaseValueConvertible>(_ sql: String, _ arguments: StatementArguments = []) throws -> Value? {
        try Value.fetchOne(cachedStatement(sql: sql), arguments: arguments)
    }

    /// Runs a cached statement.
    func run(_ sql: String, _ arguments: StatementArguments) throws {
        try cachedStatement(sql: sql).execute(arguments: arguments)
    }
}
