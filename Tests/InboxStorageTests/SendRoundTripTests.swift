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
        _ = try await writer.write(messages.scope) { transaction in
            if let key, let earlier = try transaction.storedResponse(for: key) { return earlier.response }
            let response = try transaction.send(messages).description
            if let key { try transaction.store(status: 201, response: response, for: key) }
            return response
        }
    }

    private func key(_ name: String) -> IdempotencyKey? {
        IdempotencyKey(apiKey: 1, header: name, body: Array("body".utf8))
    }

    @Test(arguments: [false, true])
    func `a transaction of a send takes at most three round trips`(throughPooler: Bool) async throws {
        let database = try await StorageDatabase()
        let storage = try await Storage.open(
            try #require(URL(string: database.server.address(database.name))),
            pooler: throughPooler
                ? URL(string: database.server.address(database.name, port: database.server.poolerPort)) : nil
        )
        try await storage.join()
        let writer = try await Writer(storage: storage, clock: SystemClock(), random: .system, committed: { _ in })
        guard case .postgres(let postgres) = storage.engine else { return }
        func roundTrips(_ body: () async throws -> Void) async throws -> Int {
            let before = try await postgres.write { $0.roundTrips }
            try await body()
            return try await postgres.write { $0.roundTrips } - before
        }
        let (eight, many) = ((0..<8).map { "p\($0)" }, (0..<100).map { "p\($0)" })
        try await send(try messages(to: ["people": JSON(many)]), writer)
        let later = RFC3339.string(from: SystemClock().now.addingTimeInterval(3_600))

        let isNew = try await roundTrips { try await send(try messages(to: ["person": "ann"]), writer) }
        #expect(isNew == 3)
        let known = try await roundTrips { try await send(try messages(to: ["person": "ann"]), writer) }
        #expect(known == 2)
        // The sequence is read as this server has left it. From then on it is expected.
        let readOnce = try await roundTrips { try await send(try messages(to: ["person": "ann"]), writer) }
        #expect(readOnce == 2)
        let expected = try await roundTrips { try await send(try messages(to: ["person": "ann"]), writer) }
        #expect(expected == 1)
        for round in 1...2 {
            // The second one is answered as the first one was.
            let keyed = try await roundTrips {
                try await send(try messages(to: ["person": "ann"]), key: key("once"), writer)
            }
            #expect(keyed == 2, "round \(round)")
        }
        let scheduled = try await roundTrips {
            try await send(try messages(to: ["person": "ann"], ["title": "x", "deliverAt": .string(later)]), writer)
        }
        #expect(scheduled == 1)
        for (to, what) in [
            (["people": JSON(eight)], "eight people"), (["people": JSON(many)], "a hundred people"),
            (["everyone": true], "everyone"),
        ] as [(JSON, String)] {
            let count = try await roundTrips { try await send(try messages(to: to), writer) }
            #expect(count <= 3, "\(what)")
        }
        let counts = try await storage.read { reading in
            let messages: Int? = try reading.db.value("SELECT count(*) FROM message")
            let deliveries: Int? = try reading.db.value("SELECT count(*) FROM delivery")
            return [messages, deliveries]
        }
        #expect(counts == [10, 100 + 6 + 8 + 100])
        try await storage.close()
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
        let held = try #require(key("held"))
        try await send(try messages(to: ["person": "ann"]), key: key("other"), writer)
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
