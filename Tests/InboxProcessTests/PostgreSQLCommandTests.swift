#if PostgreSQL
    import Foundation
    import Groundwork
    import RunningPostgres
    import Testing

    /// `inbox serve` with PostgreSQL.
    @Suite(.timeLimit(.minutes(5))) struct PostgreSQLCommandTests {
        @Test func `a server on PostgreSQL that is killed has lost nothing, and devices go on`() async throws {
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

        @Test func `an address that can't be used is an error that says what to do`() async throws {
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
                for command in [["doctor"], ["backup", "copy.sqlite"], ["restore", "copy.sqlite"]] {
                    let ended = try await world.run(command + ["--database", closed], status: 64)
                    #expect(ended.errors.contains("pg_dump"), "\(command)")
                }
            }
        }
    }
#endif
