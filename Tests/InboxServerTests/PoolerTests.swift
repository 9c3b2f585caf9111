#if PostgreSQL
    import Eventually
    import Foundation
    import Groundwork
    import InboxModel
    import JMAP
    import Postgres
    import RunningPostgres
    import Testing

    @testable import InboxServer
    @testable import InboxService

    /// A server whose reads and writes go through PgBouncer in transaction mode.
    ///
    /// Other suites run so in the step `postgresql-pooler` of `make test`.
    @Suite(.timeLimit(.minutes(5)), .onlyPostgreSQL) struct PoolerTests {
        @Test func `through a pooler, sends, streams and due work behave as without one`() async throws {
            let clock = ManualClock()
            try await withFolder { folder in
                let file = folder.appending(path: "inbox.sqlite")
                let pooler = try #require(try await TestDatabase.pooler(for: file))
                let one = try await TestServer.start(file: file, clock: clock) { $0.pooler = pooler }
                let other = try await TestServer.start(file: file, clock: clock)
                let phone = try await one.device(of: "ann")
                let (stream, status) = await EventStream.open(phone, "types=*&closeafter=no&ping=0")
                #expect(status == 200)
                defer { stream.close() }
                // Each statement more than once, since a pooler's connections know none of the prepared ones.
                for server in [one, other, one, other, one] {
                    try await server.send(to: ["person": "ann"])
                    #expect(try #require(await stream.next()).id == (try await phone.state()))
                }
                let due = JSON(clock.now.addingTimeInterval(60))
                try await one.send(to: ["person": "ann"], ["title": "Later", "deliverAt": due])
                #expect(try await phone.ids().count == 5)
                clock.advance(by: 61)
                #expect(try #require(await stream.next()).id == (try await phone.state()))
                let ids = try await phone.ids()
                #expect(ids.count == 6)
                try await phone.update(ids[0], ["readAt": "2026-05-01T08:00:00Z"])
                #expect(try #require(await stream.next()).id == (try await phone.state()))
                try await one.stop()
                try await other.stop()
            }
        }

        @Test func `a pooler that leads to another inbox later stores and answers nothing`() async throws {
            let options = ["max_locks_per_transaction=256"]
            try await DatabaseServer.run(options: options) { database in
                try await DatabaseServer.run(options: options) { other in
                    let (address, pooler) = (database.address(), database.address(port: database.poolerPort))
                    try await Storage.open(try #require(URL(string: other.address()))).close()
                    try await withFolder { folder in
                        let file = folder.appending(path: "inbox.sqlite")
                        let server = try await TestServer.start(file: file, clock: ManualClock()) { configuration in
                            configuration.database = URL(string: address) ?? file
                            configuration.pooler = URL(string: pooler)
                        }
                        let phone = try await server.device(of: "ann")
                        let id = try await server.send(to: ["person": "ann"])
                        try await database.movePooler(to: other.port)
                        let message: JSON = ["to": ["person": "ann"], "message": ["title": "Elsewhere"]]
                        for _ in 0..<3 { #expect(try await server.rest("POST", "/v1/messages", message).status == 503) }
                        let isUnready = try await eventually {
                            try await server.request("GET", "/health/ready").status == 503
                        }
                        #expect(isUnready)
                        #expect(try await other.count("SELECT count(*) FROM message") == 0)
                        #expect(try await other.count("SELECT count(*) FROM node") == 0)

                        try await database.movePooler(to: database.port)
                        let isReady = try await eventually {
                            try await server.request("GET", "/health/ready").status == 200
                        }
                        #expect(isReady)
                        #expect(try await phone.ids() == [id])
                        try await server.send(to: ["person": "ann"])
                        #expect(try await phone.ids().count == 2)
                        try await server.stop()
                    }
                }
            }
        }

        @Test func `a pooler that is given as the database is refused by name`() async throws {
            try await withFolder { folder in
                let file = folder.appending(path: "inbox.sqlite")
                let pooler = try #require(try await TestDatabase.pooler(for: file))
                do {
                    let server = try await TestServer.start(file: file, clock: ManualClock()) {
                        $0.database = pooler
                        $0.pooler = nil
                    }
                    try await server.stop()
                    Issue.record("it was accepted")
                } catch let error as ServerSetupError {
                    #expect(error.description.contains("give a direct address, and the pooler's as --pooler"))
                }
            }
        }

        @Test func `a pooler of another database, or an unreachable one, is refused by name`() async throws {
            try await withFolder { folder in
                let file = folder.appending(path: "inbox.sqlite")
                let elsewhere = try await TestDatabase.pooler(for: folder.appending(path: "other.sqlite"))
                let nowhere = URL(string: "postgres://inbox@127.0.0.1:1/inbox")
                for (pooler, text) in [(elsewhere, "another database"), (nowhere, "--pooler")] {
                    do {
                        let server = try await TestServer.start(file: file, clock: ManualClock()) {
                            $0.pooler = pooler
                        }
                        try await server.stop()
                        Issue.record("it was accepted")
                    } catch let error as ServerSetupError {
                        #expect(error.description.contains(text))
                    }
                }
            }
        }
    }

    extension DatabaseServer {
        fileprivate func count(_ sql: String) async throws -> Int {
            let settings = try settings()
            return try await onNewThread {
                let connection = try PostgresConnection(settings)
                defer { connection.close() }
                return try connection.execute(sql)[0][0]
            }
        }
    }

    /// The pooler of a server with a file.
    @Suite(.timeLimit(.minutes(5)), .onlySQLite) struct FilePoolerTests {
        @Test func `a file has no pooler`() async throws {
            try await withFolder { folder in
                await #expect(throws: ServerSetupError.self) {
                    try await TestServer.start(file: folder.appending(path: "a.sqlite"), clock: ManualClock()) {
                        $0.pooler = URL(string: "postgres://inbox@127.0.0.1/inbox")
                    }
                }
                let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                #expect(files.isEmpty)
            }
        }
    }
#endif
