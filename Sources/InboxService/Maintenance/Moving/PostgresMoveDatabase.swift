#if PostgreSQL
    import Foundation
    import Postgres

    /// A database of PostgreSQL that no server uses: the source or the target of a move, or restored.
    final class PostgresMoveDatabase: MoveTarget {
        let name: String
        let db: SQLConnection
        let connection: PostgresConnection

        // MARK: Opening

        /// Connects to a database that no server and no other move uses, until ``close()``.
        ///
        /// - Parameter patience: The time in milliseconds that the session of another move, such as of one that was
        ///   killed, has to end.
        /// - Throws: ``MaintenanceError`` if one does; ``ServerSetupError`` if the database doesn't suffice, or the
        ///   user doesn't own its tables; `PostgresError`.
        init(_ address: String, patience: Int = 10_000) throws {
            let settings = try PostgresSettings(address)
            connection = try PostgresConnection(settings)
            db = .postgres(PostgresTransaction(connection))
            name = "PostgreSQL (\(settings))"
            do {
                try DirectConnection.require(connection, of: name)
                try PostgresRequirements.check(connection)
                try configure()
                try PostgresStorage.requireAllRows(connection, option: name)
                try acquire(patience)
            } catch {
                connection.close()
                throw error
            }
        }

        func close() { connection.close() }

        /// Settings of the connection: no limits of time, an error instead of the rows of one person alone, if the user
        /// isn't the owner of the tables, and the schema with the tables.
        private func configure() throws {
            let limits = PostgresRequirements.timeLimits
            let names = limits + ["row_security", "cursor_tuple_fraction"]
            let values = Array(repeating: "0", count: limits.count) + ["off", "1"]
            try connection.execute(
                """
                SELECT set_config(name, value, false)
                FROM pg_settings JOIN unnest($1, $2) AS wanted (name, value) USING (name)
                """,
                [names, values]
            )
            _ = try PostgresNamespace.use(on: connection)
        }

        /// Acquires the database for this move, until the connection ends. PostgreSQL notices that a move was killed
        /// once the statement has ended that it runs for it.
        private func acquire(_ patience: Int) throws {
            do {
                try connection.transaction { connection in
                    connection.enqueue(.setLocal("lock_timeout", "\(max(patience, 1))ms"))
                    // A lock of the session, so it outlives the transaction.
                    connection.enqueue("SELECT pg_advisory_lock($1)", [NodeNumber.moveLock])
                }
            } catch let error as PostgresError where error.sqlState == "55P03" {
                throw MaintenanceError(
                    """
                    Another inbox move or restore uses \(name)\(try holder()). Wait for its end. What was killed ends \
                    with its last statement, or by SELECT pg_terminate_backend(…).
                    """
                )
            }
            guard try !NodeNumber.areInUse(connection) else {
                throw MaintenanceError(
                    """
                    A server uses \(name). Stop the servers: what they write meanwhile would be missing. inbox doctor \
                    lists them.
                    """
                )
            }
        }

        /// Describes the process of PostgreSQL that has the database for another move. Empty if it has just ended.
        private func holder() throws -> String {
            let holder = try connection.execute(
                """
                SELECT format(', in the process %s of PostgreSQL', pid) FROM pg_locks
                WHERE locktype = 'advisory' AND objsubid = 1 AND granted AND objid::bigint = $1 AND classid = 0
                    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                """,
                [NodeNumber.moveLock]
            ).first
            return try holder.map { try $0[0] as String } ?? ""
        }

        /// Makes the mark in a transaction of its own: the one that reads can't write.
        func noteMoved(to target: String) throws {
            let other = try PostgresConnection(connection.settings)
            defer { other.close() }
            _ = try PostgresNamespace.use(on: other)
            try other.transaction { other in try UnfinishedMove.noteMoved(to: target, on: other) }
        }

        /// Reads from a snapshot of a server's database. One that was moved before can be moved again: nothing has
        /// changed it since.
        ///
        /// - Throws: ``MaintenanceError`` if it isn't a server's database of this version; the error of `body`.
        func read<Value>(_ body: (PostgresMoveDatabase) throws -> Value) throws -> Value {
            try connection.transaction(.snapshot) { connection in
                guard try PostgresNamespace.hasMigrations(connection),
                    try connection.execute("SELECT to_regclass('delivery') IS NOT NULL")[0][0]
                else { throw MaintenanceError("\(name) isn't an inbox server's database.") }
                if try UnfinishedMove.target(in: db) == nil, let problem = try UnfinishedMove.problem(of: name, in: db)
                {
                    throw MaintenanceError(problem)
                }
                let applied = try connection.execute("SELECT name FROM migration").map { try $0[0] as String }
                guard Set(applied) == Set(PostgresSchema.migrations.map(\.name)) else {
                    throw MaintenanceError(
                        """
                        \(name) is of another version. Start this version's server on it once, which migrates it, and \
                        stop it; or use the version that migrated it.
                        """
                    )
                }
                if try LostCommits.isMarked(connection) { throw MaintenanceError(LostCommits.description) }
                return try body(self)
            }
        }

        // MARK: Reading

        func count(_ table: MovedTable) throws -> Int { try connection.execute(table.postgresCount)[0][0] }

        func rows(of table: MovedTable, after key: [MovedValue]?) -> any MovedRows {
            PostgresRows(table, after: key, on: connection)
        }

        // MARK: Writing

        func stores(_ table: MovedTable) -> Bool { true }

        func keeps(_ number: MovedNumber) -> Bool { true }

        func check(_ row: MovedRow, of table: MovedTable) throws { try table.checkForPostgres(row) }

        func prepare(_ mark: () throws -> Void) throws {
            _ = try PostgresSchema.prepare(connection, begun: mark)
            if try UnfinishedMove.exists(in: db) { return }
            for table in MovedTable.all {
                // A new database has its counters.
                let condition = table.name == "counter" ? " WHERE value <> 0" : ""
                let rows = try connection.execute("SELECT FROM \"\(table.postgresName)\"\(condition) LIMIT 1")
                guard rows.isEmpty else {
                    throw MaintenanceError(
                        """
                        \(name) isn't empty: \(table.name) has rows. If a move to it has ended, it is complete. \
                        Otherwise give the move a database of its own: CREATE DATABASE … OWNER ….
                        """
                    )
                }
            }
        }

        func insert(into table: MovedTable, _ body: (_ append: (MovedRow) throws -> Void) throws -> Void) throws {
            let places = table.postgresColumns
            _ = try connection.copy(
                into: table.postgresName,
                columns: places.map { table.columns[$0].postgresName }
            ) { copy in
                try body { row in try copy.append(places.map { CopiedValue(row[$0], table.columns[$0].kind) }) }
            }
        }

        func transaction(_ body: () throws -> Void) throws { try connection.transaction { _ in try body() } }

        func reading(_ body: () throws -> Void) throws { try connection.transaction(.snapshot) { _ in try body() } }

        /// Updates those of all tables. PostgreSQL makes none by itself of tables with partitions as a whole.
        func updateStatistics() throws {
            for table in MovedTable.all { try connection.execute("ANALYZE \"\(table.postgresName)\"") }
        }

        func checkAll() {}

        func finish() {}
    }

    /// Rows of a cursor, fetched in parts.
    private final class PostgresRows: MovedRows {
        private let table: MovedTable
        private let connection: PostgresConnection
        private let name: String
        private var rows: PostgresResult?
        private var index = 0
        private var isAtEnd = false

        init(_ table: MovedTable, after key: [MovedValue]?, on connection: PostgresConnection) {
            (self.table, self.connection) = (table, connection)
            name = "moved\(table.postgresName)"
            let sql = "DECLARE \(name) NO SCROLL CURSOR FOR " + table.postgresSelect(isContinued: key != nil)
            connection.enqueue(PostgresStatement(sql, (key ?? []).map(\.parameter), isPrepared: false))
        }

        func next() throws -> MovedRow? {
            if index == rows?.count ?? 0 {
                if isAtEnd { return nil }
                let part = try connection.execute("FETCH \(table.rowsAtOnce) FROM \(name)")
                (rows, index) = (part, 0)
                if part.count < table.rowsAtOnce {
                    isAtEnd = true
                    connection.enqueue(PostgresStatement("CLOSE \(name)", isPrepared: false))
                }
                if part.isEmpty { return nil }
            }
            guard let rows else { return nil }
            defer { index += 1 }
            let row = rows[index]
            return try table.columns.enumerated().map { place, column in try Self.value(row, place, column.kind) }
        }

        private static func value(_ row: PostgresRow, _ place: Int, _ kind: MovedColumn.Kind) throws -> MovedValue {
            switch kind {
            case .integer, .small: return (try row[place] as Int?).map { .integer($0) } ?? .null
            case .flag: return (try row[place] as Bool?).map { .integer($0 ? 1 : 0) } ?? .null
            case .text: return (try row[place] as String?).map { .text(Array($0.utf8)) } ?? .null
            case .bytes: return (try row[place] as Data?).map { .bytes(Array($0)) } ?? .null
            }
        }
    }

    extension MovedValue {
        /// The value as a parameter, of a key.
        fileprivate var parameter: any PostgresEncodable {
            switch self {
            case .null, .fraction: Int?.none
            case .integer(let number): number
            case .text(let bytes): String(decoding: bytes, as: UTF8.self)
            case .bytes(let bytes): Data(bytes)
            }
        }
    }

    /// A value of a `COPY`, in the binary format of its column. It was checked before that the column has room for it.
    private struct CopiedValue: PostgresEncodable {
        /// `COPY` states no types.
        static let postgresType = PostgresType.unknown

        private let value: MovedValue
        private let kind: MovedColumn.Kind

        init(_ value: MovedValue, _ kind: MovedColumn.Kind) {
            (self.value, self.kind) = (value, kind)
        }

        func encode(into bytes: inout [UInt8]) -> Bool {
            switch value {
            case .null, .fraction: return false
            case .text(let text): bytes.append(contentsOf: text)
            case .bytes(let data): bytes.append(contentsOf: data)
            case .integer(let number):
                switch kind {
                case .small: withUnsafeBytes(of: Int16(clamping: number).bigEndian) { bytes.append(contentsOf: $0) }
                case .flag: bytes.append(number == 0 ? 0 : 1)
                default: withUnsafeBytes(of: Int64(number).bigEndian) { bytes.append(contentsOf: $0) }
                }
            }
            return true
        }
    }
#endif
