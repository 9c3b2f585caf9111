#if PostgreSQL
    import Eventually
    import Foundation
    import Groundwork
    import Logging
    import Postgres
    import RecordedLogs
    import Testing

    @testable import InboxService

    /// What an erasure leaves in the files of a PostgreSQL database.
    @Suite(.timeLimit(.minutes(5)), .onlyPostgreSQL) struct ErasedRowsTests {
        private func connect(_ server: TestServer) async throws -> PostgresConnection {
            let settings = try PostgresSettings(try await TestDatabase.address(for: server.file).absoluteString)
            return try PostgresConnection(settings)
        }

        /// The number of deleted rows in a table's file.
        private func dead(_ connection: PostgresConnection, in table: String) throws -> Int {
            try connection.execute("SELECT dead_tuple_count FROM pgstattuple('\(table)')")[0][0]
        }

        @Test func `an erased person's rows leave the files, and the receipt has the time`() async throws {
            try await withServer { server in
                let connection = try await connect(server)
                defer { connection.close() }
                try connection.executeScript("CREATE EXTENSION IF NOT EXISTS pgstattuple")
                let device = try await server.device(of: "ann")
                for _ in 0..<3 { try await server.send(to: ["person": "ann"]) }
                try await device.update(try await device.ids()[0], ["readAt": "2026-05-01T08:00:00Z"])
                let name: String = try connection.execute(
                    "SELECT tableoid::regclass::text FROM delivery LIMIT 1"
                )[0][0]
                let storage = try await server.storage()
                let rows = try #require(
                    ErasedRows(of: storage, clock: ManualClock(), logger: Logger(label: "test"))
                )
                #expect(try await rows.removeDue() == 0)

                // A transaction that began before may still read them.
                connection.enqueue("BEGIN ISOLATION LEVEL REPEATABLE READ")
                try connection.execute("SELECT count(*) FROM delivery")
                let answer = try await server.rest("DELETE", "/v1/people/ann")
                let id = try #require(answer.json["id"]?.stringValue)
                #expect(answer.json["vacuumedAt"] == nil)
                #expect(try await rows.removeDue() == 0)
                #expect(try dead(connection, in: name) >= 3)
                try connection.execute("COMMIT")

                // The server itself may have been first.
                #expect(
                    try await eventually {
                        try await rows.removeDue()
                        return try await server.rest("GET", "/v1/erasures/\(id)").json["vacuumedAt"] != nil
                    }
                )
                for table in [name, "message", "audit"] { #expect(try dead(connection, in: table) == 0, "\(table)") }
                #expect(try await rows.removeDue() == 0)
            }
        }

        @Test func `erased rows on a page that a reader holds keep the receipt waiting`() async throws {
            try await withServer { server in
                let (before, reader) = (try await connect(server), try await connect(server))
                defer {
                    before.close()
                    reader.close()
                }
                try before.executeScript("CREATE EXTENSION IF NOT EXISTS pgstattuple")
                for person in ["bob", "ann"] { try await server.send(to: ["person": .string(person)]) }
                let storage = try await server.storage()
                let rows = try #require(
                    ErasedRows(of: storage, clock: ManualClock(), logger: Logger(label: "test"))
                )
                // Until there is a reader that may not see the erased rows, and has their page.
                before.enqueue("BEGIN ISOLATION LEVEL REPEATABLE READ")
                try before.execute("SELECT count(*) FROM message")
                let answer = try await server.rest("DELETE", "/v1/people/ann")
                let id = try #require(answer.json["id"]?.stringValue)
                try reader.executeScript("SET idle_in_transaction_session_timeout = 0")
                // Beside an older transaction, also of another test's database, its snapshot would be older than the
                // erasure, and nothing would be vacuumed.
                let isLater = try await eventually {
                    try reader.execute("BEGIN")
                    try reader.execute("DECLARE messages CURSOR FOR SELECT content FROM message")
                    #expect(try reader.execute("FETCH 1 FROM messages").count == 1)
                    let isLater: Bool = try reader.execute(
                        """
                        SELECT age(s.backend_xmin) < age(e.xmin) FROM pg_stat_activity s, erasure e
                        WHERE s.pid = pg_backend_pid() AND e.id = $1
                        """,
                        [id]
                    )[0][0]
                    if !isLater { try reader.execute("COMMIT") }
                    return isLater
                }
                #expect(isLater)
                func vacuums() throws -> Int {
                    try before.execute("SELECT vacuum_count FROM pg_stat_user_tables WHERE relname = 'message'")[0][0]
                }
                let earlier = try vacuums()
                try before.execute("COMMIT")

                // The server itself may be first: it keeps others from it, and waits for the reader.
                let isVacuumedOnce = try await eventually {
                    try await rows.removeDue(patience: .milliseconds(50))
                    return try vacuums() > earlier
                }
                #expect(isVacuumedOnce)
                #expect(try dead(before, in: "message") > 0)
                #expect(try await server.rest("GET", "/v1/erasures/\(id)").json["vacuumedAt"] == nil)
                try reader.execute("COMMIT")
                let isVacuumed = try await eventually {
                    try await rows.removeDue()
                    return try await server.rest("GET", "/v1/erasures/\(id)").json["vacuumedAt"] != nil
                }
                #expect(isVacuumed)
                #expect(try dead(before, in: "message") == 0)
            }
        }

        /// A reader that begins meanwhile has a snapshot as old as it, and `VACUUM` keeps the rows for that reader.
        @Test func `a transaction that writes in another database keeps the receipt waiting`() async throws {
            try await withServer { server in
                try await server.send(to: ["person": "ann"])
                let storage = try await server.storage()
                let rows = try #require(
                    ErasedRows(of: storage, clock: ManualClock(), logger: Logger(label: "test"))
                )
                let address = try await TestDatabase.address(for: server.file)
                let elsewhere = address.deletingLastPathComponent().appending(path: "postgres")
                let other = try PostgresConnection(PostgresSettings(elsewhere.absoluteString))
                defer { other.close() }
                try other.executeScript("SET idle_in_transaction_session_timeout = 0")
                try other.execute("BEGIN")
                try other.execute("SELECT pg_current_xact_id()::text")
                let answer = try await server.rest("DELETE", "/v1/people/ann")
                let id = try #require(answer.json["id"]?.stringValue)
                #expect(try await rows.removeDue() == 0)
                #expect(try await server.rest("GET", "/v1/erasures/\(id)").json["vacuumedAt"] == nil)
                try other.execute("COMMIT")
                let isVacuumed = try await eventually {
                    try await rows.removeDue()
                    return try await server.rest("GET", "/v1/erasures/\(id)").json["vacuumedAt"] != nil
                }
                #expect(isVacuumed)
            }
        }

        @Test func `an open transaction that holds no page doesn't keep the receipt waiting`() async throws {
            try await withServer { server in
                let connection = try await connect(server)
                defer { connection.close() }
                try await server.send(to: ["person": "ann"])
                // Without the limit, it is open until the test ends it. A statement of a script leaves no portal
                // behind, which would keep its snapshot.
                try connection.executeScript("SET idle_in_transaction_session_timeout = 0")
                try connection.execute("BEGIN ISOLATION LEVEL READ COMMITTED")
                try connection.executeScript("SELECT content FROM message")
                let answer = try await server.rest("DELETE", "/v1/people/ann")
                let id = try #require(answer.json["id"]?.stringValue)
                let isVacuumed = try await eventually {
                    try await server.rest("GET", "/v1/erasures/\(id)").json["vacuumedAt"] != nil
                }
                #expect(isVacuumed)
                #expect(connection.isInTransaction)
                try connection.execute("COMMIT")
            }
        }

        @Test func `a long transaction of short statements doesn't keep the receipt waiting`() async throws {
            try await withServer { server in
                let (long, other) = (try await connect(server), try await connect(server))
                defer {
                    long.close()
                    other.close()
                }
                try await server.send(to: ["person": "ann"])
                try long.executeScript("SET idle_in_transaction_session_timeout = 0")
                long.enqueue("BEGIN ISOLATION LEVEL READ COMMITTED")
                try long.execute("SELECT content FROM message")
                let answer = try await server.rest("DELETE", "/v1/people/ann")
                let id = try #require(answer.json["id"]?.stringValue)
                let isVacuumed = try await eventually {
                    // It has a snapshot at each moment, and never one for long.
                    try other.execute("SELECT pg_current_xact_id()::text")
                    try long.execute("SELECT content FROM message")
                    return try await server.rest("GET", "/v1/erasures/\(id)").json["vacuumedAt"] != nil
                }
                #expect(isVacuumed)
                #expect(long.isInTransaction)
                try long.execute("COMMIT")
            }
        }

        @Test func `an erased person's name leaves the index of a large table, too`() async throws {
            try await withServer { server in
                let connection = try await connect(server)
                defer { connection.close() }
                try connection.executeScript(
                    """
                    CREATE EXTENSION IF NOT EXISTS pageinspect;
                    INSERT INTO audit (at, kind, personName)
                    SELECT n, 'person.exported', 'person' || n FROM generate_series(1, 20000) n
                    """
                )
                try await server.send(to: ["person": "erased-name"])
                #expect(try await server.rest("GET", "/v1/people/erased-name/export").status == 200)
                func names() throws -> Int {
                    try connection.execute(
                        """
                        SELECT count(*) FROM generate_series(1, pg_relation_size('audit_person') / 8192 - 1) AS block,
                            bt_page_items('audit_person', block::int) AS item
                        WHERE replace(item.data, ' ', '') LIKE '%' || encode('erased-name', 'hex') || '%'
                        """
                    )[0][0]
                }
                #expect(try names() > 0)
                let answer = try await server.rest("DELETE", "/v1/people/erased-name")
                let id = try #require(answer.json["id"]?.stringValue)
                let isVacuumed = try await eventually {
                    try await server.rest("GET", "/v1/erasures/\(id)").json["vacuumedAt"] != nil
                }
                #expect(isVacuumed)
                #expect(try names() == 0)
            }
        }

        @Test func `the database's planner has no samples of people's texts`() async throws {
            try await withServer { server in
                let people = (0..<300).map { "sample-\($0)" }
                try await server.send(to: ["people": JSON(people)], ["title": "A sample-title"])
                for person in people.prefix(40) {
                    try await server.send(to: ["person": .string(person)], ["title": "x", "groupKey": .string(person)])
                    let answer = try await server.rest(
                        "PUT",
                        "/v1/people/\(person)",
                        ["attributes": ["name": .string(person)]]
                    )
                    #expect((200..<300).contains(answer.status))
                }
                let connection = try await connect(server)
                defer { connection.close() }
                try connection.executeScript("ANALYZE")
                let sampled = try connection.execute(
                    """
                    SELECT DISTINCT tablename || '.' || attname FROM pg_stats
                    WHERE most_common_vals::text LIKE '%sample-%' OR histogram_bounds::text LIKE '%sample-%'
                    """
                ).map { try $0[0] as String }
                #expect(sampled == [])
            }
        }

        @Test func `a shutdown while erased rows are vacuumed logs no failure`() async throws {
            let log = RecordedLog()
            try await withFolder { folder in
                let file = folder.appending(path: "inbox.sqlite")
                let server = try await TestServer.start(file: file, clock: ManualClock(), logger: log.logger)
                let connection = try await connect(server)
                defer { connection.close() }
                // `VACUUM` waits for this lock, and an erasure doesn't.
                connection.enqueue("BEGIN")
                try connection.execute("LOCK TABLE message IN SHARE UPDATE EXCLUSIVE MODE")
                #expect(try await server.rest("DELETE", "/v1/people/ann").status == 200)
                let isWaiting = try await eventually {
                    // The table has the same number in the databases of other tests.
                    let waiting = """
                        SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database
                        WHERE relation = 'message'::regclass AND NOT granted AND datname = current_database()
                        """
                    return try !connection.execute(waiting).isEmpty
                }
                #expect(isWaiting)
                try await server.stop()
            }
            #expect(!log.messages.contains { $0.hasPrefix("erased rows") })
        }

        @Test func `the server removes the rows automatically, also for an unknown person`() async throws {
            try await withServer { server in
                for person in ["ann", "zoe"] {
                    if person == "ann" { try await server.send(to: ["person": "ann"]) }
                    let answer = try await server.rest("DELETE", "/v1/people/\(person)")
                    let id = try #require(answer.json["id"]?.stringValue)
                    let isVacuumed = try await eventually {
                        try await server.rest("GET", "/v1/erasures/\(id)").json["vacuumedAt"] != nil
                    }
                    #expect(isVacuumed, "\(person)")
                }
            }
        }
    }
#endif
