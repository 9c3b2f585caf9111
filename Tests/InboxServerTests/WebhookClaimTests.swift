#if PostgreSQL
    import Eventually
    import Foundation
    import Groundwork
    import Postgres
    import Testing

    @testable import InboxService

    /// Payloads that servers of one database are posting, and servers that end meanwhile.
    @Suite(.timeLimit(.minutes(5)), .onlyPostgreSQL) struct WebhookClaimTests {
        private func heartbeat(_ pool: PostgresPool) async throws -> Int {
            try await pool.run { try $0.execute("SELECT seenAt FROM node WHERE id = 0")[0][0] }
        }

        @Test func `payloads of a killed server are posted by another, those of a paused one aren't`() async throws {
            let clock = ManualClock()
            try await withReceiver(clock: clock) { server, receiver in
                _ = try await server.addWebhook(receiver.url)
                _ = try await server.device(of: "ann")
                // One connection, by whose lock a server lives.
                let settings = try await server.databaseSettings()
                var limits = PostgresPool.Limits()
                limits.connections = 1
                let pool = PostgresPool(settings, limits: limits)
                let now = clock.now.milliseconds
                let end = clock.now.addingTimeInterval(DueDeliveries.lease).milliseconds
                // Two servers that have sent no heartbeat for a moment. Of one, the connection is still there.
                try await pool.run { connection in
                    try connection.executeScript(
                        """
                        SELECT pg_advisory_lock(8);
                        INSERT INTO outbox (webhook, event, person, type, body, createdAt, attempts, nextAt)
                        SELECT w.id, 'of-' || n, p.id, 'message.read', '{}', \(now), 0, \(end)
                        FROM webhook w, person p, generate_series(7, 8) n;
                        INSERT INTO node (id, session, seenAt, groups, message, claims)
                        SELECT 193 + n, n, \(NodeNumber.now) - \(NodeNumber.lateness), 0, 0,
                            ARRAY[person, outbox.id, nextAt]
                        FROM outbox, generate_series(7, 8) n WHERE event = 'of-' || n;
                        """
                    )
                }
                #expect(try await eventually { receiver.deliveries.map(\.id) == ["of-7"] })
                let before = try await heartbeat(pool)
                #expect(try await eventually { try await heartbeat(pool) > before })
                #expect(receiver.deliveries.map(\.id) == ["of-7"])
                await pool.close()
                #expect(try await eventually { receiver.deliveries.map(\.id) == ["of-7", "of-8"] })
            }
        }
    }
#endif
