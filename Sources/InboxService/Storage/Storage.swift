package import Foundation
import GRDB
package import Groundwork

/// The server's database: a SQLite file, or a PostgreSQL database that several servers share.
///
/// Reads run concurrently with each other and with writes, each on a snapshot. All writes go through ``Writer``, and
/// are durable before any response.
package struct Storage: Sendable {
    enum Engine: Sendable {
        case sqlite(DatabasePool)
        #if PostgreSQL
            case postgres(PostgresStorage)
        #endif
    }

    let engine: Engine
    /// The place of a server that shares a SQLite file with others in its own process. Only the simulation has these:
    /// it stands in for PostgreSQL's.
    private let simulatedNode: (any DatabaseNode)?

    /// Opens a database, or creates its file or its tables.
    ///
    /// - Parameters:
    ///   - address: A file's URL, or a `postgres:` address (``isPostgreSQL(_:)``).
    ///   - pooler: The address of the same PostgreSQL database through a pooler in transaction mode, for reads and
    ///     writes.
    ///   - isStopping: Asked while statements of PostgreSQL run. Once it returns true, they are cancelled.
    /// - Throws: `DatabaseError` if a file can't be opened or isn't a database; ``ServerSetupError`` if a newer version
    ///   has migrated it, if a move into it isn't finished, if PostgreSQL or the pooler can't be used, or if this build
    ///   doesn't support it; `CancellationError` by `isStopping`.
    package static func open(
        _ address: URL,
        pooler: URL? = nil,
        isStopping: @escaping @Sendable () -> Bool = { false }
    ) async throws -> Storage {
        try check(pooler, of: address)
        guard isPostgreSQL(address) else { return try Storage(file: address) }
        #if PostgreSQL
            let storage = try await PostgresStorage(
                address.absoluteString,
                pooler: pooler?.absoluteString,
                isStopping: isStopping
            )
            return Storage(engine: .postgres(storage))
        #else
            throw ServerSetupError(
                "This build doesn't support PostgreSQL. Build it with libpq-dev installed: make build."
            )
        #endif
    }

    /// Checks that there is no pooler of a file.
    ///
    /// - Throws: ``ServerSetupError``.
    package static func check(_ pooler: URL?, of address: URL) throws(ServerSetupError) {
        guard let pooler, !isPostgreSQL(address) || !isPostgreSQL(pooler) else { return }
        throw ServerSetupError("A pooler is for PostgreSQL: --database and --pooler have to be postgres:// addresses.")
    }

    /// Returns whether a database's address is PostgreSQL's: `postgres://` or `postgresql://`.
    package static func isPostgreSQL(_ address: URL) -> Bool {
        ["postgres", "postgresql"].contains(address.scheme?.lowercased())
    }

    #if PostgreSQL
        private init(engine: Engine) {
            (self.engine, simulatedNode) = (engine, nil)
        }
    #endif

    /// Opens a SQLite file, or creates it.
    ///
    /// - Parameter simulatedNode: The server's place among others, in the simulation.
    /// - Throws: `DatabaseError` if the file can't be opened or isn't a database; ``ServerSetupError`` if a newer
    ///   version has migrated it, or a move into it isn't finished.
    init(file: URL, simulatedNode: (any DatabaseNode)?) throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = true
        configuration.maximumReaderCount = 8
        // Another process may lock the file briefly, for a backup.
        configuration.busyMode = .timeout(5)
        let pool = try DatabasePool(path: file.path(percentEncoded: false), configuration: configuration)
        // Opening a pool sets NORMAL, with which a power failure may lose the latest commits. Deleted data is
        // overwritten, so that erased data can't be recovered from the file. On Apple platforms, only fcntl's
        // F_FULLFSYNC flushes the disk's own cache; elsewhere fullfsync has no effect.
        try pool.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA secure_delete = ON")
        }
        if try pool.read(UnfinishedMove.isIn) {
            throw ServerSetupError(UnfinishedMove.description(of: file.path))
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
        (engine, self.simulatedNode) = (.sqlite(pool), simulatedNode)
    }

    /// Opens a SQLite file, or creates it.
    ///
    /// - Throws: As ``init(file:simulatedNode:)``.
    package init(file: URL) throws {
        try self.init(file: file, simulatedNode: nil)
    }

    /// Makes this process one of the servers of a PostgreSQL database, until ``close()``. A SQLite file has one server,
    /// which has its ``DatabaseLock``.
    ///
    /// - Parameter clock: The server's clock. It is compared with the database's at once, and then each 2 s
    ///   (``clockDifference``). Nil for no comparison.
    /// - Throws: ``ServerSetupError`` if there are too many servers, or an error of the database.
    package func join(comparing clock: (any WallClock)? = nil) async throws {
        #if PostgreSQL
            if case .postgres(let storage) = engine { try await storage.join(comparing: clock) }
        #endif
    }

    /// This server's place among those of the database. Nil if it is none, such as `inbox doctor`, or if the database
    /// is a file.
    var node: (any DatabaseNode)? {
        switch engine {
        case .sqlite: simulatedNode
        #if PostgreSQL
            case .postgres(let storage): storage.node
        #endif
        }
    }

    /// Whether other servers may write to the same database.
    package var isShared: Bool {
        switch engine {
        case .sqlite: simulatedNode != nil
        #if PostgreSQL
            case .postgres: true
        #endif
        }
    }

    /// Whether no other server writes to the database at this moment, so that the values in memory are the latest.
    var isAlone: Bool { node?.isAlone ?? !isShared }

    /// Whether this server receives the commits of the database's other servers. True if there are none.
    package var receivesChanges: Bool { node?.receivesChanges ?? true }

    /// Whether the database has lost commits that it had confirmed to this server, which writes nothing more then.
    package var hasLostCommits: Bool { node?.hasLostCommits ?? false }

    /// The seconds by which this server's clock is ahead of the database's. Negative if it is behind, 0 if they differ
    /// by no more than 5 s, aren't compared, or if the database is a file.
    package var clockDifference: Double { node?.clockDifference ?? 0 }

    /// Returns the time of the database's clock. Nil if the database is a file.
    package func databaseTime() async throws -> Date? {
        #if PostgreSQL
            if case .postgres(let storage) = engine {
                return try await storage.readBriefly { reading in
                    let now: Int? = try reading.db.value("SELECT \(NodeNumber.now)")
                    return now.map { Date(milliseconds: $0) }
                }
            }
        #endif
        return nil
    }

    /// Whether reads and writes can reach the database, as far as is known, and it has stored a heartbeat of this
    /// server within 8 s. After an outage, each kind of connection is opened again by itself, within a second or so.
    package var isReachable: Bool {
        switch engine {
        case .sqlite: return true
        #if PostgreSQL
            case .postgres(let storage): return storage.isReachable
        #endif
        }
    }

    /// Whether the server's user lacks tables of people or messages, or rights on them, by its latest heartbeat.
    package var lacksRights: Bool {
        switch engine {
        case .sqlite: return false
        #if PostgreSQL
            case .postgres(let storage): return storage.node?.lacksRights ?? false
        #endif
        }
    }

    /// Whether writes fail because triggers don't run on their connection, as far as is known. A server looks each
    /// second whether they do on a new one.
    package var skipsTriggers: Bool {
        switch engine {
        case .sqlite: return false
        #if PostgreSQL
            case .postgres(let storage): return storage.skipsTriggers
        #endif
        }
    }

    /// The problems of the database that an operator has to know of, as they were found when it was opened.
    package var problems: [String] {
        switch engine {
        case .sqlite: []
        #if PostgreSQL
            case .postgres(let storage): storage.problems
        #endif
        }
    }

    /// Returns the number of servers of the database that run (``NodeHeartbeat/isRunning``), and this server's own
    /// number. A SQLite file has one, with the number 0.
    package func servers() async throws -> (count: Int, number: Int) {
        switch engine {
        case .sqlite: return (1, 0)
        #if PostgreSQL
            case .postgres(let storage):
                let count = try await readBriefly { reading in
                    try NodeHeartbeat.all(reading.db).count { $0.isRunning }
                }
                return (count, storage.node?.id ?? 0)
        #endif
        }
    }

    /// Reads from a snapshot.
    ///
    /// - Parameters:
    ///   - person: The person whose rows are read. PostgreSQL shows no other person's then, whatever the statements ask
    ///     for. Nil for reads of several people.
    ///   - limit: The time that the request still has for reads. PostgreSQL ends a statement of the person by itself
    ///     when this server doesn't. Nil for the server's own limit.
    package func read<Value: Sendable>(
        of person: Person? = nil,
        within limit: Duration? = nil,
        _ body: @escaping @Sendable (ReadTransaction) throws -> Value
    ) async throws -> Value {
        switch engine {
        case .sqlite(let pool):
            return try await pool.read { db in try body(ReadTransaction(.sqlite(db), isSnapshot: true)) }
        #if PostgreSQL
            case .postgres(let storage): return try await storage.read(of: person?.id, within: limit, body)
        #endif
        }
    }

    /// Reads a few rows by their keys, from a snapshot. On PostgreSQL such reads have a connection of their own, so
    /// that the reads of each request's authorization and of the health checks don't wait for people's queries.
    package func readBriefly<Value: Sendable>(
        _ body: @escaping @Sendable (ReadTransaction) throws -> Value
    ) async throws -> Value {
        #if PostgreSQL
            if case .postgres(let storage) = engine { return try await storage.readBriefly(body) }
        #endif
        return try await read(body)
    }

    /// Moves SQLite's write-ahead log into the file and truncates it.
    func truncateLog() async throws {
        switch engine {
        case .sqlite(let pool): _ = try await pool.writeWithoutTransaction { db in try db.checkpoint(.truncate) }
        #if PostgreSQL
            case .postgres: break
        #endif
        }
    }

    /// Records that the server stops. Reads and writes of PostgreSQL have 3 s from now on, and those that come later a
    /// quarter of a second, so that ``close()`` has little to wait for.
    package func prepareToClose() {
        #if PostgreSQL
            if case .postgres(let storage) = engine { storage.prepareToClose() }
        #endif
    }

    /// Closes the database. SQLite's write-ahead log is emptied before. With PostgreSQL this takes less than 5 s: what
    /// still runs after 3 s is ended.
    package func close() async throws {
        switch engine {
        case .sqlite(let pool):
            // The pool blocks its thread.
            try await onNewThread {
                // The pool closes its writer before its readers, so SQLite doesn't checkpoint the log on its own.
                _ = try pool.writeWithoutTransaction { db in try db.checkpoint(.truncate) }
                try pool.close()
            }
        #if PostgreSQL
            case .postgres(let storage): await storage.close()
        #endif
        }
    }

    /// Returns the sizes of the database and of SQLite's write-ahead log, in bytes. PostgreSQL's log is its server's,
    /// and 0 here.
    package func sizes() async throws -> (database: Int, log: Int) {
        switch engine {
        case .sqlite(let pool): return (Self.size(pool.path), Self.size(pool.path + "-wal"))
        #if PostgreSQL
            case .postgres:
                let size: Int? = try await read { try $0.db.value("SELECT pg_database_size(current_database())") }
                return (size ?? 0, 0)
        #endif
        }
    }

    private static func size(_ path: String) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int ?? 0
    }

    /// Verifies that the database can be read.
    package func check() async throws {
        _ = try await readBriefly { reading in try reading.db.value("SELECT count(*) FROM setting") as Int? }
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
