import Foundation
import Postgres
import RunningPostgres
import Testing

@testable import InboxService

@Suite(.timeLimit(.minutes(5))) struct PersonRoleTests {
    /// A database of a user without rights in the server, with rows of the people 1 and 2 in each table.
    private static let database = Task {
        let database = try await StorageDatabase("walls", ownedBy: "keeper")
        // Without the right to create roles: an administrator runs what the error says.
        let error = await failure(ServerSetupError.self) {
            _ = try await database.use { try PostgresSchema.prepare($0) }
        }
        let statements = #"CREATE ROLE "walls_reader" NOLOGIN NOINHERIT; GRANT "walls_reader" TO "keeper";"#
        #expect("\(error as Any)".contains(statements))
        // Without the second one, it still can't be taken.
        let parts = statements.split(separator: " GRANT")
        for statement in [String(parts[0]), "GRANT \(parts[1])"] {
            let error = await failure(ServerSetupError.self) {
                _ = try await database.use { try PostgresSchema.prepare($0) }
            }
            #expect("\(error as Any)".contains(statements))
            try await StorageDatabase.administrate { try $0.executeScript(statement) }
        }
        let role = try await database.use { connection in
            let role = try PostgresSchema.prepare(connection)
            for person in 1...2 { try insertRows(of: person, on: connection) }
            return role
        }
        return (database, role)
    }

    /// Inserts a row of a person in each table of people's rows.
    private static func insertRows(of person: Int, on connection: PostgresConnection) throws {
        for table in PostgresSchema.personTables {
            try connection.execute(insertion(into: table, of: person, on: connection))
        }
    }

    private static func insertion(
        into table: PostgresSchema.PersonTable,
        of person: Int,
        on connection: PostgresConnection
    ) throws -> String {
        let columns = try connection.execute(
            "SELECT attname::text, atttypid::regtype::text FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0",
            [table.name]
        ).map { (try $0[0] as String, try $0[1] as String) }
        let values = columns.map { name, type in
            if name == table.person { return "\(person)" }
            return switch type {
            case "boolean": "false"
            case "bytea": #"'\x01'"#
            case "text": "'x'"
            default: "1"
            }
        }
        return
            "INSERT INTO \(table.name) (\(columns.map(\.0).joined(separator: ", "))) VALUES (\(values.joined(separator: ", ")))"
    }

    private func people(_ table: PostgresSchema.PersonTable, _ connection: PostgresConnection) throws -> [Int] {
        try connection.execute("SELECT \(table.person) FROM \(table.name) ORDER BY 1").map { try $0[0] as Int }
    }

    /// Runs statements in the role, in a transaction that is rolled back.
    ///
    /// - Parameter table: One that the role may change in the transaction, for its policy. Nil for none.
    private func asRole(
        of person: Int?,
        changing table: String? = nil,
        _ connection: PostgresConnection,
        _ role: PersonRole,
        _ body: (PostgresConnection) throws -> Void
    ) throws {
        let error = failure(RolledBack.self) {
            try connection.transaction { connection in
                if let table {
                    let name = PostgresConnection.quoted(role.name)
                    try connection.execute("GRANT INSERT, UPDATE, DELETE ON \(table) TO \(name)")
                }
                try connection.pipeline([person.map { role.statement(for: $0) } ?? .setLocal("role", role.name)])
                try body(connection)
                throw RolledBack()
            }
        }
        try #require(error != nil)
    }

    @Test func `users who have the server's rights anyway aren't other users of the role`() async throws {
        let database = try await StorageDatabase("gates", ownedBy: "gatekeeper")
        // The administrator of a hosted database isn't a superuser, and may grant itself the server's role.
        try await StorageDatabase.administrate { connection in
            try connection.executeScript(
                """
                CREATE ROLE gates_reader NOLOGIN NOINHERIT; CREATE ROLE gates_group NOLOGIN IN ROLE gates_reader;
                CREATE ROLE gates_deputy LOGIN IN ROLE gatekeeper, gates_reader;
                CREATE ROLE gates_administrator LOGIN CREATEROLE IN ROLE gates_reader;
                CREATE ROLE gates_guest LOGIN IN ROLE gates_group
                """
            )
        }
        try await database.use { try $0.executeScript("CREATE TABLE migration (name text)") }
        let users = ["deputy", "administrator", "guest"]
        let functions = users.map { user in
            """
            CREATE FUNCTION of_\(user)() RETURNS bigint LANGUAGE sql AS 'SELECT 1::bigint';
            ALTER FUNCTION of_\(user)() OWNER TO gates_\(user);
            """
        }
        let superuser = try database.server.settings(database.name)
        try await database.use(superuser) { try $0.executeScript(functions.joined()) }
        let role = try PersonRole(database: database.name)
        let found = try await database.use { connection in
            [try role.otherMembers(connection), try PostgresNamespace.foreignFunctions(connection)]
        }
        #expect(found == [["gates_guest"], ["of_guest() of gates_guest"]])
        // No one but another superuser has a superuser's rights.
        let ofSuperuser = try await database.use(superuser) { connection in
            try PostgresNamespace.foreignFunctions(connection)
        }
        #expect(ofSuperuser == ["of_administrator() of gates_administrator", "of_guest() of gates_guest"])
    }

    @Test func `nothing of another person can be read or changed in any table of people's rows`() async throws {
        let (database, role) = try await Self.database.value
        try await database.use { connection in
            for table in PostgresSchema.personTables {
                // The owner, who is no superuser, sees all.
                #expect(try people(table, connection) == [1, 2], "\(table.name)")
                let column = table.person == "id" ? "sequence" : table.person
                let others = try Self.insertion(into: table, of: 2, on: connection)
                let third = try Self.insertion(into: table, of: 3, on: connection)
                try asRole(of: 1, changing: table.name, connection, role) { connection in
                    #expect(try people(table, connection) == [1], "\(table.name)")
                    for condition in ["\(table.person) = 2", "\(table.person) <> 1", "\(table.person) = ANY('{2,3}')"] {
                        let count = try connection.execute("SELECT count(*) FROM \(table.name) WHERE \(condition)")
                        #expect(try count[0][0] == 0)
                        let sql = "UPDATE \(table.name) SET \(column) = \(column) WHERE \(condition)"
                        #expect(try connection.execute(sql).affectedRows == 0)
                        #expect(
                            try connection.execute("DELETE FROM \(table.name) WHERE \(condition)").affectedRows == 0
                        )
                    }
                    for sql in [others, third, "UPDATE \(table.name) SET \(table.person) = 2"] {
                        let error = failure(PostgresError.self) { try connection.savepoint { _ = try $0.execute(sql) } }
                        #expect(error?.sqlState == "42501", "\(sql): \(error as Any)")
                    }
                    // Its own it could change.
                    let sql = "UPDATE \(table.name) SET \(column) = \(column)"
                    #expect(try connection.execute(sql).affectedRows == 1)
                    #expect(try connection.execute("DELETE FROM \(table.name)").affectedRows == 1)
                }
                #expect(try people(table, connection) == [1, 2], "\(table.name)")
            }
        }
    }

    @Test func `nothing of another person can be read in a partition, and nothing changed`() async throws {
        let (database, role) = try await Self.database.value
        try await database.use { connection in
            let partitions = PostgresSchema.namedPartitions
            #expect(partitions.count == 128)
            // As the owner, each partition has a row of someone.
            try connection.transaction { connection in
                try connection.executeScript(
                    """
                    INSERT INTO delivery (message, person, created, sequence, deliverAt, state)
                    SELECT 2, n, 1, 1, 1, 1 FROM generate_series(10, 1000) n;
                    INSERT INTO person (id, name, account, sequence, createdAt)
                    SELECT n, 'p' || n, 'a' || n, 1, 1 FROM generate_series(10, 1000) n
                    """
                )
                for person in [1, 77, nil] {
                    try connection.pipeline([
                        person.map { role.statement(for: $0) }
                            ?? .setLocal([("inbox.person", ""), ("role", role.name)])
                    ])
                    let found = try partitions.flatMap { try people($0, connection) }
                    #expect(found == (person.map { [$0, $0] } ?? []))
                    for table in partitions {
                        for sql in [
                            try Self.insertion(into: table, of: 1, on: connection), "DELETE FROM \(table.name)",
                            "UPDATE \(table.name) SET sequence = 2",
                        ] {
                            let error = failure(PostgresError.self) {
                                try connection.savepoint { _ = try $0.execute(sql) }
                            }
                            #expect(error?.sqlState == "42501", "\(sql)")
                        }
                    }
                    try connection.pipeline([.setLocal("role", "none")])
                }
                let counts = try partitions.map { try people($0, connection).count }
                #expect(counts.allSatisfy { $0 > 0 })
                try connection.executeScript("DELETE FROM delivery WHERE person > 2; DELETE FROM person WHERE id > 2")
            }
        }
    }

    /// Message 15 is to someone else, whose delivery was erased.
    private static let messages = """
        INSERT INTO message (id, content, surface, deliverAt, createdAt, recipients, state)
        SELECT id, 'x', 'inbox', 1, 1, recipients, 1
        FROM (VALUES (11, 1), (12, 1), (13, 2), (14, NULL), (15, 1)) AS sent (id, recipients);
        INSERT INTO delivery (message, person, created, sequence, deliverAt, state)
        VALUES (11, 1, 1, 1, 1, 1), (12, 2, 1, 1, 1, 1), (13, 1, 1, 1, 1, 1), (13, 2, 1, 1, 1, 1), (14, 2, 1, 1, 1, 1)
        """

    /// Without a condition, and so with any.
    @Test func `of messages, the role sees the person's own and those to everyone`() async throws {
        let (database, role) = try await Self.database.value
        try await database.use { connection in
            let error = failure(RolledBack.self) {
                try connection.transaction { connection in
                    try connection.executeScript(Self.messages)
                    func ids(_ table: String) throws -> [Int] {
                        try connection.execute("SELECT id FROM \(table) ORDER BY 1").map { try $0[0] as Int }
                    }
                    func isRefused(_ sql: String) -> Bool {
                        failure(PostgresError.self) { try connection.savepoint { _ = try $0.execute(sql) } }?
                            .sqlState == "42501"
                    }
                    for (person, received) in [(1, [11, 13]), (2, [12, 13, 14]), (3, [])] {
                        try connection.pipeline([role.statement(for: person)])
                        #expect(isRefused("SELECT id FROM message"))
                        let partition = PostgresSchema.partition(PersonPartition(of: person).number, of: "")
                        for view in PostgresSchema.views.map(\.name) {
                            let isOther = view.contains("_") && !view.hasSuffix(partition)
                            let own = isOther || view == "broadcastMessage" ? [] : received
                            #expect(try ids(view) == Set(own + [14]).sorted(), "\(view) of \(person)")
                        }
                        // The other views can't be changed at all.
                        #expect(isRefused("UPDATE broadcastMessage SET content = ''"))
                        try connection.pipeline([.setLocal("role", "none")])
                    }
                    // Without a person.
                    try connection.pipeline([role.statement(for: 1), .setLocal("inbox.person", "")])
                    #expect(isRefused("SELECT id FROM message"))
                    for view in PostgresSchema.views.map(\.name) { #expect(try ids(view) == [], "\(view)") }
                    throw RolledBack()
                }
            }
            #expect(error != nil)
        }
    }

    @Test func `a view that is missing, or has another's rights, is found`() async throws {
        let (database, _) = try await Self.database.value
        let superuser = try database.server.settings(database.name)
        for (sql, view) in [
            ("DROP VIEW inboxMessage_17", "inboxMessage_17"),
            ("ALTER VIEW inboxMessage SET (security_barrier)", "inboxMessage"),
            ("ALTER VIEW broadcastMessage OWNER TO walls_reader", "broadcastMessage"),
        ] {
            try await database.use(superuser) { connection in
                let error = failure(RolledBack.self) {
                    try connection.transaction { connection in
                        #expect(try PersonRole.wrongViews(connection) == [])
                        try connection.executeScript(sql)
                        #expect(try PersonRole.wrongViews(connection) == [view], "\(sql)")
                        throw RolledBack()
                    }
                }
                #expect(error != nil)
            }
        }
    }

    @Test func `without a person that is set, the role sees and changes nothing`() async throws {
        let (database, role) = try await Self.database.value
        try await database.use { connection in
            // At first the setting is unknown; after a transaction that had it, it is empty.
            for round in 1...2 {
                for table in PostgresSchema.personTables {
                    let others = try Self.insertion(into: table, of: 3, on: connection)
                    try asRole(of: nil, changing: table.name, connection, role) { connection throws in
                        let (found, deleted) = (
                            try people(table, connection),
                            try connection.execute("DELETE FROM \(table.name)").affectedRows
                        )
                        #expect(found == [], "\(table.name)")
                        #expect(deleted == 0)
                        let error = failure(PostgresError.self) {
                            try connection.savepoint { _ = try $0.execute(others) }
                        }
                        #expect(error?.sqlState == "42501", "\(table.name) in round \(round)")
                    }
                }
                try asRole(of: 1, connection, role) { _ in }
            }
        }
    }

    @Test func `the role reads the tables that an inbox is read from, and changes none`() async throws {
        let (database, role) = try await Self.database.value
        try await database.use { connection in
            let tables = try connection.execute(
                """
                SELECT relname::text FROM pg_class
                WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace
                    AND (NOT relispartition OR relname LIKE '%\\_63')
                """
            ).map { try $0[0] as String }
            #expect(tables.count > 30)
            var (readable, changeable): (Set<String>, Set<String>) = ([], [])
            try asRole(of: 1, connection, role) { connection in
                for table in tables {
                    if failure(
                        PostgresError.self,
                        { try connection.savepoint { _ = try $0.execute("SELECT FROM \(table)") } }
                    ) == nil {
                        readable.insert(table)
                    }
                    if failure(
                        PostgresError.self,
                        { try connection.savepoint { _ = try $0.execute("DELETE FROM \(table)") } }
                    ) == nil {
                        changeable.insert(table)
                    }
                }
            }
            let own = Set(PostgresSchema.personTables.map(\.name))
            let shared = ["counter", "surface", "destroyedsurface", "delivery_63", "person_63"]
            #expect(readable == own.union(shared))
            #expect(changeable.isEmpty)
        }
    }

    @Test(arguments: [
        "GRANT SELECT ON ALL TABLES IN SCHEMA public TO role", "GRANT ALL ON ALL TABLES IN SCHEMA public TO role",
        "GRANT SELECT ON message TO role", "GRANT SELECT (content) ON message TO role",
        "GRANT UPDATE (readAt) ON delivery TO role", "GRANT SELECT ON batch_17, setting TO role",
    ])
    func `a start revokes what others have granted to the role`(grant: String) async throws {
        let database = try await StorageDatabase()
        try await database.use { connection in
            let role = try PostgresSchema.prepare(connection)
            func privileges() throws -> Set<String> {
                let rows = try connection.execute(
                    """
                    SELECT c.relname || ' ' || a.privilege_type FROM pg_class c,
                        aclexplode(c.relacl) a WHERE a.grantee = to_regrole(quote_ident($1))
                    UNION ALL SELECT attrelid::regclass::text || '.' || attname || ' ' || a.privilege_type
                    FROM pg_attribute, aclexplode(attacl) a WHERE a.grantee = to_regrole(quote_ident($1))
                    """,
                    [role.name]
                )
                return Set(try rows.map { try $0[0] as String })
            }
            let needed = try privileges()
            #expect(needed.count == PersonRole.tables.count)
            #expect(try role.furtherTables(connection) == [])
            let name = PostgresConnection.quoted(role.name)
            try connection.executeScript(grant.replacing("role", with: name))
            #expect(try privileges() != needed)
            #expect(try !role.furtherTables(connection).isEmpty)
            #expect(try PersonRole.problem(connection)?.value.hasPrefix("the role \(role.name) may read") == true)
            _ = try PersonRole.prepare(connection)
            #expect(try privileges() == needed)
            #expect(try role.furtherTables(connection) == [])
        }
    }

    @Test func `a start leaves what a later version has granted to the role`() async throws {
        let database = try await StorageDatabase()
        try await database.use { connection in
            let role = try PostgresSchema.prepare(connection)
            let name = PostgresConnection.quoted(role.name)
            try connection.executeScript(
                """
                CREATE TABLE later (); GRANT SELECT ON later, message TO \(name);
                INSERT INTO migration (name, at) VALUES ('later', 1)
                """
            )
            #expect(try role.furtherTables(connection) == ["message"])
            #expect(try PersonRole.prepare(connection) == role)
            #expect(try connection.execute("SELECT has_table_privilege($1, 'later', 'SELECT')", [role.name])[0][0])
            #expect(try role.furtherTables(connection) == [])
        }
    }

    @Test func `a start warns of a role that may read all rows as everyone may`() async throws {
        let database = try await StorageDatabase()
        let address = try #require(URL(string: database.server.address(database.name)))
        try await Storage.open(address).close()
        try await database.use { connection in
            try connection.executeScript(
                "GRANT SELECT ON message, delivery_17 TO PUBLIC; GRANT UPDATE ON batch TO PUBLIC"
            )
        }
        let storage = try await Storage.open(address)
        #expect(
            storage.problems == [
                """
                the role \(database.name)_reader may read everyone's rows, or change rows, in: message, batch
                """
            ]
        )
        try await storage.close()
    }

    @Test func `servers of earlier versions read in their own role, and continue`() async throws {
        let database = try await StorageDatabase()
        let address = try #require(URL(string: database.server.address(database.name)))
        try await Storage.open(address).close()
        let earlier = "\(database.name)_person"
        try await StorageDatabase.administrate { try $0.executeScript("CREATE ROLE \"\(earlier)\" NOLOGIN NOINHERIT") }
        try await database.use { try $0.executeScript("GRANT SELECT ON message TO \"\(earlier)\"") }
        let storage = try await Storage.open(address)
        #expect(storage.problems == [])
        try await storage.close()
        try await database.use { connection in
            let mayRead = try connection.execute(
                """
                SELECT rolname::text, has_table_privilege(oid, 'message', 'SELECT') FROM pg_roles
                WHERE rolname::text = ANY ($1)
                """,
                [[earlier, "\(database.name)_reader"]]
            ).map { "\(try $0[0] as String) \(try $0[1] as Bool)" }
            #expect(Set(mayRead) == ["\(earlier) true", "\(database.name)_reader false"])
        }
    }

    @Test(arguments: [false, true])
    func `role and person end with their transaction`(throughPooler: Bool) async throws {
        let (database, role) = try await StorageDatabase.migrated.value
        let settings = throughPooler ? try database.server.poolerSettings(database.name) : nil
        try await database.use(settings) { connection in
            for _ in 0..<3 {
                let inside = try connection.transaction(.snapshot) { connection in
                    connection.enqueue(role.statement(for: 7))
                    return try state(connection)
                }
                #expect(inside == "\(role.name) 7")
                #expect(try state(connection) == "\(database.server.user) ")
                let error = failure(RolledBack.self) {
                    try connection.transaction { connection in
                        try connection.pipeline([role.statement(for: 7)])
                        throw RolledBack()
                    }
                }
                #expect(error != nil)
                #expect(try state(connection) == "\(database.server.user) ")
            }
        }
    }

    private func state(_ connection: PostgresConnection) throws -> String {
        try connection.execute("SELECT current_user || ' ' || coalesce(current_setting('inbox.person', true), '')")[0][
            0
        ]
    }

    @Test(arguments: ["BYPASSRLS", "SUPERUSER", "LOGIN", "CREATEROLE"])
    func `a role of this name that voids the policies is refused`(right: String) async throws {
        let database = try await StorageDatabase("rights\(right)")
        let role = try PersonRole(database: database.name)
        try await StorageDatabase.administrate { connection in
            try connection.executeScript("CREATE ROLE \(PostgresConnection.quoted(role.name)) \(right)")
        }
        let error = await failure(ServerSetupError.self) {
            _ = try await database.use { try PersonRole.prepare($0) }
        }
        #expect("\(error as Any)".contains("rights that void"))
    }

    @Test func `each database has a role of its own, with any name that fits`() throws {
        #expect(try PersonRole(database: "inbox").name == "inbox_reader")
        let role = try PersonRole(database: "a \"b\"; DROP")
        #expect(
            role.creation(for: "c\"d")
                == #"CREATE ROLE "a ""b""; DROP_reader" NOLOGIN NOINHERIT; GRANT "a ""b""; DROP_reader" TO "c""d";"#
        )
        #expect(try PersonRole(database: String(repeating: "ä", count: 28)).name.utf8.count == 63)
        #expect(throws: ServerSetupError.self) { try PersonRole(database: String(repeating: "ä", count: 29)) }
    }
}
