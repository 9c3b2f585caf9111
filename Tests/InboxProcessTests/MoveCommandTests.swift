#if PostgreSQL
    import Eventually
    import Foundation
    import GRDB
    import Groundwork
    import Postgres
    import RunningPostgres
    import Testing

    /// `inbox move` as a process.
    @Suite(.timeLimit(.minutes(10))) struct MoveCommandTests {
        /// Adds rows to a server's file, so that a move of it takes a while.
        private func fill(_ file: URL) async throws {
            let queue = try DatabaseQueue(path: file.path)
            try await queue.write { db in
                try db.execute(
                    sql: """
                        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
                        INSERT INTO message (id, content, surface, deliverAt, createdAt, recipients, state)
                        SELECT i, '{"title":"' || hex(randomblob(100)) || '"}', 'inbox', i, i, 1, 2 FROM n;
                        INSERT INTO delivery (message, person, created, sequence, deliverAt, state)
                        SELECT id, 1, 0, 0, 0, 2 FROM message WHERE id <= 60000;
                        """
                )
            }
            try queue.close()
        }

        @Test func `a killed move continues, and devices work with its result`() async throws {
            let database = try await DatabaseServer.shared.value
            let name = try await database.newDatabase()
            let address = database.address(name)
            try await World.with { world in
                try await world.startServer()
                let phone = try await world.device("phone")
                let first = try await world.send("First")
                #expect(try await phone.list().ids == [first])
                let move = ["move", "--from", "server.sqlite", "--to", address]
                #expect(try await world.run(move, status: 1).errors.contains("Stop the server"))
                try await world.stopServer()
                try await fill(world.folder.appending(path: "server.sqlite"))

                let closed = ["move", "--from", "server.sqlite", "--to", "postgres://inbox@127.0.0.1:9/inbox"]
                let refused = try await world.run(closed, status: 1)
                #expect(refused.errors.contains("? Run the same command again"), "\(refused.errors)")

                // Killed once some of the messages are there.
                let process = try world.start(move)
                let settings = try database.settings(name)
                let hasBegun = try await eventually {
                    await onNewThreadOrFalse {
                        let connection = try PostgresConnection(settings)
                        defer { connection.close() }
                        let found = try connection.execute(
                            "SELECT value FROM unfinishedMove WHERE name = 'table message'"
                        )
                        return !found.isEmpty
                    }
                }
                #expect(hasBegun)
                process.signal(SIGKILL)
                #expect(try await process.end() == -SIGKILL)
                let serve = ["serve", "--database", address, "--port", "0"]
                #expect(try await world.run(serve, status: 1).errors.contains("Run the same inbox move again"))

                let report = try JSON(parsing: try await world.run(move + ["--json"]).output.utf8)
                #expect(report["continued"] == true)
                #expect(report["tables"]?["delivery"] == 60_001)
                #expect(report["to"]?.stringValue?.contains(database.password) == false)

                try await world.startServer(database: address)
                let second = try await world.send("Second")
                #expect(try await Set(phone.list().ids) == [first, second])
                try await world.stopServer()

                // At a terminal there is a bar of the rows that are moved, and then of those that are compared.
                let terminal = try TypedTerminal()
                terminal.show()
                let back = try world.start(
                    ["move", "--from", address, "--to", "back.sqlite"],
                    errors: terminal.input,
                    environment: ["TERM": "xterm"]
                )
                #expect(try await back.end() == 0, "\(terminal.text)")
                for shown in ["█", "rows moved", "rows compared"] {
                    #expect(try await eventually { terminal.text.contains(shown) }, "\(shown)")
                }
                #expect(back.output.hasPrefix("Moved 1"))
                #expect(back.output.contains("Start the server with the new --database."))
                #expect(!back.output.contains(database.password))
                // No server goes on with the one that was moved away.
                #expect(try await world.run(serve, status: 1).errors.contains("DROP TABLE unfinishedMove"))
                try await world.startServer(database: "back.sqlite")
                let third = try await world.send("Third")
                #expect(try await Set(phone.list().ids) == [first, second, third])
                try await world.stopServer()
            }
        }

        private func onNewThreadOrFalse(_ body: @escaping @Sendable () throws -> Bool) async -> Bool {
            (try? await onNewThread(body)) ?? false
        }

        @Test func `two databases of one kind are an invalid command line`() async throws {
            try await World.with { world in
                for pair in [["a.sqlite", "b.sqlite"], ["postgres://a/b", "postgresql://c/d"]] {
                    let ended = try await world.run(["move", "--from", pair[0], "--to", pair[1]], status: 64)
                    #expect(ended.errors.contains("One of --from and --to has to be a SQLite file"))
                }
                let none = ["move", "--from", "none.sqlite", "--to", "postgres://inbox@127.0.0.1:9/inbox"]
                #expect(try await world.run(none, status: 1).errors.contains("There is no file"))
            }
        }
    }
#endif
