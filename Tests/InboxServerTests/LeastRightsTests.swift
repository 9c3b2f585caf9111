#if PostgreSQL
    import Eventually
    import Foundation
    import Groundwork
    import InboxModel
    import JMAP
    import Logging
    import Postgres
    import RunningPostgres
    import Testing

    @testable import InboxServer
    @testable import InboxService

    /// Servers whose user of PostgreSQL has no right but to sign in and to own the database.
    @Suite(.timeLimit(.minutes(5)), .onlyPostgreSQL) struct LeastRightsTests {
        private static let password = "secret-of-a-role"

        /// A database as an administrator makes it for a server, after `Documentation/Scaling.md`.
        private struct Place {
            let server: DatabaseServer
            let name: String
            /// The owner, and a user who has the owner's role but owns nothing.
            let (owner, deputy): (String, String)

            init() async throws {
                server = try await DatabaseServer.shared.value
                name = "rights" + UUID().uuidString.prefix(8).lowercased()
                (owner, deputy) = ("\(name)_owner", "\(name)_deputy")
                try await administrate(
                    "CREATE ROLE \(owner) LOGIN PASSWORD '\(LeastRightsTests.password)'",
                    "CREATE ROLE \(deputy) LOGIN PASSWORD '\(LeastRightsTests.password)' IN ROLE \(owner)",
                    "CREATE DATABASE \(name) OWNER \(owner) ENCODING 'UTF8' TEMPLATE template0",
                    "REVOKE CONNECT ON DATABASE \(name) FROM PUBLIC"
                )
            }

            func administrate(_ statements: String...) async throws {
                let settings = try server.settings("postgres")
                try await onNewThread {
                    let connection = try PostgresConnection(settings)
                    defer { connection.close() }
                    for statement in statements { try connection.executeScript(statement) }
                }
            }

            /// Creates the role in which the server reads one person's rows, as an administrator does.
            func createPersonRole() async throws {
                try await administrate(
                    #"CREATE ROLE "\#(name)_reader" NOLOGIN NOINHERIT"#,
                    #"GRANT "\#(name)_reader" TO "\#(owner)""#
                )
            }

            func address(of user: String) throws -> URL {
                try #require(
                    URL(string: "postgres://\(user):\(LeastRightsTests.password)@127.0.0.1:\(server.port)/\(name)")
                )
            }

            func start(as user: String, in folder: URL) async throws -> TestServer {
                let address = try address(of: user)
                return try await TestServer.start(file: folder.appending(path: "unused"), clock: SystemClock()) {
                    $0.database = address
                    $0.pooler = nil
                }
            }
        }

        @Test func `a server works as a user without rights, and as one in the owner's role`() async throws {
            let place = try await Place()
            try await withFolder { folder in
                // An administrator makes the role of a person, as the error says.
                let role = "\(place.name)_reader"
                let statements = #"CREATE ROLE "\#(role)" NOLOGIN NOINHERIT; GRANT "\#(role)" TO "\#(place.owner)";"#
                do {
                    try await place.start(as: place.owner, in: folder).stop()
                    Issue.record("it has made the role")
                } catch let error as ServerSetupError {
                    #expect(error.description.contains(statements))
                }
                // Nothing was made that a checkup would take for a server's database.
                let settings = try PostgresSettings(try place.address(of: place.owner).absoluteString)
                let tables = "SELECT count(*)::text FROM pg_class WHERE relnamespace = 'public'::regnamespace"
                #expect(try await query(tables, settings) == "0")
                try await place.administrate(statements)
                // The owner has migrated the database. The other user finds it done.
                for user in [place.owner, place.deputy] {
                    let server = try await place.start(as: user, in: folder)
                    do {
                        try await use(server, place, as: user)
                    } catch {
                        try await server.stop()
                        throw error
                    }
                    try await server.stop()
                }
            }
        }

        @Test func `transactions of users whose role the server's user has are shown to it`() async throws {
            let place = try await Place()
            try await place.createPersonRole()
            try await withFolder { folder in
                try await place.start(as: place.owner, in: folder).stop()
                // Open, and without a snapshot, so that it can't read what was deleted.
                let other = try PostgresConnection(
                    try PostgresSettings(try place.address(of: place.owner).absoluteString)
                )
                defer { other.close() }
                try other.executeScript("SET idle_in_transaction_session_timeout = 0")
                try other.execute("BEGIN ISOLATION LEVEL READ COMMITTED")
                let server = try await place.start(as: place.deputy, in: folder)
                let isVacuumed: Bool
                do {
                    let answer = try await server.rest("DELETE", "/v1/people/ann")
                    let id = try #require(answer.json["id"]?.stringValue)
                    isVacuumed = try await eventually {
                        try await server.rest("GET", "/v1/erasures/\(id)").json["vacuumedAt"] != nil
                    }
                } catch {
                    try await server.stop()
                    throw error
                }
                try await server.stop()
                #expect(isVacuumed)
                try other.execute("COMMIT")
                let address = try place.address(of: place.deputy)
                let findings = try await onNewThread {
                    try DatabaseCheckup(of: address, now: SystemClock().now, connectionLimit: 100).findings
                }
                #expect(findings.first { $0.name == "Transactions" }?.value == "none is open for a minute")
            }
        }

        @Test func `another user's transaction delays a receipt only while it has a snapshot`() async throws {
            let place = try await Place()
            let stranger = "\(place.name)_stranger"
            try await place.createPersonRole()
            try await place.administrate(
                "CREATE ROLE \(stranger) LOGIN PASSWORD '\(Self.password)'",
                "GRANT CONNECT ON DATABASE \(place.name) TO \(stranger)"
            )
            try await withFolder { folder in
                let server = try await place.start(as: place.owner, in: folder)
                do {
                    try await erase(server, place, beside: stranger)
                } catch {
                    try await server.stop()
                    throw error
                }
                try await server.stop()
            }
        }

        private func erase(_ server: TestServer, _ place: Place, beside stranger: String) async throws {
            let own = try PostgresConnection(try PostgresSettings(try place.address(of: place.owner).absoluteString))
            defer { own.close() }
            let other = try PostgresConnection(try PostgresSettings(try place.address(of: stranger).absoluteString))
            defer { other.close() }
            try other.executeScript("SET idle_in_transaction_session_timeout = 0")
            try other.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
            try other.execute("SELECT 1")
            let answer = try await server.rest("DELETE", "/v1/people/ann")
            let id = try #require(answer.json["id"]?.stringValue)
            // Other tests' databases may have older transactions.
            let isNamed = try await eventually {
                try ErasedRows.holder(own)?.hasPrefix("process \(other.backend) (\(stranger)") ?? false
            }
            #expect(isNamed)
            #expect(try await server.rest("GET", "/v1/erasures/\(id)").json["vacuumedAt"] == nil)
            try other.execute("COMMIT")
            try other.execute("BEGIN ISOLATION LEVEL READ COMMITTED")
            let isVacuumed = try await eventually {
                try await server.rest("GET", "/v1/erasures/\(id)").json["vacuumedAt"] != nil
            }
            #expect(isVacuumed)
            #expect(other.isInTransaction)
            try other.execute("COMMIT")
        }

        @Test func `rights that the server's user has lost are trouble`() async throws {
            let place = try await Place()
            try await place.createPersonRole()
            try await withFolder { folder in
                try await place.start(as: place.owner, in: folder).stop()
            }
            let address = try place.address(of: place.owner)
            /// The finding after some SQL of the owner.
            func rights(after sql: String) async throws -> DatabaseCheckup.Finding? {
                try await onNewThread {
                    let connection = try PostgresConnection(try PostgresSettings(address.absoluteString))
                    defer { connection.close() }
                    try connection.executeScript(sql)
                    let now = SystemClock().now
                    return try DatabaseCheckup(of: address, now: now, connectionLimit: 100).findings
                        .first { $0.name == "Rights" }
                }
            }
            #expect(try await rights(after: "SELECT 1")?.verdict == .good)
            let revocation = "REVOKE INSERT ON message FROM \(place.owner);"
            let lost = try await rights(
                after: revocation + "REVOKE USAGE ON SEQUENCE personnumber FROM \(place.owner);"
            )
            #expect(lost?.verdict == .trouble && lost?.value == "missing: message (INSERT), personnumber (USAGE)")
        }

        @Test func `a server isn't ready while its user can't store messages, or its role read them`() async throws {
            let place = try await Place()
            try await place.createPersonRole()
            let settings = try PostgresSettings(try place.address(of: place.owner).absoluteString)
            try await withFolder { folder in
                let server = try await place.start(as: place.owner, in: folder)
                do {
                    for (change, ready, sent) in [
                        ("SELECT 1", 200, 201), ("REVOKE INSERT ON message FROM \(place.owner)", 503, 503),
                        ("GRANT INSERT ON message TO \(place.owner)", 200, 201),
                        ("REVOKE SELECT ON inboxMessage FROM \"\(place.name)_reader\"", 503, 201),
                        ("GRANT SELECT ON inboxMessage TO \"\(place.name)_reader\"", 200, 201),
                    ] {
                        _ = try await query("SELECT 'changed'", settings, after: change)
                        let isNoticed = try await eventually {
                            let answer = try await server.request("GET", "/health/ready")
                            let detail = answer.json["detail"]?.stringValue ?? ""
                            return answer.status == ready && detail.contains("inbox doctor") == (ready == 503)
                        }
                        #expect(isNoticed, "\(change)")
                        let message: JSON = ["to": ["person": "ann"], "message": ["title": "x"]]
                        #expect(try await server.rest("POST", "/v1/messages", message).status == sent, "\(change)")
                    }
                } catch {
                    try await server.stop()
                    throw error
                }
                try await server.stop()
            }
        }

        @Test func `what the backend reads of one person is read in that person's role`() async throws {
            let place = try await Place()
            try await place.createPersonRole()
            let settings = try PostgresSettings(try place.address(of: place.owner).absoluteString)
            try await withFolder { folder in
                let server = try await place.start(as: place.owner, in: folder)
                do {
                    let id = try await server.send(to: ["person": "ann"], ["title": "Parcel"])
                    let addresses = ["messages", "messages/\(id)", "export"].map { "/v1/people/ann/\($0)" }
                    for address in addresses {
                        let answer = try await server.rest("GET", address)
                        #expect(String(decoding: answer.bytes, as: UTF8.self).contains("Parcel"), "\(address)")
                    }
                    #expect(try await server.rest("GET", "/v1/people/zoe/messages").status == 404)
                    // The owner of the tables could read them still.
                    let role = "\"\(place.name)_reader\""
                    let change = "REVOKE SELECT ON ALL TABLES IN SCHEMA public FROM \(role)"
                    _ = try await query("SELECT 'changed'", settings, after: change)
                    for address in addresses {
                        let answer = try? await server.rest("GET", address)
                        let text = String(decoding: answer?.bytes ?? [], as: UTF8.self)
                        #expect(!text.contains("Parcel"), "\(address)")
                    }
                } catch {
                    try await server.stop()
                    throw error
                }
                try await server.stop()
            }
        }

        @Test func `the receipt of an erasure has no time while a table can't be vacuumed`() async throws {
            let place = try await Place()
            try await place.createPersonRole()
            try await withFolder { folder in
                let server = try await place.start(as: place.owner, in: folder)
                let storage = try await Storage.open(try place.address(of: place.owner))
                do {
                    try await erase(server, storage, place)
                } catch {
                    try await storage.close()
                    try await server.stop()
                    throw error
                }
                try await storage.close()
                try await server.stop()
            }
        }

        private func erase(_ server: TestServer, _ storage: Storage, _ place: Place) async throws {
            let settings = try place.server.settings(place.name)
            // Such as after a restore of that table by an administrator. That user's extension may have tables, too.
            _ = try await query(
                "SELECT 'another owner'",
                settings,
                after: """
                    ALTER DATABASE \(place.name) OWNER TO CURRENT_USER;
                    GRANT CONNECT ON DATABASE \(place.name) TO \(place.owner);
                    ALTER TABLE audit OWNER TO CURRENT_USER;
                    GRANT ALL ON audit TO \(place.owner);
                    CREATE EXTENSION pgstattuple;
                    CREATE TABLE public.ofExtension ();
                    ALTER EXTENSION pgstattuple ADD TABLE public.ofExtension
                    """
            )
            let answer = try await server.rest("DELETE", "/v1/people/zoe")
            let receipt = try #require(answer.json["id"]?.stringValue)
            let rows = try #require(ErasedRows(of: storage, clock: SystemClock(), logger: Logger(label: "test")))
            // The server itself may be at it.
            let isRefused = try await eventually {
                do {
                    try await rows.removeDue()
                } catch let error as MaintenanceError {
                    return error.description.contains("may not vacuum audit.")
                }
                return false
            }
            #expect(isRefused)
            #expect(try await server.rest("GET", "/v1/erasures/\(receipt)").json["vacuumedAt"] == nil)
            _ = try await query("SELECT 'its own'", settings, after: "ALTER TABLE audit OWNER TO \(place.owner)")
            let isVacuumed = try await eventually {
                try await rows.removeDue()
                return try await server.rest("GET", "/v1/erasures/\(receipt)").json["vacuumedAt"] != nil
            }
            #expect(isVacuumed)
        }

        /// Does what a server's requests do, and looks at what an operator would.
        private func use(_ server: TestServer, _ place: Place, as user: String) async throws {
            let phone = try await server.device(of: "ann")
            let (stream, status) = await EventStream.open(phone, "types=*&closeafter=no&ping=0")
            #expect(status == 200)
            defer { stream.close() }
            let before = try await phone.ids().count
            let soon = JSON(SystemClock().now.addingTimeInterval(1))
            let id = try await server.send(to: ["person": "ann"])
            try await server.send(to: ["people": JSON((0..<20).map { "p\($0)" } + ["ann"])])
            try await server.send(to: ["everyone": true])
            try await server.send(to: ["person": "ann"], ["title": "Later", "deliverAt": soon])
            #expect(await stream.next() != nil)
            #expect(try await eventually { try await phone.ids().count == before + 4 })
            try await phone.update(id, ["readAt": "2026-05-01T08:00:00Z"])
            #expect(try await phone.message(id)?["readAt"] == "2026-05-01T08:00:00Z")
            #expect(try await server.rest("PUT", "/v1/surfaces/news", ["title": "News"]).status < 300)
            #expect(try await server.rest("DELETE", "/v1/messages/\(id)").status < 300)
            #expect(try await !phone.ids().contains(id))
            #expect(try await server.rest("GET", "/metrics").status == 200)
            #expect(try await server.request("GET", "/health/ready").status == 200)

            // All connections are this user's, who has no other right.
            let users = """
                SELECT string_agg(DISTINCT usename || ' ' || r.hasRights::text, ',') FROM pg_stat_activity a JOIN (
                    SELECT rolname, rolsuper OR rolcreaterole OR rolcreatedb OR rolbypassrls OR rolreplication
                        AS hasRights
                    FROM pg_roles
                ) AS r ON rolname = usename WHERE datname = '\(place.name)'
                """
            let administration = try place.server.settings("postgres")
            // Those of the server before may take a moment to end.
            #expect(try await eventually { try await query(users, administration) == "\(user) false" })
            // As this user, set to one person, a session sees that one's rows alone.
            let settings = try PostgresSettings(try place.address(of: user).absoluteString)
            let ann = try await query("SELECT person::text FROM personName WHERE name = 'ann'", settings)
            let seen = try await query(
                """
                SELECT string_agg(DISTINCT person::text, ',') || ' of ' || (SELECT count(*) FROM person) || ', '
                    || has_table_privilege('message', 'SELECT')::text || ', '
                    || (SELECT string_agg(DISTINCT person::text, ',') FROM inboxMessage)
                FROM delivery
                """,
                settings,
                after: """
                    SET ROLE "\(place.name)_reader";
                    SELECT set_config('inbox.person', '\(ann)', false);
                    """
            )
            #expect(seen == "\(ann) of 1, false, \(ann)")
            let address = try place.address(of: user)
            let findings = try await onNewThread {
                try DatabaseCheckup(of: address, now: SystemClock().now, connectionLimit: 100).findings
            }
            #expect(findings.filter { $0.verdict == .trouble } == [])

            // An erasure needs VACUUM, which the owner of a table may run.
            let answer = try await server.rest("DELETE", "/v1/people/ann")
            let receipt = try #require(answer.json["id"]?.stringValue)
            let isVacuumed = try await eventually {
                try await server.rest("GET", "/v1/erasures/\(receipt)").json["vacuumedAt"] != nil
            }
            #expect(isVacuumed)
            #expect(try await phone.post(["using": [], "methodCalls": []]).status == 401)
        }

        /// Returns the first value of a statement.
        ///
        /// - Parameter script: Statements that run before.
        private func query(
            _ sql: String,
            _ settings: PostgresSettings,
            after script: String? = nil
        ) async throws -> String {
            try await onNewThread {
                let connection = try PostgresConnection(settings)
                defer { connection.close() }
                if let script { try connection.executeScript(script) }
                return try connection.execute(sql)[0][0]
            }
        }
    }
#endif
