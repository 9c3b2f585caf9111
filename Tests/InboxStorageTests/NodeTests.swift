import Eventually
import Foundation
import Groundwork
import Postgres
import RunningPostgres
import Testing

@testable import InboxService

/// The numbers of servers, their groups of writes and their heartbeats.
@Suite(.timeLimit(.minutes(5))) struct NodeTests {
    /// Closes the connection of a server's heartbeats, and waits until no server is connected.
    private func disconnect(_ heartbeats: PostgresConnection, seenBy connection: PostgresConnection) throws {
        heartbeats.close()
        let end = ContinuousClock.now + .seconds(60)
        func isConnected() throws -> Bool {
            try NodeHeartbeat.all(.postgres(PostgresTransaction(connection))).contains { $0.isConnected }
        }
        while try isConnected(), .now < end { Thread.sleep(forTimeInterval: 0.005) }
    }

    @Test func `a number is one server's, until it is released or silent for long`() async throws {
        let database = try await StorageDatabase()
        try await database.use { connection in
            _ = try PostgresSchema.prepare(connection)
            let first = try NodeNumber.acquire(connection)
            var second = try NodeNumber.acquire(connection)
            #expect([first.id, second.id] == [0, 1] && first.group == 0 && first.message == 0)
            (second.group, second.message) = (7, 99)
            try connection.execute("SELECT noteGroup($1::smallint, $2, $3, $4)", [1, second.session, 7, 99])
            try second.release(connection)
            #expect(try !second.renew(connection))
            let third = try NodeNumber.acquire(connection)
            #expect(third.id == 1 && third.group == 7 && third.message == 99 && third.session != second.session)
            let heartbeats = try PostgresConnection(connection.settings)
            #expect(try first.renew(heartbeats))
            try connection.execute("UPDATE node SET seenAt = seenAt - $1 WHERE id = 0", [NodeNumber.lifetime - 9_000])
            #expect(try NodeNumber.acquire(connection).id == 2)
            try connection.execute("UPDATE node SET seenAt = seenAt - 9001 WHERE id = 0")
            try disconnect(heartbeats, seenBy: connection)
            #expect(try NodeNumber.acquire(connection).id == 0)
            #expect(try NodeRows(connection, of: third).groups == [0: 0, 2: 0])
            // The server that was silent can't commit any more.
            let error = failure(PostgresError.self) {
                _ = try connection.pipeline([first.note])
            }
            #expect(error?.sqlState == PostgresSchema.lostNumber)
        }
    }

    @Test func `a notification behind a commit isn't limited as the locks of its group are`() async throws {
        let database = try await StorageDatabase()
        try await database.use { connection in
            _ = try PostgresSchema.prepare(connection)
            var number = try NodeNumber.acquire(connection)
            try connection.execute("SELECT set_config('lock_timeout', '7s', false)")
            func limit(after notification: PostgresStatement) throws -> String {
                try connection.transaction { connection in
                    try connection.pipeline([notification])
                    return try connection.execute("SELECT current_setting('lock_timeout')")[0][0]
                }
            }
            #expect(try limit(after: PostgresNode.notification("0;due", of: number)) == "0")
            #expect(try connection.execute("SELECT current_setting('lock_timeout')")[0][0] == "7s")
            // Without the group it does nothing.
            number.group += 1
            #expect(try limit(after: PostgresNode.notification("0;due", of: number)) == "7s")
        }
    }

    @Test func `a late group fails once a later one exists or its end was requested`() async throws {
        let database = try await StorageDatabase()
        try await database.use { connection in
            _ = try PostgresSchema.prepare(connection)
            var number = try NodeNumber.acquire(connection)
            func note(_ group: Int) -> String? {
                number.group = group
                let note = number.note
                return failure(PostgresError.self) { _ = try connection.pipeline([note]) }?.sqlState
            }
            #expect(note(1) == nil && note(3) == nil)
            #expect([1, 2, 3].allSatisfy { note($0) == PostgresSchema.lostNumber })
            number.group = 4
            #expect(try number.endUnknown(connection))
            #expect(note(4) == PostgresSchema.lostNumber && note(5) == nil)
            // One that was committed already stays as it is.
            number.group = 2
            #expect(try number.endUnknown(connection))
            #expect(try connection.execute("SELECT groups FROM node")[0][0] == 5)
            try connection.execute("UPDATE node SET session = NULL")
            #expect(try !number.endUnknown(connection))
        }
    }

    @Test func `a group fails if a confirmed one is missing, also beside another server`() async throws {
        let database = try await StorageDatabase()
        try await database.use { connection in
            _ = try PostgresSchema.prepare(connection)
            var number = try NodeNumber.acquire(connection)
            func note(_ group: Int) -> String? {
                number.group = group
                let note = number.note
                return failure(PostgresError.self) { _ = try connection.pipeline([note]) }?.sqlState
            }
            #expect(note(1) == nil && note(2) == nil)
            number.confirmed = 2
            #expect(note(3) == nil)
            // As after a failover to a standby that hadn't received the second group.
            try connection.execute("UPDATE node SET groups = 1")
            #expect(note(4) == PostgresSchema.lostCommits)
            #expect(try !number.endUnknown(connection))
            #expect(try NodeRows(connection, of: number).latest == [0: 1])
            try connection.execute("UPDATE node SET seenAt = 0")
            var other = try NodeNumber.acquire(connection)
            other.group = 9
            _ = try connection.pipeline([other.note])
            #expect(note(10) == PostgresSchema.lostNumber)
            #expect(try NodeRows(connection, of: number).latest == [0: 1])
            #expect(try NodeRows(connection, of: other).latest == [0: 9])
            // So does one that takes no number itself.
            let third = try NodeNumber.acquire(connection)
            try connection.execute("UPDATE node SET seenAt = 0 WHERE id = 0")
            try third.endSilent(connection)
            #expect(try connection.execute("SELECT session IS NULL FROM node WHERE id = 0")[0][0] as Bool)
            #expect(try NodeRows(connection, of: other).latest == [0: 9, 1: 0])
            try connection.execute("UPDATE node SET groups = 20 WHERE id = 0")
            #expect(try NodeRows(connection, of: other).latest == [0: 9, 1: 0])
            // A server of the version before notes its groups as ever.
            let arguments: [any PostgresEncodable] = [third.session, 1, 99]
            try connection.execute("SELECT noteGroup(1::smallint, $1, $2, $3)", arguments)
            #expect(try NodeRows(connection, of: third).latest == [0: 20, 1: 1])
        }
    }

    @Test func `a group fails on a connection on which triggers don't run`() async throws {
        let database = try await StorageDatabase()
        try await database.use { connection in
            _ = try PostgresSchema.prepare(connection)
            var number = try NodeNumber.acquire(connection)
            number.group = 1
            let note = number.note
            try connection.executeScript("SET session_replication_role = replica")
            let error = failure(PostgresError.self) { _ = try connection.pipeline([note]) }
            #expect(error?.sqlState == PostgresSchema.skippedTriggers)
            try connection.executeScript("SET session_replication_role = local")
            try connection.pipeline([note])
            #expect(try NodeRows(connection, of: number).latest == [0: 1])
        }
    }

    @Test(arguments: [nil, "another role"] as [String?])
    func `what a server has locked that stops while it sends a group is unlocked`(suffix: String?) async throws {
        let database = try await StorageDatabase()
        // As with `ALTER ROLE … SET role`: the current user isn't the one who has signed in.
        let role = suffix.map { "\(database.name) \($0)" }
        if let role { try await database.use { try $0.executeScript("CREATE ROLE \"\(role)\"") } }
        let own = try await database.use { connection in
            _ = try PostgresSchema.prepare(connection)
            return try NodeNumber.acquire(connection)
        }
        let relay = try await DatabaseRelay(for: database.server)
        let address = database.server.address(database.name, port: relay.port)
        let (relayed, direct) = (try PostgresSettings(address + "?sslmode=disable"), try database.settings)
        let gate = try await blocking { Held(try PostgresConnection(direct)) }
        let isHeld = await gate.use { (try? $0.execute("SELECT pg_advisory_lock(7)")) != nil }
        #expect(isHeld)
        let group = Task {
            try await database.use(relayed) { connection in
                let first = ["BEGIN", "UPDATE counter SET value = value", "SELECT pg_advisory_xact_lock(7)"]
                // More than what is on its way at any time.
                let text = String(repeating: "x", count: 4 << 20)
                let rest = (0..<16).map { _ in PostgresStatement("SELECT length($1)", [text]) }
                _ = try connection.pipeline(first.map { PostgresStatement($0) } + rest)
            }
        }
        /// The number of locks in the database that a condition is true of.
        func locks(_ condition: String) async throws -> Int {
            try await database.use { connection in
                try connection.execute(
                    """
                    SELECT count(*) FROM pg_locks WHERE \(condition)
                        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                    """
                )[0][0]
            }
        }
        let isWaiting = try await eventually { try await locks("locktype = 'advisory' AND NOT granted") == 1 }
        #expect(isWaiting)
        // The rest of the group doesn't arrive, and nothing is cut.
        try await relay.hold()
        let isOpen = await gate.use { (try? $0.execute("SELECT pg_advisory_unlock(7)")) != nil }
        #expect(isOpen)
        #expect(try await locks("relation = 'counter'::regclass") > 0)
        let isUnlocked = try await eventually {
            try await database.use { connection in
                try connection.execute(
                    """
                    INSERT INTO node (id, session, seenAt, groups, message) VALUES (9, 9, 0, 0, 0)
                    ON CONFLICT (id) DO UPDATE SET session = 9
                    """
                )
                if let role {
                    // It has no rights, not even to see the other connections.
                    try connection.executeScript("SET ROLE \"\(role)\"")
                    try NodeNumber.endUnfinished(connection, for: 0)
                    #expect(try connection.execute("SELECT current_user::text")[0][0] == role)
                } else {
                    try own.endSilent(connection, unfinishedFor: 0)
                }
            }
            return try await locks("relation = 'counter'::regclass") == 0
        }
        #expect(isUnlocked)
        try await relay.release()
        let error = await failure(PostgresError.self) { try await group.value }
        #expect(error != nil)
        await relay.stop()
    }

    @Test func `a server knows whether its number was taken from a silent one`() async throws {
        let database = try await StorageDatabase()
        try await database.use { connection in
            _ = try PostgresSchema.prepare(connection)
            let first = try NodeNumber.acquire(connection)
            try first.release(connection)
            let second = try NodeNumber.acquire(connection)
            try connection.execute("UPDATE node SET seenAt = 0")
            let third = try NodeNumber.acquire(connection)
            #expect([first, second, third].map(\.id) == [0, 0, 0])
            #expect([first, second, third].map(\.isTaken) == [false, false, true])
        }
    }

    @Test func `a silent server keeps its number while it is connected when another one starts`() async throws {
        let database = try await StorageDatabase()
        try await database.use { connection in
            _ = try PostgresSchema.prepare(connection)
            let running = try NodeNumber.acquire(connection)
            let heartbeats = try PostgresConnection(connection.settings)
            defer { heartbeats.close() }
            #expect(try running.renew(heartbeats))
            // As after the database's clock was set ahead.
            try connection.execute("UPDATE node SET seenAt = 0")
            let started = try NodeNumber.acquire(connection)
            #expect(started.id == 1 && !started.isTaken)
            #expect(try running.renew(heartbeats))
            // As after it was killed.
            try connection.execute("UPDATE node SET seenAt = 0 WHERE id = 0")
            try disconnect(heartbeats, seenBy: connection)
            let later = try NodeNumber.acquire(connection)
            #expect(later.id == 0 && later.isTaken)
        }
    }

    @Test func `a server that acquires a stopped one's number posts its payloads`() async throws {
        let database = try await StorageDatabase()
        try await database.use { connection in
            _ = try PostgresSchema.prepare(connection)
            try connection.executeScript(
                """
                INSERT INTO outbox (webhook, event, person, type, body, createdAt, attempts, nextAt)
                SELECT 1, 'e' || n, 1, 'message.read', '{}', 5, 0, 70 + n FROM generate_series(1, 3) n;
                INSERT INTO node (id, session, seenAt, groups, message, claims) VALUES
                    (0, 7, 0, 0, 0, (SELECT ARRAY[1, id, 71] FROM outbox WHERE event = 'e1')
                        -- Of this one, an attempt has ended.
                        || (SELECT ARRAY[1, id, 9] FROM outbox WHERE event = 'e2'))
                """
            )
            let number = try NodeNumber.acquire(connection)
            #expect(number.id == 0 && number.isTaken)
            let times = try connection.execute("SELECT nextAt FROM outbox ORDER BY event").map { try $0[0] as Int }
            #expect(times == [5, 72, 73])
            #expect(try !number.endClaimsOfStoppedServers(connection))
        }
    }

    @Test func `a paused server loses its number, but not what it may be posting`() async throws {
        let database = try await StorageDatabase()
        try await database.use { connection in
            _ = try PostgresSchema.prepare(connection)
            let own = try NodeNumber.acquire(connection)
            // Of the second one, the connection has ended.
            let paused = try PostgresConnection(connection.settings)
            defer { paused.close() }
            for session in [7, 9] { try paused.execute("SELECT pg_advisory_lock($1)", [session]) }
            try connection.executeScript(
                """
                INSERT INTO outbox (webhook, event, person, type, body, createdAt, attempts, nextAt)
                SELECT 1, 'e' || n, 1, 'message.read', '{}', 5, 0, 70 + n FROM generate_series(7, 9) n;
                INSERT INTO node (id, session, seenAt, groups, message, claims)
                SELECT n, n, 0, 0, 0, ARRAY[1, id, nextAt] FROM outbox, generate_series(7, 9) n WHERE event = 'e' || n
                """
            )
            func times() throws -> [Int] {
                try connection.execute("SELECT nextAt FROM outbox ORDER BY event").map { try $0[0] }
            }
            try own.endSilent(connection)
            #expect(try connection.execute("SELECT FROM node WHERE session IS NOT NULL").count == 1)
            #expect(try own.endClaimsOfStoppedServers(connection))
            #expect(try times() == [77, 5, 79])
            // Nor do they end with a server that acquires its number.
            let started = try NodeNumber.acquire(connection)
            #expect(started.id == 7 && !started.isTaken)
            #expect(try times() == [77, 5, 79])
            #expect(try !own.endClaimsOfStoppedServers(connection))
            paused.close()
            let end = ContinuousClock.now + .seconds(60)
            while try !own.endClaimsOfStoppedServers(connection), .now < end { Thread.sleep(forTimeInterval: 0.005) }
            #expect(try times() == [77, 5, 5])
        }
    }

    @Test func `a heartbeat doesn't wait for the lock of the server's own lost connection`() async throws {
        let database = try await StorageDatabase()
        try await database.use { connection in
            _ = try PostgresSchema.prepare(connection)
            let number = try NodeNumber.acquire(connection)
            // PostgreSQL hasn't noticed that it was cut off.
            let lost = try PostgresConnection(connection.settings)
            defer { lost.close() }
            #expect(try number.renew(lost))
            try connection.execute("UPDATE node SET seenAt = 0")
            connection.deadline = .now + .seconds(10)
            var isLocked = true
            let isOwn = try number.renew(connection) { isLocked = $0 }
            #expect(isOwn && !isLocked)
            #expect(try connection.execute("SELECT seenAt > 0 FROM node")[0][0])
            lost.close()
            let end = ContinuousClock.now + .seconds(60)
            connection.deadline = end
            while !isLocked, .now < end {
                _ = try number.renew(connection) { isLocked = $0 }
                Thread.sleep(forTimeInterval: 0.005)
            }
            #expect(isLocked)
        }
    }

    @Test func `a server with a new number has the lock of its session within a read or two`() async throws {
        let database = try await StorageDatabase()
        let storage = try await Storage.open(try #require(URL(string: database.server.address(database.name))))
        try await storage.join()
        let delays = try await database.use { connection -> [Int] in
            func heartbeat() throws -> NodeHeartbeat? {
                try NodeHeartbeat.all(.postgres(PostgresTransaction(connection))).first
            }
            let end = ContinuousClock.now + .seconds(60)
            var delays: [Int] = []
            // A busy machine may be slow once, or twice.
            while delays.allSatisfy({ $0 >= 1_500 }), .now < end {
                while try heartbeat()?.isConnected != true, .now < end { Thread.sleep(forTimeInterval: 0.005) }
                // As another server does that doesn't hear of it for long.
                try connection.execute("UPDATE node SET session = NULL")
                var (acquiredAt, delay): (Int?, Int?) = (nil, nil)
                while delay == nil, .now < end {
                    if let latest = try heartbeat() {
                        let start = acquiredAt ?? latest.time
                        acquiredAt = start
                        if latest.isConnected { delay = latest.time + latest.silence - start }
                    }
                    Thread.sleep(forTimeInterval: 0.005)
                }
                if let delay { delays.append(delay) }
            }
            return delays
        }
        try await storage.close()
        // Without that, the next heartbeat is always two seconds later.
        #expect(delays.contains { $0 < 1_500 }, "\(delays)")
    }

    @Test func `the number of a server that is paused while it commits isn't waited for`() async throws {
        let database = try await StorageDatabase()
        try await database.use { connection in
            _ = try PostgresSchema.prepare(connection)
            var silent = try NodeNumber.acquire(connection)
            try connection.execute("UPDATE node SET seenAt = 0")
            let paused = try PostgresConnection(connection.settings)
            defer { paused.close() }
            silent.group = 1
            try paused.execute("BEGIN")
            try paused.pipeline([silent.note])
            try connection.execute("SELECT set_config('lock_timeout', '5s', false)")
            #expect(try NodeNumber.acquire(connection).id == 1)
            try paused.execute("COMMIT")
            let later = try NodeNumber.acquire(connection)
            #expect(later.id == 0 && later.isTaken && later.group == 1)
        }
    }

    @Test func `servers that start at the same time have different numbers, and there are 256`() async throws {
        let database = try await StorageDatabase()
        try await database.use { connection in
            _ = try PostgresSchema.prepare(connection)
            // Most of them run already. All 256 would take so long that the first ones would count as dead.
            try connection.executeScript(
                """
                INSERT INTO node (id, session, seenAt, groups, message)
                SELECT n, n, \(Int.max), 0, 0 FROM generate_series(0, 223) n
                """
            )
        }
        let numbers = try await withThrowingTaskGroup(of: [Int].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await database.use { connection in
                        try (0..<4).map { _ in try NodeNumber.acquire(connection).id }
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(numbers.sorted() == Array(224...255))
        let error = await failure(ServerSetupError.self) {
            _ = try await database.use { try NodeNumber.acquire($0).id }
        }
        #expect(error?.description.contains("256 servers") == true)
    }

    @Test func `a server that has lost its number leaves the payloads of dead ones alone`() async throws {
        let database = try await StorageDatabase()
        try await database.use { connection in
            _ = try PostgresSchema.prepare(connection)
            let number = try NodeNumber.acquire(connection)
            try connection.executeScript(
                """
                INSERT INTO node (id, session, seenAt, groups, message, claims) VALUES (9, 7, 0, 0, 0, ARRAY[1, 1, 1]);
                UPDATE node SET session = NULL WHERE id = 0;
                """
            )
            #expect(try !number.endClaimsOfStoppedServers(connection))
            try connection.execute("UPDATE node SET session = $1 WHERE id = 0", [number.session])
            #expect(try number.endClaimsOfStoppedServers(connection))
        }
    }

    // MARK: Order

    @Test func `writes of a group are in the order of names that the database has`() async throws {
        let names = ["b", "é", "a", "Z", "e\u{301}", "aa", "\u{10FFFF}", "ｆ", "~"]
        let scopes = (names.map { WriteScope.person($0) } + [.shared, .independent]).sorted()
        #expect(scopes.suffix(2) == [.independent, .shared])
        let (database, _) = try await StorageDatabase.migrated.value
        let ordered = try await database.use { connection in
            try connection.execute("SELECT n FROM unnest($1) AS n ORDER BY n COLLATE \"C\"", [names]).map { row in
                WriteScope.person(try row[0])
            }
        }
        #expect(Array(scopes.dropLast(2)) == ordered)
    }
}
