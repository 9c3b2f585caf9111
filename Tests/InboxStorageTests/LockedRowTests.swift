import Eventually
import Foundation
import Groundwork
import Logging
import Postgres
import RunningPostgres
import Testing

@testable import InboxService

/// Rows that something else keeps locked.
@Suite(.timeLimit(.minutes(5))) struct LockedRowTests {
    private func writer(_ storage: Storage) async throws -> Writer {
        try await Writer(storage: storage, clock: SystemClock(), random: .system, committed: { _ in })
    }

    /// Locks a person's row, until the connection is closed.
    private func lock(_ name: String, in database: StorageDatabase) async throws -> Held {
        try await lock(rows: "person WHERE name = '\(name)'", in: database)
    }

    /// Locks rows, until the connection is closed.
    private func lock(rows: String, in database: StorageDatabase) async throws -> Held {
        let settings = try database.settings
        return try await blocking {
            let connection = try PostgresConnection(settings)
            try connection.execute("BEGIN")
            try connection.execute("SELECT FROM \(rows) FOR UPDATE")
            return Held(connection)
        }
    }

    private func scheduler(_ storage: Storage, _ writer: Writer) -> DueScheduler {
        DueScheduler(
            storage: storage,
            writer: writer,
            clock: SystemClock(),
            timer: DueTimer(),
            logger: Logger(label: "test")
        )
    }

    /// Sends a message to each of the given people, which is due in an hour.
    private func sendLater(to names: [String], _ writer: Writer) async throws {
        let time = RFC3339.string(from: SystemClock().now.addingTimeInterval(3_600))
        for name in names {
            let body: JSON = ["to": ["person": .string(name)], "message": ["title": "x", "deliverAt": .string(time)]]
            let messages = try OutgoingMessages(checking: JSONReader(body), now: SystemClock().now)
            _ = try await writer.write { try $0.send(messages) }
        }
    }

    @Test func `a locked row refuses its own write, and no other`() async throws {
        let database = try await StorageDatabase()
        let storage = try await Storage.open(try #require(URL(string: database.server.address(database.name))))
        let writer = try await writer(storage)
        let names = (0..<6).map { "p\($0)" }
        for name in names { _ = try await writer.write { try $0.person(named: name, advancing: true) } }
        let other = try await lock("p2", in: database)
        // Otherwise a writer that waits would hold up the test.
        let release = Task {
            try await Task.sleep(for: .seconds(90))
            await other.use { $0.close() }
        }
        let (isRunning, hold) = (Locked(false), Locked(true))
        async let blocker: Void = writer.write { _ in
            isRunning.withLock { $0 = true }
            while hold.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.005) }
        }
        while !isRunning.withLock({ $0 }) { await Task.yield() }
        let start = ContinuousClock.now
        // In the order in which they end.
        let outcomes = await withTaskGroup(of: (String, StorageFailure?, Bool).self) { group in
            // Two of the locked person, who is waited for once.
            for (place, name) in (names + ["p2"]).enumerated() {
                group.addTask {
                    do {
                        _ = try await writer.write(.person(name)) { try $0.person(named: name, advancing: true) }
                        return (name, nil, true)
                    } catch {
                        return (name, StorageFailure(error), false)
                    }
                }
                while writer.waiting <= place { await Task.yield() }
            }
            hold.withLock { $0 = false }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let took = ContinuousClock.now - start
        try await blocker
        #expect(took < .seconds(60), "\(took)")
        // The others haven't waited as long as those that need the row.
        #expect(outcomes.suffix(2).map(\.0) == ["p2", "p2"], "\(outcomes)")
        for (name, failure, isStored) in outcomes {
            #expect(isStored == (name != "p2"), "\(name)")
            if name == "p2" {
                if case .busy? = failure {} else { Issue.record("\(String(describing: failure))") }
            }
        }
        /// Runs a write for a person, and returns whether it was done and how long it took.
        @Sendable func write(_ name: String) async -> (isDone: Bool, took: Duration) {
            let start = ContinuousClock.now
            let isDone = (try? await writer.write(.person(name)) { try $0.person(named: name, advancing: true) }) != nil
            return (isDone, ContinuousClock.now - start)
        }
        // From now on no one else waits for the row, and its own writes are refused readily, if not each time on a busy
        // machine: waiting for the row would take two seconds each time.
        var times: [(own: Duration, other: Duration)] = []
        for _ in 0..<3 {
            async let refused = write("p2")
            async let done = write("p3")
            let (own, other) = await (refused, done)
            #expect(!own.isDone && other.isDone)
            times.append((own.took, other.took))
            try await Task.sleep(for: .milliseconds(600))
        }
        #expect(times.contains { $0.own < .seconds(1.5) } && times.contains { $0.other < .seconds(1.5) }, "\(times)")
        release.cancel()
        await other.use { $0.close() }
        #expect(try await eventually { await write("p2").isDone })
        // It is as any other then, and waited for as long.
        let later = try await lock("p2", in: database)
        let again = await write("p2")
        #expect(!again.isDone && again.took > .seconds(1.5), "\(again)")
        await later.use { $0.close() }
        let rows: [Int] = try await storage.read { try $0.db.values("SELECT sequence FROM person ORDER BY name") }
        #expect(rows == [2, 2, 2, 5, 2, 2])
        try await storage.close()
    }

    @Test func `a locked person holds up nothing that is due for others`() async throws {
        let database = try await StorageDatabase()
        let storage = try await Storage.open(try #require(URL(string: database.server.address(database.name))))
        let writer = try await writer(storage)
        try await sendLater(to: ["p0", "p1"], writer)
        try await database.use { connection in
            // A message to each is due, and has to be destroyed later.
            try connection.executeScript(
                """
                UPDATE due SET at = 1;
                INSERT INTO due (kind, message, person, at) SELECT 3, 1, id, 1 FROM person
                """
            )
        }
        let other = try await lock("p0", in: database)
        let scheduler = scheduler(storage, writer)
        func numbers(_ text: SQLText) async throws -> [Int] { try await storage.read { try $0.db.values(text) } }
        let (shown, due): (SQLText, SQLText) = (
            "SELECT count(*) FROM delivery WHERE state = 1", "SELECT kind::bigint FROM due ORDER BY kind"
        )
        try await scheduler.catchUp()
        #expect(try await numbers(shown) == [1])
        #expect(try await numbers(due) == [1, 3])
        await other.use { $0.close() }
        let isDone = try await eventually {
            try await scheduler.catchUp()
            return try await numbers(due).isEmpty
        }
        #expect(isDone)
        #expect(try await numbers(shown) == [2])
        try await storage.close()
    }

    @Test func `what is due for a locked person keeps its order`() async throws {
        let database = try await StorageDatabase()
        let storage = try await Storage.open(try #require(URL(string: database.server.address(database.name))))
        let writer = try await writer(storage)
        try await sendLater(to: ["p0", "p0", "p0"], writer)
        try await database.use { connection in
            // The last one first.
            try connection.executeScript(
                "UPDATE due d SET at = (SELECT count(*) FROM due o WHERE o.message >= d.message)"
            )
        }
        let other = try await lock("p0", in: database)
        try await scheduler(storage, writer).catchUp()
        await other.use { $0.close() }
        let (due, times): ([Int], [Int]) = try await storage.read { reading in
            (
                try reading.db.values("SELECT message FROM due ORDER BY at"),
                try reading.db.values("SELECT DISTINCT at FROM due WHERE at > 3")
            )
        }
        #expect(times.count == 3)
        #expect(due == due.sorted(by: >))
        try await storage.close()
    }

    @Test func `many deletions of a locked person don't hold up those of others`() async throws {
        let database = try await StorageDatabase()
        let storage = try await Storage.open(try #require(URL(string: database.server.address(database.name))))
        let writer = try await writer(storage)
        for name in ["p0", "p1"] { _ = try await writer.write { try $0.person(named: name, advancing: true) } }
        try await database.use { connection in
            try connection.executeScript(
                """
                INSERT INTO due (kind, message, person, at)
                SELECT 3, n, id, n FROM person CROSS JOIN generate_series(1, 60) AS n WHERE name = 'p0';
                INSERT INTO due (kind, message, person, at) SELECT 3, 1, id, 61 FROM person WHERE name = 'p1'
                """
            )
        }
        let other = try await lock("p0", in: database)
        try await scheduler(storage, writer).catchUp()
        await other.use { $0.close() }
        let due: [Int] = try await storage.read { reading in
            try reading.db.values("SELECT count(*) FROM due GROUP BY person")
        }
        #expect(due == [60])
        try await storage.close()
    }

    @Test func `a locked message holds up no other one that is due`() async throws {
        let database = try await StorageDatabase()
        let storage = try await Storage.open(try #require(URL(string: database.server.address(database.name))))
        let writer = try await writer(storage)
        try await sendLater(to: ["p0", "p1"], writer)
        try await database.use { try $0.executeScript("UPDATE due SET at = 1") }
        // As an erasure of a person with many messages has.
        let other = try await lock(rows: "message WHERE id = (SELECT min(id) FROM message)", in: database)
        try await scheduler(storage, writer).catchUp()
        await other.use { $0.close() }
        let due: [Int] = try await storage.read { try $0.db.values("SELECT message FROM due") }
        let shown: [Int] = try await storage.read { try $0.db.values("SELECT id FROM message WHERE state = 1") }
        #expect(due.count == 1 && shown.count == 1 && due != shown)
        try await storage.close()
    }

    @Test func `a locked message to everyone holds up nothing else that is due`() async throws {
        let database = try await StorageDatabase()
        let storage = try await Storage.open(try #require(URL(string: database.server.address(database.name))))
        let writer = try await writer(storage)
        let time = RFC3339.string(from: SystemClock().now.addingTimeInterval(3_600))
        let body: JSON = ["to": ["everyone": true], "message": ["title": "x", "deliverAt": .string(time)]]
        let broadcast = try OutgoingMessages(checking: JSONReader(body), now: SystemClock().now)
        _ = try await writer.write { try $0.send(broadcast) }
        try await sendLater(to: ["p0"], writer)
        // The one to everyone first.
        try await database.use { connection in
            try connection.executeScript(
                """
                UPDATE due d SET at = (SELECT 1 + coalesce(m.recipients, 0) FROM message m WHERE m.id = d.message)
                WHERE kind = 1
                """
            )
        }
        let other = try await lock(rows: "message WHERE recipients IS NULL", in: database)
        let scheduler = scheduler(storage, writer)
        func shown() async throws -> [Int] {
            try await storage.read { try $0.db.values("SELECT coalesce(recipients, 0) FROM message WHERE state = 1") }
        }
        try await scheduler.catchUp()
        #expect(try await shown() == [1])
        await other.use { $0.close() }
        let isDone = try await eventually {
            try await scheduler.catchUp()
            return try await shown().count == 2
        }
        #expect(isDone)
        try await storage.close()
    }

    @Test func `a start waits neither for a locked person nor for a message to everyone`() async throws {
        let database = try await StorageDatabase()
        let storage = try await Storage.open(try #require(URL(string: database.server.address(database.name))))
        let writer = try await writer(storage)
        try await sendLater(to: ["p0"], writer)
        let broadcast: JSON = ["to": ["everyone": true], "message": ["title": "x"]]
        let messages = try OutgoingMessages(checking: JSONReader(broadcast), now: SystemClock().now)
        for rows in ["person", "message WHERE recipients IS NULL"] {
            let other = try await lock(rows: rows, in: database)
            // Otherwise a start that waits would hold up the test.
            let release = Task {
                try await Task.sleep(for: .seconds(90))
                await other.use { $0.close() }
            }
            try await database.use { try $0.executeScript("UPDATE due SET at = 1") }
            let start = ContinuousClock.now
            try await scheduler(storage, writer).prepare()
            #expect(ContinuousClock.now - start < .seconds(60), "\(rows)")
            release.cancel()
            #expect(try await storage.read { try $0.earliestDue() } != nil, "\(rows)")
            await other.use { $0.close() }
            _ = try await writer.write { try $0.send(messages) }
        }
        try await storage.close()
    }

    @Test func `a start ends also where very much is due for a locked person, in its order`() async throws {
        let database = try await StorageDatabase()
        let storage = try await Storage.open(try #require(URL(string: database.server.address(database.name))))
        let writer = try await writer(storage)
        _ = try await writer.write { try $0.person(named: "p0", advancing: true) }
        // More than is tried in the time for which it is postponed.
        try await database.use { connection in
            try connection.executeScript(
                """
                INSERT INTO message (id, content, surface, deliverAt, createdAt, recipients, state)
                SELECT n, '{"title":"x"}', '', 0, 0, 1, 0 FROM generate_series(1, 1000) AS n;
                INSERT INTO delivery (message, person, created, sequence, deliverAt, state)
                SELECT n, id, 1, 1, 0, 0 FROM person CROSS JOIN generate_series(1, 1000) AS n;
                INSERT INTO due (kind, message, person, at) SELECT 1, n, 0, n FROM generate_series(1, 1000) AS n
                """
            )
        }
        let other = try await lock("p0", in: database)
        // Otherwise a start that never ends would hold up the test.
        let release = Task {
            try await Task.sleep(for: .seconds(90))
            await other.use { $0.close() }
        }
        let start = ContinuousClock.now
        try await scheduler(storage, writer).prepare()
        #expect(ContinuousClock.now - start < .seconds(60))
        release.cancel()
        await other.use { $0.close() }
        let due: [Int] = try await storage.read { try $0.db.values("SELECT message FROM due ORDER BY at") }
        #expect(due == Array(1...1_000))
        try await storage.close()
    }

    @Test func `what is due for a person who was erased isn't postponed`() async throws {
        let database = try await StorageDatabase()
        let storage = try await Storage.open(try #require(URL(string: database.server.address(database.name))))
        let writer = try await writer(storage)
        _ = try await writer.write { try $0.person(named: "p0", advancing: true) }
        try await database.use { connection in
            try connection.executeScript("INSERT INTO due (kind, message, person, at) VALUES (3, 1, 987654, 1)")
        }
        try await scheduler(storage, writer).catchUp()
        #expect(try await storage.read { try $0.earliestDue() } == nil)
        try await storage.close()
    }

    @Test func `a server waits for another number as long as it takes, and then writes with it`() async throws {
        let database = try await StorageDatabase()
        let storage = try await Storage.open(try #require(URL(string: database.server.address(database.name))))
        try await storage.join()
        let writer = try await writer(storage)
        /// Runs a write, and returns its connection, and the number and the limit of locks that it has.
        @Sendable func write(_ name: String) async throws -> (backend: Int, settings: [String]) {
            try await writer.write(.independent) { transaction in
                _ = try transaction.setting(name, orNew: Data())
                let row = try transaction.db.row(
                    "SELECT pg_backend_pid()::bigint, current_setting('inbox.node'), current_setting('lock_timeout')"
                )
                let found = try #require(row)
                return (found[0], [found[1], found[2]])
            }
        }
        #expect(try await write("first").settings == ["0", "2s"])
        // Another server has its number, and acquires another one for a while.
        let settings = try database.settings
        let other = try await blocking {
            let connection = try PostgresConnection(settings)
            try connection.execute("BEGIN")
            try connection.execute("SELECT pg_advisory_xact_lock($1)", [NodeNumber.numberLock])
            return Held(connection)
        }
        try await database.use { connection in
            try connection.executeScript("UPDATE node SET session = 7 WHERE id = 0")
        }
        async let late = write("late")
        // Longer than a write waits for a locked row.
        try await Task.sleep(for: .seconds(3))
        await other.use { $0.close() }
        let (backend, found) = try await late
        #expect(found.last == "2s")
        let number = try #require(storage.node).id
        #expect(number != 0 && found.first == "\(number)")
        // A new connection has them too.
        try await database.use { connection in
            try connection.executeScript("SELECT pg_terminate_backend(\(backend))")
        }
        // The first writes may still find the former connection.
        let isReplaced = try await eventually {
            guard let new = try? await write("new") else { return false }
            return new.backend != backend
        }
        #expect(isReplaced)
        #expect(try await write("next").settings == ["\(number)", "2s"])
        try await storage.close()
    }

    @Test func `a patient write waits for a locked row`() async throws {
        let database = try await StorageDatabase()
        let storage = try await Storage.open(try #require(URL(string: database.server.address(database.name))))
        let writer = try await writer(storage)
        _ = try await writer.write { try $0.person(named: "ann", advancing: true) }
        let locked = try await lock("ann", in: database)
        async let patient = writer.write(.shared, isPatient: true) { transaction in
            try transaction.person(named: "ann", advancing: true).sequence
        }
        // Longer than any other write waits.
        try await Task.sleep(for: .seconds(6))
        await locked.use { $0.close() }
        let sequence = try await patient
        #expect(sequence == 2)
        try await storage.close()
    }

    @Test func `one write too many is refused at once, and the others are done`() async throws {
        let database = try await StorageDatabase()
        let storage = try await Storage.open(try #require(URL(string: database.server.address(database.name))))
        let writer = try await Writer(
            storage: storage,
            clock: SystemClock(),
            random: .system,
            waitingLimit: 3,
            committed: { _ in }
        )
        let (isRunning, hold) = (Locked(false), Locked(true))
        async let blocker: Void = writer.write { _ in
            isRunning.withLock { $0 = true }
            while hold.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.005) }
        }
        while !isRunning.withLock({ $0 }) { await Task.yield() }
        let waiting = (0..<3).map { number in
            Task { _ = try await writer.write { try $0.person(named: "p\(number)", advancing: true) } }
        }
        while writer.waiting < 3 { await Task.yield() }
        let error = await failure((any Error).self) { try await writer.write(.independent) { _ in } }
        #expect(error is WriterBusyError)
        if case .busy? = error.flatMap({ StorageFailure($0) }) {} else { Issue.record("it isn't retryable") }
        hold.withLock { $0 = false }
        try await blocker
        for task in waiting { try await task.value }
        try await writer.write(.independent) { _ in }
        let count: Int? = try await storage.read { try $0.db.value("SELECT count(*) FROM person") }
        #expect(count == 3)
        try await storage.close()
    }
}
