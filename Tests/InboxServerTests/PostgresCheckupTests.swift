#if PostgreSQL
    import Foundation
    import Groundwork
    import InboxModel
    import Logging
    import Postgres
    import RecordedLogs
    import Testing

    @testable import InboxServer
    @testable import InboxService

    @Suite(.timeLimit(.minutes(10)), .onlyPostgreSQL) struct PostgresCheckupTests {
        /// The checkup of a stopped server's database after some SQL.
        ///
        /// - Parameter undo: Brings the schema back, since the database is used by other tests.
        private func checkup(
            _ sql: String = "",
            undo: String = "",
            whileRunning: Bool = false
        ) async throws -> DatabaseCheckup {
            try #require(try await checkups([(sql: sql, undo: undo, ahead: 0)], whileRunning: whileRunning).first)
        }

        /// The checkups of one stopped server's database, after each change, which is undone before the next one.
        ///
        /// - Parameter changes: Changes, each with the seconds by which this machine's clock is ahead.
        private func checkups(
            _ changes: [(sql: String, undo: String, ahead: Double)],
            whileRunning: Bool = false
        ) async throws -> [DatabaseCheckup] {
            var checkups: [DatabaseCheckup] = []
            try await withFolder { folder in
                let file = folder.appending(path: "inbox.sqlite")
                let server = try await TestServer.start(file: file, clock: SystemClock())
                try await server.send(to: ["people": ["ann", "bob"]])
                try await server.send(to: ["everyone": true])
                let later = JSON(Date(timeIntervalSinceNow: 3_600))
                try await server.send(to: ["person": "ann"], ["title": "Later", "deliverAt": later])
                // Nothing listens there, so payloads stay pending.
                _ = try await server.addWebhook("http://127.0.0.1:9/")
                let phone = try await server.device(of: "ann")
                let id = try #require(try await phone.ids().last)
                try await phone.update(id, ["readAt": JSON(Date())])
                if !whileRunning { try await server.stop() }
                let address = try await TestDatabase.address(for: file)
                checkups = try await blocking {
                    let connection = try PostgresConnection(PostgresSettings(address.absoluteString))
                    defer { connection.close() }
                    var made: [DatabaseCheckup] = []
                    for change in changes {
                        try connection.executeScript(change.sql)
                        made.append(try DatabaseCheckup(of: address, now: Date(timeIntervalSinceNow: change.ahead)))
                        try connection.executeScript(change.undo)
                    }
                    return made
                }
                if whileRunning { try await server.stop() }
            }
            return checkups
        }

        private func finding(_ name: String, _ checkup: DatabaseCheckup) -> DatabaseCheckup.Finding? {
            checkup.findings.first { $0.name == name }
        }

        @Test func `a good database is healthy`() async throws {
            let checkup = try await checkup(
                Self.connecting("REVOKE", "FROM"),
                undo: Self.connecting("GRANT", "TO")
            )
            #expect(checkup.findings.allSatisfy { $0.verdict == .good }, "\(checkup.findings)")
            #expect(finding("Contents", checkup)?.value == "people: 2, messages: 3, deliveries: 3")
            #expect(finding("Servers", checkup)?.value == "none runs")
            // As Documentation/Scaling.md says.
            #expect(finding("Locks", checkup)?.value.contains("needs up to 845: room for") == true)
            #expect(finding("Schema", checkup)?.value == "current (\(PostgresSchema.migrations.count))")
            #expect(finding("Webhooks", checkup)?.value.hasPrefix("1 with 1 pending payloads") == true)
        }

        /// Lets every user connect to the database, or not.
        private static func connecting(_ change: String, _ preposition: String) -> String {
            """
            DO $$ BEGIN
                EXECUTE format('\(change) CONNECT ON DATABASE %I \(preposition) PUBLIC', current_database());
            END $$
            """
        }

        @Test func `a database to which every user may connect is a notice`() async throws {
            let checkup = try await checkup()
            let access = finding("Access", checkup)
            #expect(access?.verdict == .notice && checkup.isHealthy)
            #expect(access?.advice?.contains("REVOKE CONNECT ON DATABASE") == true)
        }

        @Test func `servers that send heartbeats are listed beside silent ones`() async throws {
            let checkup = try await checkup(
                "INSERT INTO node (id, session, seenAt, groups, message) VALUES (7, 7, 0, 0, 0)",
                whileRunning: true
            )
            #expect(finding("Servers", checkup)?.value == "1 running: 0; killed or cut off: 7")
        }

        typealias Damage = (sql: String, undo: String, name: String)

        private static let damages: [Damage] = [
            ("DELETE FROM person WHERE name = 'bob'", "", "References"),
            ("DELETE FROM message", "", "References"),
            ("UPDATE personName SET person = 99 WHERE name = 'bob'", "", "References"),
            ("DELETE FROM personName WHERE name = 'bob'", "", "References"),
            ("UPDATE personAccount SET person = 99", "", "References"),
            ("UPDATE person SET sequence = 0", "", "Sequences"),
            ("UPDATE counter SET value = 0", "", "Sequences"),
            ("SELECT setval('personnumber', 1)", "", "Sequences"),
            ("DELETE FROM due", "", "Due"),
            ("UPDATE webhookCount SET pending = pending + 1", "", "Webhooks"),
            ("DELETE FROM webhookCount", "", "Webhooks"),
            (
                "GRANT CREATE ON SCHEMA public TO PUBLIC",
                "REVOKE CREATE ON SCHEMA public FROM PUBLIC", "Access"
            ),
            (
                "GRANT EXECUTE ON FUNCTION countOutboxRows() TO PUBLIC",
                "REVOKE EXECUTE ON FUNCTION countOutboxRows() FROM PUBLIC", "Access"
            ),
            (
                "ALTER FUNCTION moveInOutboxCount() SET search_path = public",
                "ALTER FUNCTION moveInOutboxCount() SET search_path = public, pg_temp", "Access"
            ),
            (
                """
                CREATE SCHEMA other;
                CREATE TABLE other.bait (webhook bigint, diedAt bigint);
                CREATE TRIGGER bait AFTER INSERT ON other.bait REFERENCING NEW TABLE AS changed
                    FOR EACH STATEMENT EXECUTE FUNCTION countOutboxRows()
                """,
                "DROP SCHEMA other CASCADE", "Access"
            ),
            (
                """
                CREATE ROLE checkup_group NOLOGIN; CREATE ROLE checkup_member LOGIN IN ROLE checkup_group;
                DO $$ BEGIN
                    EXECUTE format('GRANT %I TO checkup_group', current_database() || '_reader');
                END $$
                """,
                "DROP ROLE checkup_member; DROP ROLE checkup_group", "Role"
            ),
            (
                """
                CREATE ROLE checkup_author;
                CREATE FUNCTION harmless() RETURNS bigint LANGUAGE sql AS 'SELECT 1::bigint';
                ALTER FUNCTION harmless() OWNER TO checkup_author;
                CREATE OPERATOR === (FUNCTION = int4eq, LEFTARG = integer, RIGHTARG = integer);
                ALTER OPERATOR === (integer, integer) OWNER TO checkup_author
                """,
                "DROP OPERATOR === (integer, integer); DROP FUNCTION harmless(); DROP ROLE checkup_author", "Access"
            ),
            (
                "INSERT INTO migration VALUES ('later', 0, 'later')",
                "DELETE FROM migration WHERE name = 'later'", "Schema"
            ),
            (
                "ALTER TABLE delivery DISABLE ROW LEVEL SECURITY",
                "ALTER TABLE delivery ENABLE ROW LEVEL SECURITY", "Role"
            ),
            (
                "ALTER TABLE delivery_17 DISABLE ROW LEVEL SECURITY",
                "ALTER TABLE delivery_17 ENABLE ROW LEVEL SECURITY", "Role"
            ),
            (
                "ALTER POLICY person ON delivery USING (true)",
                "ALTER POLICY person ON delivery USING (\(person))", "Role"
            ),
            (
                "ALTER POLICY person ON delivery_17 USING (true)",
                "ALTER POLICY person ON delivery_17 USING (\(person))", "Role"
            ),
            (
                """
                DO $$ BEGIN
                    EXECUTE format('GRANT SELECT ON message TO %I', current_database() || '_reader');
                END $$
                """,
                """
                DO $$ BEGIN
                    EXECUTE format('REVOKE SELECT ON message FROM %I', current_database() || '_reader');
                END $$
                """, "Role"
            ),
            ("GRANT SELECT (content) ON message TO PUBLIC", "REVOKE SELECT (content) ON message FROM PUBLIC", "Role"),
            (
                "ALTER VIEW inboxMessage_17 RENAME TO otherMessage",
                "ALTER VIEW otherMessage RENAME TO inboxMessage_17", "Role"
            ),
            // The next server grants it.
            (
                """
                DO $$ BEGIN
                    EXECUTE format('REVOKE SELECT ON delivery_17 FROM %I', current_database() || '_reader');
                END $$
                """,
                "", "Role"
            ),
            (
                """
                DO $$ BEGIN
                    EXECUTE format('REVOKE SELECT ON delivery FROM %I', current_database() || '_reader');
                END $$
                """,
                "", "Role"
            ),
        ]

        /// What is done to the database of one server: all that can be undone, or one damage that can't.
        private static let groups: [[Damage]] = {
            let lasting = damages.filter { $0.undo.isEmpty }.map { [$0] }
            return [damages.filter { !$0.undo.isEmpty }] + lasting
        }()

        @Test(arguments: groups)
        func `each kind of damage is found, with advice`(_ damages: [Damage]) async throws {
            let checkups = try await checkups(damages.map { (sql: $0.sql, undo: $0.undo, ahead: 0) })
            #expect(checkups.count == damages.count)
            for (damage, checkup) in zip(damages, checkups) {
                #expect(!checkup.isHealthy, "\(damage.sql)")
                #expect(finding(damage.name, checkup)?.verdict == .trouble, "\(damage.sql): \(checkup.findings)")
                #expect(
                    checkup.findings.filter { $0.verdict == .trouble }.count == 1,
                    "\(damage.sql): \(checkup.findings)"
                )
                #expect(finding(damage.name, checkup)?.advice != nil, "\(damage.sql)")
            }
        }

        private static let person = "person = nullif(current_setting('inbox.person', true), '')::bigint"

        @Test func `partitions that can't be named are a notice, and their policies are named`() async throws {
            func renaming(_ one: String, _ other: String) -> String { "ALTER TABLE \(one) RENAME TO \(other);" }
            let exchange =
                renaming("delivery_05", "delivery_64") + renaming("delivery_06", "delivery_05")
                + renaming("delivery_64", "delivery_06")
            let exchanged = try await checkup(exchange, undo: exchange)
            let partitions = finding("Partitions", exchanged)
            #expect(partitions?.verdict == .notice && partitions?.advice != nil && exchanged.isHealthy)
            #expect(partitions?.value.hasSuffix("rows they should have: delivery_05, delivery_06") == true)
            let missing = try await checkup(
                renaming("delivery_05", "delivery_64"),
                undo: renaming("delivery_64", "delivery_05")
            )
            #expect(finding("Role", missing)?.value.contains("delivery_05 (no such table)") == true)
            #expect(finding("Partitions", missing)?.value.hasSuffix("rows they should have: delivery_05") == true)
            let open = try await checkup(
                "ALTER POLICY person ON delivery_17 USING (true)",
                undo: "ALTER POLICY person ON delivery_17 USING (\(Self.person))"
            )
            let problem = "delivery_17 (its policy person says true instead of (person = "
            for name in ["Role", "Partitions"] {
                #expect(finding(name, open)?.value.contains(problem) == true, "\(open.findings)")
            }
        }

        @Test func `the server's own function that another user owns isn't to be dropped`() async throws {
            let checkup = try await checkup(
                "CREATE ROLE checkup_restorer; ALTER FUNCTION serverSlot() OWNER TO checkup_restorer",
                undo: "ALTER FUNCTION serverSlot() OWNER TO CURRENT_USER; DROP ROLE checkup_restorer"
            )
            let access = finding("Access", checkup)
            #expect(access?.value.contains("serverslot() of checkup_restorer") == true, "\(checkup.findings)")
            #expect(access?.advice?.contains("are given back: ALTER FUNCTION … OWNER TO") == true)
        }

        @Test func `the role of a former name of the database is a notice`() async throws {
            let checkup = try await checkup(
                "CREATE ROLE checkup_former_person NOLOGIN; GRANT SELECT ON inboxMessage_17 TO checkup_former_person",
                undo: "REVOKE ALL ON inboxMessage_17 FROM checkup_former_person; DROP ROLE checkup_former_person"
            )
            let access = finding("Access", checkup)
            #expect(access?.value.hasSuffix("may read people's rows: checkup_former_person") == true)
            #expect(access?.verdict == .notice && checkup.isHealthy, "\(checkup.findings)")
        }

        @Test func `other users of the role hide no table without its policy`() async throws {
            let member = """
                CREATE ROLE checkup_user LOGIN;
                DO $$ BEGIN
                    EXECUTE format('GRANT %I TO checkup_user', current_database() || '_reader');
                END $$;
                """
            let checkup = try await checkup(
                member + "ALTER TABLE delivery DISABLE ROW LEVEL SECURITY",
                undo: "DROP ROLE checkup_user; ALTER TABLE delivery ENABLE ROW LEVEL SECURITY"
            )
            #expect(finding("Role", checkup)?.value.contains("delivery (row-level security is off)") == true)
        }

        @Test func `a server logs the tables whose policies differ at its start`() async throws {
            try await withFolder { folder in
                let file = folder.appending(path: "inbox.sqlite")
                try await TestServer.start(file: file, clock: SystemClock()).stop()
                let settings = try PostgresSettings(try await TestDatabase.address(for: file).absoluteString)
                func execute(_ sql: String) async throws {
                    try await blocking {
                        let connection = try PostgresConnection(settings)
                        defer { connection.close() }
                        try connection.executeScript(sql)
                    }
                }
                let names = ["delivery", "delivery_17"]
                try await execute(names.map { "ALTER POLICY person ON \($0) USING (true);" }.joined())
                let log = RecordedLog()
                try await TestServer.start(file: file, clock: SystemClock(), logger: log.logger).stop()
                try await execute(names.map { "ALTER POLICY person ON \($0) USING (\(Self.person));" }.joined())
                let problems = log.entries.filter { $0.level == .warning }.compactMap { $0.metadata["problem"] }
                #expect(problems.count == 2, "\(problems)")
                #expect(problems.first?.contains("policy of one person: delivery (its policy person says true") == true)
                #expect(problems.last?.contains("name the table, which is slower: tables without the policy") == true)
            }
        }

        @Test func `clocks that differ by more than 2 s are a finding`() async throws {
            let cases: [(ahead: Double, verdict: String)] = [
                (0.5, "good"), (3.5, "notice"), (-3.5, "notice"), (10, "trouble"), (-10, "trouble"),
            ]
            let checkups = try await checkups(cases.map { (sql: "", undo: "", ahead: $0.ahead) })
            #expect(checkups.count == cases.count)
            for ((ahead, verdict), checkup) in zip(cases, checkups) {
                let clock = finding("Clock", checkup)
                #expect(clock?.verdict.rawValue == verdict, "\(clock as Any)")
                if verdict != "good" {
                    #expect(clock?.value.contains(ahead > 0 ? "behind" : "ahead of") == true, "\(clock as Any)")
                }
            }
        }

        @Test func `an additive migration of a newer version is a notice`() async throws {
            let checkup = try await checkup(
                "INSERT INTO migration VALUES ('added', 0, NULL)",
                undo: "DELETE FROM migration WHERE name = 'added'"
            )
            #expect(finding("Schema", checkup)?.verdict == .notice && checkup.isHealthy)
        }

        @Test func `a database that a server has yet to migrate is a notice`() async throws {
            let checkup = try await checkup(
                "UPDATE migration SET name = 'other', needed = NULL WHERE name = 'nodes'",
                undo: "UPDATE migration SET name = 'nodes', needed = 'nodes' WHERE name = 'other'"
            )
            #expect(finding("Schema", checkup)?.value == "older than this version: nodes missing")
            #expect(finding("Schema", checkup)?.verdict == .notice && checkup.isHealthy)
            #expect(finding("References", checkup) == nil)
        }

        @Test(arguments: [(0, 21, "good"), (2, 21, "good"), (3, 21, "notice"), (4, 21, "trouble"), (0, 6, "trouble")])
        func `connections suffice for the servers and one more`(servers: Int, available: Int, verdict: String) {
            let found = PostgresCheckup.connections(available, of: 100, used: 1, servers: servers, each: 7)
            #expect(found.verdict.rawValue == verdict)
            #expect(found.value.contains("a server needs 7: room for \(available / 7)"))
        }

        @Test(arguments: [(3, 2_000, "good"), (3, 2_200, "notice"), (1, 7_000, "trouble")])
        func `locks suffice for a large transaction of each server`(servers: Int, needed: Int, verdict: String) {
            let found = PostgresCheckup.locks(64, times: 100, for: needed, servers: servers)
            #expect(found.verdict.rawValue == verdict)
            let room = "room for \(6_400 / needed) servers that do so at once, with \(servers) running"
            #expect(found.value.hasSuffix(room))
        }

        @Test func `connections that the network doesn't leave alone are a notice`() {
            let verdicts = [PostgresConnection.Protection.local, .verified, .encrypted, .unprotected].map {
                PostgresCheckup.network($0).verdict
            }
            #expect(verdicts == [.good, .good, .notice, .notice])
            #expect(PostgresCheckup.network(.unprotected).advice?.contains("sslmode=verify-full") == true)
        }

        @Test(arguments: [(300, "good"), (900, "notice"), (1_700, "trouble")])
        func `transaction ids that are nearly used up are a finding`(millions: Int, verdict: String) {
            let found = PostgresCheckup.vacuum(millions * 1_000_000, in: "other")
            #expect(found.verdict.rawValue == verdict)
            #expect(found.value.hasPrefix("\(millions) of 2147 million") && found.value.hasSuffix("oldest in other"))
        }

        @Test func `a replication slot that keeps much of the log is a finding`() {
            let cases: [(isRead: Bool, kept: Int, verdict: String)] = [
                (true, 0, "good"), (true, 2, "good"), (true, 20, "trouble"), (false, 0, "good"), (false, 2, "notice"),
                (false, 20, "trouble"),
            ]
            for (isRead, kept, verdict) in cases {
                let slot = (name: "standby", isRead: isRead, kept: kept << 30, isLimited: false)
                let found = PostgresCheckup.slots([slot])
                #expect(found.verdict.rawValue == verdict, "\(found)")
                #expect(found.value.contains("nothing reads") == !isRead)
            }
            #expect(PostgresCheckup.slots([]).value == "none")
            // One without a reader is the problem, though another one keeps more.
            let both = PostgresCheckup.slots([
                (name: "busy", isRead: true, kept: 3 << 30, isLimited: false),
                (name: "idle", isRead: false, kept: 2 << 30, isLimited: false),
            ])
            #expect(both.value.hasPrefix("2; idle") && both.verdict == .notice)
            // PostgreSQL itself ends it before the disk is full.
            let limited = PostgresCheckup.slots([(name: "far", isRead: true, kept: 20 << 30, isLimited: true)])
            #expect(limited.verdict == .notice)
        }

        @Test(arguments: [(10, "good"), (300, "good"), (700, "notice"), (90_000, "trouble")])
        func `a transaction that stays open is a finding`(seconds: Int, verdict: String) {
            let oldest = (name: "process 7 (ann)", seconds: seconds, remedy: "End it")
            let found = PostgresCheckup.transactions(oldest, seesAll: true)
            #expect(found.verdict.rawValue == verdict)
            #expect(found.value.contains("process 7") == (seconds >= 60))
            #expect(PostgresCheckup.transactions(nil, seesAll: true).value == "none is open for a minute")
            // None that is seen isn't none.
            let unseen = PostgresCheckup.transactions(nil, seesAll: false)
            #expect(unseen.verdict == .good && unseen.value.contains("pg_read_all_stats"))
        }

        @Test(arguments: [(0, 0, "good"), (2, 60, "good"), (2, 3_600, "notice")])
        func `erasures that wait for an hour are a finding`(count: Int, seconds: Int, verdict: String) {
            let finding = PostgresCheckup.erasures(waiting: count, for: seconds, heldBy: "process 7 (ann)")
            #expect(finding.verdict.rawValue == verdict)
            #expect(finding.advice?.contains("process 7 (ann)") ?? false == (verdict == "notice"))
        }

        @Test func `an erasure whose rows nothing removes is found`() async throws {
            let checkup = try await checkup(
                """
                INSERT INTO erasure (id, personHash, at, removed, parts)
                SELECT 'waiting', '', (extract(epoch FROM now()) * 1000)::bigint - 7200000, '{}', '{0,0,0}'
                """,
                undo: "DELETE FROM erasure WHERE id = 'waiting'"
            )
            let erasures = finding("Erasures", checkup)
            #expect(erasures?.value == "1 whose rows are still in the files, for up to 120 min")
            #expect(erasures?.verdict == .notice && checkup.isHealthy)
        }

        @Test(arguments: [(0.0, "good"), (0.09, "good"), (0.2, "notice"), (0.5, "trouble")])
        func `a queue of notifications that fills up is a finding`(usage: Double, verdict: String) {
            #expect(PostgresCheckup.notifications(usage).verdict.rawValue == verdict)
        }
    }
#endif
