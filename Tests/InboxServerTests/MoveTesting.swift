#if PostgreSQL
    import Foundation
    import GRDB
    import Groundwork
    import Postgres
    import RunningPostgres
    import Testing

    @testable import InboxServer
    @testable import InboxService

    /// A run was ended by the test.
    struct MoveEnded: Error {}

    /// A new database of PostgreSQL.
    struct PostgresTarget {
        let server: DatabaseServer
        let name: String

        init() async throws {
            server = try await DatabaseServer.shared.value
            name = try await server.newDatabase()
        }

        var url: URL { URL(string: server.address(name)) ?? URL(filePath: "/") }

        func run(_ sql: String) async throws {
            let settings = try server.settings(name)
            try await blocking {
                let connection = try PostgresConnection(settings)
                defer { connection.close() }
                try connection.executeScript(sql)
            }
        }

        func number(_ sql: String) async throws -> Int {
            let settings = try server.settings(name)
            return try await blocking {
                let connection = try PostgresConnection(settings)
                defer { connection.close() }
                return try connection.execute(sql)[0][0]
            }
        }
    }

    /// What the tests of `inbox move` share: files that real servers have written, and databases of PostgreSQL.
    protocol MoveTesting {}

    extension MoveTesting {
        @discardableResult
        func move(
            _ source: URL,
            _ target: URL,
            rows: Int = 20_000,
            size: Int = 8 * 1_048_576,
            reached: @escaping @Sendable (MoveRun.Step) throws -> Void = { _ in }
        ) async throws -> MoveReport {
            try await blocking {
                try DatabaseMove.run(
                    from: source,
                    to: target,
                    part: MoveRun.Part(rows: rows, size: size),
                    reached: reached
                )
            }
        }

        /// Writes a file with rows in every table, and values that are easily changed on the way.
        func file(in folder: URL, _ name: String = "inbox.sqlite") async throws -> URL {
            let file = folder.appending(path: name)
            try FileManager.default.copyItem(
                at: ServerFixture.file(try #require(ServerFixture.versions.last)),
                to: file
            )
            try await edit(file) { db in
                // A large message, empty and unusual texts, an empty blob, and the ends of ranges.
                try db.execute(
                    sql: """
                        INSERT INTO message (id, content, surface, deliverAt, createdAt, recipients, state, category)
                        VALUES (9223372036854775807, ?, '', -1, 0, 1, 2, ''), (-5, '', 'é\u{301}', 0, 0, 1, 0, '\u{10FFFF}');
                        INSERT INTO blob (rowid, person, hash, size, at, content)
                        VALUES (77, 2, x'00', 0, 5, x''), (40, 2, x'ff00', 3, 5, x'00ff00');
                        INSERT INTO attributes (person, value) VALUES (2, '');
                        INSERT INTO setting (name, value) VALUES ('empty', x''), ('Ünï', x'00');
                        UPDATE sqlite_sequence SET seq = 500 WHERE name = 'outbox';
                        UPDATE counter SET value = 90 WHERE name = 'erasedPerson';
                        UPDATE counter SET value = value + (7 << 32) WHERE name = 'broadcast';
                        INSERT INTO audit (uid, at, kind, reason, count)
                        VALUES (-9223372036854775808, 3600000, 'key.refused', 'é', 12);
                        """,
                    arguments: [#"{"title":"\u0000"# + String(repeating: "漢", count: 300_000) + #""}"#]
                )
            }
            return file
        }

        func edit(_ file: URL, _ body: @Sendable @escaping (Database) throws -> Void) async throws {
            let queue = try DatabaseQueue(path: file.path)
            try await queue.write(body)
            try queue.close()
        }

        /// All rows of a file with their numbers, the greatest numbers that were given, and the schema.
        func picture(_ file: URL) async throws -> [String: [String]] {
            let queue = try DatabaseQueue(path: file.path)
            defer { try? queue.close() }
            return try await queue.read { db in
                var picture: [String: [String]] = [:]
                for table in try ServerFixture.tables(db) + ["sqlite_sequence", "grdb_migrations"] {
                    let columns = try ServerFixture.columns(table, db)
                    let values = columns.map { "typeof(\"\($0)\") || ' ' || quote(CAST(\"\($0)\" AS BLOB))" }
                    let number = table == "blob" ? ["rowid"] : []
                    let list = (number + values).joined(separator: " || ',' || ")
                    picture[table] = try String.fetchAll(db, sql: "SELECT \(list) AS r FROM \"\(table)\" ORDER BY r")
                }
                picture["schema"] = try String.fetchAll(
                    db,
                    sql: "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name"
                )
                picture["id"] = try String.fetchAll(db, sql: "PRAGMA application_id")
                return picture
            }
        }

        func expectEqual(_ one: URL, _ other: URL) async throws {
            let (one, other) = (try await picture(one), try await picture(other))
            #expect(Set(one.keys) == Set(other.keys))
            for table in one.keys.sorted() { #expect(one[table] == other[table], "\(table)") }
        }

        /// Ends a run at a step, or at the first one.
        static func end(at wanted: MoveRun.Step? = nil) -> @Sendable (MoveRun.Step) throws -> Void {
            { step in if step == wanted ?? step { throw MoveEnded() } }
        }

        func message(_ body: () async throws -> Void) async -> String {
            do {
                try await body()
                return ""
            } catch {
                return "\(error)"
            }
        }
    }
#endif
