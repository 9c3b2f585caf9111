import Eventually
import Foundation
import Groundwork
import Postgres
import RunningPostgres
import Testing

@testable import InboxService

@Suite(.timeLimit(.minutes(5))) struct NodeTests {
    // MARK: Groups

    @Test func `announcements without a gap are complete`() {
        var tracker = GroupTracker([1: 4])
        // Then a server that is new, and what was read before is announced again.
        let recorded = [
            tracker.record(announced: 5...5, of: 1), tracker.record(announced: 6...8, of: 1),
            tracker.record(announced: 1...2, of: 2),
            tracker.record(announced: 7...9, of: 1), tracker.record(announced: 3...3, of: 1),
        ]
        #expect(recorded == [true, true, true, true, true])
        #expect(!tracker.isBehind([1: 9, 2: 2]))
    }

    @Test func `a gap is noticed once`() {
        var tracker = GroupTracker([1: 4])
        let recorded = [
            tracker.record(announced: 6...6, of: 1), tracker.record(announced: 7...7, of: 1),
            tracker.record(announced: 2...2, of: 2),
        ]
        #expect(recorded == [false, true, false])
    }

    @Test func `a group that isn't announced is missing at the second read`() {
        var tracker = GroupTracker([1: 4])
        // At first it may be on its way.
        let (before, first) = (tracker.check([1: 4]), tracker.check([1: 5]))
        #expect(before && first && tracker.isBehind([1: 5]))
        let second = tracker.check([1: 5])
        #expect(!second)
        let late = (
            tracker.record(announced: 5...5, of: 1), tracker.check([1: 6, 2: 1]),
            tracker.record(announced: 6...6, of: 1)
        )
        #expect(late == (true, true, true))
        let other = tracker.check([1: 6, 2: 1])
        #expect(!other)
    }

    @Test func `the numbers of a row that was deleted or has fallen begin again, which is a gap`() {
        var tracker = GroupTracker([1: 41, 2: 7])
        let complete = tracker.check([1: 41, 2: 7])
        // The first number is another server's by now, which is killed before it announces its first group.
        let (replaced, again) = (tracker.check([1: 1, 2: 7]), tracker.check([1: 1, 2: 7]))
        #expect(complete && !replaced && again)
        let late = (tracker.check([1: 2, 2: 7]), tracker.isBehind([1: 2]), tracker.check([1: 2, 2: 7]))
        #expect(late == (true, true, false))
        let announced = tracker.record(announced: 2...2, of: 1)
        let (deleted, empty) = (tracker.check([2: 7]), tracker.check([2: 7]))
        #expect(announced && !deleted && empty)
        let (added, missed) = (tracker.check([1: 2, 2: 7]), tracker.check([1: 2, 2: 7]))
        #expect(added && !missed)
    }

    @Test func `a number that no server has committed hides no group for longer than two reads`() {
        var tracker = GroupTracker([1: 4])
        let invented = (
            tracker.check([1: 4]), tracker.record(announced: 1...Int.max, of: 1),
            tracker.record(announced: 1...9, of: 200)
        )
        // It may have come after this read had begun.
        let first = tracker.check([1: 4])
        #expect(invented == (true, true, true))
        #expect(first)
        let second = tracker.check([1: 5])
        #expect(!second)
        let complete = tracker.check([1: 5])
        #expect(complete)
        // A later group that isn't announced is missing at the second read, as always.
        let (onItsWay, missing) = (tracker.check([1: 6]), tracker.check([1: 6]))
        #expect(onItsWay && !missing)
        // Where growing numbers are forged again and again, each second read finds it.
        var found: [Bool] = []
        for number in 100..<104 {
            _ = tracker.record(announced: 1...number, of: 1)
            found.append(tracker.check([1: 7]))
        }
        #expect(found == [true, false, true, false])
    }

    // MARK: Numbers

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
            #expect(try first.renew(connection))
            try connection.execute("UPDATE node SET seenAt = seenAt - $1 WHERE id = 0", [NodeNumber.lifetime - 3_000])
            #expect(try NodeNumber.acquire(connection).id == 2)
            try connection.execute("UPDATE node SET seenAt = seenAt - 3001 WHERE id = 0")
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

    @Test func `what a server has locked that stops while it sends a group is unlocked`() async throws {
        let database = try await StorageDatabase()
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
                try own.endSilent(connection, unfinishedFor: 0)
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
        let delay = try await database.use { connection -> Int? in
            func heartbeat() throws -> NodeHeartbeat? {
                try NodeHeartbeat.all(.postgres(PostgresTransaction(connection))).first
            }
            let end = ContinuousClock.now + .seconds(60)
            while try heartbeat()?.isConnected != true, .now < end { Thread.sleep(forTimeInterval: 0.005) }
            // As another server does that doesn't hear of it for long.
            try connection.execute("UPDATE node SET session = NULL")
            var acquiredAt: Int?
            while .now < end {
                if let latest = try heartbeat() {
                    let start = acquiredAt ?? latest.time
                    acquiredAt = start
                    if latest.isConnected { return latest.time + latest.silence - start }
                }
                Thread.sleep(forTimeInterval: 0.005)
            }
            return nil
        }
        try await storage.close()
        // Without that, the next heartbeat is two seconds later.
        let milliseconds = try #require(delay)
        #expect(milliseconds < 1_500)
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

    @Test func `no server starts while the database is moved, and a silent one doesn't count`() async throws {
        let database = try await StorageDatabase()
        try await database.use { connection in
            _ = try PostgresSchema.prepare(connection)
            #expect(try !NodeNumber.areInUse(connection))
            let number = try NodeNumber.acquire(connection)
            #expect(try number.renew(connection))
            #expect(try NodeNumber.areInUse(connection))
            try connection.execute("SELECT pg_advisory_lock($1)", [NodeNumber.moveLock])
            try connection.execute("UPDATE node SET seenAt = 0")
            #expect(try !NodeNumber.areInUse(connection))
            // It wakes up, and can't write.
            #expect(try !number.renew(connection))
        }
        let error = try await database.use { connection in
            try connection.execute("SELECT pg_advisory_lock($1)", [NodeNumber.moveLock])
            let other = try PostgresConnection(connection.settings)
            defer { other.close() }
            return failure(ServerSetupError.self) { _ = try NodeNumber.acquire(other) }
        }
        #expect(error?.description.contains("being moved") == true)
    }

    @Test func `a server that comes back after a move or a restore acquires no number`() async throws {
        let database = try await StorageDatabase()
        try await database.use { connection in
            _ = try PostgresSchema.prepare(connection)
            // The first one has lost its number before.
            let first = try NodeNumber.acquire(connection)
            let second = try NodeNumber.acquire(connection)
            try connection.execute("UPDATE node SET seenAt = 0 WHERE id = 0")
            let third = try NodeNumber.acquire(connection, insteadOf: second)
            #expect(third.id == 0 && third.isTaken)
            try connection.execute("UPDATE node SET seenAt = 0")
            #expect(try !NodeNumber.areInUse(connection) { _ in })
            func refusal(of server: NodeNumber) -> String? {
                failure(ServerSetupError.self) { _ = try NodeNumber.acquire(connection, insteadOf: server) }?
                    .description
            }
            // The move has ended: no lock is left of it.
            for server in [first, second, third] {
                #expect(refusal(of: server)?.contains("moved or restored") == true)
                #expect(try !server.renew(connection))
                #expect(try !server.endClaimsOfStoppedServers(connection))
            }
            // A server that starts gets a number, and another one after a long pause.
            let started = try NodeNumber.acquire(connection)
            #expect(started.id == 0 && started.fence != nil && !started.isTaken)
            try connection.execute("UPDATE node SET session = NULL")
            #expect(try NodeNumber.acquire(connection, insteadOf: started).fence == started.fence)
            // Each has a fence of its own, also where the same backup is restored twice.
            #expect(try !NodeNumber.areInUse(connection) { _ in })
            #expect(refusal(of: started) != nil && refusal(of: first) != nil)
            // The backup is older than the server.
            try connection.execute("DELETE FROM node")
            #expect(refusal(of: first) != nil)
        }
    }

    @Test func `a row that is added after a restore is fenced, too`() async throws {
        let database = try await StorageDatabase()
        try await database.use { connection in
            _ = try PostgresSchema.prepare(connection)
            _ = try NodeNumber.acquire(connection)
            let second = try NodeNumber.acquire(connection)
            // The backup is older than the second server.
            try connection.execute("DELETE FROM node WHERE id = 1")
            try connection.execute("UPDATE node SET seenAt = 0")
            #expect(try !NodeNumber.areInUse(connection) { _ in })
            let started = try NodeNumber.acquire(connection)
            let added = try NodeNumber.acquire(connection)
            #expect(started.id == 0 && second.id == 1 && added.id == 1)
            #expect(added.fence != nil && added.fence == started.fence)
            let error = failure(ServerSetupError.self) {
                _ = try NodeNumber.acquire(connection, insteadOf: second)
            }
            #expect(error?.description.contains("moved or restored") == true)
            // As a server of a version before the fence adds it.
            try connection.execute("UPDATE node SET session = NULL, fence = NULL WHERE id = 1")
            let later = failure(ServerSetupError.self) {
                _ = try NodeNumber.acquire(connection, insteadOf: second)
            }
            #expect(later?.description.contains("moved or restored") == true)
            let reused = try NodeNumber.acquire(connection)
            #expect(reused.id == 1 && reused.fence == started.fence)
        }
    }

    @Test func `a server whose row was deleted acquires no number, and marks no loss`() async throws {
        let database = try await StorageDatabase()
        try await database.use { connection in
            _ = try PostgresSchema.prepare(connection)
            var former = try (0..<2).map { _ in try NodeNumber.acquire(connection) }
            #expect(former[0].fence != nil && former[0].fence == former[1].fence)
            // As a server has it whose row is of a version before the fence.
            let (id, session) = (former[0].id, former[0].session)
            former.append(NodeNumber(id: id, session: session, group: 0, message: 0, isTaken: false))
            func expectFenced() throws {
                for number in former {
                    let refusal = failure(ServerSetupError.self) {
                        _ = try NodeNumber.acquire(connection, insteadOf: number)
                    }
                    #expect(refusal?.description.contains("rows of its table node were deleted") == true)
                    #expect(try !number.renew(connection))
                    var next = number
                    next.group += 1
                    let note = next.note
                    let lost = failure(PostgresError.self) { _ = try connection.pipeline([note]) }
                    #expect(lost?.sqlState == PostgresSchema.lostNumber)
                    try LostCommits.mark(connection, by: number)
                    #expect(try !LostCommits.isMarked(connection))
                }
            }
            // As in a backup without them, or by hand.
            try connection.execute("DELETE FROM node")
            try expectFenced()
            // Servers that start have the same numbers.
            let started = try (0..<2).map { _ in try NodeNumber.acquire(connection) }
            #expect(started.map(\.id) == [0, 1] && started[0].fence == started[1].fence)
            try expectFenced()
            #expect(try NodeRows(connection, of: started[0]).groups == [1: 0])
            // Where there are rows, one that is missing is a loss.
            try LostCommits.mark(connection, by: started[0])
            #expect(try LostCommits.isMarked(connection))
        }
    }

    @Test func `a server with the number of a deleted row makes none of its ids again`() async throws {
        let database = try await StorageDatabase()
        try await database.use { connection in
            _ = try PostgresSchema.prepare(connection)
            let first = try NodeNumber.acquire(connection)
            let now = SystemClock().now
            func add(_ id: Int) throws {
                try connection.executeScript(
                    """
                    INSERT INTO message (id, content, surface, deliverAt, createdAt, recipients, state)
                    VALUES (\(id), '{"title":"x"}', '', 0, 0, 1, 1)
                    """
                )
            }
            // Of a server whose clock is ahead, and of one whose clock is wrong.
            let ahead = now.addingTimeInterval(5).milliseconds
            let last = (ahead << 8 | first.id) << 13 | (1 << 13 - 2)
            try add(last)
            try add(now.addingTimeInterval(86_400).milliseconds << 21)
            try connection.execute("DELETE FROM node")
            for node in 0..<2 {
                let second = try NodeNumber.acquire(connection)
                let id = MessageID(after: second.message, at: now, node: second.id, random: .system)
                #expect(second.id == node && id.rawValue > last && id.time <= ahead + 1)
                #expect(id.rawValue >> 13 & 255 == node)
            }
        }
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

    @Test func `a database of a version before is checked for servers, too`() async throws {
        let database = try await StorageDatabase()
        try await database.use { connection in
            #expect(try !NodeNumber.areInUse(connection))
            _ = try PostgresSchema.prepare(connection)
            let number = try NodeNumber.acquire(connection)
            try connection.executeScript(
                "ALTER TABLE node DROP COLUMN fence; DELETE FROM migration WHERE name = 'nodeFence'"
            )
            #expect(try !NodeNumber.areInUse(connection) { _ in })
            #expect(try !number.renew(connection))
            // A server that starts migrates it, and one that was connecting meanwhile comes back.
            _ = try PostgresSchema.prepare(connection)
            let error = failure(ServerSetupError.self) {
                _ = try NodeNumber.acquire(connection, insteadOf: number)
            }
            #expect(error?.description.contains("moved or restored") == true)
        }
    }

    @Test func `a restored heartbeat isn't a server's, and one that goes on is`() async throws {
        let database = try await StorageDatabase()
        try await database.use { connection in
            _ = try PostgresSchema.prepare(connection)
            // As a backup that was made a moment ago has it: no connection has the lock of its session.
            let restored = try NodeNumber.acquire(connection)
            let db = SQLConnection.postgres(PostgresTransaction(connection))
            #expect(try NodeHeartbeat.all(db).map(\.isConnected) == [false])
            var waited = 0.0
            let isUsed = try NodeNumber.areInUse(connection) { waited += $0 }
            #expect(!isUsed && waited >= Double(NodeNumber.lateness) / 1_000 && waited < 5)
            #expect(try !restored.renew(connection))

            // A clock that was ahead delays nothing.
            _ = try NodeNumber.acquire(connection)
            try connection.execute("UPDATE node SET seenAt = seenAt + 3600000")
            waited = 0
            let isUsedLater = try NodeNumber.areInUse(connection) { waited += $0 }
            #expect(!isUsedLater && waited < 5)

            // A server that was about to send its first one.
            let server = try NodeNumber.acquire(connection)
            let other = try PostgresConnection(connection.settings)
            defer { other.close() }
            let isStarted = try NodeNumber.areInUse(connection) { _ in _ = try? server.renew(other) }
            #expect(isStarted)
            #expect(try NodeHeartbeat.all(db).map(\.isRunning) == [true])
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
