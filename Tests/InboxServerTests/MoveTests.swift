#if PostgreSQL
    import Foundation
    import GRDB
    import Groundwork
    import Postgres
    import RunningPostgres
    import Testing

    @testable import InboxServer
    @testable import InboxService

    /// `inbox move` there and back, with files that real servers have written.
    @Suite(.timeLimit(.minutes(15)), .onlySQLite) struct MoveTests: MoveTesting {
        @Test func `a file with rows in every table is equal after moving there and back`() async throws {
            try await withFolder { folder in
                let file = try await file(in: folder)
                let empty = try await picture(file).filter { $0.value.isEmpty }.keys.sorted()
                #expect(empty == [])
                let before = try Data(contentsOf: file)
                let database = try await PostgresTarget()
                let there = try await move(file, database.url)
                #expect(there.rows > 80)
                #expect(!there.isContinued)
                #expect(!there.target.contains(database.server.password))
                #expect(try Data(contentsOf: file) == before, "the source is unchanged")
                let copy = folder.appending(path: "back.sqlite")
                let back = try await move(database.url, copy)
                #expect(back.rows == there.rows)
                try await expectEqual(file, copy)
                let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
                    $0.hasPrefix("back")
                }
                #expect(Set(names) == ["back.sqlite", "back.sqlite.lock"])
                let mode = try FileManager.default.attributesOfItem(atPath: copy.path)[.posixPermissions] as? Int
                #expect(mode == 0o600)
                // PostgreSQL's database is as it was, and can be moved again.
                try await move(database.url, folder.appending(path: "again.sqlite"))
            }
        }

        @Test func `a move interrupted after each step continues to an equal result`() async throws {
            try await withFolder { folder in
                let file = try await file(in: folder)
                let copy = folder.appending(path: "back.sqlite")
                let database = try await PostgresTarget()
                for (source, target) in [(file, database.url), (database.url, copy)] {
                    var runs = 0
                    var steps: Set<MoveRun.Step> = []
                    // Each run ends one step later than what it finds: at the commit of a part, and after it.
                    var isWritten = true
                    while true {
                        let (wanted, reached) = (isWritten, Locked<MoveRun.Step?>(nil))
                        do {
                            let report = try await move(source, target, rows: 6) { step in
                                if step == .written, !wanted { return }
                                reached.withLock { $0 = step }
                                throw MoveEnded()
                            }
                            Issue.record("\(report)")
                            break
                        } catch is MoveEnded {
                            let step = try #require(reached.withLock { $0 })
                            steps.insert(step)
                            runs += 1
                            if step == .moved { break }
                            isWritten = step != .written
                        }
                    }
                    #expect(runs > 60)
                    _ = await message { try await move(source, target, reached: Self.end(at: .compared)) }
                    #expect(steps == [.written, .committed, .moved])
                    #expect(await message { _ = try await Storage.open(target) }.contains("inbox move was interrupted"))
                    #expect(try await move(source, target).isContinued)
                    try await Storage.open(target).close()
                }
                try await expectEqual(file, copy)
            }
        }

        @Test func `a move that ends between the first tables leaves no database for a server`() async throws {
            try await withFolder { folder in
                let file = try await file(in: folder)
                let database = try await PostgresTarget()
                // The first migration creates the messages, the second one fails.
                try await database.run(
                    """
                    CREATE FUNCTION stop() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
                        IF EXISTS (SELECT FROM migration) THEN RAISE EXCEPTION 'stopped'; END IF;
                    EXCEPTION WHEN undefined_table THEN NULL;
                    END $$;
                    CREATE EVENT TRIGGER stop ON ddl_command_start WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION stop()
                    """
                )
                #expect(await message { try await move(file, database.url) }.contains("stopped"))
                #expect(try await database.number("SELECT count(*) FROM migration") == 1)
                #expect(await message { _ = try await Storage.open(database.url) }.contains("isn't complete"))
                try await database.run("DROP EVENT TRIGGER stop; DROP FUNCTION stop()")
                #expect(try await move(file, database.url).isContinued)
                let copy = folder.appending(path: "back.sqlite")
                try await move(database.url, copy)
                try await expectEqual(file, copy)
            }
        }

        @Test func `a server that opened a database before a move into it ended doesn't start`() async throws {
            try await withFolder { folder in
                let file = try await file(in: folder)
                let database = try await PostgresTarget()
                let storage = try await Storage.open(database.url)
                _ = await message { try await move(file, database.url, rows: 5, reached: Self.end()) }
                #expect(await message { try await storage.join() }.contains("inbox move was interrupted"))
                try await storage.close()
            }
        }

        @Test func `a database is moved from the schema with its tables, whatever search_path is`() async throws {
            try await withFolder { folder in
                let file = try await file(in: folder)
                let database = try await PostgresTarget()
                try await move(file, database.url)
                try await database.run("CREATE SCHEMA \"\(database.server.user)\"")
                #expect(await message { try await move(file, database.url) }.contains("isn't empty"))
                let copy = folder.appending(path: "back.sqlite")
                try await move(database.url, copy)
                try await expectEqual(file, copy)
            }
        }

        @Test func `a move in parts of one row is complete`() async throws {
            try await withFolder { folder in
                let file = try await file(in: folder)
                let copy = folder.appending(path: "back.sqlite")
                let database = try await PostgresTarget()
                let count = Locked(0)
                let report = try await move(file, database.url, size: 1) { step in
                    if step == .committed { count.withLock { $0 += 1 } }
                }
                #expect(count.withLock { $0 } >= report.rows)
                try await move(database.url, copy, size: 1)
                try await expectEqual(file, copy)
            }
        }

        @Test func `a move whose connection is lost continues with the next run`() async throws {
            try await withFolder { folder in
                let file = try await file(in: folder)
                let database = try await PostgresTarget()
                let settings = try database.server.settings(database.name)
                let parts = Locked(0)
                let isLost = Locked(false)
                let text = await message {
                    try await move(file, database.url, rows: 4) { step in
                        guard step == .written,
                            parts.withLock({ count in
                                count += 1
                                return count == 9
                            })
                        else { return }
                        let connection = try PostgresConnection(settings)
                        defer { connection.close() }
                        try connection.execute(
                            """
                            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                            WHERE datname = current_database() AND pid <> pg_backend_pid()
                            """
                        )
                        isLost.withLock { $0 = true }
                    }
                }
                #expect(isLost.withLock { $0 })
                #expect(text.hasPrefix("PostgreSQL: ") && text.contains("it goes on where it was"), "\(text)")
                #expect(try await move(file, database.url).isContinued)
                let copy = folder.appending(path: "back.sqlite")
                try await move(database.url, copy)
                try await expectEqual(file, copy)
            }
        }

        @Test func `the progress reaches all rows while they are moved, and while they are compared`() async throws {
            try await withFolder { folder in
                let file = try await file(in: folder)
                let database = try await PostgresTarget()
                let seen = Locked<[MoveProgress]>([])
                _ = await message { try await move(file, database.url, rows: 5, reached: Self.end(at: .moved)) }
                let (source, target) = (file, database.url)
                try await blocking {
                    _ = try DatabaseMove.run(from: source, to: target) { progress in
                        seen.withLock { $0.append(progress) }
                    }
                }
                let steps = seen.withLock { $0 }
                for phase in [MoveProgress.Phase.moving, .comparing] {
                    let done = steps.filter { $0.phase == phase }
                    #expect(done.last?.done == done.last?.total)
                    #expect(done.map(\.done) == done.map(\.done).sorted())
                    #expect(done.last?.total ?? 0 > 80)
                }
                #expect(steps.map { $0.phase == .moving ? 0 : 1 } == steps.map { $0.phase == .moving ? 0 : 1 }.sorted())
            }
        }

        /// Row-level security would hide people's rows without an error.
        @Test func `a user who isn't the owner of the tables can't move a part of them`() async throws {
            try await withFolder { folder in
                let file = try await file(in: folder)
                let database = try await PostgresTarget()
                try await move(file, database.url)
                let user = "reader_\(database.name)"
                try await database.run(
                    """
                    CREATE ROLE \(user) LOGIN PASSWORD 'secret'; GRANT SELECT ON ALL TABLES IN SCHEMA public TO \(user);
                    GRANT SELECT ON ALL SEQUENCES IN SCHEMA public TO \(user);
                    """
                )
                let address = "postgres://\(user):secret@127.0.0.1:\(database.server.port)/\(database.name)"
                let url = try #require(URL(string: address))
                let text = await message { try await move(url, folder.appending(path: "back.sqlite")) }
                #expect(text.contains("\(user)") && text.contains("doesn't own the tables"), "\(text)")
            }
        }
    }
#endif
