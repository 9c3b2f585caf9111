import Eventually
import Foundation
import Groundwork
import Postgres
import RunningPostgres
import Testing

@testable import InboxService

/// The round trips between a server and its database for a send, and the notifications of other servers.
@Suite(.timeLimit(.minutes(5))) struct SendRoundTripTests {
    private func messages(to: JSON, _ content: JSON = ["title": "Hello"]) throws -> OutgoingMessages {
        try OutgoingMessages(checking: JSONReader(["to": to, "message": content]), now: SystemClock().now)
    }

    /// Sends messages as a request does.
    private func send(_ messages: OutgoingMessages, key: IdempotencyKey? = nil, _ writer: Writer) async throws {
        let needs = WriteNeeds(sending: messages, key: key)
        _ = try await writer.write(messages.scope, needs: needs) { transaction in
            if let key, let earlier = try transaction.storedResponse(for: key) { return earlier.response }
            let response = try transaction.send(messages).description
            if let key { try transaction.store(status: 201, response: response, for: key) }
            return response
        }
    }

    private func key(_ name: String) throws -> IdempotencyKey {
        try #require(IdempotencyKey(apiKey: 1, header: name, body: Array("body".utf8)))
    }

    /// A server with a writer.
    private struct Server: Sendable {
        let database: StorageDatabase
        let storage: Storage
        let writer: Writer

        init(throughPooler: Bool = false) async throws {
            database = try await StorageDatabase()
            storage = try await Storage.open(
                try #require(URL(string: database.server.address(database.name))),
                pooler: throughPooler
                    ? URL(string: database.server.address(database.name, port: database.server.poolerPort)) : nil
            )
            try await storage.join()
            writer = try await Writer(storage: storage, clock: SystemClock(), random: .system, committed: { _ in })
        }

        /// Returns the number of times that the connection for writes waits for the database during a closure.
        func roundTrips(_ body: () async throws -> Void) async throws -> Int {
            guard case .postgres(let postgres) = storage.engine else { return 0 }
            let before = try await postgres.write { $0.roundTrips }
            try await body()
            return try await postgres.write { $0.roundTrips } - before
        }

        /// Runs writes in one transaction.
        func group(_ writes: [@Sendable () async throws -> Void]) async throws {
            let (isHeld, isOver) = (Locked(false), Locked(false))
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                tasks.addTask {
                    try await writer.write(.independent) { _ in
                        isHeld.withLock { $0 = true }
                        let end = ContinuousClock.now + .seconds(60)
                        while !isOver.withLock({ $0 }), .now < end { Thread.sleep(forTimeInterval: 0.005) }
                    }
                }
                #expect(try await eventually { isHeld.withLock { $0 } })
                for write in writes { tasks.addTask { try await write() } }
                #expect(try await eventually { writer.waiting == writes.count })
                isOver.withLock { $0 = true }
                try await tasks.waitForAll()
            }
        }

        /// Gives someone's name to a person of another number, or to none, as after an erasure by another server.
        func forget(_ name: String) async throws {
            try await database.use { connection in
                let number: Int = try connection.execute("SELECT person FROM personName WHERE name = $1", [name])[0][0]
                try connection.executeScript(
                    """
                    BEGIN; UPDATE person SET name = 'old \(name)' WHERE id = \(number);
                    UPDATE personName SET name = 'old \(name)' WHERE person = \(number); COMMIT
                    """
                )
            }
        }

        func count(_ sql: SQLText) async throws -> Int? { try await storage.read { try $0.db.value(sql) } }
    }

    @Test(arguments: [false, true])
    func `a transaction of a send takes at most three round trips`(throughPooler: Bool) async throws {
        let server = try await Server(throughPooler: throughPooler)
        let writer = server.writer
        let (eight, many) = ((0..<8).map { "p\($0)" }, (0..<100).map { "p\($0)" })
        // The connection's first notification isn't waited for either.
        let first = try await server.roundTrips { try await send(try messages(to: ["people": JSON(many)]), writer) }
        #expect(first == 3)
        let later = RFC3339.string(from: SystemClock().now.addingTimeInterval(3_600))

        let isNew = try await server.roundTrips { try await send(try messages(to: ["person": "ann"]), writer) }
        #expect(isNew == 3)
        // The sequence is read as this server has left it. From then on it is expected.
        let known = try await server.roundTrips { try await send(try messages(to: ["person": "ann"]), writer) }
        #expect(known == 2)
        for _ in 1...2 {
            let expected = try await server.roundTrips { try await send(try messages(to: ["person": "ann"]), writer) }
            #expect(expected == 1)
        }
        for round in 1...2 {
            // The second one is answered as the first one was.
            let keyed = try await server.roundTrips {
                try await send(try messages(to: ["person": "ann"]), key: try key("once"), writer)
            }
            #expect(keyed == 2, "round \(round)")
        }
        let scheduled = try await server.roundTrips {
            try await send(try messages(to: ["person": "ann"], ["title": "x", "deliverAt": .string(later)]), writer)
        }
        #expect(scheduled == 1)
        for (to, most) in [
            (["people": JSON(eight)], 2), (["people": JSON(many)], 3), (["everyone": true], 2),
        ] as [(JSON, Int)] {
            let count = try await server.roundTrips { try await send(try messages(to: to), writer) }
            #expect(count == most, "\(to)")
        }
        let counts = [
            try await server.count("SELECT count(*) FROM message"),
            try await server.count("SELECT count(*) FROM delivery"),
        ]
        #expect(counts == [10, 100 + 6 + 8 + 100])
        try await server.storage.close()
    }

    /// To known and new people, to both, to few, many and everyone, at once and later, with a key and without.
    @Test(arguments: [false, true])
    func `a send to new people, also with a key, takes at most three round trips`(throughPooler: Bool) async throws {
        let server = try await Server(throughPooler: throughPooler)
        let writer = server.writer
        try await send(try messages(to: ["people": ["p0", "p1", "p2"]]), writer)
        let later = RFC3339.string(from: SystemClock().now.addingTimeInterval(3_600))
        var (number, sent, deliveries) = (0, 1, 3)
        /// Returns names of which none, some or all are of new people.
        func names(_ count: Int, new: Int) -> [String] {
            number += 1
            return (0..<count).map { $0 < new ? "new \(number) \($0)" : "p\($0 % 3)\($0 < 3 ? "" : " \($0)")" }
        }
        try await send(try messages(to: ["people": JSON(names(20, new: 0))]), writer)
        (sent, deliveries) = (sent + 1, deliveries + 20)
        for content in [["title": "x"], ["title": "x", "deliverAt": .string(later)]] as [JSON] {
            for isKeyed in [false, true] {
                for (count, new) in [(1, 1), (1, 0), (2, 1), (2, 2), (8, 0), (8, 4), (9, 0), (20, 7), (20, 20)] {
                    let people = names(count, new: new)
                    let to: JSON = count == 1 ? ["person": .string(people[0])] : ["people": JSON(people)]
                    let (body, once) = (try messages(to: to, content), try isKeyed ? key("key-\(number)") : nil)
                    for round in 1...(isKeyed ? 2 : 1) {
                        let trips = try await server.roundTrips { try await send(body, key: once, writer) }
                        #expect(trips <= 3, "\(to) \(content) \(isKeyed), round \(round)")
                    }
                    (sent, deliveries) = (sent + 1, deliveries + count)
                }
                number += 1
                let toAll = try messages(to: ["everyone": true], content)
                let once = try isKeyed ? key("everyone-\(number)") : nil
                let trips = try await server.roundTrips { try await send(toAll, key: once, writer) }
                #expect(trips <= 3, "everyone \(content) \(isKeyed)")
                sent += 1
                // Several messages: to someone new, to many with some new ones, and two to everyone.
                let (one, some) = (names(1, new: 1)[0], names(12, new: 5))
                let array: JSON = [
                    ["to": ["person": .string(one)], "message": content],
                    ["to": ["people": JSON(some + [one])], "message": content],
                    ["to": ["everyone": true], "message": content], ["to": ["everyone": true], "message": content],
                ]
                let several = try OutgoingMessages(checking: JSONReader(array), now: SystemClock().now)
                let other = try isKeyed ? key("several-\(number)") : nil
                let all = try await server.roundTrips { try await send(several, key: other, writer) }
                #expect(all <= 3, "\(array) \(isKeyed)")
                (sent, deliveries) = (sent + 4, deliveries + 14)
            }
        }
        #expect(try await server.count("SELECT count(*) FROM message") == sent)
        #expect(try await server.count("SELECT count(*) FROM delivery") == deliveries)
        // Each shown message has a sequence of its own, and the last one is the person's.
        let wrong = try await server.count(
            """
            SELECT count(*) FROM person p WHERE p.sequence <> (
                SELECT count(DISTINCT d.sequence) FROM delivery d WHERE d.person = p.id AND d.state = 1
            ) OR p.sequence <> (SELECT coalesce(max(d.sequence), 0) FROM delivery d WHERE d.person = p.id)
            """
        )
        #expect(wrong == 0)
        let broadcasts = try await server.count(
            """
            SELECT (SELECT value FROM counter WHERE name = 'broadcast')
                - (SELECT count(DISTINCT broadcastSequence) FROM message WHERE recipients IS NULL AND state = 1)
            """
        )
        #expect(broadcasts == 0)
        try await server.storage.close()
    }

    @Test(arguments: [false, true])
    func `sends of one transaction take three round trips together`(throughPooler: Bool) async throws {
        let server = try await Server(throughPooler: throughPooler)
        let writer = server.writer
        try await send(try messages(to: ["people": ["p0", "p1", "p2", "p3", "gone"]]), writer)
        let twice = try messages(to: ["person": "twice"])
        let bodies = try (0..<20).map { try messages(to: ["person": .string("p\($0)")]) }
        var sends: [@Sendable () async throws -> Void] = []
        for (index, body) in bodies.enumerated() {
            sends.append { try await send(body, key: try index % 3 == 0 ? nil : key("key-\(index)"), writer) }
        }
        // Two with the same key, of which one is answered as the other was.
        let repeated: @Sendable () async throws -> Void = { try await send(twice, key: try key("twice"), writer) }
        let first = sends + [repeated]
        let trips = try await server.roundTrips { try await server.group(first) }
        #expect(trips == 3)
        let second = [repeated, repeated] + sends
        let both = try await server.roundTrips { try await server.group(second) }
        #expect(both <= 3)
        let other: @Sendable () async throws -> Void = { try await send(twice, key: try key("other"), writer) }
        try await server.group([other, other])
        #expect(try await server.count("SELECT count(*) FROM message") == 1 + 20 + 1 + 7 + 1)
        #expect(try await server.count("SELECT count(*) FROM person") == 5 + 16 + 1)
        // A person whose number this server knows is another one by now.
        for name in ["p5", "p6"] { try await server.forget(name) }
        let toFresh = try messages(to: ["person": "fresh"])
        try await send(toFresh, writer)
        // Of someone new, no sequence is expected. So all are read.
        let again: @Sendable () async throws -> Void = { try await send(toFresh, writer) }
        let third = Array(sends[3...6]) + [again]
        let renewed = try await server.roundTrips { try await server.group(third) }
        #expect(renewed == 3)
        // The message to p5 was sent, so the request creates no one.
        #expect(try await server.count("SELECT count(*) FROM personName WHERE name = 'p5'") == 0)
        #expect(try await server.count("SELECT count(*) FROM personName WHERE name = 'p6'") == 1)
        try await server.storage.close()
    }

    @Test func `results of webhooks have no round trips of their own in a transaction`() async throws {
        let server = try await Server()
        let writer = server.writer
        let now = SystemClock().now.milliseconds
        try await server.database.use { connection in
            try connection.executeScript(
                """
                INSERT INTO webhook (url, types, isEnabled, isGone, secret, pausedUntil, createdAt)
                VALUES ('https://example.com', '["*"]', true, false, '', 0, 0);
                INSERT INTO outbox (webhook, event, person, type, body, createdAt, attempts, nextAt)
                SELECT 1, 'e' || n, n, 'message.read', '{}', \(now), 0, 0 FROM generate_series(1, 4) AS n
                """
            )
        }
        let due = try await writer.write { try $0.claimDueDeliveries(running: []) }
        let retry = DeliveryMachine.Decision.retry(at: SystemClock().now, pausedUntil: nil, reason: "status 500")
        var results: [@Sendable () async throws -> Void] = []
        for (index, delivery) in due.deliveries.enumerated() {
            let decision = index == 0 ? retry : .delivered
            results.append { try await writer.write(.independent) { try $0.finish(delivery, decision) } }
        }
        let writes = results
        #expect(writes.count == 4)
        let trips = try await server.roundTrips { try await server.group(writes) }
        #expect(trips < writes.count)
        #expect(try await server.count("SELECT sum(attempts)::bigint FROM outbox") == 1)
        #expect(try await server.count("SELECT count(*) FROM outbox") == 1)
        try await server.storage.close()
    }

    @Test func `a person that another server creates meanwhile is found in the same round trip`() async throws {
        let server = try await Server()
        try await send(try messages(to: ["person": "ann"]), server.writer)
        for (number, count) in [1, 8, 20].enumerated() {
            let people = (0..<count).map { "p\(number) \($0)" }
            let to: JSON = count == 1 ? ["person": .string(people[0])] : ["people": JSON(people)]
            let body = try messages(to: to)
            let (isHeld, isWaitedFor) = (Locked(false), Locked(false))
            async let other: Void = server.database.use { connection in
                try connection.transaction { connection in
                    try connection.execute(
                        "INSERT INTO personName (name, person) VALUES ($1, nextval('personNumber'))",
                        [people[0]]
                    )
                    try connection.execute(
                        """
                        INSERT INTO person (id, name, account, sequence, createdAt)
                        SELECT person, name, 'account of ' || name, 7, 1 FROM personName WHERE name = $1
                        """,
                        [people[0]]
                    )
                    isHeld.withLock { $0 = true }
                    let end = ContinuousClock.now + .seconds(60)
                    while !isWaitedFor.withLock({ $0 }), .now < end {
                        let isBlocking: Bool = try connection.execute(
                            """
                            SELECT EXISTS (
                                SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))
                            )
                            """
                        )[0][0]
                        isWaitedFor.withLock { $0 = isBlocking }
                        Thread.sleep(forTimeInterval: 0.005)
                    }
                }
            }
            #expect(try await eventually { isHeld.withLock { $0 } })
            let trips = try await server.roundTrips { try await send(body, server.writer) }
            try await other
            #expect(trips == 3 && isWaitedFor.withLock { $0 }, "\(count)")
            let sequence = try await server.count(
                """
                SELECT d.sequence FROM person p JOIN delivery d ON d.person = p.id AND d.sequence = p.sequence
                WHERE p.sequence = 8 AND p.name = 'p\(number) 0'
                """
            )
            #expect(sequence == 8, "\(count)")
        }
        #expect(try await server.count("SELECT count(*) FROM delivery") == 1 + 29)
        #expect(try await server.count("SELECT count(*) FROM person") == 1 + 29)
        try await server.storage.close()
    }

    @Test func `a write that fails creates no person, and the others of its transaction do`() async throws {
        struct Failure: Error {}
        let server = try await Server()
        let writer = server.writer
        let failures = Locked(0)
        let body = try messages(to: ["person": "bob"])
        try await server.group([
            { try await send(try messages(to: ["person": "ann"]), key: try key("ann"), writer) },
            {
                let needs = WriteNeeds(sending: body, key: nil)
                do {
                    try await writer.write(body.scope, needs: needs) { _ -> Void in throw Failure() }
                } catch is Failure {
                    failures.withLock { $0 += 1 }
                }
            },
        ])
        #expect(failures.withLock { $0 } == 1)
        #expect(try await server.count("SELECT count(*) FROM message") == 1)
        #expect(try await server.count("SELECT count(*) FROM personName WHERE name = 'ann'") == 1)
        #expect(try await server.count("SELECT count(*) FROM person") == 1)
        try await server.storage.close()
    }

    @Test func `a key whose request fails is free for the others of its transaction`() async throws {
        struct Failure: Error {}
        let server = try await Server()
        let writer = server.writer
        let once = try key("once")
        let body = try messages(to: ["person": "ann"])
        let failures = Locked(0)
        let failing: @Sendable () async throws -> Void = {
            do {
                try await writer.write(body.scope, needs: WriteNeeds(sending: body, key: once)) { transaction -> Void in
                    _ = try transaction.storedResponse(for: once)
                    let response = try transaction.send(body).description
                    try transaction.store(status: 201, response: response, for: once)
                    throw Failure()
                }
            } catch is Failure {
                failures.withLock { $0 += 1 }
            }
        }
        let sending: @Sendable () async throws -> Void = { try await send(body, key: once, writer) }
        // In any order, the failed ones store nothing, and of the others one sends.
        try await server.group([failing, sending, failing, sending])
        #expect(failures.withLock { $0 } == 2)
        #expect(try await server.count("SELECT count(*) FROM message") == 1)
        #expect(try await server.count("SELECT count(*) FROM delivery") == 1)
        #expect(try await server.count("SELECT sequence FROM person") == 1)
        #expect(try await server.count("SELECT count(*) FROM idempotency") == 1)
        try await server.storage.close()
    }

    @Test func `a request for several people whose key was used waits for none of their rows`() async throws {
        let server = try await Server()
        let writer = server.writer
        let body = try messages(to: ["people": ["ann", "bob"]])
        let (used, held) = (try key("used"), try key("held"))
        try await send(body, key: used, writer)
        let (isHeld, isOver) = (Locked(false), Locked(false))
        async let holder: Void = server.database.use { connection in
            try connection.transaction { connection in
                try connection.execute("SELECT FROM person FOR UPDATE")
                try connection.execute(
                    "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
                    ["idempotency \(held.apiKey) \(held.key)"]
                )
                isHeld.withLock { $0 = true }
                let end = ContinuousClock.now + .seconds(60)
                while !isOver.withLock({ $0 }), .now < end { Thread.sleep(forTimeInterval: 0.005) }
            }
        }
        #expect(try await eventually { isHeld.withLock { $0 } })
        // After 5 s a write that waits for a row fails.
        let error = await failure((any Error).self) { try await send(body, key: used, writer) }
        let refused = await failure(IdempotencyConflict.self) { try await send(body, key: held, writer) }
        isOver.withLock { $0 = true }
        try await holder
        #expect("\(error as Any)" == "nil")
        #expect("\(refused as Any)".contains("stillRunning"))
        try await send(body, key: held, writer)
        #expect(try await server.count("SELECT count(*) FROM message") == 2)
        try await server.storage.close()
    }

    @Test func `a write that expected another sequence runs again`() async throws {
        let database = try await StorageDatabase()
        let address = try #require(URL(string: database.server.address(database.name)))
        var (storages, writers): ([Storage], [Writer]) = ([], [])
        for _ in 0..<2 {
            let storage = try await Storage.open(address)
            try await storage.join()
            storages.append(storage)
            writers.append(
                try await Writer(storage: storage, clock: SystemClock(), random: .system, committed: { _ in })
            )
        }
        // The first server comes to expect the sequences, and the second one writes in between.
        for number in [0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 1, 1, 0] {
            try await send(try messages(to: ["person": "ann"]), writers[number])
        }
        // Another person who has the name, with another number.
        try await database.use { connection in
            let number: Int = try connection.execute("SELECT person FROM personName WHERE name = 'ann'")[0][0]
            try connection.executeScript(
                """
                BEGIN; UPDATE person SET name = 'old ann' WHERE id = \(number);
                UPDATE personName SET name = 'old ann' WHERE person = \(number); COMMIT
                """
            )
        }
        for number in [0, 0, 0, 0, 1] { try await send(try messages(to: ["person": "ann"]), writers[number]) }
        let found = try await storages[0].read { reading in
            try reading.db.rows(
                """
                SELECT p.name, p.sequence, count(DISTINCT d.sequence), max(d.sequence)
                FROM person p JOIN delivery d ON d.person = p.id GROUP BY 1, 2 ORDER BY 1
                """
            ).map { row in [row[0] as String, "\(row[1] as Int)", "\(row[2] as Int)", "\(row[3] as Int)"] }
        }
        #expect(found == [["ann", "5", "5", "5"], ["old ann", "14", "14", "14"]])
        for storage in storages { try await storage.close() }
    }

    @Test func `a group of commits is one notification at most`() async throws {
        let database = try await StorageDatabase()
        let storage = try await Storage.open(try #require(URL(string: database.server.address(database.name))))
        try await storage.join()
        let groups = Locked(0)
        let writer = try await Writer(storage: storage, clock: SystemClock(), random: .system) { effects in
            if effects.writes > 0 { groups.withLock { $0 += 1 } }
        }
        let (isListening, heard) = (Locked(false), Locked<[PostgresNotification]>([]))
        let listener = try PostgresListener(try database.settings, channels: [PostgresNode.channel]) { event in
            switch event {
            case .listening: isListening.withLock { $0 = true }
            case .notification(let notification): heard.withLock { $0.append(notification) }
            case .cut: Issue.record("\(event)")
            }
        }
        #expect(try await eventually { isListening.withLock { $0 } })
        let sends = 300
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<sends {
                group.addTask { try await send(try messages(to: ["person": .string("p\(number % 20)")]), writer) }
            }
            try await group.waitForAll()
        }
        let commits = groups.withLock { $0 }
        // Each group has its number, and the last one is announced at the end.
        #expect(
            try await eventually {
                heard.withLock { $0.last.flatMap { Announcement.read($0.payload)?.announcement.groups?.upperBound } }
                    == commits
            }
        )
        let notifications = heard.withLock { $0.count }
        #expect((1...commits).contains(notifications))
        // Those behind a commit and those on the other connection come in the order of the groups.
        let announced = heard.withLock { $0 }.compactMap { Announcement.read($0.payload)?.announcement.groups }
        let hasGap = zip(announced, announced.dropFirst()).contains { $0.upperBound + 1 != $1.lowerBound }
        #expect(announced.first?.lowerBound == 1 && !hasGap, "\(announced)")
        #expect(commits * 4 < sends, "\(commits) groups")
        listener.stop()
        try await storage.close()
    }

    @Test func `beside a pooler, notifications are sent on a direct connection`() async throws {
        let database = try await StorageDatabase()
        let storage = try await Storage.open(
            try #require(URL(string: database.server.address(database.name))),
            pooler: URL(string: database.server.address(database.name, port: database.server.poolerPort))
        )
        try await storage.join()
        let writer = try await Writer(storage: storage, clock: SystemClock(), random: .system, committed: { _ in })
        let (isListening, heard) = (Locked(false), Locked<[PostgresNotification]>([]))
        let listener = try PostgresListener(try database.settings, channels: [PostgresNode.channel]) { event in
            switch event {
            case .listening: isListening.withLock { $0 = true }
            case .notification(let notification): heard.withLock { $0.append(notification) }
            case .cut: Issue.record("\(event)")
            }
        }
        #expect(try await eventually { isListening.withLock { $0 } })
        for count in 1...5 {
            try await send(try messages(to: ["person": "ann"]), writer)
            #expect(try await eventually { heard.withLock { $0.count } >= count })
            // No later one has to wait.
            try await Task.sleep(for: .milliseconds(50))
        }
        // The connection of the heartbeats has the lock of the server's session.
        let direct: [Int] = try await database.use { connection in
            try connection.execute(
                """
                SELECT pid::bigint FROM pg_locks WHERE locktype = 'advisory'
                    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                """
            ).map { try $0[0] as Int }
        }
        let senders = Set(heard.withLock { $0 }.map { Int($0.sender) })
        #expect(senders.isSubset(of: direct), "\(senders) \(direct)")
        listener.stop()
        try await storage.close()
    }

    @Test func `beside a pooler, a server whose row is ahead of it has another number next`() async throws {
        let database = try await StorageDatabase()
        let storage = try await Storage.open(
            try #require(URL(string: database.server.address(database.name))),
            pooler: URL(string: database.server.address(database.name, port: database.server.poolerPort))
        )
        try await storage.join()
        let writer = try await Writer(storage: storage, clock: SystemClock(), random: .system, committed: { _ in })
        try await send(try messages(to: ["person": "ann"]), writer)
        try await database.use { _ = try $0.execute("UPDATE node SET groups = groups + 5") }
        try await send(try messages(to: ["person": "ann"]), writer)
        let count: Int? = try await storage.read { try $0.db.value("SELECT count(*) FROM message") }
        #expect(count == 2)
        let numbers: [Int] = try await database.use { connection in
            try connection.execute("SELECT id::bigint FROM node ORDER BY id").map { try $0[0] as Int }
        }
        #expect(numbers == [0, 1])
        try await storage.close()
    }

    @Test func `a key that another server's request holds is refused, and a stored one answered`() async throws {
        let database = try await StorageDatabase()
        let storage = try await Storage.open(try #require(URL(string: database.server.address(database.name))))
        let writer = try await Writer(storage: storage, clock: SystemClock(), random: .system, committed: { _ in })
        let held = try key("held")
        try await send(try messages(to: ["person": "ann"]), key: try key("other"), writer)
        let (isHeld, isOver) = (Locked(false), Locked(false))
        async let holder: Void = database.use { connection in
            try connection.transaction { connection in
                try connection.execute(
                    "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
                    ["idempotency \(held.apiKey) \(held.key)"]
                )
                isHeld.withLock { $0 = true }
                let end = ContinuousClock.now + .seconds(60)
                while !isOver.withLock({ $0 }), .now < end { Thread.sleep(forTimeInterval: 0.005) }
            }
        }
        #expect(try await eventually { isHeld.withLock { $0 } })
        let error = await failure(IdempotencyConflict.self) {
            try await send(try messages(to: ["person": "ann"]), key: held, writer)
        }
        #expect("\(error as Any)".contains("stillRunning"))
        isOver.withLock { $0 = true }
        try await holder
        for _ in 1...2 { try await send(try messages(to: ["person": "ann"]), key: held, writer) }
        let count: Int? = try await storage.read { try $0.db.value("SELECT count(*) FROM message") }
        #expect(count == 2)
        try await storage.close()
    }
}
