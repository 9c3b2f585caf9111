import Eventually
import Foundation
import Groundwork
import Postgres
import RunningPostgres
import SeededRandom
import Testing

@testable import InboxService

/// What only PostgreSQL's storage does. The rest is shown by the server's tests, which run on both databases.
@Suite(.timeLimit(.minutes(5))) struct PostgresStorageTests {
    private func storage(_ database: StorageDatabase) async throws -> Storage {
        try await Storage.open(try #require(URL(string: database.server.address(database.name))))
    }

    private func writer(_ storage: Storage) async throws -> Writer {
        try await Writer(storage: storage, clock: SystemClock(), random: .system, committed: { _ in })
    }

    /// Runs a test with two storages over one database, as two servers have them.
    private func withTwo(_ body: (Storage, Storage) async throws -> Void) async throws {
        let database = try await StorageDatabase()
        let one = try await storage(database)
        let other = try await storage(database)
        try await body(one, other)
        try await one.close()
        try await other.close()
    }

    @Test func `the changes of one person on two servers have sequences of their own`() async throws {
        try await withTwo { one, other in
            let writers = [try await writer(one), try await writer(other)]
            let sequences = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<100 {
                    group.addTask {
                        try await writers[number % 2].write { transaction in
                            try transaction.person(named: "ann", advancing: true).sequence
                        }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(sequences.sorted() == Array(1...100))
            let people: Int? = try await one.read { try $0.db.value("SELECT count(*) FROM person") }
            #expect(people == 1)
        }
    }

    @Test func `a write waits for another server's write for the same person`() async throws {
        try await withTwo { one, other in
            let (first, second) = (try await writer(one), try await writer(other))
            _ = try await first.write { try $0.person(named: "ann", advancing: true) }
            let (hasLock, hasBegun) = (Locked(false), Locked(false))
            async let earlier = first.write { transaction in
                let sequence = try transaction.person(named: "ann", advancing: true).sequence
                hasLock.withLock { $0 = true }
                while !hasBegun.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.005) }
                // Time in which the other one would read the sequence, if it didn't wait.
                Thread.sleep(forTimeInterval: 0.3)
                return sequence
            }
            while !hasLock.withLock({ $0 }) { await Task.yield() }
            let later = try await second.write { transaction in
                hasBegun.withLock { $0 = true }
                return try transaction.person(named: "ann", advancing: true).sequence
            }
            let sequences = [try await earlier, later]
            #expect(sequences == [2, 3])
        }
    }

    @Test func `a write that needs a missing table fails alone, not with its group`() async throws {
        let storage = try await storage(StorageDatabase())
        let writer = try await writer(storage)
        let (hasBegun, mayEnd) = (Locked(false), Locked(false))
        async let first: Void = writer.write(.independent) { _ in
            hasBegun.withLock { $0 = true }
            while !mayEnd.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.005) }
        }
        while !hasBegun.withLock({ $0 }) { await Task.yield() }
        // These wait for it, and are one group.
        async let one = writer.write(.person("ann")) { try $0.person(named: "ann", advancing: true).sequence }
        async let wrong = writer.write(.person("bob")) { try $0.db.value("SELECT count(*) FROM nothing") as Int? }
        async let other = writer.write(.person("carl")) { try $0.person(named: "carl", advancing: true).sequence }
        #expect(try await eventually { writer.waiting == 3 })
        mayEnd.withLock { $0 = true }
        try await first
        let sequences = [try await one, try await other]
        #expect(sequences == [1, 1])
        do {
            _ = try await wrong
            Issue.record("there is such a table")
        } catch {
            guard case .incomplete? = StorageFailure(error) else { throw error }
        }
        try await storage.close()
    }

    @Test func `broadcasts of two servers become visible in the order of their sequences`() async throws {
        try await withTwo { one, other in
            let (first, second) = (try await writer(one), try await writer(other))
            let body: JSON = ["to": ["everyone": true], "message": ["title": "x"]]
            let messages = try OutgoingMessages(checking: JSONReader(body), now: SystemClock().now)
            let (hasSequence, hasBegun, isRead) = (Locked(false), Locked(false), Locked(false))
            async let earlier: Void = first.write { transaction in
                _ = try transaction.send(messages)
                // What is queued is sent now.
                _ = try transaction.db.value("SELECT count(*) FROM counter") as Int?
                hasSequence.withLock { $0 = true }
                while !isRead.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.005) }
            }
            while !hasSequence.withLock({ $0 }) { await Task.yield() }
            async let later: Void = second.write { transaction in
                hasBegun.withLock { $0 = true }
                _ = try transaction.send(messages)
            }
            while !hasBegun.withLock({ $0 }) { await Task.yield() }
            // Time in which the later one would be committed, if it didn't wait.
            try await Task.sleep(for: .milliseconds(300))
            func sequences() async throws -> [Int] {
                try await one.read { try $0.db.values("SELECT broadcastSequence FROM message ORDER BY 1") }
            }
            #expect(try await sequences() == [])
            isRead.withLock { $0 = true }
            try await earlier
            try await later
            let both = try await sequences()
            #expect(both.count == 2 && both.last == both.first.map { $0 + 1 })
        }
    }

    @Test func `people are created once, on either server, alone or many at once`() async throws {
        try await withTwo { one, other in
            let writers = [try await writer(one), try await writer(other)]
            let names = (0..<40).map { "p\($0)" }
            let body: JSON = ["to": ["people": JSON(names)], "message": ["title": "x"]]
            let now = SystemClock().now
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in writers {
                    group.addTask {
                        let messages = try OutgoingMessages(checking: JSONReader(body), now: now)
                        _ = try await writer.write { try $0.send(messages) }
                    }
                    for name in names {
                        group.addTask { _ = try await writer.write { try $0.person(named: name, advancing: true) } }
                    }
                }
                try await group.waitForAll()
            }
            let counts = try await one.read { reading in
                try reading.db.row(
                    """
                    SELECT (SELECT count(*) FROM person), (SELECT count(*) FROM personName),
                        (SELECT count(*) FROM personAccount), (SELECT count(*) FROM delivery),
                        (SELECT CAST(sum(sequence) AS bigint) FROM person)
                    """
                ).map { row in (0..<5).map { row[$0] as Int } }
            }
            #expect(counts == [40, 40, 40, 80, 40 * 4])
        }
    }

    @Test func `deadlocked writes are repeated, and both succeed`() async throws {
        try await withTwo { one, other in
            let locked = [Locked(false), Locked(false)]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, storage) in [one, other].enumerated() {
                    let writer = try await writer(storage)
                    group.addTask {
                        try await writer.write { transaction in
                            let names = index == 0 ? ["ann", "bob"] : ["bob", "ann"]
                            _ = try transaction.person(named: names[0], advancing: true)
                            locked[index].withLock { $0 = true }
                            while !locked[1 - index].withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.01) }
                            _ = try transaction.person(named: names[1], advancing: true)
                        }
                    }
                }
                try await group.waitForAll()
            }
            let sequences: [Int] = try await one.read { try $0.db.values("SELECT sequence FROM person") }
            #expect(sequences == [2, 2])
        }
    }

    @Test func `a write that conflicts each time is repeated eight times, and refused then`() async throws {
        let database = try await StorageDatabase()
        let storage = try await storage(database)
        let writer = try await writer(storage)
        // A number that a sequence has given isn't rolled back.
        try await database.use { connection in
            try connection.executeScript(
                """
                CREATE SEQUENCE attempt;
                CREATE FUNCTION conflict() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    PERFORM nextval('attempt');
                    RAISE EXCEPTION 'conflict' USING ERRCODE = '40001';
                END $$;
                CREATE TRIGGER conflict BEFORE INSERT ON personName FOR EACH ROW EXECUTE FUNCTION conflict();
                """
            )
        }
        let error = await failure(PostgresError.self) {
            _ = try await writer.write { try $0.person(named: "ann", advancing: true) }
        }
        #expect(error?.kind == .conflict && error.map { StorageFailure($0) != nil } == true)
        #expect(try await database.use { try $0.execute("SELECT last_value FROM attempt")[0][0] } == 9)
        try await storage.close()
    }

    @Test func `a failed statement fails its own write, not those of the same commit`() async throws {
        try await withTwo { one, _ in
            let writer = try await writer(one)
            let failures = await withTaskGroup(of: Int.self) { group in
                for number in 0..<60 {
                    group.addTask {
                        do {
                            try await writer.write { transaction in
                                _ = try transaction.person(named: "p\(number)", advancing: true)
                                // Its error comes with a later statement, or with the end.
                                if number % 3 == 0 { try transaction.db.run("INSERT INTO person (id) VALUES (1)") }
                            }
                            return 0
                        } catch {
                            return 1
                        }
                    }
                }
                return await group.reduce(0, +)
            }
            #expect(failures == 20)
            let names: [String] = try await one.read { try $0.db.values("SELECT name FROM person") }
            #expect(Set(names) == Set((0..<60).filter { $0 % 3 != 0 }.map { "p\($0)" }))
        }
    }

    @Test func `a value that can't be sent fails its own write, also behind queued ones`() async throws {
        try await withTwo { one, _ in
            let writer = try await writer(one)
            // One commit: the first write ends with a read, the second has a text that PostgreSQL has no room for.
            for order in [[0, 1, 2], [1, 0, 2], [0, 2, 1]] {
                let (isRunning, hold) = (Locked(false), Locked(true))
                async let blocker: Void = writer.write { _ in
                    isRunning.withLock { $0 = true }
                    while hold.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.005) }
                }
                while !isRunning.withLock({ $0 }) { await Task.yield() }
                let outcomes = await withTaskGroup(of: (Int, Bool).self) { group in
                    for (place, kind) in order.enumerated() {
                        group.addTask {
                            do {
                                try await writer.write { transaction in
                                    try transaction.db.run(
                                        "INSERT INTO setting (name, value) VALUES (?, ?)",
                                        [kind == 1 ? "a\0b" : "\(order)\(kind)", Data()]
                                    )
                                    if kind == 0 { _ = try transaction.reading.surfaceState() }
                                }
                                return (kind, true)
                            } catch {
                                return (kind, false)
                            }
                        }
                        while writer.waiting <= place { await Task.yield() }
                    }
                    hold.withLock { $0 = false }
                    return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
                }
                try await blocker
                #expect(outcomes == [0: true, 1: false, 2: true], "\(order)")
                let stored: [String] = try await one.read { reading in
                    try reading.db.values(
                        "SELECT name FROM setting WHERE starts_with(name, ?) ORDER BY 1",
                        ["\(order)"]
                    )
                }
                #expect(stored == ["\(order)0", "\(order)2"])
            }
        }
    }

    @Test func `an unreachable database is a retryable error, and works when it is back`() async throws {
        try await DatabaseServer.run { server in
            let storage = try await Storage.open(try #require(URL(string: server.address())))
            let writer = try await writer(storage)
            _ = try await writer.write { try $0.person(named: "ann", advancing: true) }
            try await server.shutDown()
            for _ in 0..<3 {
                let errors = [
                    await failure((any Error).self) { _ = try await storage.read { try $0.broadcastState() } },
                    await failure((any Error).self) {
                        _ = try await writer.write { try $0.person(named: "bob", advancing: true) }
                    },
                ]
                for error in errors {
                    guard case .busy? = error.flatMap({ StorageFailure($0) }) else {
                        Issue.record("\(String(describing: error)) isn't retryable")
                        continue
                    }
                }
            }
            try await server.restart()
            let isBack = try await eventually {
                (try? await writer.write { try $0.person(named: "ann", advancing: true).sequence }) == 2
            }
            #expect(isBack)
            try await storage.close()
        }
    }

    @Test func `a read that each request needs ends within seconds`() async throws {
        let database = try await StorageDatabase()
        let storage = try await Storage.open(try #require(URL(string: database.server.address(database.name))))
        let start = ContinuousClock.now
        let error = await failure(PostgresError.self) {
            try await storage.readBriefly { reading in _ = try reading.db.row("SELECT pg_sleep(60)") }
        }
        #expect(error?.kind == .timedOut)
        #expect(ContinuousClock.now - start < .seconds(20))
        try await storage.close()
    }

    @Test(arguments: [false, true])
    func `the database has a limit for each statement, too`(throughPooler: Bool) async throws {
        let (database, _) = try await StorageDatabase.migrated.value
        let pooler = database.server.address(database.name, port: database.server.poolerPort)
        let storage = try await Storage.open(
            try #require(URL(string: database.server.address(database.name))),
            pooler: throughPooler ? URL(string: pooler) : nil
        )
        @Sendable func limit(_ reading: ReadTransaction) throws -> String? {
            try reading.db.value("SELECT current_setting('statement_timeout')")
        }
        let ann = Person(id: 1, name: "ann", account: "a")
        #expect(try await storage.read { try limit($0) } == "31s")
        #expect(try await storage.read(of: ann) { try limit($0) } == "31s")
        #expect(try await storage.read(of: ann, within: .milliseconds(250)) { try limit($0) } == "1250ms")
        #expect(try await storage.read(of: ann) { try limit($0) } == "31s")
        #expect(try await storage.readBriefly { try limit($0) } == "6s")
        guard case .postgres(let postgres) = storage.engine else { return }
        let ofWrites: String = try await postgres.write { connection in
            try connection.transaction { try $0.execute("SELECT current_setting('statement_timeout')")[0][0] }
        }
        #expect(ofWrites == "0")
        try await storage.close()
    }

    @Test func `reads of one person see only that person's rows, also without a condition`() async throws {
        try await withTwo { one, _ in
            let writer = try await writer(one)
            let people = try await writer.write { transaction in
                try ["ann", "bob"].map { name in
                    let body: JSON = ["to": ["person": .string(name)], "message": ["title": "x"]]
                    _ = try transaction.send(OutgoingMessages(checking: JSONReader(body), now: transaction.now))
                    return try #require(transaction.reading.person(named: name)?.person)
                }
            }
            let all: [Int] = try await one.read { try $0.db.values("SELECT person FROM delivery ORDER BY 1") }
            #expect(all == people.map(\.id))
            for person in people {
                let seen: [Int] = try await one.read(of: person) { try $0.db.values("SELECT person FROM delivery") }
                #expect(seen == [person.id])
                await #expect(throws: (any Error).self) {
                    _ = try await one.read(of: person) { try $0.db.values("SELECT id FROM message") as [Int] }
                }
                let own: [Int] = try await one.read(of: person) { try $0.db.values("SELECT person FROM inboxMessage") }
                #expect(own == [person.id])
            }
        }
    }

    @Test func `a read ends with its budget`() async throws {
        try await withTwo { one, _ in
            var limits = FairUse()
            limits.readingTime = 0.2
            let person = Person(id: 1, name: "ann", account: "a")
            let budget = RequestBudget(limits, share: ByteShares(1_000).share(of: person))
            let isSlow = Locked(false)
            let start = ContinuousClock.now
            let error = await failure(BudgetError.self) {
                try await one.read { reading in
                    try reading.db.within(budget) {
                        isSlow.withLock { $0 = true }
                    } _: {
                        _ = try reading.db.row("SELECT pg_sleep(20)")
                    }
                }
            }
            #expect(error != nil)
            #expect(isSlow.withLock { $0 })
            #expect(ContinuousClock.now - start < .seconds(10))
            // The connection is in order.
            let state = try await one.read { try $0.broadcastState() }
            #expect(state == 0)
        }
    }

    @Test func `a read ends when its budget is stopped, such as by a client that has gone`() async throws {
        try await withTwo { one, _ in
            let person = Person(id: 1, name: "ann", account: "a")
            var limits = FairUse()
            limits.readingTime = 60
            let budget = RequestBudget(limits, share: ByteShares(1_000).share(of: person))
            let error = await failure(BudgetError.self) {
                try await one.read { reading in
                    try reading.db.within(budget) {
                        budget.stop(.disconnected)
                    } _: {
                        _ = try reading.db.row("SELECT pg_sleep(20)")
                    }
                }
            }
            #expect(error?.reason == .disconnected)
        }
    }

    @Test func `an unlimited result is fetched in parts`() async throws {
        let database = try await StorageDatabase()
        let (first, trips, all) = try await database.use { connection in
            try connection.transaction(.snapshot) { connection in
                let transaction = PostgresTransaction(connection)
                let long = try transaction.cursor(
                    "SELECT generate_series(1, ?)",
                    [10_000_000],
                    isBounded: false,
                    isRare: true
                )
                let first: [Int] = try (0..<5).compactMap { _ in try long.next()?[0] }
                let trips = connection.roundTrips
                let other = try transaction.cursor("SELECT generate_series(1, 250)", [], isBounded: false, isRare: true)
                var all: [Int] = []
                while let row = try other.next() { all.append(try row[0]) }
                return (first, trips, all)
            }
        }
        #expect(first == Array(1...5))
        #expect(trips == 1)
        #expect(all == Array(1...250))
    }

    @Test(
        arguments: [
            (#"{"title":"a"}"#, "a"), (#"{"other":"a"}"#, nil), ("", nil), (#"{"title":"a\u0000b"}"#, "a\u{FFFD}b"),
            (#"{"title":"a\\u0000b"}"#, #"a\u0000b"#), (#"{"title":"\\\u0000\u0000"}"#, "\\\u{FFFD}\u{FFFD}"),
            (#"{"title":null,"other":"\u0000"}"#, nil), (#"{"title":"é","other":"\u0000"}"#, "é"),
        ] as [(String, String?)]
    )
    func `a text of a message is read, also one with U+0000`(_ content: String, _ text: String?) async throws {
        let (database, _) = try await StorageDatabase.migrated.value
        let found = try await database.use { connection in
            try connection.execute("SELECT messageText($1, 'title')", [content])[0][0] as String?
        }
        #expect(found == text)
    }

    @Test func `a webhook's counts match its outbox after random changes`() async throws {
        let database = try await StorageDatabase()
        try await database.use { connection in
            _ = try PostgresSchema.prepare(connection)
            var random = Seeded(25)
            for step in 0..<120 {
                let person = Int.random(in: 1...70, using: &random)
                let slot = Int.random(in: 0...3, using: &random)
                try connection.execute("SELECT set_config('inbox.node', $1, false)", ["\(slot)"])
                switch Int.random(in: 0..<6, using: &random) {
                case 0...2:
                    let dead: Int? = Bool.random(using: &random) ? 1 : nil
                    try connection.execute(
                        """
                        INSERT INTO outbox (webhook, event, person, type, body, createdAt, attempts, nextAt, diedAt)
                        SELECT $1, $2 || i, $3 + i, 't', '{}', 0, 0, 0, $4 FROM generate_series(1, $5) i
                        """,
                        [step % 2, "e\(step)-", person, dead, Int.random(in: 0...5, using: &random)]
                    )
                case 3: try connection.execute("UPDATE outbox SET diedAt = 1 WHERE person < $1", [person])
                case 4:
                    try connection.execute("UPDATE outbox SET diedAt = NULL, type = 'u' WHERE person > $1", [person])
                default: try connection.execute("DELETE FROM outbox WHERE person = $1", [person])
                }
                let wrong = try connection.execute(
                    """
                    SELECT 1 FROM (
                        SELECT webhook, count(*) FILTER (WHERE diedAt IS NULL) AS pending,
                            count(*) FILTER (WHERE diedAt IS NOT NULL) AS dead
                        FROM outbox GROUP BY 1
                    ) AS o FULL JOIN (
                        SELECT webhook, sum(pending) AS pending, sum(dead) AS dead FROM webhookCount GROUP BY 1
                    ) AS c USING (webhook)
                    WHERE coalesce(o.pending, 0) <> coalesce(c.pending, 0) OR coalesce(o.dead, 0) <> coalesce(c.dead, 0)
                    """
                )
                #expect(wrong.isEmpty, "after step \(step)")
            }
            // Each server has counted in its own slot.
            #expect(try connection.execute("SELECT DISTINCT slot FROM webhookCount").count == 4)
        }
    }
}
