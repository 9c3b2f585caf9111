import Foundation
import Groundwork
import Postgres
import RunningPostgres
import Testing

@testable import InboxService

/// What a server stores of a webhook's payload that another server has claimed meanwhile, since this one was paused.
@Suite(.timeLimit(.minutes(5))) struct LostClaimTests {
    /// A new database in which are a webhook and payloads, and a server's writer.
    private struct Server: Sendable {
        let database: StorageDatabase
        let storage: Storage
        let writer: Writer

        init(payloads: Int) async throws {
            database = try await StorageDatabase()
            storage = try await Storage.open(try #require(URL(string: database.server.address(database.name))))
            writer = try await Writer(storage: storage, clock: SystemClock(), random: .system, committed: { _ in })
            let now = SystemClock().now.milliseconds
            try await database.use { connection in
                try connection.executeScript(
                    """
                    INSERT INTO webhook (url, types, isEnabled, isGone, secret, pausedUntil, createdAt)
                    VALUES ('https://example.com', '["*"]', true, false, '', 0, 0);
                    INSERT INTO outbox (webhook, event, person, type, body, createdAt, attempts, nextAt)
                    SELECT 1, 'e' || n, n, 'message.read', '{}', \(now), 0, 0 FROM generate_series(1, \(payloads)) n
                    """
                )
            }
        }

        func claim() async throws -> [WebhookDelivery] {
            try await writer.write { try $0.claimDueDeliveries(running: []) }.deliveries
        }

        @discardableResult
        func finish(_ delivery: WebhookDelivery, _ decision: DeliveryMachine.Decision) async throws -> Bool {
            try await writer.write(decision.scope) { try $0.finish(delivery, decision) }
            return try await storage.read { try $0.isStored(decision, of: delivery) }
        }

        func claimAgain(_ deliveries: [WebhookDelivery]) async throws -> [WebhookDelivery?] {
            try await writer.write { transaction in try deliveries.map { try transaction.claimAgain($0) } }
        }

        func numbers(_ sql: String) async throws -> [Int] {
            try await database.use { connection in try connection.execute(sql).map { try $0[0] } }
        }

        func webhook() async throws -> [Int] {
            try await numbers(
                """
                SELECT unnest(ARRAY[isEnabled::integer::bigint, isGone::integer::bigint, pausedUntil]) FROM webhook
                """
            )
        }
    }

    private static let later = Date(milliseconds: 4_000_000_000_000)
    private static let failures: [DeliveryMachine.Decision] = [
        .gone(reason: "status 410"), .retry(at: later, pausedUntil: later, reason: "status 429"),
        .retry(at: later, pausedUntil: nil, reason: "status 500"), .dead(reason: "status 500"),
    ]

    @Test func `an old failure changes neither the payload nor the webhook`() async throws {
        let server = try await Server(payloads: 1)
        let delivery = try #require(try await server.claim().first)
        try await server.database.use { _ = try $0.execute("UPDATE outbox SET nextAt = nextAt + 1") }
        for decision in Self.failures {
            try await server.finish(delivery, decision)
            #expect(try await server.webhook() == [1, 0, 0], "\(decision)")
        }
        let untouched = "SELECT count(*) FROM outbox WHERE attempts = 0 AND diedAt IS NULL AND reason IS NULL"
        #expect(try await server.numbers(untouched) == [1])
        // Its own claim's does.
        try await server.database.use { _ = try $0.execute("UPDATE outbox SET nextAt = nextAt - 1") }
        try await server.finish(delivery, Self.failures[1])
        #expect(try await server.webhook() == [1, 0, Self.later.milliseconds])
        #expect(try await server.numbers(untouched) == [0])
        try await server.storage.close()
    }

    @Test func `a success counts once, whichever server stores it, and by how many`() async throws {
        let server = try await Server(payloads: 2)
        let deliveries = try await server.claim()
        #expect(deliveries.count == 2)
        let pending = "SELECT sum(pending)::bigint FROM webhookCount"
        #expect(try await server.numbers(pending) == [2])
        try await server.database.use { _ = try $0.execute("UPDATE outbox SET nextAt = 0") }
        let again = try await server.claim()
        for delivery in deliveries + again { try await server.finish(delivery, .delivered) }
        #expect(try await server.numbers(pending) == [0])
        #expect(try await server.numbers("SELECT sum(dead)::bigint FROM webhookCount") == [0])
        try await server.storage.close()
    }

    @Test func `a claim is renewed after a second, and is lost with its time or its payload`() async throws {
        let server = try await Server(payloads: 2)
        var deliveries = try await server.claim()
        deliveries[0].readAt = ContinuousClock.now + .seconds(60)
        deliveries[1].readAt = ContinuousClock.now - .milliseconds(1_001)
        #expect(deliveries.map(\.mayBeLost) == [false, true])
        let start = ContinuousClock.now
        let renewed = try await server.claimAgain(deliveries).compactMap { $0 }
        #expect(renewed.count == 2)
        #expect(renewed.allSatisfy { $0.readAt >= start })
        #expect(zip(deliveries, renewed).allSatisfy { $0.nextAt < $1.nextAt })
        // Others end claims as they were before.
        let former = try await server.claimAgain(deliveries)
        #expect(former.count == 2 && former.allSatisfy { $0 == nil })
        let changes = [
            "UPDATE outbox SET nextAt = createdAt WHERE id = \(renewed[0].outbox)",
            "UPDATE outbox SET nextAt = \(renewed[0].nextAt), diedAt = 1 WHERE id = \(renewed[0].outbox)",
        ]
        var other = renewed[1]
        for change in changes {
            try await server.database.use { _ = try $0.execute(change) }
            let again = try await server.claimAgain([renewed[0], other])
            #expect(again.map { $0 != nil } == [false, true])
            other = try #require(again[1])
        }
        let last = other
        try await server.database.use { _ = try $0.execute("DELETE FROM outbox WHERE id = \(last.outbox)") }
        let deleted = try await server.claimAgain([last])
        #expect(deleted.count == 1 && deleted[0] == nil)
        try await server.storage.close()
    }

    @Test func `a result isn't stored while another transaction has locked its payload`() async throws {
        let server = try await Server(payloads: 2)
        let deliveries = try await server.claim()
        let (isLocked, mayEnd) = (Locked(false), Locked(false))
        async let other: Void = server.database.use { connection in
            try connection.transaction { connection in
                try connection.execute("SELECT FROM outbox FOR UPDATE")
                isLocked.withLock { $0 = true }
                while !mayEnd.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.005) }
            }
        }
        while !isLocked.withLock({ $0 }) { await Task.yield() }
        let decisions: [DeliveryMachine.Decision] = [.delivered, Self.failures[2], Self.failures[3]]
        var stored: [Bool] = []
        for decision in decisions { stored.append(try await server.finish(deliveries[0], decision)) }
        mayEnd.withLock { $0 = true }
        try await other
        #expect(stored == [false, false, false])
        #expect(try await server.numbers("SELECT attempts FROM outbox") == [0, 0])
        #expect(try await server.finish(deliveries[0], .delivered))
        #expect(try await server.finish(deliveries[1], Self.failures[2]))
        #expect(try await server.numbers("SELECT attempts FROM outbox") == [1])
        // What is gone, or another server's, isn't stored again.
        #expect(try await server.finish(deliveries[0], .delivered))
        #expect(try await server.finish(deliveries[1], Self.failures[2]))
        try await server.storage.close()
    }

    @Test func `payloads that another server has locked are looked for again within a second`() async throws {
        let server = try await Server(payloads: 2)
        let (isLocked, mayEnd) = (Locked(false), Locked(false))
        // It claims one, and may be killed before it commits.
        async let other: Void = server.database.use { connection in
            try connection.transaction { connection in
                try connection.execute("SELECT FROM outbox WHERE event = 'e1' FOR UPDATE")
                isLocked.withLock { $0 = true }
                while !mayEnd.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.005) }
            }
        }
        while !isLocked.withLock({ $0 }) { await Task.yield() }
        let due = try await server.writer.write { try $0.claimDueDeliveries(running: []) }
        mayEnd.withLock { $0 = true }
        try await other
        #expect(due.deliveries.count == 1)
        let next = try #require(due.next)
        #expect(next <= SystemClock().now.addingTimeInterval(1))
        try await server.storage.close()
    }

    @Test func `a claim that another server is ending isn't renewed`() async throws {
        let server = try await Server(payloads: 1)
        let deliveries = try await server.claim()
        let (isEnding, mayCommit) = (Locked(false), Locked(false))
        async let other: Void = server.database.use { connection in
            try connection.transaction { connection in
                try connection.execute("UPDATE outbox SET nextAt = 0")
                isEnding.withLock { $0 = true }
                while !mayCommit.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.005) }
            }
        }
        while !isEnding.withLock({ $0 }) { await Task.yield() }
        // A read would still find the claim.
        let again = try await server.claimAgain(deliveries)
        mayCommit.withLock { $0 = true }
        try await other
        #expect(again.count == 1 && again[0] == nil)
        try await server.storage.close()
    }
}
