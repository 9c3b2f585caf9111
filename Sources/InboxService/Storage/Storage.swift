package import Foundation
package import GRDB

/// The server's one SQLite file: opened, migrated, and durable before anything is answered.
///
/// Reads run beside each other and beside the writer, each on a snapshot. Writes go through ``Writer`` alone.
package struct Storage: Sendable {
    let pool: DatabasePool

    /// Opens the file, or makes it.
    ///
    /// - Throws: `DatabaseError` where it can't be opened or isn't ours; ``ServerSetupError`` where a newer version has
    ///   been at it.
    package init(file: URL) throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = true
        configuration.maximumReaderCount = 8
        // Another process may hold the file for a moment, for a backup.
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in db.add(function: Collation.function) }
        pool = try DatabasePool(path: file.path(percentEncoded: false), configuration: configuration)
        // Opening a pool sets NORMAL, with which a power failure may lose the latest commits. Deleted data is
        // overwritten, so that erased data can't be found in the file. On Apple's systems only fcntl's F_FULLFSYNC
        // makes a disk write its own cache; elsewhere fullfsync has no effect.
        try pool.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA secure_delete = ON")
        }
        if let unknown = try pool.read({ db in try Schema.unknownMigrations(in: db) }).first {
            throw ServerSetupError(
                "\(file.path) was brought up to date by a newer version (\(unknown)). Use that one, or restore a backup."
            )
        }
        try Schema.migrator.migrate(pool)
        try pool.writeWithoutTransaction { db in
            let mark = DatabaseFile.applicationID
            if try Int.fetchOne(db, sql: "PRAGMA application_id") != mark {
                try db.execute(sql: "PRAGMA application_id = \(mark)")
            }
        }
    }

    /// Reads on a snapshot.
    package func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await pool.read(body)
    }

    /// Folds the log beside the file into it.
    func emptyLog() async throws {
        _ = try await pool.writeWithoutTransaction { db in try db.checkpoint(.truncate) }
    }

    /// Empties the log, and closes the file. Blocks its thread.
    package func close() throws {
        // The pool closes its writer before its readers, so that SQLite doesn't fold the log into the file by itself.
        _ = try pool.writeWithoutTransaction { db in try db.checkpoint(.truncate) }
        try pool.close()
    }

    /// How many bytes the file has, and the log beside it.
    package var sizes: (file: Int, log: Int) { (Self.size(pool.path), Self.size(pool.path + "-wal")) }

    private static func size(_ path: String) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int ?? 0
    }

    /// Makes sure that the file can be read.
    package func check() async throws {
        _ = try await read { db in try db.value("SELECT count(*) FROM setting") as Int? }
    }
}

extension Database {
    /// The first row of a statement that is prepared once for each connection.
    func row(_ sql: String, _ arguments: StatementArguments) throws -> Row? {
        try Row.fetchOne(cachedStatement(sql: sql), arguments: arguments)
    }

    /// The first value of a statement that is prepared once for each connection.
    func value<Value: DatabaseValueConvertible>(_ sql: String, _ arguments: StatementArguments = []) throws -> Value? {
        try Value.fetchOne(cachedStatement(sql: sql), arguments: arguments)
    }

    /// Runs a statement that is prepared once for each connection.
    func run(_ sql: String, _ arguments: StatementArguments) throws {
        try cachedStatement(sql: sql).execute(arguments: arguments)
    }

    /// The state of a person's inbox in this snapshot.
    func state(of person: Person) throws -> PersonState {
        PersonState(
            own: try value("SELECT sequence FROM person WHERE id = ?", [person.id]) ?? 0,
            broadcast: try value("SELECT value FROM counter WHERE name = 'broadcast'") ?? 0
        )
    }
}
