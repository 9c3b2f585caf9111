import Foundation
import Groundwork
import Postgres
import Testing

@testable import InboxService

/// The numbers of servers where the database was moved or restored, or a server's row is gone.
@Suite(.timeLimit(.minutes(5))) struct NodeRestoreTests {
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
            #expect(try !NodeNumber.areInUse(connection) { _ in })
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

            // It looks silent by a clock that was set.
            try connection.execute("UPDATE node SET seenAt = 0")
            let goesOn = try NodeNumber.areInUse(connection) { _ in _ = try? server.renew(other) }
            #expect(goesOn)
            #expect(try server.renew(other))
        }
    }
}
