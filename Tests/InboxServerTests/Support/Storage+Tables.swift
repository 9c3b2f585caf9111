import Foundation
import GRDB

@testable import InboxServer
@testable import InboxService

#if PostgreSQL
    import Postgres
#endif

extension TestServer {
    /// The server's database, opened once more.
    func storage() async throws -> Storage { try await TestDatabase.storage(for: file) }
}

extension Storage {
    /// Reads the tables themselves, which no operation of the domain shows.
    func readTables<Value: Sendable>(_ body: @escaping @Sendable (SQLConnection) throws -> Value) async throws -> Value
    {
        try await read { reading in try body(reading.db) }
    }

    /// Writes to the tables themselves, in a transaction.
    func writeTables<Value: Sendable>(_ body: @escaping @Sendable (SQLConnection) throws -> Value) async throws
        -> Value
    {
        switch engine {
        case .sqlite(let pool): return try await pool.write { db in try body(.sqlite(db)) }
        #if PostgreSQL
            case .postgres(let storage):
                return try await storage.write { connection in
                    try connection.transaction { connection in
                        try body(.postgres(PostgresTransaction(connection)))
                    }
                }
        #endif
        }
    }

    /// Reads the tables of SQLite by its own means, such as `EXPLAIN QUERY PLAN`.
    func readFile<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await pool.read(body)
    }

    /// The connections to SQLite's file.
    var pool: DatabasePool {
        guard case .sqlite(let pool) = engine else { fatalError("the test needs SQLite") }
        return pool
    }
}

extension SQLConnection {
    /// The names of the tables, without the database's own.
    var tables: [String] {
        get throws {
            try values(
                SQLText(
                    sqlite: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
                    postgres: """
                        SELECT relname::text FROM pg_class
                        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
                            -- Servers send heartbeats there.
                            AND relname <> 'node'
                        """
                )
            )
        }
    }

    /// SQLite's connection. Nil for another database.
    var sqlite: Database? { if case .sqlite(let db) = self { db } else { nil } }
}
