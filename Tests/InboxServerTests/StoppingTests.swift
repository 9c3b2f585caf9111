#if PostgreSQL
    import Eventually
    import Foundation
    import Groundwork
    import Logging
    import Postgres
    import RecordedLogs
    import RunningPostgres
    import ServiceLifecycle
    import Testing

    @testable import InboxServer
    @testable import InboxService

    /// The end of a server whose database doesn't answer, or isn't migrated yet.
    @Suite(.timeLimit(.minutes(5)), .onlyPostgreSQL) struct StoppingTests {
        @Test func `a server whose database is paused ends within five seconds, and answers`() async throws {
            try await withOwnDatabase { server, database in
                try await server.send(to: ["person": "ann"])
                try await database.pause()
                let body: JSON = ["to": ["person": "ann"], "message": ["title": "x"]]
                let answer = Task { try await server.rest("POST", "/v1/messages", body) }
                try await Task.sleep(for: .seconds(2))
                let (took, lateness) = try await measured { try await server.stop() }
                #expect(took > .seconds(2), "\(took)")
                #expect(took < .seconds(5) + lateness, "\(took), with a machine that is late by \(lateness)")
                #expect(try await answer.value.status == 503)
                try await database.resume()
            }
        }

        @Test func `a server stopped while it waits to migrate ends at once, without errors`() async throws {
            let database = try await DatabaseServer.shared.value
            let name = try await database.newDatabase()
            let settings = try database.settings(name)
            // Another server migrates the database, or has stopped doing so.
            let other = try await RunningPostgres.blocking {
                let connection = try PostgresConnection(settings)
                try connection.execute("SELECT pg_advisory_lock($1)", [PostgresMigrator.lock])
                return Held(connection)
            }
            func count(_ sql: String) async throws -> Int {
                try await RunningPostgres.blocking {
                    let connection = try PostgresConnection(settings)
                    defer { connection.close() }
                    return try connection.execute(sql)[0][0]
                }
            }
            let waiting = """
                SELECT count(*) FROM pg_locks l JOIN pg_database d ON d.oid = l.database
                WHERE l.locktype = 'advisory' AND NOT l.granted AND d.datname = current_database()
                """
            let log = RecordedLog()
            let configuration = InboxServerConfiguration(
                database: try #require(URL(string: database.address(name))),
                adminKey: TestServer.adminKey,
                logger: log.logger
            )
            let group = ServiceGroup(services: [InboxServer(configuration: configuration)], logger: log.logger)
            let running = Task { try await group.run() }
            let isWaiting = try await eventually { try await count(waiting) == 1 }
            #expect(isWaiting)
            let start = ContinuousClock.now
            await group.triggerGracefulShutdown()
            try await running.value
            // It would wait for the other one as long as the test does.
            #expect(ContinuousClock.now - start < .seconds(60))
            #expect(log.entries.filter { $0.level >= .error }.map(\.message) == [])
            await other.use { $0.close() }
            #expect(try await count("SELECT count(*) FROM pg_class WHERE relname = 'migration'") == 0)
        }
    }
#endif
