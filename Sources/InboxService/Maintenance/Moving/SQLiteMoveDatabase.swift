#if PostgreSQL
    import Foundation
    import GRDB
    import GRDBSQLite

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Darwin)
        import Darwin
    #endif

    /// A SQLite file of a move, as source or as target.
    final class SQLiteMoveDatabase: MoveTarget {
        let name: String
        let db: SQLConnection
        private let database: Database

        private init(_ file: URL, _ database: Database) {
            (name, self.database, db) = (file.path, database, .sqlite(database))
        }

        // MARK: Opening

        /// Reads from a snapshot of a file that no server uses. The file isn't changed.
        ///
        /// - Throws: ``MaintenanceError`` if a server uses the file, or if it isn't a server's database of this
        ///   version; the error of `body`.
        static func read<Value>(_ file: URL, _ body: (SQLiteMoveDatabase) throws -> Value) throws -> Value {
            // Before the lock, which has a file of its own.
            try DatabaseCopy.requireFile(file)
            return try locked(file) {
                let queue = try DatabaseCopy.openReadOnly(file)
                defer { try? queue.close() }
                return try queue.read { database in
                    if let unknown = try Schema.unknownMigrations(in: database).first {
                        throw MaintenanceError(
                            "\(file.path) was migrated by a newer version (\(unknown)). Use that version of inbox."
                        )
                    }
                    guard try Schema.migrator.hasCompletedMigrations(database) else {
                        throw MaintenanceError(
                            "\(file.path) is of an earlier version. Start this version's server on it once, which "
                                + "migrates it, and stop it."
                        )
                    }
                    return try body(SQLiteMoveDatabase(file, database))
                }
            }
        }

        /// Writes to a file that doesn't exist yet, or that is the target of an unfinished move. Only its owner can
        /// read it.
        ///
        /// - Throws: ``MaintenanceError`` if it is another file; the error of `body`.
        static func write<Value>(_ file: URL, _ body: (SQLiteMoveDatabase) throws -> Value) throws -> Value {
            if FileManager.default.fileExists(atPath: file.path) { try DatabaseCopy.requireFile(file) }
            return try locked(file) {
                try create(file)
                var configuration = Configuration()
                // Rows come in another order than that of their references, which are checked at the end.
                configuration.foreignKeysEnabled = false
                configuration.busyMode = .timeout(5)
                let queue = try DatabaseQueue(path: file.path, configuration: configuration)
                defer { try? queue.close() }
                let isOther = try queue.read { database in
                    try !UnfinishedMove.isIn(database) && !DatabaseFile.isEmpty(database)
                }
                guard !isOther else {
                    throw MaintenanceError("\(file.path) already exists. Choose another name, or remove the file.")
                }
                try queue.writeWithoutTransaction { database in
                    // A power failure may truncate the log but leaves no gap: a part and its mark are lost together.
                    _ = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL")
                    try database.execute(
                        sql: """
                            PRAGMA synchronous = NORMAL; PRAGMA fullfsync = ON;
                            PRAGMA application_id = \(UnfinishedMove.applicationID)
                            """
                    )
                }
                try Schema.migrator.migrate(queue)
                return try queue.writeWithoutTransaction { database in
                    let value = try body(SQLiteMoveDatabase(file, database))
                    _ = try database.checkpoint(.truncate)
                    return value
                }
            }
        }

        private static func locked<Value>(_ file: URL, _ body: () throws -> Value) throws -> Value {
            let lock: DatabaseLock
            do {
                lock = try DatabaseLock(for: file)
            } catch {
                throw MaintenanceError(
                    """
                    A server or another move uses \(file.path), or \(file.path).lock can't be written. Stop the \
                    server: what it writes meanwhile would be missing.
                    """
                )
            }
            defer { lock.release() }
            do {
                return try body()
            } catch let error as DatabaseError {
                throw MaintenanceError(error, at: file.path)
            }
        }

        private static func create(_ file: URL) throws {
            let owner = FileOwner(of: file)
            let descriptor = open(file.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            if descriptor < 0, errno == EEXIST { return }
            guard descriptor >= 0 else {
                throw MaintenanceError("\(file.path) can't be written: \(String(cString: strerror(errno))).")
            }
            close(descriptor)
            // Root may create the file before the server's user does.
            try owner?.apply(to: file.path)
        }

        // MARK: Reading

        func count(_ table: MovedTable) throws -> Int { try Int.fetchOne(database, sql: table.sqliteCount) ?? 0 }

        func rows(of table: MovedTable, after key: [MovedValue]?) throws -> any MovedRows {
            let statement = try database.makeStatement(sql: table.sqliteSelect(isContinued: key != nil))
            if let key { try statement.bind(key, in: database) }
            return SQLiteRows(statement, columns: table.columns.count, in: database)
        }

        /// The lock of a file keeps all servers away while it is moved.
        func noteMoved(to target: String) {}

        // MARK: Writing

        func stores(_ table: MovedTable) -> Bool { table.isOnSQLite }

        func keeps(_ number: MovedNumber) -> Bool { number.isKept }

        /// SQLite stores everything that PostgreSQL does.
        func check(_ row: MovedRow, of table: MovedTable) {}

        /// The tables were created when the file was opened, after its `PRAGMA application_id`.
        func prepare(_ mark: () throws -> Void) {}

        func insert(into table: MovedTable, _ body: (_ append: (MovedRow) throws -> Void) throws -> Void) throws {
            let statement = try database.makeStatement(sql: table.sqliteInsert)
            try body { row in
                try statement.bind(row, in: database)
                try statement.step(in: database)
            }
        }

        func transaction(_ body: () throws -> Void) throws {
            try database.inTransaction(.immediate) {
                try body()
                return .commit
            }
        }

        func reading(_ body: () throws -> Void) throws { try body() }

        func updateStatistics() throws {}

        func checkAll() throws {
            guard let row = try Row.fetchOne(database, sql: "PRAGMA foreign_key_check") else { return }
            let (table, parent): (String, String) = (row[0], row[2])
            throw MaintenanceError(
                "A row of \(table) refers to a row of \(parent) that doesn't exist, in the source too. Delete it there."
            )
        }

        func finish() throws {
            try database.execute(sql: "PRAGMA application_id = \(DatabaseFile.applicationID)")
        }
    }

    /// Rows of a statement, read without GRDB's conversions: a text as it is stored.
    private final class SQLiteRows: MovedRows {
        private let statement: Statement
        private let columns: Int32
        private let database: Database

        init(_ statement: Statement, columns: Int, in database: Database) {
            (self.statement, self.columns, self.database) = (statement, Int32(columns), database)
        }

        func next() throws -> MovedRow? {
            let pointer = statement.sqliteStatement
            switch sqlite3_step(pointer) {
            case SQLITE_ROW: return (0..<columns).map { value(pointer, $0) }
            case SQLITE_DONE:
                sqlite3_reset(pointer)
                return nil
            default: throw database.lastError
            }
        }

        private func value(_ pointer: SQLiteStatement, _ column: Int32) -> MovedValue {
            switch sqlite3_column_type(pointer, column) {
            case SQLITE_NULL: return .null
            case SQLITE_INTEGER: return .integer(Int(sqlite3_column_int64(pointer, column)))
            case SQLITE_FLOAT: return .fraction
            case let type:
                let start = sqlite3_column_blob(pointer, column)
                let bytes = Array(
                    UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(pointer, column)))
                )
                return type == SQLITE_TEXT ? .text(bytes) : .bytes(bytes)
            }
        }
    }

    extension Statement {
        fileprivate func bind(_ values: [MovedValue], in database: Database) throws {
            let pointer = sqliteStatement
            sqlite3_reset(pointer)
            // SQLite copies the bytes.
            let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            for (place, value) in values.enumerated() {
                let place = Int32(place + 1)
                let code =
                    switch value {
                    case .null, .fraction: sqlite3_bind_null(pointer, place)
                    case .integer(let number): sqlite3_bind_int64(pointer, place, Int64(number))
                    case .text(let bytes):
                        bytes.withUnsafeBufferPointer { buffer in
                            buffer.withMemoryRebound(to: CChar.self) { characters in
                                sqlite3_bind_text(
                                    pointer,
                                    place,
                                    characters.baseAddress ?? Self.empty,
                                    Int32(characters.count),
                                    copied
                                )
                            }
                        }
                    case .bytes(let bytes):
                        // Without an address it would be null.
                        bytes.isEmpty
                            ? sqlite3_bind_zeroblob(pointer, place, 0)
                            : bytes.withUnsafeBytes { buffer in
                                sqlite3_bind_blob(pointer, place, buffer.baseAddress, Int32(buffer.count), copied)
                            }
                    }
                guard code == SQLITE_OK else { throw database.lastError }
            }
        }

        nonisolated(unsafe) private static let empty = UnsafePointer(strdup(""))

        /// Runs a statement without a result.
        fileprivate func step(in database: Database) throws {
            defer { sqlite3_reset(sqliteStatement) }
            guard sqlite3_step(sqliteStatement) == SQLITE_DONE else { throw database.lastError }
        }
    }

    extension Database {
        fileprivate var lastError: DatabaseError {
            DatabaseError(
                resultCode: ResultCode(rawValue: sqlite3_extended_errcode(sqliteConnection)),
                message: sqlite3_errmsg(sqliteConnection).map { String(cString: $0) }
            )
        }
    }
#endif
