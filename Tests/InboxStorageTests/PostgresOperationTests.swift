import Eventually
import Foundation
import Groundwork
import Logging
import Postgres
import RecordedLogs
import RunningPostgres
import Testing

@testable import InboxService

/// What an operator's database, its users and its past may hold.
@Suite(.timeLimit(.minutes(5))) struct PostgresOperationTests {
    private func address(_ database: StorageDatabase) throws -> URL {
        try #require(URL(string: database.server.address(database.name)))
    }

    private func writer(_ storage: Storage) async throws -> Writer {
        try await Writer(storage: storage, clock: SystemClock(), random: .system, committed: { _ in })
    }

    private func send(_ people: [String], at time: Date, _ writer: Writer) async throws {
        let body: JSON = [
            "to": ["people": JSON(people)],
            "message": ["title": "x", "deliverAt": .string(RFC3339.string(from: time))],
        ]
        let messages = try OutgoingMessages(checking: JSONReader(body), now: SystemClock().now)
        _ = try await writer.write { try $0.send(messages) }
    }

    @Test func `a user's later settings end no statement and weaken no commit`() async throws {
        let database = try await StorageDatabase()
        let storage = try await Storage.open(try address(database))
        guard case .postgres(let postgres) = storage.engine else { return }
        let name = database.name
        try await database.use { connection in
            for setting in [
                "synchronous_commit = off", "statement_timeout = 1", "lock_timeout = 1", "idle_session_timeout = 1",
                "row_security = off",
            ] {
                try connection.executeScript("ALTER DATABASE \"\(name)\" SET \(setting)")
            }
            // From now on, all connections are new ones.
            try connection.executeScript(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid()
                """
            )
        }
        let values = Locked<[String]>([])
        #expect(
            try await eventually {
                let read = try? await postgres.write { connection in
                    let row = try connection.execute(
                        """
                        SELECT current_setting('synchronous_commit'), current_setting('statement_timeout'),
                            current_setting('lock_timeout'), current_setting('idle_session_timeout'),
                            current_setting('row_security'), pg_sleep(0.01)::text
                        """
                    )[0]
                    return [try row[0], try row[1], try row[2], try row[3], try row[4]] as [String]
                }
                values.withLock { $0 = read ?? [] }
                return read != nil
            }
        )
        #expect(values.withLock { $0 } == ["on", "0", "0", "0", "on"])
        try await storage.close()
    }

    @Test func `erased rows that the database keeps for some transactions have no time yet`() async throws {
        // Versions up to 15 have the setting. An autovacuum would use some of these transactions.
        try await DatabaseServer.run(options: ["vacuum_defer_cleanup_age=50", "autovacuum=off"]) { server in
            let storage = try await Storage.open(try #require(URL(string: server.address())))
            let log = RecordedLog()
            let rows = try #require(ErasedRows(of: storage, clock: SystemClock(), logger: log.logger))
            let settings = try server.settings()
            /// Runs a statement in transactions of its own.
            func run(_ sql: String, times: Int = 1) async throws {
                try await blocking {
                    let connection = try PostgresConnection(settings)
                    defer { connection.close() }
                    for _ in 0..<times { try connection.execute(sql) }
                }
            }
            try await run(StorageDatabase.erasure)
            #expect(try await rows.removeDue() == 0)
            try await run("SELECT pg_current_xact_id()::text", times: 60)
            #expect(log.messages.isEmpty)
            // The log names a transaction that may hold a page. Its snapshot is newer than the erasure.
            let reader = try PostgresConnection(settings)
            defer { reader.close() }
            try reader.executeScript("SET application_name = 'report'")
            reader.enqueue("BEGIN ISOLATION LEVEL REPEATABLE READ")
            try reader.execute("SELECT count(*) FROM erasure")
            for _ in 0..<2 { #expect(try await rows.removeDue(patience: .milliseconds(50)) == 0) }
            #expect(log.entries.count == 1)
            let holder = try #require(log.entries.first?.metadata["by"])
            #expect(holder.hasPrefix("process \(reader.backend) (") && holder.contains("report"), "\(holder)")
            try reader.execute("COMMIT")
            #expect(try await eventually { try await rows.removeDue() == 1 })
            try await storage.close()
        }
    }

    @Test func `the log names who has locked a table of erased rows`() async throws {
        try await DatabaseServer.run(options: ["autovacuum=off"]) { server in
            let storage = try await Storage.open(try #require(URL(string: server.address())))
            let log = RecordedLog()
            let rows = try #require(ErasedRows(of: storage, clock: SystemClock(), logger: log.logger))
            let other = try PostgresConnection(try server.settings())
            defer { other.close() }
            try other.execute(StorageDatabase.erasure)
            try other.executeScript("SET application_name = 'report'")
            other.enqueue("BEGIN")
            try other.execute("LOCK TABLE message IN SHARE MODE")
            // Otherwise a VACUUM that waits would hold up the test.
            let process = Int(other.backend)
            let release = Task {
                try await Task.sleep(for: .seconds(60))
                try await storage.read { reading in
                    _ = try reading.db.row("SELECT pg_terminate_backend(\(process))", isRare: true)
                }
            }
            let isLogged = try await eventually {
                let count = try await rows.removeDue(patience: .milliseconds(50))
                #expect(count == 0)
                return !log.entries.isEmpty
            }
            #expect(isLogged)
            #expect(try await rows.removeDue(patience: .milliseconds(50)) == 0)
            #expect(log.entries.count == 1)
            let holder = try #require(log.entries.first?.metadata["by"])
            #expect(holder.hasPrefix("process \(process) (") && holder.contains("report"), "\(holder)")
            release.cancel()
            try other.execute("COMMIT")
            #expect(try await eventually { try await rows.removeDue() == 1 })
            try await storage.close()
        }
    }

    @Test func `a later cursor of a transaction keeps the receipt of an erasure waiting`() async throws {
        // An autovacuum, or a transaction of another database, could be older than the erasure.
        try await DatabaseServer.run(options: ["autovacuum=off"]) { server in
            let storage = try await Storage.open(try #require(URL(string: server.address())))
            let rows = try #require(ErasedRows(of: storage, clock: SystemClock(), logger: Logger(label: "test")))
            let settings = try server.settings()
            let (reader, other) = (try PostgresConnection(settings), try PostgresConnection(settings))
            defer {
                reader.close()
                other.close()
            }
            try other.execute(StorageDatabase.erasure)
            try reader.executeScript("SET idle_in_transaction_session_timeout = 0")
            try reader.execute("BEGIN ISOLATION LEVEL READ COMMITTED")
            for cursor in ["earlier", "later"] {
                try reader.execute("DECLARE \(cursor) CURSOR FOR SELECT id FROM erasure")
                #expect(try reader.execute("FETCH 1 FROM \(cursor)").count == 1)
                // The next snapshot is another one.
                try other.execute("SELECT pg_current_xact_id()::text")
            }
            async let count = rows.removeDue(patience: .seconds(3))
            let isWaiting = try await eventually {
                try !other.execute(
                    """
                    SELECT FROM pg_stat_activity
                    WHERE pid <> pg_backend_pid() AND state = 'idle' AND query LIKE '%virtualxid%'
                    """
                ).isEmpty
            }
            #expect(isWaiting)
            try reader.execute("CLOSE earlier")
            let removed = try await count
            #expect(removed == 0)
            try reader.execute("CLOSE later")
            try reader.executeScript("SELECT 1")
            let isRemoved = try await eventually { try await rows.removeDue() == 1 }
            #expect(isRemoved)
            #expect(reader.isInTransaction)
            try reader.execute("COMMIT")
            try await storage.close()
        }
    }

    @Test func `the receipt of an erasure doesn't wait for a VACUUM of another table`() async throws {
        try await DatabaseServer.run(options: ["autovacuum=off"]) { server in
            let storage = try await Storage.open(try #require(URL(string: server.address())))
            let rows = try #require(ErasedRows(of: storage, clock: SystemClock(), logger: Logger(label: "test")))
            let settings = try server.settings()
            let connection = try PostgresConnection(settings)
            defer { connection.close() }
            try connection.executeScript(
                """
                CREATE SCHEMA other;
                CREATE TABLE other.large AS SELECT repeat('a', 1000) AS text FROM generate_series(1, 2000);
                DELETE FROM other.large
                """
            )
            let vacuum = Task {
                try await blocking {
                    let slow = try PostgresConnection(settings)
                    defer { slow.close() }
                    // It takes a minute, unless it is cancelled.
                    try slow.executeScript("SET vacuum_cost_delay = 100; SET vacuum_cost_limit = 1")
                    try slow.executeScript("VACUUM other.large")
                }
            }
            let isRunning = try await eventually {
                try !connection.execute("SELECT FROM pg_stat_progress_vacuum").isEmpty
            }
            #expect(isRunning)
            try connection.execute(StorageDatabase.erasure)
            let isRemoved = try await eventually { try await rows.removeDue(patience: .milliseconds(50)) == 1 }
            #expect(isRemoved)
            // It is still at it.
            let cancel = "SELECT pg_cancel_backend(pid) FROM pg_stat_progress_vacuum"
            #expect(try connection.execute(cancel).count == 1)
            _ = await vacuum.result
            try await storage.close()
        }
    }

    @Test func `nothing is stored while triggers don't run on new connections`() async throws {
        let database = try await StorageDatabase()
        let storage = try await Storage.open(try address(database))
        try await storage.join()
        let writer = try await writer(storage)
        try await send(["ann"], at: SystemClock().now, writer)
        let name = database.name
        try await database.use { connection in
            try connection.executeScript("ALTER DATABASE \"\(name)\" SET session_replication_role = replica")
            // From now on, all connections are new ones.
            try connection.executeScript(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid()
                """
            )
        }
        let isRefused = try await eventually {
            let error = await failure(ServerSetupError.self) {
                try await send(["bob"], at: SystemClock().now, writer)
            }
            return error?.description.hasPrefix("session_replication_role is replica") ?? false
        }
        #expect(isRefused)
        #expect(storage.skipsTriggers)
        try await database.use { connection in
            #expect(try connection.execute("SELECT FROM personName WHERE name = 'bob'").isEmpty)
            try connection.executeScript("ALTER DATABASE \"\(name)\" RESET session_replication_role")
        }
        // A server goes on by itself, also while no write comes.
        #expect(try await eventually { !storage.skipsTriggers })
        let isStored = try await eventually {
            (try? await send(["bob"], at: SystemClock().now, writer)) != nil
        }
        #expect(isStored)
        try await storage.close()
    }

    @Test func `a user who can't see the rows is refused by name`() async throws {
        let database = try await StorageDatabase()
        try await Storage.open(try address(database)).close()
        let name = database.name
        let user = "stranger of \(database.name)"
        try await database.use { connection in
            try connection.executeScript(
                """
                CREATE ROLE "\(user)" LOGIN PASSWORD 'secret';
                GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO "\(user)";
                GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO "\(user)";
                GRANT "\(name)_reader" TO "\(user)";
                -- As in a database of an earlier version, which its owner alone can change.
                GRANT EXECUTE ON FUNCTION countOutboxRows() TO PUBLIC
                """
            )
        }
        let encoded = try #require(user.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        let address = "postgres://\(encoded):secret@127.0.0.1:\(database.server.port)/\(database.name)"
        let error = await failure(ServerSetupError.self) {
            try await Storage.open(try #require(URL(string: address))).close()
        }
        #expect(error?.description.contains(user) ?? false, "\(String(describing: error))")
        #expect(error?.description.contains("doesn't own the tables") ?? false, "\(String(describing: error))")
    }

    @Test func `a server that starts while another one rotates the signing key has the new one`() async throws {
        let database = try await StorageDatabase()
        let storage = try await Storage.open(try address(database))
        let writer = try await writer(storage)
        let (former, new) = (Data([1]), Data([2]))
        _ = try await writer.write { try $0.signingKeys(creating: former) }
        let (isLocked, mayGoOn) = (Locked(false), Locked(false))
        let rotation = Task {
            try await database.use { connection in
                try connection.transaction { connection in
                    try connection.execute("SELECT pg_advisory_xact_lock(hashtextextended('signingKeys', 0))")
                    // Who hasn't waited before waits between the key and the former ones.
                    try connection.execute("LOCK TABLE formerTokenKey IN ACCESS EXCLUSIVE MODE")
                    isLocked.withLock { $0 = true }
                    while !mayGoOn.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.005) }
                    try connection.execute("INSERT INTO formerTokenKey (hash, endsAt) VALUES ($1, 1)", [former])
                    try connection.execute("UPDATE setting SET value = $1 WHERE name = 'tokenKey'", [new])
                }
            }
        }
        #expect(try await eventually { isLocked.withLock { $0 } })
        let start = Task { try await writer.write { try $0.signingKeys(creating: former) } }
        let waiting = """
            SELECT count(*) FROM pg_locks
            WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
            """
        #expect(try await eventually { try await database.use { try $0.execute(waiting)[0][0] as Int } > 0 })
        mayGoOn.withLock { $0 = true }
        try await rotation.value
        let keys = try await start.value
        #expect(keys.current == new && keys.generation == 1)
        try await storage.close()
    }

    @Test func `many expired records are deleted in parts`() async throws {
        let database = try await StorageDatabase()
        let storage = try await Storage.open(try address(database))
        let writer = try await writer(storage)
        try await database.use { connection in
            try connection.executeScript(
                """
                INSERT INTO idempotency (apiKey, key, bodyHash, status, response, at)
                SELECT 1, n, '', 201, '', n FROM generate_series(1, 25000) n;
                INSERT INTO idempotency (apiKey, key, bodyHash, status, response, at)
                VALUES (1, 'kept', '', 201, '', \(SystemClock().now.milliseconds))
                """
            )
        }
        var left: [Int] = []
        while try await writer.write({ try $0.deleteExpiredRecords() }) {
            left.append(try await storage.read { try $0.db.value("SELECT count(*) FROM idempotency") } ?? 0)
        }
        left.append(try await storage.read { try $0.db.value("SELECT count(*) FROM idempotency") } ?? 0)
        #expect(left == [15_001, 5_001, 1])
        try await storage.close()
    }

    @Test func `an erasure has as many statements for many messages as for a few`() async throws {
        let database = try await StorageDatabase()
        let storage = try await Storage.open(try address(database))
        let writer = try await writer(storage)
        let (count, time) = (200, RFC3339.string(from: SystemClock().now.addingTimeInterval(3_600)))
        func messages(to people: JSON) -> JSON {
            .array((0..<count).map { _ in ["to": people, "message": ["title": "x", "deliverAt": .string(time)]] })
        }
        for people: JSON in [["person": "ann"], ["people": ["ann", "bob"]]] {
            let sent = try OutgoingMessages(checking: JSONReader(messages(to: people)), now: SystemClock().now)
            _ = try await writer.write { try $0.send(sent) }
        }
        let changes = try await writer.write { transaction in
            let before = transaction.db.changeCount
            _ = try transaction.erase("ann", receipt: "e1", by: .tool)
            return transaction.db.changeCount - before
        }
        // Each deleted delivery counts, and each statement whose result isn't needed.
        #expect((2 * count..<3 * count).contains(changes))
        func rows(_ table: SQLText) async throws -> Int? {
            try await storage.read { try $0.db.value("SELECT count(*) FROM \(table)") }
        }
        #expect(try await rows("message WHERE content <> ''") == count, "those that bob has are kept")
        #expect(try await rows("due") == count)
        #expect(try await rows("delivery") == count)
        try await storage.close()
    }

    @Test(arguments: [false, true])
    func `a broadcast on which many have acted is removed in parts`(isRecalled: Bool) async throws {
        let database = try await StorageDatabase()
        let storage = try await Storage.open(try address(database))
        let writer = try await writer(storage)
        let body: JSON = ["to": ["everyone": true], "message": ["title": "x"]]
        let messages = try OutgoingMessages(checking: JSONReader(body), now: SystemClock().now)
        let sent = try await writer.write { try $0.send(messages) }
        let id = try #require(sent["id"]?.stringValue.flatMap { MessageID($0) })
        try await database.use { connection in
            try connection.executeScript(
                """
                INSERT INTO delivery (message, person, created, sequence, edited, deliverAt, state)
                SELECT m.id, n, 1, 1, 1, m.deliverAt, 1 FROM message m CROSS JOIN generate_series(1, 10001) AS n
                """
            )
            if !isRecalled { try connection.executeScript("UPDATE due SET at = 1; UPDATE message SET expiresAt = 1") }
        }
        let hidden = Locked<[Int: Int]>([:])
        if isRecalled {
            #expect(try await writer.write { try $0.beginRecall(of: id, hidden) })
            // Other servers leave it to this one for a while.
            _ = try await writer.write { try $0.runDue() }
            let shown: Int? = try await storage.read { reading in
                try reading.db.value("SELECT count(*) FROM message WHERE state = 1")
            }
            #expect(shown == 1)
        }
        // It may be hidden from some of them, also where the server was killed that recalls it.
        let content: JSON = ["message": ["title": "y"]]
        let edit = try MessageEdit(checking: JSONReader(content), now: SystemClock().now)
        let patch = try MessagePatch(checking: JSONReader(content))
        let edited = await failure(MessageExpired.self) { _ = try await writer.write { try $0.edit(id, edit) } }
        let patched = await failure(MessageExpired.self) { _ = try await writer.write { try $0.patch(id, patch) } }
        #expect(edited != nil && patched != nil)
        if isRecalled {
            while try await writer.write({ try $0.beginRecall(of: id, hidden) }) {}
            #expect(try await writer.write { try $0.recall(id) })
        } else {
            let scheduler = DueScheduler(
                storage: storage,
                writer: writer,
                clock: SystemClock(),
                timer: DueTimer(),
                logger: Logger(label: "test")
            )
            try await scheduler.catchUp()
        }
        func count(_ text: SQLText) async throws -> Int? { try await storage.read { try $0.db.value(text) } }
        let transactions = try await count("SELECT count(DISTINCT xmin::text) FROM delivery WHERE state = 2")
        #expect(transactions == PostgresSchema.partitions)
        #expect(try await count("SELECT count(*) FROM delivery WHERE state = 2") == 10_001)
        #expect(try await count("SELECT count(*) FROM message WHERE state = 2 AND broadcastSequence = 2") == 1)
        #expect(try await count("SELECT count(*) FROM due") == 0)
        try await storage.close()
    }

    @Test func `due work for many people doesn't wait for recipients of the next message`() async throws {
        let database = try await StorageDatabase()
        let storage = try await Storage.open(try address(database))
        let writer = try await writer(storage)
        let time = SystemClock().now.addingTimeInterval(60)
        try await send(["ann"], at: time, writer)
        try await send(["zoe"], at: time.addingTimeInterval(1), writer)
        let (isLocked, isDone) = (Locked(false), Locked(false))
        let holding = Task {
            try await database.use { connection in
                // As many as one transaction may concern.
                try connection.executeScript("UPDATE message SET recipients = 10000; UPDATE due SET at = at - 120000")
                try connection.transaction { connection in
                    try connection.execute("SELECT FROM person WHERE name = 'zoe' FOR UPDATE")
                    isLocked.withLock { $0 = true }
                    while !isDone.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.005) }
                }
            }
        }
        #expect(try await eventually { isLocked.withLock { $0 } })
        let delivered = Locked<Bool?>(nil)
        let first = Task {
            let hasMore = try await writer.write { try $0.runDue() }
            delivered.withLock { $0 = hasMore }
        }
        #expect(try await eventually { delivered.withLock { $0 } == true })
        isDone.withLock { $0 = true }
        try await holding.value
        try await first.value
        let shown = "SELECT count(*) FROM delivery WHERE state = 1"
        #expect(try await storage.read { try $0.db.value(SQLText(shown)) } == 1)
        #expect(try await writer.write { try $0.runDue() } == false)
        #expect(try await storage.read { try $0.db.value(SQLText(shown)) } == 2)
        try await storage.close()
    }

    @Test func `the counts that servers have each on their own are one entry of the audit log`() async throws {
        let database = try await StorageDatabase()
        let storage = try await Storage.open(try address(database))
        let writer = try await writer(storage)
        try await writer.write { transaction in
            for hour in [3_600_000, 7_200_000] { try transaction.count(2, .keyRejected, reason: "wrong", hour: hour) }
            try transaction.audit(.keyCreated, by: .tool)
        }
        try await database.use { connection in
            try connection.executeScript(
                """
                INSERT INTO audit (at, kind, reason, count, slot)
                SELECT at, kind, reason, 5, slot + 1 FROM audit WHERE count IS NOT NULL
                """
            )
        }
        let entries = try await storage.read { try $0.auditEntries(AuditList(page: Page(limit: 10, after: nil))) }
        #expect(entries.map(\.count) == [nil, 7, 7])
        let last = AuditList(page: Page(limit: 1, after: entries[1].id))
        #expect(try await storage.read { try $0.auditEntries(last) }.map(\.count) == [7])
        try await storage.close()
    }

    @Test func `requests that name people in different orders aren't deadlocked`()
        async throws
    {
        let database = try await StorageDatabase()
        let (one, other) = (
            try await Storage.open(try address(database)), try await Storage.open(try address(database))
        )
        let writers = [try await writer(one), try await writer(other)]
        let deadlocks = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, writer) in writers.enumerated() {
                group.addTask {
                    for round in 0..<15 {
                        // Half of them are new in each round.
                        let names = (0..<20).map { $0 % 2 == 0 ? "p\($0)" : "p\($0) of \(round)" }
                        let ordered = index == 0 ? names : names.reversed()
                        let body = JSON.array(
                            ordered.map { ["to": ["person": .string($0)], "message": ["title": "x"]] }
                        )
                        let messages = try OutgoingMessages(checking: JSONReader(body), now: SystemClock().now)
                        _ = try await writer.write { transaction in
                            let answer = try transaction.send(messages)
                            // Time in which the other one begins.
                            Thread.sleep(forTimeInterval: 0.01)
                            return answer
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let sequences: Int? = try await one.read { reading in
            try reading.db.value("SELECT CAST(sum(sequence) AS bigint) FROM person")
        }
        #expect(sequences == 2 * 15 * 20)
        try await one.close()
        try await other.close()
        // The counts of a connection are there once it is closed.
        #expect(try await database.use { try $0.execute(deadlocks)[0][0] as Int } == 0)
    }

    @Test func `reads that each request needs don't wait for people's queries`() async throws {
        let database = try await StorageDatabase()
        let storage = try await Storage.open(try address(database))
        let isOver = Locked(false)
        try await withThrowingTaskGroup(of: Void.self) { group in
            // More than there are connections for them.
            for _ in 0..<40 {
                group.addTask {
                    try await storage.read { reading in
                        while !isOver.withLock({ $0 }) {
                            _ = try reading.db.value("SELECT pg_sleep(0.05)::text") as String?
                        }
                    }
                }
            }
            let states = StateReads(of: storage)
            for _ in 0..<5 {
                try await storage.check()
                #expect(try await states.latest(of: 1).person.own == 0)
            }
            // They were answered while none of the queries was.
            isOver.withLock { $0 = true }
            try await group.waitForAll()
        }
        try await storage.close()
    }
}
