import Foundation
import Groundwork
import RunningPostgres
import Testing

@testable import InboxService
@testable import Postgres

@Suite(.timeLimit(.minutes(5))) struct PostgresRequirementsTests {
    private static let sufficient = [
        "server_version_num": "150008", "server_encoding": "UTF8", "fsync": "on", "full_page_writes": "on",
        "synchronous_commit": "on", "session_replication_role": "origin",
    ]

    @Test(
        arguments: [
            ("server_version_num", "140022", "PostgreSQL 14 is too old"), ("server_encoding", "LATIN1", "LATIN1"),
            ("fsync", "off", "fsync is off"), ("full_page_writes", "off", "full_page_writes is off"),
            ("synchronous_commit", "off", "synchronous_commit is off"),
            ("session_replication_role", "replica", "session_replication_role is replica"),
        ]
    )
    func `a setting that would lose data or texts is refused by name`(name: String, value: String, problem: String) {
        let values = Self.sufficient.merging([name: value]) { $1 }
        #expect(PostgresRequirements.problem(with: values)?.contains(problem) ?? false)
    }

    @Test(
        arguments: [
            ("server_version_num", "180001"), ("synchronous_commit", "remote_apply"), ("fsync", "on"),
            ("session_replication_role", "local"),
        ]
    )
    func `a setting stronger than required is accepted`(name: String, value: String) {
        let values = Self.sufficient.merging([name: value]) { $1 }
        #expect(PostgresRequirements.problem(with: values) == nil)
    }

    @Test(
        arguments: [
            ("remaining connection slots are reserved for roles with the SUPERUSER attribute", "max_connections"),
            ("too many connections for role \"inbox\"", "max_connections"),
            ("sorry, too many clients already", "max_connections"),
            ("database \"inbox\" is not currently accepting connections", "ALLOW_CONNECTIONS true"),
            ("role \"inbox\" is not permitted to log in", "ALTER ROLE … LOGIN"),
            ("server is in hot standby mode", "Name the primary"),
            ("unsupported startup parameter: options", "the pooler's as --pooler"),
            ("server certificate for \"db\" does not match host name \"10.0.0.1\"", "a name that the certificate has"),
            ("root certificate file \"/root/.postgresql/root.crt\" does not exist", "Add sslrootcert= to --database"),
            ("SSL error: certificate verify failed", "Add sslrootcert= to --database"),
            ("server does not support SSL, but SSL was required", "ssl = on"),
            ("Connection refused", "Start PostgreSQL"),
        ]
    )
    func `a database that can't be opened has advice for its reason`(reason: String, advice: String) {
        let error = PostgresError(.unavailable, "connection to server at \"db\" failed: \(reason)")
        #expect(error.openingAdvice.contains(advice))
    }

    @Test func `a server that is full has advice in any language`() {
        var error = PostgresError(.unavailable, "FATAL:  zu viele Verbindungen", sqlState: "53300")
        #expect(error.setupAdvice() == nil)
        error.isOfConnecting = true
        #expect(error.openingAdvice.contains("max_connections"))
    }

    @Test(arguments: ["0A000", "25006"])
    func `a standby that is named as the database has advice in any language`(state: String) {
        let error = PostgresError(.unavailable, "während der Wiederherstellung", sqlState: state)
        #expect(error.openingAdvice.hasPrefix("--database leads to a standby"))
        #expect(error.setupAdvice(of: "--to")?.hasPrefix("--to leads to a standby") == true)
        #expect(PostgresError(.other, "not supported", sqlState: "0A000").setupAdvice() == nil)
    }

    @Test func `a connection to another machine that isn't encrypted is a problem of a start`() async throws {
        for protection: PostgresConnection.Protection in [.local, .encrypted, .verified] {
            #expect(PostgresStorage.problems(of: protection, option: "--database") == [])
        }
        let problems = PostgresStorage.problems(of: .unprotected, option: "--pooler")
        #expect(problems.count == 1 && problems[0].hasPrefix("connections by --pooler aren't encrypted"))
        // Nothing leaves this machine.
        let database = try await StorageDatabase()
        let address = try #require(URL(string: database.server.address(database.name) + "?sslmode=disable"))
        let storage = try await Storage.open(address)
        #expect(!storage.problems.contains { $0.contains("encrypted") })
        try await storage.close()
    }

    @Test(arguments: ["sslmodes=x", "sslmode=x"])
    func `a wrong parameter of an address has advice about it, with the option`(parameter: String) throws {
        let error = failure(PostgresError.self) {
            try PostgresConnection(PostgresSettings("postgres://user@127.0.0.1:9/db?\(parameter)")).close()
        }
        #expect(error?.openingAdvice.hasPrefix("Correct that in --database.") == true, "\(error as Any)")
        #expect(error?.setupAdvice(of: "--to")?.hasPrefix("Correct that in --to.") == true)
        // An error of a statement isn't one of the address.
        #expect(PostgresError(.other, "invalid input", sqlState: "22P02").setupAdvice() == nil)
    }

    @Test(arguments: ["42P05", "26000"])
    func `prepared statements that a pooler mixes up are named as that`(state: String) {
        let error = PostgresError(.other, "prepared statement \"s1\" already exists", sqlState: state)
        #expect(Storage.setupError(of: error)?.description.contains("the pooler's as --pooler") == true)
        #expect(Storage.setupError(of: PostgresError(.other, "syntax error", sqlState: "42601")) == nil)
    }

    /// A pooler with `ignore_startup_parameters`, as other clients need it.
    @Test func `a pooler that ignores settings is refused as a database, also in session mode`() async throws {
        let options = ["max_locks_per_transaction=256"]
        let ignoring = ["ignore_startup_parameters=options"]
        try await DatabaseServer.run(options: options, poolerOptions: ignoring) { server in
            try await Storage.open(try #require(URL(string: server.address()))).close()
            let advice = "ignores the settings of connections: give a direct address, and the pooler's as --pooler"
            let session = try #require(URL(string: server.address("session", port: server.poolerPort)))
            let other = await failure(ServerSetupError.self) { _ = try await Storage.open(session) }
            #expect(other?.description.contains(advice) == true, "\(other as Any)")
            let pooled = try #require(URL(string: server.address(port: server.poolerPort)))
            let start = await failure(ServerSetupError.self) { _ = try await Storage.open(pooled) }
            #expect(start?.description.contains(advice) == true, "\(start as Any)")
            let checkup = await failure(MaintenanceError.self) {
                _ = try await onNewThread {
                    try DatabaseCheckup(of: pooled, now: Date(), connectionLimit: 100).findings
                }
            }
            #expect(checkup?.description == start?.description)
            let restore = await failure(ServerSetupError.self) {
                try await onNewThread { try RestoredDatabase.beginGeneration(of: pooled) }
            }
            #expect(restore?.description.contains("leads through a pooler") == true, "\(restore as Any)")
        }
    }

    @Test func `a pooler whose mode has no transactions is refused with its setting`() async throws {
        let options = ["max_locks_per_transaction=256"]
        try await DatabaseServer.run(options: options, poolerOptions: ["pool_mode=statement"]) { server in
            let address = try #require(URL(string: server.address()))
            let pooler = try #require(URL(string: server.address(port: server.poolerPort)))
            let start = await failure(ServerSetupError.self) { _ = try await Storage.open(address, pooler: pooler) }
            #expect(start?.description.contains("Set pool_mode = transaction") == true, "\(start as Any)")
        }
    }

    @Test(arguments: [false, true])
    func `a connection whose process a pooler gives to others is found`(givesOldest: Bool) async throws {
        let options = ["ignore_startup_parameters=options", "server_round_robin=\(givesOldest ? 1 : 0)"]
        try await DatabaseServer.run(poolerOptions: options) { server in
            let pooled = try PostgresSettings(server.address(port: server.poolerPort))
            let session = try PostgresSettings(server.address("session", port: server.poolerPort))
            let direct = try server.settings()
            let areShared = try await blocking {
                // Transactions at the same time, so that the pooler has several processes.
                let pair = [try PostgresConnection(pooled), try PostgresConnection(pooled)]
                defer { for connection in pair { connection.close() } }
                for statement in ["BEGIN", "ROLLBACK"] {
                    for connection in pair { try connection.executeScript(statement) }
                }
                let own = [try PostgresConnection(session), try PostgresConnection(direct)]
                defer { for connection in own { connection.close() } }
                return try (pair + own).map { try DirectConnection.isShared($0) }
            }
            #expect(areShared == [true, true, false, false])
        }
    }

    @Test func `the settings of a real database are checked before it is migrated`() async throws {
        let database = try await StorageDatabase()
        try await database.use { try PostgresRequirements.check($0) }
        try await StorageDatabase.administrate { connection in
            try connection.executeScript("ALTER DATABASE \(database.name) SET synchronous_commit = off")
        }
        let copied = try await StorageDatabase()
        try await StorageDatabase.administrate { connection in
            try connection.executeScript("ALTER DATABASE \(copied.name) SET session_replication_role = replica")
        }
        let bytes = try await StorageDatabase("bytes", options: "ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0")
        let problems = [
            (database, "synchronous_commit is off"), (copied, "session_replication_role is replica"),
            (bytes, "SQL_ASCII"),
        ]
        for (database, problem) in problems {
            let error = await failure(ServerSetupError.self) {
                _ = try await database.use { try PostgresSchema.prepare($0) }
            }
            #expect("\(error as Any)".contains(problem))
            #expect(try await database.use { try $0.execute("SELECT to_regclass('migration') IS NULL")[0][0] })
        }
    }

    @Test func `in a database of another collation, texts are compared by their bytes`() async throws {
        let options = "LOCALE_PROVIDER icu ICU_LOCALE 'en-US' LOCALE 'C.UTF-8' TEMPLATE template0"
        let database = try await StorageDatabase("words", options: options)
        let names = ["a", "B", "b", "Z", "ä", "é", "e\u{301}", "\u{1F600}", "\u{FFFD}", "-a", "a b", "ab"]
        let sorted = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        try await database.use { connection in
            _ = try PostgresSchema.prepare(connection)
            // The database's own order is another one.
            let other = try connection.execute("SELECT n FROM unnest($1) AS names (n) ORDER BY n", [names])
            #expect(try other.map { try $0[0] as String } != sorted)
            for (number, name) in names.enumerated() {
                connection.enqueue("INSERT INTO personName (name, person) VALUES ($1, $2)", [name, number + 1])
            }
            let found = try connection.execute("SELECT name FROM personName ORDER BY name")
            #expect(try found.map { try $0[0] as String } == sorted)
            for name in names {
                let before = try connection.execute(
                    "SELECT count(*), max(name) FROM personName WHERE name < $1",
                    [name]
                )[0]
                let expected = sorted.prefix { $0.utf8.lexicographicallyPrecedes(name.utf8) }
                #expect(try before[0] == expected.count)
                #expect(try before[1] as String? == expected.last)
            }
        }
    }

    @Test func `a role's members can write, a person's role can't, none without table or number`() async throws {
        let database = try await StorageDatabase()
        let name = database.name
        try await database.use { connection in
            let role = try PostgresSchema.prepare(connection)
            #expect(try PostgresRequirements.hasRights(connection))
            try connection.executeScript(
                """
                CREATE ROLE \(name)_writer NOLOGIN;
                GRANT ALL ON ALL TABLES IN SCHEMA public TO \(name)_writer;
                GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO \(name)_writer;
                GRANT "\(role.name)" TO \(name)_writer;
                CREATE ROLE \(name)_deputy NOLOGIN IN ROLE \(name)_writer;
                """
            )
            for (change, hasRights, end) in [
                ("SET ROLE \(name)_deputy", true, "RESET ROLE"), ("SET ROLE \"\(role.name)\"", false, "RESET ROLE"),
                ("ALTER TABLE personName RENAME TO away", false, "ALTER TABLE away RENAME TO personName"),
                ("ALTER VIEW broadcastMessage RENAME TO away", false, "ALTER VIEW away RENAME TO broadcastMessage"),
                (
                    "REVOKE SELECT ON inboxMessage FROM \"\(role.name)\"", false,
                    "GRANT SELECT ON inboxMessage TO \"\(role.name)\""
                ),
                ("REVOKE USAGE ON SEQUENCE personNumber FROM \(name)_writer", true, "SET ROLE \(name)_deputy"),
                ("SELECT 'without the sequence'", false, "RESET ROLE"),
            ] {
                try connection.executeScript(change)
                #expect(try PostgresRequirements.hasRights(connection) == hasRights, "\(change)")
                try connection.executeScript(end)
            }
            #expect(try PostgresRequirements.hasRights(connection))
        }
    }

    @Test func `in a database with other defaults, everything is as in another one`() async throws {
        let database = try await StorageDatabase()
        let name = database.name
        try await database.use { connection in
            for setting in [
                "standard_conforming_strings = off", "quote_all_identifiers = on",
                "default_transaction_read_only = on", "default_transaction_isolation = serializable",
            ] {
                try connection.executeScript("ALTER DATABASE \(name) SET \(setting)")
            }
        }
        let address = try #require(URL(string: database.server.address(name)))
        try await Storage.open(address).close()
        try await database.use { connection in
            let content = #"{"title":"a\u0000\\b"}"#
            let title = try connection.execute("SELECT messageText($1, 'title')", [content])[0][0] as String?
            #expect(title == "a\u{FFFD}\\b")
            // What the catalog says of the schema is what the server has made.
            _ = try PostgresNamespace.use(on: connection)
            #expect(try PersonPartition.problem(in: connection) == nil)
            #expect(try PostgresNamespace.insecureFunctions(connection).isEmpty)
            // Statements outside of a transaction write.
            let number = try NodeNumber.acquire(connection)
            try number.endSilent(connection)
            #expect(try number.endUnknown(connection))
            try LostCommits.mark(connection, by: number)
            #expect(try LostCommits.isMarked(connection))
            try number.release(connection)
            #expect(try !NodeNumber.areInUse(connection))
        }
    }
}
