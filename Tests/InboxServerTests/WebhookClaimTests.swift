#if PostgreSQL
    import Eventually
    import Foundation
    import Groundwork
    import Postgres
    import RunningPostgres
    import Testing

    @testable import InboxServer
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

        /// Makes the first claim take longer than a second, with another server's right behind it, and notes the
        /// transactions that change or look for claims.
        private static let delay = """
            CREATE TABLE looks (transaction bigint PRIMARY KEY);
            CREATE FUNCTION look() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                INSERT INTO looks VALUES (txid_current()) ON CONFLICT DO NOTHING;
                RETURN NULL;
            END $$;
            CREATE TRIGGER look AFTER UPDATE ON outbox FOR EACH STATEMENT EXECUTE FUNCTION look();
            CREATE TABLE delays (at timestamptz);
            CREATE FUNCTION delay() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                IF NEW.claims IS NOT NULL AND NOT EXISTS (SELECT FROM delays) THEN
                    INSERT INTO delays VALUES (now());
                    UPDATE outbox SET nextAt = nextAt + 1;
                    PERFORM pg_sleep(1.1);
                END IF;
                RETURN NEW;
            END $$;
            CREATE TRIGGER delay BEFORE UPDATE OF claims ON node FOR EACH ROW EXECUTE FUNCTION delay();
            """

        @Test func `a claim that took long is claimed again before it is posted`() async throws {
            // The triggers are of no use to other tests.
            let database = try await DatabaseServer.shared.value
            let name = try await database.newDatabase()
            let settings = try database.settings(name)
            let address = try #require(URL(string: database.address(name)))
            let clock = ManualClock()
            func query(_ sql: String, before script: String = "") async throws -> Int {
                try await onNewThread {
                    let connection = try PostgresConnection(settings)
                    defer { connection.close() }
                    try connection.executeScript(script)
                    return try connection.execute(sql)[0][0]
                }
            }
            try await withReceiver(
                clock: clock,
                configure: { configuration in
                    configuration.database = address
                    configuration.pooler = nil
                }
            ) { server, receiver in
                _ = try await server.addWebhook(receiver.url, ["message.read"])
                let phone = try await server.device(of: "ann")
                let id = try await server.send(to: ["person": "ann"])
                _ = try await query("SELECT 0::bigint", before: Self.delay)
                _ = try await phone.update(id, ["readAt": "2026-05-01T08:00:00Z"])
                // The claim, and the attempt to claim it again.
                #expect(try await eventually { try await query("SELECT count(*) FROM looks") >= 2 })
                clock.advance(by: DueDeliveries.lease + 1)
                let times = try await receiver.deliveries(1).map { $0.headers["webhook-timestamp"] }
                #expect(times == ["\(Int(clock.now.timeIntervalSince1970))"])
            }
        }
    }
#endif
