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

        func finish(_ delivery: WebhookDelivery, _ decision: DeliveryMachine.Decision) async throws {
            try await writer.write(decision.scope) { try $0.finish(delivery, decision) }
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

    @Test func `a claim is looked up after a second, and is lost with its time or its payload`() async throws {
        let server = try await Server(payloads: 2)
        var deliveries = try await server.claim()
        deliveries[0].readAt = ContinuousClock.now + .seconds(60)
        deliveries[1].readAt = ContinuousClock.now - .milliseconds(1_001)
        #expect(deliveries.map(\.mayBeLost) == [false, true])
        let claimed = deliveries
        func areClaimed() async throws -> [Bool] {
            try await server.storage.readBriefly { reading in try claimed.map { try reading.isClaimed($0) } }
        }
        #expect(try await areClaimed() == [true, true])
        let changes = [
            "UPDATE outbox SET nextAt = createdAt WHERE id = \(claimed[0].outbox)",
            "UPDATE outbox SET nextAt = \(claimed[0].nextAt), diedAt = 1 WHERE id = \(claimed[0].outbox)",
        ]
        for change in changes {
            try await server.database.use { _ = try $0.execute(change) }
            #expect(try await areClaimed() == [false, true])
        }
        try await server.database.use { _ = try $0.execute("DELETE FROM outbox WHERE id = \(claimed[1].outbox)") }
        #expect(try await areClaimed() == [false, false])
        try await server.storage.close()
    }
}
