#if PostgreSQL
    import Eventually
    import Foundation
    import Groundwork
    import Postgres
    import Testing

    @testable import InboxService

    /// Payloads that servers of one database are posting, and servers that end meanwhile.
    @Suite(.timeLimit(.minutes(5)), .onlyPostgreSQL) struct WebhookClaimTests {
        private func connect(to server: TestServer) async throws -> PostgresConnection {
            let settings = try PostgresSettings(try await TestDatabase.address(for: server.file).absoluteString)
            return try await onNewThread { try PostgresConnection(settings) }
        }

        private static func heartbeat(_ connection: PostgresConnection) throws -> Int {
            try connection.execute("SELECT seenAt FROM node WHERE id = 0")[0][0]
        }

        @Test func `what a dead server was posting is posted at once, and what a paused one was, by that`() async throws
        {
            let clock = ManualClock()
            try await withReceiver(clock: clock) { server, receiver in
                _ = try await server.addWebhook(receiver.url)
                _ = try await server.device(of: "ann")
                let connection = try await connect(to: server)
                defer { connection.close() }
                let now = clock.now.milliseconds
                let end = clock.now.addingTimeInterval(DueDeliveries.lease).milliseconds
                // Two servers that have sent no heartbeat for a moment. Of one, the connection is still there.
                try await onNewThread {
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
                let heartbeat = try await onNewThread { try Self.heartbeat(connection) }
                #expect(try await eventually { try await onNewThread { try Self.heartbeat(connection) } > heartbeat })
                #expect(receiver.deliveries.map(\.id) == ["of-7"])
                try await onNewThread { try connection.executeScript("SELECT pg_advisory_unlock(8)") }
                #expect(try await eventually { receiver.deliveries.map(\.id) == ["of-7", "of-8"] })
            }
        }
    }
#endif
