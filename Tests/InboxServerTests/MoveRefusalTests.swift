#if PostgreSQL
    import Eventually
    import Foundation
    import GRDB
    import Groundwork
    import Postgres
    import RunningPostgres
    import Testing

    @testable import InboxServer
    @testable import InboxService

    /// What `inbox move` refuses, and finds to differ.
    @Suite(.timeLimit(.minutes(15)), .onlySQLite) struct MoveRefusalTests: MoveTesting {
        @Test func `a difference is reported by name, and the target stays marked`() async throws {
            try await withFolder { folder in
                let file = try await file(in: folder)
                let database = try await PostgresTarget()
                let changes = [
                    "UPDATE message SET content = replace(content, '漢漢', '漢字') WHERE id = 9223372036854775807",
                    "DELETE FROM reach WHERE person = 1", "UPDATE personName SET person = 8 WHERE name = 'bob'",
                    "UPDATE webhookCount SET dead = dead + 1", "SELECT setval('personNumber', 1)",
                    "INSERT INTO setting (name, value) VALUES ('Z', '')",
                ]
                let settings = try database.server.settings(database.name)
                func run() async -> MoveDifferences? {
                    do {
                        try await move(file, database.url) { step in
                            guard step == .moved else { return }
                            let connection = try PostgresConnection(settings)
                            defer { connection.close() }
                            for change in changes { try connection.executeScript(change) }
                        }
                        return nil
                    } catch {
                        return error as? MoveDifferences
                    }
                }
                let found = try #require(await run())
                let text = found.differences.joined(separator: "\n")
                #expect(text.contains("message (id 9223372036854775807) differs in content"))
                #expect(text.contains("person 1) is missing in the target"))
                #expect(text.contains(#"personName (name "bob") differs in person"#))
                #expect(text.contains("webhook (id 2) differs in dead"))
                #expect(text.contains("the greatest number of person is 90, and 1 in the target"))
                #expect(text.contains(#"setting (name "Z") is in the target alone"#))
                #expect(found.count == found.differences.count && found.count >= 8)
                #expect(found.description.contains("Remove the target, and begin again"))
                #expect(await message { _ = try await Storage.open(database.url) }.contains("isn't complete"))
            }
        }

        @Test func `on the way back, a difference is reported too`() async throws {
            try await withFolder { folder in
                let file = try await file(in: folder)
                let database = try await PostgresTarget()
                try await move(file, database.url)
                let copy = folder.appending(path: "back.sqlite")
                // After an interruption, a server has written to the source, and no count shows it.
                let ended = await message { try await move(database.url, copy, reached: Self.end(at: .moved)) }
                #expect(ended.contains("MoveEnded"))
                try await database.run("UPDATE delivery SET readAt = 1 WHERE person = 2")
                let text = await message { try await move(database.url, copy) }
                #expect(text.contains("differs in readAt"))
                #expect(await message { _ = try await Storage.open(copy) }.contains("isn't complete"))
                // Where a count shows it, it is known before.
                try await database.run("UPDATE person SET sequence = sequence + 1")
                let changed = await message { try await move(database.url, copy) }
                #expect(changed.contains("this source has changed since"))
            }
        }

        @Test(
            arguments: [
                (
                    "UPDATE message SET category = 'a' || char(0) WHERE id = -5",
                    "column category: the text contains U+0000"
                ),
                ("UPDATE person SET name = CAST(x'61ff' AS TEXT) WHERE id = 2", "column name: the text isn't UTF-8"),
                ("UPDATE message SET state = 40000 WHERE id = -5", "column state: 40000 isn't in the column's range"),
                ("UPDATE webhook SET isGone = 2 WHERE id = 1", "column isGone: 2 is neither 0 nor 1"),
                ("UPDATE message SET createdAt = 0.5 WHERE id = -5", "column createdAt: the value has another type"),
            ]
        )
        func `a row that PostgreSQL can't store is named, and the move continues later`(
            _ change: String,
            _ reason: String
        ) async throws {
            try await withFolder { folder in
                let file = try await file(in: folder)
                let before = try await picture(file)
                try await edit(file) { try $0.execute(sql: change) }
                let database = try await PostgresTarget()
                let text = await message { try await move(file, database.url) }
                #expect(text.contains(reason), "\(text)")
                try await edit(file) { db in
                    try db.execute(
                        sql: """
                            UPDATE message SET category = '\u{10FFFF}', state = 0, createdAt = 0 WHERE id = -5;
                            UPDATE person SET name = 'bob' WHERE id = 2; UPDATE webhook SET isGone = 0 WHERE id = 1;
                            """
                    )
                }
                #expect(try await picture(file) == before)
                #expect(try await move(file, database.url).isContinued)
            }
        }

        @Test func `a database that a server uses isn't moved, and no server starts on the target`() async throws {
            try await withFolder { folder in
                let file = try await file(in: folder)
                let database = try await PostgresTarget()
                let lock = try DatabaseLock(for: file)
                #expect(await message { try await move(file, database.url) }.contains("Stop the server"))
                lock.release()

                // A server that was started on the empty target, and hasn't written anything.
                let storage = try await Storage.open(database.url)
                try await storage.join()
                #expect(await message { try await move(file, database.url) }.contains("Stop the servers"))
                try await storage.close()

                // While the move runs.
                let other = try await Storage.open(database.url)
                let isCaught = Locked<[String]>([])
                let (from, to) = (file, database.url)
                try await move(file, database.url) { step in
                    guard step == .moved else { return }
                    do {
                        _ = try DatabaseLock(for: from)
                    } catch {
                        isCaught.withLock { $0.append("\(error)") }
                    }
                    do {
                        _ = try DatabaseMove.run(from: from, to: to)
                    } catch {
                        isCaught.withLock { $0.append("\(error)") }
                    }
                }
                #expect(isCaught.withLock { $0 }.count == 2)
                try await other.join()
                let copy = folder.appending(path: "back.sqlite")
                #expect(await message { try await move(database.url, copy) }.contains("Stop the servers"))
                try await other.close()
            }
        }

        /// A server that is paused or cut off isn't seen by the move. It comes back when that is over.
        /// Acquires the number of a server that is silent from then on.
        private func silentServer(_ settings: PostgresSettings) async throws -> NodeNumber {
            try await blocking {
                let connection = try PostgresConnection(settings)
                defer { connection.close() }
                let number = try NodeNumber.acquire(connection)
                try connection.execute("UPDATE node SET seenAt = 0")
                return number
            }
        }

        /// Returns the error of a closure that uses a connection.
        private func refusal(
            _ settings: PostgresSettings,
            _ body: @escaping @Sendable (PostgresConnection) throws -> Void
        ) async -> String {
            await message {
                try await blocking {
                    let connection = try PostgresConnection(settings)
                    defer { connection.close() }
                    try body(connection)
                }
            }
        }

        @Test func `no server goes on with a database that was moved away`() async throws {
            try await withFolder { folder in
                let file = try await file(in: folder)
                let database = try await PostgresTarget()
                try await move(file, database.url)
                let settings = try database.server.settings(database.name)
                let number = try await silentServer(settings)
                let copy = folder.appending(path: "back.sqlite")
                let moved = "was moved to \(copy.path)"
                // At no time can a server start on both.
                _ = await message { try await move(database.url, copy, reached: Self.end(at: .noted)) }
                #expect(await message { _ = try Storage(file: copy) }.contains("inbox move was interrupted"))
                #expect(await message { _ = try await Storage.open(database.url) }.contains(moved))
                #expect(try await move(database.url, copy).isContinued)

                #expect(
                    await refusal(settings) { _ = try $0.pipeline([number.note]) }.contains(PostgresSchema.lostNumber)
                )
                // The move's session may take a moment to end.
                let isRefused = try await eventually {
                    await refusal(settings) { _ = try NodeNumber.acquire($0) }.contains(moved)
                }
                #expect(isRefused)
                #expect(await message { _ = try await Storage.open(database.url) }.contains(moved))
                #expect(await message { _ = try DatabaseCheckup(of: database.url) }.contains(moved))
                #expect(await message { try await move(file, database.url) }.contains(moved))
                // As the error says.
                try await database.run("DROP TABLE unfinishedMove")
                try await Storage.open(database.url).close()
            }
        }

        @Test func `an address that can't work has advice for the option, not to run the move again`() async throws {
            try await withFolder { folder in
                let file = try await file(in: folder)
                let database = try await PostgresTarget()
                try await move(file, database.url)
                let server = database.server
                let pooled = try #require(URL(string: server.address(database.name, port: server.poolerPort)))
                let wrong = try #require(URL(string: database.url.absoluteString + "?sslmodes=x"))
                let copy = folder.appending(path: "back.sqlite")
                for (text, words) in [
                    (await message { try await move(file, pooled) }, "--to leads through a pooler"),
                    (await message { try await move(pooled, copy) }, "--from leads through a pooler"),
                    (await message { try await move(file, wrong) }, "Correct that in --to"),
                    (await message { try await move(folder, database.url) }, "is a folder"),
                    (await message { try await move(database.url, folder) }, "is a folder"),
                ] {
                    #expect(text.contains(words) && !text.contains("it goes on where it was"), "\(text)")
                }
                #expect(!FileManager.default.fileExists(atPath: folder.path + ".lock"))
            }
        }

        @Test func `a move waits for the session of one that was killed, and names it in the end`() async throws {
            let database = try await PostgresTarget()
            let settings = try database.server.settings(database.name)
            let address = database.url.absoluteString
            try await blocking {
                let killed = try PostgresConnection(settings)
                defer { killed.close() }
                try killed.execute("SELECT pg_advisory_lock($1)", [NodeNumber.moveLock])
                do {
                    try PostgresMoveDatabase(address, patience: 50).close()
                    Issue.record("it didn't wait")
                } catch let error as MaintenanceError {
                    #expect(error.description.contains("in the process \(killed.backend) of PostgreSQL"), "\(error)")
                }
            }
            let killed = try await blocking {
                let connection = try PostgresConnection(settings)
                try connection.execute("SELECT pg_advisory_lock($1)", [NodeNumber.moveLock])
                return Held(connection)
            }
            async let next: Void = blocking { try PostgresMoveDatabase(address, patience: 60_000).close() }
            let waiting = """
                SELECT count(*) FROM pg_locks l JOIN pg_database d ON d.oid = l.database
                WHERE l.locktype = 'advisory' AND NOT l.granted AND d.datname = current_database()
                """
            let isWaiting = try await eventually { try await database.number(waiting) > 0 }
            #expect(isWaiting)
            await killed.use { $0.close() }
            try await next
        }

        @Test func `a target that isn't empty is refused and unchanged`() async throws {
            try await withFolder { folder in
                let file = try await file(in: folder)
                let (one, other) = (try await PostgresTarget(), try await PostgresTarget())
                try await Storage.open(one.url).close()
                try await one.run("INSERT INTO personName (name, person) VALUES ('ann', 1)")
                #expect(await message { try await move(file, one.url) }.contains("isn't empty: personName has rows"))
                try await other.run("CREATE TABLE cars (id int)")
                #expect(await message { try await move(file, other.url) }.contains("there is a table cars"))

                let database = try await PostgresTarget()
                try await move(file, database.url)
                let again = await message { try await move(file, database.url) }
                #expect(again.contains("isn't empty") && again.contains("it is complete"))
                let before = try Data(contentsOf: file)
                #expect(await message { try await move(database.url, file) }.contains("already exists"))
                #expect(try Data(contentsOf: file) == before)

                // Another source for the same move.
                let third = try await PostgresTarget()
                _ = await message { try await move(file, third.url, reached: Self.end()) }
                let second = try await self.file(in: folder, "second.sqlite")
                try await edit(second) { try $0.execute(sql: "UPDATE setting SET value = x'07' WHERE name = 'empty'") }
                #expect(await message { try await move(second, third.url) }.contains("an unfinished move of another"))
                #expect(
                    await message { try await move(third.url, folder.appending(path: "x")) }.contains("interrupted")
                )

                #expect(await message { try await move(file, second) }.contains("One of the two has to be"))
                #expect(await message { try await move(one.url, other.url) }.contains("One of the two has to be"))
                let none = folder.appending(path: "none.sqlite")
                #expect(await message { try await move(none, third.url) }.contains("There is no file"))
                #expect(await message { try await move(other.url, none) }.contains("isn't an inbox server's"))
                #expect(!FileManager.default.fileExists(atPath: none.path))
            }
        }

        @Test func `a file of an unfinished move is refused by servers, backups and checkups`() async throws {
            try await withFolder { folder in
                let file = try await file(in: folder)
                let database = try await PostgresTarget()
                try await move(file, database.url)
                let copy = folder.appending(path: "back.sqlite")
                _ = await message { try await move(database.url, copy, rows: 3, reached: Self.end()) }
                let backup = folder.appending(path: "backup.sqlite")
                let third = try await PostgresTarget()
                for text in [
                    await message { try DatabaseFile.check(copy) }, await message { _ = try Storage(file: copy) },
                    await message { try DatabaseBackup.make(of: copy, to: backup) },
                    await message { _ = try DatabaseCheckup(of: copy) },
                    await message { try await move(copy, third.url) },
                ] {
                    #expect(text.contains("inbox move was interrupted"), "\(text)")
                }
                try await move(database.url, copy)
                try await expectEqual(file, copy)
            }
        }

        @Test func `a database of an earlier version is refused, and unchanged`() async throws {
            try await withFolder { folder in
                let file = folder.appending(path: "old.sqlite")
                try FileManager.default.copyItem(at: ServerFixture.file("audit"), to: file)
                let database = try await PostgresTarget()
                let before = try Data(contentsOf: file)
                #expect(await message { try await move(file, database.url) }.contains("of an earlier version"))
                #expect(try Data(contentsOf: file) == before)
                try await Storage.open(database.url).close()
                try await database.run("DELETE FROM migration WHERE name = 'webhooks'")
                let target = folder.appending(path: "new.sqlite")
                #expect(await message { try await move(database.url, target) }.contains("is of another version"))
                #expect(!FileManager.default.fileExists(atPath: target.path))
            }
        }

        /// PostgreSQL checks no references.
        @Test func `a row without the one that it refers to is found on the way back`() async throws {
            try await withFolder { folder in
                let file = try await file(in: folder)
                let database = try await PostgresTarget()
                try await move(file, database.url)
                try await database.run("INSERT INTO reach (message, person, reach) VALUES (12345, 1, 1)")
                let copy = folder.appending(path: "back.sqlite")
                let text = await message { try await move(database.url, copy) }
                #expect(text.contains("A row of reach refers to a row of message that doesn't exist"))
            }
        }
    }
#endif
