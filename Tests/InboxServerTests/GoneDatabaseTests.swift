#if PostgreSQL
    import Eventually
    import Foundation
    import Groundwork
    import Postgres
    import RecordedLogs
    import RunningPostgres
    import Testing

    @testable import InboxServer
    @testable import InboxService

    /// A server whose database is gone for a while.
    @Suite(.timeLimit(.minutes(5)), .onlyPostgreSQL) struct GoneDatabaseTests {
        private let message: JSON = ["to": ["person": "ann"], "message": ["title": "x"]]

        /// Expects that a write, a read and a check of the server's health are 503, with the time of the next try.
        private func expectUnavailable(
            _ server: TestServer,
            sourceLocation: SourceLocation = #_sourceLocation
        ) async throws {
            for (method, path, body) in [
                ("POST", "/v1/messages", message), ("GET", "/v1/messages", nil), ("GET", "/health", nil),
            ] as [(String, String, JSON?)] {
                let answer = try await server.rest(method, path, body)
                #expect(answer.status == 503, "\(method) \(path)", sourceLocation: sourceLocation)
                #expect(answer.header("Retry-After") == "10", "\(method) \(path)", sourceLocation: sourceLocation)
            }
        }

        @Test func `without a database a server answers 503 with Retry-After, until it is back`() async throws {
            try await withOwnDatabase { server, database in
                #expect(try await server.rest("POST", "/v1/messages", message).status == 201)
                try await database.shutDown()
                try await expectUnavailable(server)
                try await database.restart()
                let isBack = try await eventually {
                    try await server.rest("POST", "/v1/messages", message).status == 201
                }
                #expect(isBack)
                let isReady = try await eventually {
                    try await server.request("GET", "/health/ready").status == 200
                }
                #expect(isReady)
                try await server.stop()
            }
        }

        /// As while `pg_restore --clean` runs.
        @Test func `without its tables a server answers 503 and logs once, until they are back`() async throws {
            let log = RecordedLog()
            try await withFolder { folder in
                let file = folder.appending(path: "inbox.sqlite")
                let server = try await TestServer.start(file: file, clock: ManualClock(), logger: log.logger)
                #expect(try await server.rest("POST", "/v1/messages", message).status == 201)
                let phone = try await server.device(of: "ann")
                let before = try await phone.ids()
                try await server.execute("ALTER SCHEMA public RENAME TO hidden")
                try await expectUnavailable(server)
                #expect(try await server.request("GET", "/health/ready").status == 503)
                let entries = log.entries.filter { $0.message == "a request failed" }
                #expect(entries.count == 1)
                let error = try #require(entries.first?.metadata["error"])
                #expect(error.contains("SQLSTATE 42P01") && error.contains("inbox doctor"))

                try await server.execute("ALTER SCHEMA hidden RENAME TO public")
                let isBack = try await eventually {
                    try await server.rest("POST", "/v1/messages", message).status == 201
                }
                #expect(isBack)
                // What was refused wasn't stored.
                #expect(try await phone.ids().count == before.count + 1)
                try await server.stop()
            }
        }

        @Test func `a server is ready again when triggers run, without a write`() async throws {
            try await withServer { server in
                #expect(try await server.rest("POST", "/v1/messages", message).status == 201)
                /// Changes the database's setting, also for the connections between a pooler and PostgreSQL.
                func alter(_ change: String) async throws {
                    try await server.execute(
                        """
                        DO $$ BEGIN
                            EXECUTE format('ALTER DATABASE %I \(change)', current_database());
                        END $$;
                        """
                    )
                    // In a transaction of its own: connections that are opened from now on have it.
                    try await server.execute(
                        """
                        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                        WHERE datname = current_database() AND pid <> pg_backend_pid()
                        """
                    )
                }
                try await alter("SET session_replication_role = replica")
                let isUnready = try await eventually {
                    _ = try await server.rest("POST", "/v1/messages", message)
                    let answer = try await server.request("GET", "/health/ready")
                    return answer.status == 503
                        && answer.json["detail"]?.stringValue?.contains("session_replication_role") == true
                }
                #expect(isUnready)
                #expect(try await server.rest("POST", "/v1/messages", message).status == 503)
                try await alter("RESET session_replication_role")
                let isReady = try await eventually { try await server.request("GET", "/health/ready").status == 200 }
                #expect(isReady)
                let isStored = try await eventually {
                    try await server.rest("POST", "/v1/messages", message).status == 201
                }
                #expect(isStored)
            }
        }

        @Test func `a table that is missing hides no column that is from the log`() async throws {
            let database = try await DatabaseServer.shared.value
            let settings = try database.settings(try await database.newDatabase())
            let errors: [PostgresError] = try await blocking {
                let connection = try PostgresConnection(settings)
                defer { connection.close() }
                let statements = ["SELECT FROM nothing", "SELECT FROM another", "SELECT nothing"]
                var errors: [PostgresError] = []
                for sql in statements {
                    do throws(PostgresError) {
                        try connection.executeScript(sql)
                    } catch {
                        errors.append(error)
                    }
                }
                return errors
            }
            try #require(errors.map(\.sqlState) == ["42P01", "42P01", "42703"])
            let (clock, log) = (ManualClock(), RecordedLog())
            let failures = RequestFailures(clock: clock)
            for _ in 0..<5 {
                for error in errors { _ = try failures.problem(with: error, isRead: false, log.logger) }
            }
            #expect(log.entries.count == 2)
            #expect(log.entries.last?.metadata["error"]?.contains("SQLSTATE 42703") == true)
            clock.advance(by: 60)
            for error in errors { _ = try failures.problem(with: error, isRead: false, log.logger) }
            #expect(log.entries.map { $0.metadata["leftOut"] } == [nil, nil, "9", "4"])
        }
    }
#endif
