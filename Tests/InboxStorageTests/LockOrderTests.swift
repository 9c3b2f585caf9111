import Eventually
import Foundation
import Groundwork
import Postgres
import RunningPostgres
import Testing

@testable import InboxService

/// Writes of two servers that lock the same rows. Neither waits for the other one in a circle, which PostgreSQL would
/// end by a failure of one of them, and the server by another attempt.
@Suite(.timeLimit(.minutes(5))) struct LockOrderTests {
    /// Two servers' writers of a new database in which are ann, a webhook, and what a test adds.
    private struct Servers: Sendable {
        let database: StorageDatabase
        let storages: [Storage]
        let writers: [Writer]
        let ann: Person

        init(_ sql: String) async throws {
            database = try await StorageDatabase()
            let address = try #require(URL(string: database.server.address(database.name)))
            storages = [try await Storage.open(address), try await Storage.open(address)]
            var writers: [Writer] = []
            for storage in storages { writers.append(try await LockOrderTests.writer(storage)) }
            self.writers = writers
            ann = try await writers[0].write { transaction in
                _ = try transaction.person(named: "ann", advancing: true)
                return try #require(try transaction.reading.person(named: "ann")).person
            }
            let script = sql.replacing("ANN", with: "\(ann.id)")
            try await database.use { connection in
                try connection.executeScript(
                    """
                    INSERT INTO webhook (url, types, isEnabled, isGone, secret, pausedUntil, createdAt)
                    VALUES ('https://example.com', '["*"]', true, false, '', 0, 0);
                    \(script)
                    """
                )
            }
        }

        /// Runs a write of the first server in two steps. Between them, one of the other server goes as far as it can.
        ///
        /// - Returns: The numbers of attempts, which are greater than 1 after a circle.
        func attempts(
            _ first: @escaping @Sendable (WriteTransaction) throws -> Void,
            _ then: @escaping @Sendable (WriteTransaction) throws -> Void,
            against other: @escaping @Sendable (WriteTransaction) throws -> Void
        ) async throws -> [Int] {
            let (attempts, isFirstDone, isOtherDone) = (Locked([0, 0]), Locked(false), Locked(false))
            async let one: Void = writers[0].write(.shared, isPatient: true) { transaction in
                attempts.withLock { $0[0] += 1 }
                try first(transaction)
                // Sends what is queued.
                _ = try transaction.db.value("SELECT 1") as Int?
                isFirstDone.withLock { $0 = true }
                while !isOtherDone.withLock({ $0 }), try !Self.isWaitedFor(transaction) {
                    Thread.sleep(forTimeInterval: 0.005)
                }
                try then(transaction)
            }
            while !isFirstDone.withLock({ $0 }) { await Task.yield() }
            do {
                defer { isOtherDone.withLock { $0 = true } }
                try await writers[1].write(.shared, isPatient: true) { transaction in
                    attempts.withLock { $0[1] += 1 }
                    try other(transaction)
                }
            }
            try await one
            for storage in storages { try await storage.close() }
            return attempts.withLock { $0 }
        }

        private static func isWaitedFor(_ transaction: WriteTransaction) throws -> Bool {
            let waiting: Int? = try transaction.db.value(
                "SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid)) LIMIT 1"
            )
            return waiting != nil
        }

        func numbers(_ sql: String) async throws -> [Int] {
            try await database.use { connection in try connection.execute(sql).map { try $0[0] } }
        }
    }

    private static func writer(_ storage: Storage) async throws -> Writer {
        try await Writer(storage: storage, clock: SystemClock(), random: .system, committed: { _ in })
    }

    /// A statement that adds a message.
    ///
    /// - Parameter recipients: `NULL` for everyone.
    private static func message(_ id: Int, recipients: String = "1", state: Int = 1) -> String {
        """
        INSERT INTO message (id, content, surface, deliverAt, createdAt, recipients, state, broadcastSequence)
        VALUES (\(id), '{"title":"x"}', '', 0, 0, \(recipients), \(state),
            CASE WHEN \(recipients) IS NULL THEN \(id) END);
        """
    }

    private static func delivery(_ id: Int, state: Int = 1) -> String {
        """
        INSERT INTO delivery (message, person, created, sequence, deliverAt, state) VALUES (\(id), ANN, 1, 1, 0, \(state));
        """
    }

    private static func due(_ kind: Int, _ id: Int, _ person: String = "0", at time: Int = 0) -> String {
        "INSERT INTO due (kind, message, person, at) VALUES (\(kind), \(id), \(person), \(time));"
    }

    private static func payload(_ id: Int) -> String {
        """
        INSERT INTO outbox (id, webhook, event, person, type, body, createdAt, attempts, nextAt)
        VALUES (\(id), 1, 'e\(id)', ANN, 'read', '{}', \(Int(Date().timeIntervalSince1970) * 1_000), 0, 0);
        """
    }

    private func delivery(_ outbox: Int, _ servers: Servers) -> WebhookDelivery {
        WebhookDelivery(
            outbox: outbox,
            person: servers.ann.id,
            nextAt: 0,
            webhook: 1,
            url: "https://example.com",
            secrets: [],
            event: "e\(outbox)",
            body: "{}",
            attempts: 0
        )
    }

    @Test func `a message is restored while another server is about to destroy it`() async throws {
        let servers = try await Servers(
            [Self.message(1), Self.delivery(1), "UPDATE delivery SET deletedAt = 1;", Self.due(3, 1, "ANN")].joined()
        )
        let ann = servers.ann
        let attempts = try await servers.attempts(
            { try $0.lock(ann) },
            { transaction in
                try transaction.db.run("UPDATE delivery SET deletedAt = NULL WHERE person = ?", [ann.id])
                try transaction.unschedule(.purge, message: MessageID(rawValue: 1), person: ann.id)
            },
            against: { while try $0.runDue() {} }
        )
        #expect(attempts == [1, 1])
        #expect(try await servers.numbers("SELECT count(*) FROM delivery WHERE state = 1") == [1])
        #expect(try await servers.numbers("SELECT count(*) FROM due") == [0])
    }

    @Test func `people are created after those who exist are locked, on each server`() async throws {
        let servers = try await Servers("")
        let attempts = try await servers.attempts(
            { try $0.createAndLock(people: ["ann"]) },
            { try $0.createAndLock(people: ["bob"]) },
            against: { try $0.createAndLock(people: ["ann", "bob"]) }
        )
        #expect(attempts == [1, 1])
        #expect(try await servers.numbers("SELECT count(*) FROM person") == [2])
    }

    @Test func `messages that people deleted are destroyed after all other due work`() async throws {
        let deleted = (1...60).map { Self.message($0) + Self.delivery($0) + Self.due(3, $0, "ANN", at: $0) }.joined()
        let servers = try await Servers(
            deleted + "UPDATE delivery SET deletedAt = 1;" + Self.message(99) + Self.delivery(99)
                + Self.due(2, 99, at: 100)
        )
        var more: [Bool] = []
        for _ in 0..<3 { more.append(try await servers.writers[0].write { try $0.runDue() }) }
        #expect(more == [true, true, false])
        #expect(try await servers.numbers("SELECT count(*) FROM due") == [0])
        #expect(try await servers.numbers("SELECT count(*) FROM delivery WHERE state = 2") == [61])
        for storage in servers.storages { try await storage.close() }
    }

    @Test func `a broadcast is read while another server removes it`() async throws {
        let servers = try await Servers(
            [
                Self.message(1, recipients: "NULL"), Self.due(2, 1), Self.message(3), Self.delivery(3),
                Self.due(2, 3, at: 1),
            ].joined()
        )
        let ann = servers.ann
        let found = Locked<InboxMessage?>(nil)
        let attempts = try await servers.attempts(
            { transaction in
                try transaction.lock(ann)
                let message = try transaction.reading.inbox(of: ann).message(MessageID(rawValue: 1))
                found.withLock { $0 = message }
            },
            { transaction in
                let message = try #require(found.withLock { $0 })
                let dates = PersonalDates { _ in 1 }
                try transaction.put(message, dates: dates, withheld: .none, stage: .shown, for: ann)
            },
            against: { _ = try $0.runDue() }
        )
        #expect(attempts == [1, 1])
        #expect(try await servers.numbers("SELECT id FROM message WHERE state = 2") == [1])
    }

    @Test func `a message expires while another server is about to deliver it`() async throws {
        let servers = try await Servers([Self.message(1, state: 0), Self.due(1, 1), Self.due(2, 1)].joined())
        let attempts = try await servers.attempts(
            { $0.db.lock("SELECT 1 FROM due WHERE kind = 1 FOR UPDATE") },
            { $0.lock([MessageID(rawValue: 1)]) },
            against: { _ = try $0.runDue() }
        )
        #expect(attempts == [1, 1])
        // What is left has nothing to do.
        #expect(try await servers.numbers("SELECT kind::bigint FROM due") == [1])
    }

    @Test func `a person is erased while another server removes a message of the person`() async throws {
        let servers = try await Servers([Self.message(1), Self.delivery(1), Self.due(2, 1)].joined())
        let attempts = Locked([0, 0])
        let settings = try servers.database.settings
        let blocker = try await blocking {
            let connection = try PostgresConnection(settings)
            try connection.execute("BEGIN")
            try connection.execute("SELECT pg_advisory_xact_lock(hashtextextended('tokens of ann', 0))")
            return Held(connection)
        }
        async let erasure: Void = servers.writers[0].write(.shared, isPatient: true) { transaction in
            attempts.withLock { $0[0] += 1 }
            _ = try transaction.erase("ann", receipt: "e1", by: .tool)
        }
        func waiting() async throws -> Int {
            try await servers.numbers(
                "SELECT count(DISTINCT pid) FROM pg_locks WHERE NOT granted AND pid IN "
                    + "(SELECT pid FROM pg_stat_activity WHERE datname = current_database())"
            )[0]
        }
        #expect(try await eventually { try await waiting() == 1 })
        let isDone = Locked(false)
        async let removal: Void = {
            _ = try await servers.writers[1].write(.shared, isPatient: true) { transaction in
                attempts.withLock { $0[1] += 1 }
                return try transaction.runDue()
            }
            isDone.withLock { $0 = true }
        }()
        #expect(
            try await eventually {
                let count = try await waiting()
                return isDone.withLock { $0 } || count == 2
            }
        )
        await blocker.use { $0.close() }
        try await erasure
        try await removal
        #expect(attempts.withLock { $0 } == [1, 1])
        #expect(try await servers.numbers("SELECT count(*) FROM message WHERE content = ''") == [1])
        #expect(try await servers.numbers("SELECT (SELECT count(*) FROM due) + (SELECT count(*) FROM person)") == [0])
        for storage in servers.storages { try await storage.close() }
    }

    @Test(arguments: [[1, 2], [2, 1]])
    func `old records are deleted while another server writes them, in any order`(order: [Int]) async throws {
        let servers = try await Servers(
            """
            INSERT INTO batch (person, epoch, number, outcome, at)
            SELECT p, 'e', 1, '{}', p FROM unnest(ARRAY[1, 2]) AS r (p);
            """
        )
        @Sendable func write(_ person: Int, _ transaction: WriteTransaction) throws {
            try transaction.db.run("UPDATE batch SET number = 2 WHERE person = ?", [person])
        }
        let attempts = try await servers.attempts(
            { try write(order[0], $0) },
            { try write(order[1], $0) },
            against: { _ = try $0.deleteExpiredRecords() }
        )
        #expect(attempts == [1, 1])
        // The rest is deleted the next time.
        let address = try #require(URL(string: servers.database.server.address(servers.database.name)))
        let again = try await Storage.open(address)
        #expect(try await !Self.writer(again).write { try $0.deleteExpiredRecords() })
        #expect(try await servers.numbers("SELECT count(*) FROM batch") == [0])
        try await again.close()
    }

    @Test(arguments: [[1, 2], [2, 1]])
    func `a person is erased while results of webhooks are stored, in any order`(
        order: [Int]
    ) async throws {
        let servers = try await Servers(Self.payload(1) + Self.payload(2))
        let deliveries = order.map { delivery($0, servers) }
        let attempts = try await servers.attempts(
            { try $0.finish(deliveries[0], .delivered) },
            { try $0.finish(deliveries[1], .delivered) },
            against: { _ = try $0.erase("ann", receipt: "e1", by: .tool) }
        )
        #expect(attempts == [1, 1])
        #expect(try await servers.numbers("SELECT count(*) FROM outbox") == [0])
    }

    @Test(arguments: [[1, 2], [2, 1]])
    func `a person is erased while a webhook is removed, in any order`(order: [Int]) async throws {
        let servers = try await Servers(Self.payload(1) + Self.payload(2))
        @Sendable func remove(_ id: Int, _ transaction: WriteTransaction) throws {
            try transaction.db.run("DELETE FROM outbox WHERE id = ?", [id])
        }
        let attempts = try await servers.attempts(
            { transaction in
                transaction.db.lock("SELECT 1 FROM webhook FOR UPDATE")
                try remove(order[0], transaction)
            },
            { try remove(order[1], $0) },
            against: { _ = try $0.erase("ann", receipt: "e1", by: .tool) }
        )
        #expect(attempts == [1, 1])
        #expect(try await servers.numbers("SELECT count(*) FROM outbox") == [0])
    }

    @Test func `a webhook is removed while its receiver ends it, or asks for a pause`() async throws {
        let gone = DeliveryMachine.Decision.gone(reason: "status 410")
        let paused = DeliveryMachine.Decision.retry(at: .now, pausedUntil: .now, reason: "status 429")
        let retry = DeliveryMachine.Decision.retry(at: .now, pausedUntil: nil, reason: "status 500")
        // A webhook's row comes before the payloads that others have locked.
        #expect([gone, paused].allSatisfy { $0.scope == .shared })
        #expect([retry, .delivered, .dead(reason: "status 500")].allSatisfy { $0.scope == .independent })
        for decision in [gone, paused] {
            let servers = try await Servers(Self.payload(1))
            let payload = delivery(1, servers)
            let attempts = try await servers.attempts(
                { $0.db.lock("SELECT 1 FROM webhook FOR UPDATE") },
                { _ = try $0.removeWebhook(WebhookID(rawValue: 1)) },
                against: { try $0.finish(payload, decision) }
            )
            #expect(attempts == [1, 1])
            #expect(try await servers.numbers("SELECT count(*) FROM outbox") == [0])
        }
    }

    // MARK: Entries of a newer version

    @Test func `due entries of an unknown kind stay and delay nothing`() async throws {
        let unknown = (1...WriteTransaction.dueLimit * 2).map { Self.due(9, $0) }.joined()
        let servers = try await Servers(unknown + Self.message(1) + Self.delivery(1) + Self.due(2, 1, at: 1))
        let (storage, writer) = (servers.storages[0], servers.writers[0])
        #expect(try await storage.read { try $0.earliestDue() } == Date(milliseconds: 1))
        while try await writer.write({ try $0.runDue() }) {}
        #expect(try await storage.read { try $0.earliestDue() } == nil)
        #expect(try await servers.numbers("SELECT count(*) FROM due WHERE kind = 9") == [WriteTransaction.dueLimit * 2])
        #expect(try await servers.numbers("SELECT count(*) FROM due WHERE kind <> 9") == [0])
        #expect(try await servers.numbers("SELECT state::bigint FROM message") == [2])
        for storage in servers.storages { try await storage.close() }
    }
}
