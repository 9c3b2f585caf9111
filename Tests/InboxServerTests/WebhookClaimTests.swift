#if PostgreSQL
    import Eventually
    import Foundation
    import Groundwork
    import Postgres
    import RunningPostgres
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

        /// Returns whether a statement waits for a lock.
        ///
        /// - Parameter text: The beginning of the statement.
        private func isWaiting(_ text: String, _ settings: PostgresSettings) async throws -> Bool {
            try await onNewThread {
                let connection = try PostgresConnection(settings)
                defer { connection.close() }
                return try !connection.execute(
                    """
                    SELECT FROM pg_stat_activity
                    WHERE datname = current_database() AND wait_event_type = 'Lock' AND starts_with(query, $1)
                    """,
                    [text]
                ).isEmpty
            }
        }

        @Test func `a payload isn't posted if its claim has ended while the commit waited`() async throws {
            let clock = ManualClock()
            try await withReceiver(clock: clock) { server, receiver in
                _ = try await server.addWebhook(receiver.url)
                receiver.answer { _ in .status(500) }
                let message = try await server.send(to: ["person": "ann"])
                let device = try await server.device(of: "ann")
                for uid in ["u1", "u2"] { try await device.track("opened", message, uid: uid) }
                let ids = try await receiver.deliveries(2).map(\.id)
                try #require(Set(ids).count == 2)
                let settings = try await server.databaseSettings()
                let haveFailed = try await eventually {
                    try await onNewThread {
                        let connection = try PostgresConnection(settings)
                        defer { connection.close() }
                        let rows = try connection.execute("SELECT FROM outbox WHERE attempts = 1")
                        return rows.count == 2
                    }
                }
                #expect(haveFailed)
                receiver.answer { _ in .status(204) }
                // The next claim is of both, and its commit waits for the row of the server.
                let row = try await RunningPostgres.blocking {
                    let connection = try PostgresConnection(settings)
                    try connection.execute("BEGIN")
                    try connection.execute("SELECT FROM node WHERE session IS NOT NULL FOR UPDATE")
                    return Held(connection)
                }
                clock.advance(by: 7)
                #expect(try await eventually { try await isWaiting("UPDATE node SET claims", settings) })
                // Another server has one of them next, before this one can read anything of the outbox. Its claim ends
                // at another time than this one's.
                let end = clock.now.addingTimeInterval(60.5).milliseconds
                async let taken: Void = onNewThread {
                    let connection = try PostgresConnection(settings)
                    defer { connection.close() }
                    try connection.transaction { connection in
                        try connection.execute("LOCK TABLE outbox IN ACCESS EXCLUSIVE MODE")
                        try connection.execute("UPDATE outbox SET nextAt = $2 WHERE event = $1", [ids[0], end])
                    }
                }
                #expect(try await eventually { try await isWaiting("LOCK TABLE outbox", settings) })
                // A claim is looked up again once it was read more than a second ago.
                try await Task.sleep(for: .milliseconds(1_100))
                await row.use { $0.close() }
                try await taken
                #expect(try await receiver.deliveries(3).map(\.id) == ids + [ids[1]])

                // The other server is gone, and its claim ends.
                clock.advance(by: 61)
                let all = try await receiver.deliveries(4)
                #expect(all.map(\.id) == ids + [ids[1], ids[0]])
                #expect(all.last?.headers["webhook-timestamp"] == "\(Int(clock.now.timeIntervalSince1970))")
            }
        }
    }
#endif
