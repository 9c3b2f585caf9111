import Eventually
import Foundation
import Groundwork
import Postgres
import RunningPostgres
import Testing

@testable import InboxService

/// The schema of PostgreSQL that has the server's tables, whatever `search_path` says.
@Suite(.timeLimit(.minutes(5))) struct PostgresNamespaceTests {
    private func url(_ database: StorageDatabase) throws -> URL {
        try #require(URL(string: database.server.address(database.name)))
    }

    /// Opens the storage as a server does, stores a person, and returns the number of people.
    private func countAfterStart(_ database: StorageDatabase, adding name: String) async throws -> Int? {
        let storage = try await Storage.open(try url(database))
        let writer = try await Writer(storage: storage, clock: SystemClock(), random: .system, committed: { _ in })
        _ = try await writer.write { try $0.person(named: name, advancing: true) }
        let count: Int? = try await storage.read { try $0.db.value("SELECT count(*) FROM person") }
        try await storage.close()
        return count
    }

    /// The schemas that have the tables of an inbox.
    private func schemas(_ database: StorageDatabase) async throws -> [String] {
        try await database.use { connection in
            try connection.execute(
                "SELECT schemaname::text FROM pg_tables WHERE tablename = 'migration' ORDER BY 1"
            ).map { try $0[0] as String }
        }
    }

    /// The paths of the functions that run with their owner's rights.
    private func paths(_ database: StorageDatabase) async throws -> Set<String> {
        try await database.use { connection in
            Set(
                try connection.execute("SELECT DISTINCT array_to_string(proconfig, ';') FROM pg_proc WHERE prosecdef")
                    .map { try $0[0] as String }
            )
        }
    }

    private func administrate(_ sql: String) async throws {
        try await StorageDatabase.administrate { try $0.executeScript(sql) }
    }

    @Test func `a schema with the user's name doesn't make a second inbox`() async throws {
        let database = try await StorageDatabase()
        #expect(try await countAfterStart(database, adding: "ann") == 1)
        try await database.use { try $0.executeScript("CREATE SCHEMA \"\(database.server.user)\"") }
        #expect(try await countAfterStart(database, adding: "bob") == 2)
        #expect(try await schemas(database) == ["public"])
        let address = try url(database)
        let findings = try await blocking {
            try DatabaseCheckup(of: address, now: SystemClock().now, connectionLimit: 100).findings
        }
        #expect(findings.first { $0.name == "Schema" }?.verdict == .good)
    }

    @Test(arguments: [false, true])
    func `a running server keeps its tables when search_path changes`(usesPooler: Bool) async throws {
        let database = try await StorageDatabase()
        let pooler = database.server.address(database.name, port: database.server.poolerPort)
        let storage = try await Storage.open(try url(database), pooler: usesPooler ? URL(string: pooler) : nil)
        let writer = try await Writer(storage: storage, clock: SystemClock(), random: .system, committed: { _ in })
        _ = try await writer.write { try $0.person(named: "ann", advancing: true) }
        try await administrate("ALTER DATABASE \(database.name) SET search_path = nowhere")
        try await administrate(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(database.name)'"
        )
        let isBack = try await eventually {
            do {
                _ = try await writer.write { try $0.person(named: "bob", advancing: true) }
                let count: Int? = try await storage.read { try $0.db.value("SELECT count(*) FROM person") }
                return count == 2
            } catch let error as PostgresError {
                // A table that isn't found isn't a temporary error.
                #expect(error.sqlState != "42P01" && error.sqlState != "3F000", "\(error)")
                return false
            } catch {
                return false
            }
        }
        #expect(isBack)
        try await storage.close()
    }

    @Test func `tables are found in a schema with any name, also after it was renamed`() async throws {
        let database = try await StorageDatabase()
        try await database.use { connection in
            try connection.executeScript(
                #"CREATE SCHEMA "My \ App"; ALTER DATABASE \#(database.name) SET search_path = "My \ App""#
            )
        }
        #expect(try await countAfterStart(database, adding: "ann") == 1)
        #expect(try await schemas(database) == [#"My \ App"#])
        #expect(try await paths(database) == [#"search_path="My \ App", pg_temp"#])
        try await database.use { try $0.executeScript(#"ALTER SCHEMA "My \ App" RENAME TO "Your App""#) }
        #expect(try await countAfterStart(database, adding: "bob") == 2)
        #expect(try await schemas(database) == ["Your App"])
        #expect(try await paths(database) == [#"search_path="Your App", pg_temp"#])
    }

    @Test func `functions of an earlier version look in the schema of the tables alone`() async throws {
        let database = try await StorageDatabase()
        _ = try await database.use { try PostgresSchema.prepare($0) }
        #expect(try await paths(database) == [#"search_path="$user", public, pg_temp"#])
        try await database.use { connection in
            for function in ["countOutboxRows()", "moveInOutboxCount()"] {
                try connection.executeScript(
                    """
                    ALTER FUNCTION \(function) SET search_path FROM CURRENT;
                    GRANT EXECUTE ON FUNCTION \(function) TO PUBLIC
                    """
                )
            }
        }
        #expect(try await paths(database) == [#"search_path="$user", public"#])
        #expect(try await countAfterStart(database, adding: "ann") == 1)
        #expect(try await paths(database) == ["search_path=public, pg_temp"])
        let open = try await database.use { connection in
            try connection.execute(
                """
                SELECT count(*) FROM pg_proc WHERE prosecdef AND has_function_privilege('public', oid, 'EXECUTE')
                """
            )[0][0] as Int
        }
        #expect(open == 0)
    }

    @Test func `functions are secured in the transaction that creates them`() async throws {
        let database = try await StorageDatabase()
        let open = try await database.use { connection in
            var open = -1
            _ = try PostgresSchema.prepare(connection) {
                open = try connection.execute(
                    """
                    SELECT count(*) FROM pg_proc WHERE prosecdef AND has_function_privilege('public', oid, 'EXECUTE')
                    """
                )[0][0]
            }
            return open
        }
        #expect(open == 0)
        #expect(try await paths(database) == [#"search_path="$user", public, pg_temp"#])
    }

    @Test func `another user's temporary table isn't written with the rights of the owner`() async throws {
        let database = try await StorageDatabase()
        #expect(try await countAfterStart(database, adding: "ann") == 1)
        var intruder = database
        intruder.user = "namespace_intruder"
        try await administrate("CREATE ROLE namespace_intruder LOGIN PASSWORD 'secret'")
        // A trigger of that table would run with them.
        let attack = """
            CREATE TEMP TABLE webhookCount (
                webhook bigint, slot smallint, pending bigint, dead bigint, PRIMARY KEY (webhook, slot)
            );
            CREATE TEMP TABLE bait (webhook bigint, diedAt bigint);
            CREATE TRIGGER bait AFTER INSERT ON bait REFERENCING NEW TABLE AS changed
                FOR EACH STATEMENT EXECUTE FUNCTION public.countOutboxRows();
            INSERT INTO bait VALUES (1, NULL)
            """
        let error = await failure(PostgresError.self) { try await intruder.use { try $0.executeScript(attack) } }
        #expect(error?.sqlState == "42501", "\(error as Any)")
        // The path alone keeps it away, too.
        try await database.use { connection in
            try connection.executeScript("GRANT EXECUTE ON FUNCTION countOutboxRows() TO namespace_intruder")
        }
        let count = try await intruder.use { connection in
            try connection.executeScript(attack)
            return try connection.execute("SELECT count(*) FROM pg_temp.webhookCount")[0][0] as Int
        }
        #expect(count == 0)
    }

    @Test func `a database with two inboxes is refused by servers and checkups`() async throws {
        let database = try await StorageDatabase()
        _ = try await database.use { try PostgresSchema.prepare($0) }
        try await database.use { connection in
            try connection.executeScript(
                "CREATE SCHEMA other; CREATE TABLE other.migration (name text, at bigint, needed text)"
            )
        }
        let address = try url(database)
        let start = await failure(ServerSetupError.self) { _ = try await Storage.open(address) }
        #expect(start?.description.contains("in the schemas other, public.") == true, "\(start as Any)")
        let checkup = await failure(MaintenanceError.self) {
            _ = try await blocking {
                try DatabaseCheckup(of: address, now: SystemClock().now, connectionLimit: 100).findings
            }
        }
        #expect(checkup?.description == start?.description)
    }

    @Test func `a table migration of something else in another schema is no inbox`() async throws {
        let database = try await StorageDatabase()
        try await database.use { connection in
            try connection.executeScript(
                "CREATE SCHEMA other; CREATE TABLE other.migration (name varchar, at timestamptz, needed boolean)"
            )
        }
        #expect(try await countAfterStart(database, adding: "ann") == 1)
        #expect(try await countAfterStart(database, adding: "bob") == 2)
        #expect(try await schemas(database) == ["other", "public"])
    }

    @Test func `a checkup names a table migration that isn't a server's`() async throws {
        let database = try await StorageDatabase()
        try await database.use { try $0.executeScript("CREATE TABLE migration (version integer)") }
        let address = try url(database)
        let checkup = await failure(MaintenanceError.self) {
            _ = try await blocking {
                try DatabaseCheckup(of: address, now: SystemClock().now, connectionLimit: 100).findings
            }
        }
        let owner = database.server.user
        let problem = "The schema public has a table migration that isn't an inbox server's, of the user \(owner)."
        #expect(checkup?.description.hasPrefix(problem) == true, "\(checkup as Any)")
        let start = await failure(ServerSetupError.self) { _ = try await Storage.open(address) }
        #expect(checkup?.description == start?.description)
    }

    @Test func `a checkup of a database that lacks a table doesn't advise a checkup`() async throws {
        let database = try await StorageDatabase()
        try await database.use { connection in
            _ = try PostgresSchema.prepare(connection)
            try connection.executeScript("ALTER TABLE webhook RENAME TO hidden")
        }
        let address = try url(database)
        let checkup = await failure(MaintenanceError.self) {
            _ = try await blocking {
                try DatabaseCheckup(of: address, now: SystemClock().now, connectionLimit: 100).findings
            }
        }
        let problem = #"The database can't be checked: relation "webhook" does not exist. If a restore runs, let it"#
        #expect(checkup?.description.hasPrefix(problem) == true, "\(checkup as Any)")
        #expect(checkup?.description.contains("inbox doctor") == false, "\(checkup as Any)")
    }

    @Test func `another user's function in an extension of that user stays a problem`() async throws {
        let database = try await StorageDatabase()
        try await administrate(
            "CREATE ROLE namespace_maker; GRANT CREATE ON DATABASE \(database.name) TO namespace_maker"
        )
        let found = try await database.use { connection in
            try connection.executeScript(
                """
                CREATE TABLE migration (name text);
                GRANT CREATE ON SCHEMA public TO namespace_maker;
                SET ROLE namespace_maker;
                CREATE FUNCTION hidden(text) RETURNS text LANGUAGE sql AS 'SELECT $1';
                CREATE FUNCTION adopted(text) RETURNS text LANGUAGE sql AS 'SELECT $1';
                CREATE SCHEMA made;
                CREATE EXTENSION citext SCHEMA made;
                ALTER EXTENSION citext ADD FUNCTION hidden(text);
                RESET ROLE;
                CREATE EXTENSION pg_trgm;
                ALTER EXTENSION pg_trgm ADD FUNCTION adopted(text)
                """
            )
            return try PostgresNamespace.foreignFunctions(connection)
        }
        #expect(found == ["hidden(text) of namespace_maker"])
    }

    @Test func `other users' functions beside the tables are a problem that a start names`() async throws {
        let database = try await StorageDatabase()
        #expect(try await countAfterStart(database, adding: "ann") == 1)
        try await administrate("CREATE ROLE namespace_author")
        try await database.use { connection in
            try connection.executeScript(
                """
                CREATE FUNCTION helper(text, text) RETURNS text LANGUAGE sql AS 'SELECT $1';
                ALTER FUNCTION helper(text, text) OWNER TO namespace_author
                """
            )
        }
        let storage = try await Storage.open(try url(database))
        let problems = storage.problems
        try await storage.close()
        #expect(problems.count == 1, "\(problems)")
        #expect(problems.first?.contains("helper(text,text) of namespace_author") == true, "\(problems)")
    }

    @Test func `an inbox that is made meanwhile isn't given a second one`() async throws {
        let database = try await StorageDatabase()
        try await database.use { connection in
            try connection.executeScript(
                "CREATE SCHEMA other; CREATE TABLE other.migration (name text, at bigint, needed text)"
            )
        }
        let error = await failure(ServerSetupError.self) {
            try await database.use { try PostgresMigrator().migrate($0) }
        }
        #expect(error?.description.contains("The schema other of the database has an inbox") == true, "\(error as Any)")
        #expect(try await schemas(database) == ["other"])
    }

    @Test func `a database without a schema for new tables is refused with advice`() async throws {
        let database = try await StorageDatabase()
        try await administrate("ALTER DATABASE \(database.name) SET search_path = nowhere")
        let address = try url(database)
        let error = await failure(ServerSetupError.self) { _ = try await Storage.open(address) }
        #expect(error?.description.contains("search_path is nowhere") == true, "\(error as Any)")
        #expect(error?.description.contains("CREATE SCHEMA AUTHORIZATION") == true)
    }

    @Test func `a schema that the user can't use is refused with its owner`() async throws {
        let database = try await StorageDatabase()
        #expect(try await countAfterStart(database, adding: "ann") == 1)
        var guest = database
        guest.user = "namespace_guest"
        try await administrate("CREATE ROLE namespace_guest LOGIN PASSWORD 'secret'")
        try await database.use { try $0.executeScript("REVOKE ALL ON SCHEMA public FROM PUBLIC") }
        let error = await failure(ServerSetupError.self) {
            _ = try await guest.use { try PostgresNamespace.use(on: $0) }
        }
        #expect(error?.description.contains("The user namespace_guest can't use the schema public") == true)
    }
}
