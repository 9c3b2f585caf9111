import Foundation
import Groundwork
import Testing

@testable import InboxService

#if PostgreSQL
    import Postgres
    import RunningPostgres
#endif

/// The databases of the tests' servers: SQLite's files, or, with `SWIFT_INBOX_DATABASE=postgresql`, databases of
/// PostgreSQL, each of which stands for a file.
enum TestDatabase {
    /// The seconds by which a revocation is dated ahead: other servers' clocks may be.
    static let revocationLead = isPostgreSQL ? TimeInterval(TokenStart.clockDifference) : 0
    /// Whether the databases are PostgreSQL's.
    static let isPostgreSQL = ProcessInfo.processInfo.environment["SWIFT_INBOX_DATABASE"] == "postgresql"

    /// Returns the address of the database for a file. It is empty at first, and gone with ``release(_:)``.
    static func address(for file: URL) async throws -> URL {
        #if PostgreSQL
            if isPostgreSQL { return try await PostgresDatabases.shared.address(for: file.path) }
        #endif
        return file
    }

    /// Whether the tests' servers read and write through PgBouncer.
    static let usesPooler = ProcessInfo.processInfo.environment["SWIFT_INBOX_POOLER"] != nil

    /// Returns the address of the database for a file through PgBouncer. Nil for a file.
    static func pooler(for file: URL) async throws -> URL? {
        #if PostgreSQL
            if isPostgreSQL { return try await PostgresDatabases.shared.pooler(for: file.path) }
        #endif
        return nil
    }

    /// Opens the database for a file, once more.
    static func storage(for file: URL) async throws -> Storage {
        #if PostgreSQL
            if isPostgreSQL { return try await PostgresDatabases.shared.storage(for: file.path) }
        #endif
        return try Storage(file: file)
    }

    /// Forgets the databases for the files of a folder.
    static func release(_ folder: URL) async {
        #if PostgreSQL
            if isPostgreSQL { await PostgresDatabases.shared.release(folder.path) }
        #endif
    }
}

extension Trait where Self == ConditionTrait {
    /// The test is about SQLite's file or its statements.
    static var onlySQLite: ConditionTrait {
        .disabled(if: TestDatabase.isPostgreSQL, "The test is about SQLite's file.")
    }

    /// The test is about several servers with one database.
    static var onlyPostgreSQL: ConditionTrait {
        .enabled(if: TestDatabase.isPostgreSQL, "A SQLite file has one server.")
    }
}

#if PostgreSQL
    /// Databases by the path of the file for which each stands. An actor, so that a database is given to one test at a
    /// time.
    private actor PostgresDatabases {
        static let shared = PostgresDatabases()

        /// One statement on all of a person's tables locks each partition, with its indexes.
        private static let server = Task {
            try await DatabaseServer.start(options: ["max_connections=400", "max_locks_per_transaction=512"])
        }

        private struct Used {
            let name: String
            var storage: Storage?
        }

        private var used: [String: Used] = [:]
        private var free: [String] = []
        private var template: Task<String, any Error>?

        func address(for path: String) async throws -> URL {
            try await url(of: name(for: path))
        }

        func pooler(for path: String) async throws -> URL {
            let server = try await Self.server.value
            let address = server.address(try await name(for: path), port: server.poolerPort)
            return try #require(URL(string: address))
        }

        func storage(for path: String) async throws -> Storage {
            let name = try await name(for: path)
            if let storage = used[path]?.storage { return storage }
            let storage = try await Storage.open(url(of: name))
            used[path]?.storage = storage
            return storage
        }

        func release(_ folder: String) async {
            for (path, database) in used where path.hasPrefix(folder) {
                used[path] = nil
                try? await database.storage?.close()
                free.append(database.name)
            }
        }

        private func url(of name: String) async throws -> URL {
            try #require(URL(string: try await Self.server.value.address(name)))
        }

        private func name(for path: String) async throws -> String {
            if let known = used[path] { return known.name }
            let name: String
            if let last = free.popLast() {
                name = last
                used[path] = Used(name: name)
                try await empty(name)
            } else {
                name = "copy\(UUID().uuidString.prefix(8).lowercased())"
                used[path] = Used(name: name)
                let template = try await migrated()
                try await run("CREATE DATABASE \(name) TEMPLATE \(template)", in: "postgres")
            }
            return name
        }

        /// Returns the name of an empty database with all tables, made once.
        private func migrated() async throws -> String {
            if let template { return try await template.value }
            let task = Task {
                let server = try await Self.server.value
                let name = try await server.newDatabase()
                let storage = try await Storage.open(try #require(URL(string: server.address(name))))
                try await storage.close()
                // Copies would give its role their people's rows, as databases that are renamed do.
                let role = "\"\(name)_reader\""
                let rights = "REVOKE ALL ON ALL TABLES IN SCHEMA public FROM \(role);"
                try await self.run("\(rights) REVOKE ALL ON SCHEMA public FROM \(role)", in: name)
                return name
            }
            template = task
            return try await task.value
        }

        /// Deletes all rows, of the partitions that have any. It takes less time than a new database with its thousands
        /// of files. To open each table for its size would take longer than to look at its file.
        private func empty(_ name: String) async throws {
            try await run(
                """
                DO $$
                DECLARE name text;
                BEGIN
                    FOR name IN SELECT c.relname FROM pg_class c JOIN pg_database d ON d.datname = current_database()
                        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
                            AND c.relname NOT IN ('counter', 'migration')
                            AND (pg_stat_file(format('base/%s/%s', d.oid, c.relfilenode))).size > 0
                    LOOP EXECUTE 'DELETE FROM ' || quote_ident(name); END LOOP;
                    -- Its triggers have counted the deleted rows of the outbox.
                    DELETE FROM webhookCount;
                    UPDATE counter SET value = 0;
                    FOR name IN SELECT c.relname FROM pg_class c
                        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'S'
                    LOOP EXECUTE 'ALTER SEQUENCE ' || quote_ident(name) || ' RESTART'; END LOOP;
                END $$
                """,
                in: name
            )
        }

        private func run(_ sql: String, in database: String) async throws {
            let settings = try await Self.server.value.settings(database)
            try await onNewThread {
                let connection = try PostgresConnection(settings)
                defer { connection.close() }
                try connection.executeScript(sql)
            }
        }
    }
#endif
