import GRDB
import Groundwork

#if PostgreSQL
    import Postgres
#endif

/// The mark in a database into which a move writes, from its beginning to its end. The next run reads from it where to
/// continue, and no server starts on a part of the data.
///
/// It is a table, whose rows change in the same transactions as those that are moved. A SQLite file also has another
/// `PRAGMA application_id` until then, so that no earlier version takes it for a server's database.
///
/// A database of PostgreSQL that was moved away has the same table, with the name of the target. So a server that was
/// paused or cut off meanwhile can't go on there, also one of an earlier version, which looks for the table alone. A
/// file has no such mark: its lock keeps every other process away, and a backup may be moved, too.
enum UnfinishedMove {
    /// `PRAGMA application_id` of an unfinished file: "INBM".
    static let applicationID = 0x494E_424D

    /// The error of every command but the move for such a database.
    static func description(of name: String) -> String {
        """
        \(name) isn't complete: inbox move was interrupted while it wrote there. Run the same inbox move again, which \
        goes on where it was, or remove it.
        """
    }

    /// Returns whether a SQLite file is the target of an unfinished move.
    static func isIn(_ db: Database) throws -> Bool {
        try Int.fetchOne(db, sql: "PRAGMA application_id") == applicationID
    }

    #if PostgreSQL
        /// Verifies that a database of PostgreSQL isn't the target of an unfinished move, and wasn't moved away.
        ///
        /// - Throws: ``ServerSetupError``; `PostgresError`.
        static func refuse(in connection: PostgresConnection) throws {
            if let text = try problem(of: "The database", in: .postgres(PostgresTransaction(connection))) {
                throw ServerSetupError(text)
            }
        }

        /// Returns the error of every command for a database with the mark. Nil if it has none.
        ///
        /// - Parameter name: The database as an operator knows it.
        /// - Throws: `PostgresError`.
        static func problem(of name: String, in db: SQLConnection) throws -> String? {
            guard try exists(in: db) else { return nil }
            guard let other = try target(in: db) else { return description(of: name) }
            return """
                \(name) was moved to \(other). Start the servers with that as --database: what is stored here from now \
                on is missing there. To use this one all the same, run there: DROP TABLE unfinishedMove
                """
        }

        private static let name = "unfinishedMove"
        /// The row with the name of the database to which this one was moved.
        private static let targetRow = "target"

        /// Returns the name of the database to which this one was moved. Nil if it wasn't.
        static func target(in db: SQLConnection) throws -> String? {
            guard try exists(in: db) else { return nil }
            return try db.value("SELECT value FROM unfinishedMove WHERE name = ?", [targetRow], isRare: true)
        }

        /// Marks a database of PostgreSQL as moved away, in an open transaction. A mark that it has is replaced.
        ///
        /// - Parameter target: The name of the other database, without a password.
        static func noteMoved(to target: String, on connection: PostgresConnection) throws {
            // Servers may run as another user than the move.
            try connection.executeScript("\(postgresTable); GRANT SELECT ON unfinishedMove TO PUBLIC")
            try set(targetRow, target, in: .postgres(PostgresTransaction(connection)))
        }

        private static let postgresTable = """
            CREATE TABLE IF NOT EXISTS unfinishedMove (
                name text COLLATE "C" PRIMARY KEY, value text COLLATE "C" NOT NULL
            )
            """

        static func exists(in db: SQLConnection) throws -> Bool {
            let table = SQLText(
                sqlite: "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?",
                postgres: """
                    SELECT 1::bigint FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                    WHERE n.nspname = current_schema() AND c.relname = lower(?)
                    """
            )
            return try db.value(table, [name], isRare: true) == 1
        }

        /// The progress of a table's move.
        struct Progress: Hashable, Sendable {
            var rows = 0
            /// The key of the last row. Nil before the first.
            var key: [MovedValue]?
            var isDone = false
        }

        /// Makes the mark.
        ///
        /// - Parameter fingerprint: That of the source, by which a later run knows it.
        static func create(in db: SQLConnection, fingerprint: String) throws {
            try db.run(
                SQLText(
                    sqlite: "CREATE TABLE unfinishedMove (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
                    postgres: postgresTable
                )
            )
            try set("source", fingerprint, in: db)
        }

        static func remove(from db: SQLConnection) throws { try db.run("DROP TABLE unfinishedMove") }

        /// Returns the fingerprint of the source.
        static func fingerprint(in db: SQLConnection) throws -> String? {
            try db.value("SELECT value FROM unfinishedMove WHERE name = ?", ["source"], isRare: true)
        }

        static func progress(of table: MovedTable, in db: SQLConnection) throws -> Progress {
            let text: String? = try db.value(
                "SELECT value FROM unfinishedMove WHERE name = ?",
                ["table " + table.name],
                isRare: true
            )
            guard let text else { return Progress() }
            let json = try JSON(parsing: text.utf8)
            var progress = Progress(rows: json["rows"]?.intValue ?? 0, isDone: json["isDone"]?.boolValue ?? false)
            progress.key = json["key"]?.arrayValue.map { values in
                zip(table.key, values).map { column, value in column.value(of: value.stringValue ?? "") }
            }
            return progress
        }

        static func set(_ progress: Progress, of table: MovedTable, in db: SQLConnection) throws {
            var json = JSONObject([("rows", JSON(progress.rows)), ("isDone", .bool(progress.isDone))])
            if let key = progress.key { json.add("key", JSON(key.map(MovedColumn.text(of:)))) }
            try set("table " + table.name, JSON.object(json).description, in: db)
        }

        private static func set(_ name: String, _ value: String, in db: SQLConnection) throws {
            try db.run(
                """
                INSERT INTO unfinishedMove (name, value) VALUES (?, ?)
                ON CONFLICT (name) DO UPDATE SET value = excluded.value
                """,
                [name, value]
            )
        }
    #endif
}

#if PostgreSQL
    extension MovedColumn {
        /// Returns the text by which the mark keeps a value of a key.
        fileprivate static func text(of value: MovedValue) -> String {
            switch value {
            case .null, .fraction: ""
            case .integer(let number): "\(number)"
            case .text(let bytes): String(decoding: bytes, as: UTF8.self)
            case .bytes(let bytes): bytes.hexadecimal
            }
        }

        /// Returns the value that the mark keeps as a text.
        fileprivate func value(of text: String) -> MovedValue {
            switch kind {
            case .integer, .small, .flag: return .integer(Int(text) ?? 0)
            case .text: return .text(Array(text.utf8))
            case .bytes:
                let digits = Array(text.utf8)
                return .bytes(
                    stride(from: 0, to: digits.count - 1, by: 2).compactMap { place in
                        UInt8(String(decoding: digits[place...place + 1], as: UTF8.self), radix: 16)
                    }
                )
            }
        }
    }
#endif
