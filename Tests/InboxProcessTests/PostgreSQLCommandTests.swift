#if PostgreSQL
    import Coverage
    import Foundation
    import Groundwork
    import Postgres
    import RunningPostgres
    import Testing

    /// `inbox serve` with PostgreSQL.
    @Suite(.timeLimit(.minutes(5))) struct PostgreSQLCommandTests {
        @Test(.rulesOut(.novu606))
        func `a killed server on PostgreSQL has lost nothing, and devices continue`() async throws {
            let database = try await DatabaseServer.shared.value
            let address = database.address(try await database.newDatabase())
            try await World.with { world in
                try await world.startServer(database: address)
                let phone = try await world.device("phone")
                let first = try await world.send("First")
                #expect(try await phone.list().ids == [first])
                try await world.killServer()

                try await world.startServer(database: address)
                let second = try await world.send("Second")
                #expect(try await Set(phone.list().ids) == [first, second])
                try await world.stopServer()
            }
        }

        @Test func `an unusable database address is an error with advice`() async throws {
            let database = try await DatabaseServer.shared.value
            try await World.with { world in
                func errors(_ address: String, status: Int32 = 1) async throws -> String {
                    try await world.run(["serve", "--database", address, "--port", "0"], status: status).errors
                }
                let wrong = database.address().replacing(database.password, with: "wrong")
                #expect(try await errors(wrong).contains("Check the address, the user and the password"))
                #expect(try await !errors(wrong).contains("wrong"))
                #expect(try await errors(database.address("nonesuch")).contains("does not exist"))
                let closed = "postgres://inbox@127.0.0.1:9/inbox"
                #expect(try await errors(closed).contains("Start PostgreSQL, or check the address"))
                for command in [["backup", "copy.sqlite"], ["restore", "copy.sqlite"]] {
                    let ended = try await world.run(command + ["--database", closed], status: 64)
                    #expect(ended.errors.contains("pg_dump"), "\(command)")
                }
            }
        }

        /// The backup is a copy by PostgreSQL itself. Without the new generation, the phone's state would be current,
        /// and what is sent after the restore would be missed.
        @Test func `devices miss nothing after a restore by PostgreSQL's tools`() async throws {
            let database = try await DatabaseServer.shared.value
            let name = try await database.newDatabase()
            let (address, administrator) = (database.address(name), try database.settings("postgres"))
            func run(settings: PostgresSettings? = nil, _ statements: String...) async throws {
                let settings = settings ?? administrator
                try await onNewThread {
                    let connection = try PostgresConnection(settings)
                    defer { connection.close() }
                    for statement in statements { try connection.executeScript(statement) }
                }
            }
            try await World.with { world in
                try await world.startServer(database: address)
                let phone = try await world.device("phone")
                let first = try await world.send("First")
                #expect(try await phone.list().ids == [first])
                try await world.stopServer()
                try await run("CREATE DATABASE backup_of_\(name) TEMPLATE \(name)")

                try await world.startServer(database: address)
                let lost = try await world.send("Lost")
                #expect(try await Set(phone.list().ids) == [first, lost])
                let refused = try await world.run(["restore", "--database", address], status: 1)
                #expect(refused.errors.contains("Stop the servers"))
                try await world.stopServer()

                // The server's processes may take a moment to end.
                try await run("DROP DATABASE \(name) WITH (FORCE)")
                try await run("CREATE DATABASE \(name) TEMPLATE backup_of_\(name)")
                let completed = try await world.run(["restore", "--database", address])
                #expect(completed.output.contains("A new generation of states has begun"))
                try await run(
                    settings: try database.settings(name),
                    """
                    DO $$ BEGIN ASSERT (SELECT count(*) = 1 FROM audit WHERE kind = 'database.restored'); END $$
                    """
                )
                try await world.startServer(database: address)
                let second = try await world.send("Second")
                #expect(try await Set(phone.list().ids) == [first, second])
                try await world.stopServer()
            }
        }

        @Test func `a restore that can't be completed is an error with the reason`() async throws {
            let database = try await DatabaseServer.shared.value
            let empty = database.address(try await database.newDatabase())
            try await World.with { world in
                let other = try await world.run(["restore", "--database", empty], status: 1)
                #expect(other.errors.contains("isn't an inbox server's database"))
                let closed = "postgres://inbox@127.0.0.1:9/inbox"
                let gone = try await world.run(["restore", "--database", closed], status: 1)
                #expect(gone.errors.contains("Start PostgreSQL"))
                let file = try await world.run(["restore", "--database", "inbox.sqlite"], status: 64)
                #expect(file.errors.contains("inbox restore backup.sqlite --database inbox.sqlite"))
                let forced = try await world.run(["restore", "--force", "--database", closed], status: 64)
                #expect(forced.errors.contains("--force is for SQLite files"))
            }
        }

        @Test func `doctor checks a database while a server runs and reports damage`() async throws {
            let database = try await DatabaseServer.shared.value
            let name = try await database.newDatabase()
            let address = database.address(name)
            try await World.with { world in
                func doctor(_ address: String, status: Int32) async throws -> RunningProcess {
                    try await world.run(["doctor", "--database", address], status: status)
                }
                let closed = "postgres://inbox@127.0.0.1:9/inbox"
                let unreachable = try await doctor(closed, status: 1).errors
                #expect(unreachable.contains("Start PostgreSQL, or check the address"))
                #expect(!unreachable.contains("exposes"))
                let exposed = try await doctor("postgres://inbox:secret-word@127.0.0.1:9/inbox", status: 1).errors
                #expect(exposed.contains("--database exposes the password to every user of this machine"))
                #expect(exposed.contains("PGPASSFILE") && !exposed.contains("secret-word"))
                #expect(try await doctor(address, status: 1).errors.contains("isn't an inbox server's"))

                try await world.startServer(database: address)
                _ = try await world.send("First")
                _ = try await world.send("Second", to: "bob")
                let healthy = try await doctor(address, status: 0)
                for name in [
                    "PostgreSQL", "Schema", "Role", "Network", "Partitions", "Commits", "Connections", "Locks",
                    "Servers", "Queue", "Clock", "References", "Sequences", "Due", "Webhooks", "Contents",
                    "Broadcasts", "Vacuum", "Slots", "Transactions", "Erasures", "Size",
                ] {
                    #expect(healthy.lines.contains { $0.hasPrefix("✓ \(name) ") }, "\(name)\n\(healthy.output)")
                }
                #expect(healthy.lines.contains { $0.contains("1 running: 0") })
                #expect(healthy.lines.contains { $0.contains("people: 2, messages: 2, deliveries: 2") })
                try await world.stopServer()

                let settings = try database.settings(name)
                try await onNewThread {
                    let connection = try PostgresConnection(settings)
                    defer { connection.close() }
                    try connection.executeScript("DELETE FROM person WHERE name = 'bob'")
                }
                let damaged = try await world.run(["doctor", "--database", address, "--json"], status: 1)
                let report = try JSON(parsing: damaged.output.utf8)
                #expect(report["healthy"] == false)
                let finding = report["findings"]?.arrayValue?.first { $0["name"] == "References" }
                #expect(finding?["verdict"] == "trouble")
                #expect(finding?["value"]?.stringValue?.contains("deliveries without a person: 1") == true)
                #expect(finding?["advice"]?.stringValue?.contains("pg_restore") == true)
            }
        }
    }
#endif
