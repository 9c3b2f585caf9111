#if PostgreSQL
    import Postgres

    /// The role in which a transaction sees the rows of one person alone, by row-level security, and changes none.
    ///
    /// It is a wall behind the conditions of the statements: one in which the person was forgotten, or is another's,
    /// returns nothing. It isn't one against SQL of an attacker, who could set another person, or another role.
    ///
    /// - The policies bind everyone but the tables' owner, the server's own user, who writes for many people in one
    ///   transaction. They aren't forced on the owner: a second policy, which permits everything, would only undo that,
    ///   at the cost of a condition in each plan.
    /// - Without a person that is set, no row is seen. A setting ends with its transaction, also behind a pooler.
    /// - Of tables that aren't of one person, the role reads those that are the same for everyone. It may not read
    ///   `message`, but views that have the messages of the person's deliveries, and those to everyone
    ///   (``PostgresSchema/views``). A policy that looks for the delivery of each message would take as long again as
    ///   reading the newest 50; a view is part of the plan.
    /// - Of partitions, only those that statements name are granted, and only for reading. They have the policy
    ///   themselves, since that of a table doesn't apply to them (``PostgresSchema/namedPartitions``).
    /// - Roles belong to all databases of a PostgreSQL server. A common role would let the user of one database read
    ///   another's people, so each database has its own: its name with `_reader`.
    struct PersonRole: Hashable, Sendable {
        let name: String

        /// The setting of the person's number.
        static let setting = "inbox.person"

        static let suffix = "_reader"
        /// The suffix of the role of earlier versions, which may read `message`: such servers may still run.
        static let formerSuffix = "_person"

        /// PostgreSQL cuts longer names without an error (`NAMEDATALEN`).
        private static let longestName = 63

        /// The tables that are the same for everyone.
        static let sharedTables = ["counter", "surface", "destroyedSurface"]

        /// - Throws: ``ServerSetupError`` if the name of the database is too long: two roles could be the same then.
        init(database: String) throws(ServerSetupError) {
            name = database + Self.suffix
            guard name.utf8.count <= Self.longestName else {
                let limit = Self.longestName - Self.suffix.utf8.count
                throw ServerSetupError("The name of the database, \(database), is longer than \(limit) bytes.")
            }
        }

        /// The statement that begins a transaction in this role, for its first pipeline.
        ///
        /// - Parameters:
        ///   - person: The person's number.
        ///   - limit: The time after which the request's reads are cancelled. Nil for the pool's.
        func statement(for person: Int, within limit: Duration? = nil) -> PostgresStatement {
            let limits = limit.map { [PostgresStatement.timeLimit($0)] } ?? []
            return .setLocal([(Self.setting, "\(person)"), ("role", name)] + limits)
        }

        /// The statements with which an administrator creates the role for the server's user.
        func creation(for user: String) -> String {
            let role = PostgresConnection.quoted(name)
            return "CREATE ROLE \(role) NOLOGIN NOINHERIT; \(grant(to: user))"
        }

        private func grant(to user: String) -> String {
            "GRANT \(PostgresConnection.quoted(name)) TO \(PostgresConnection.quoted(user));"
        }

        // MARK: Preparing

        /// Creates the role in the open transaction that creates the first tables, and verifies that the user may take
        /// it. A database whose server can't have the role stays empty.
        ///
        /// - Throws: As ``prepare(_:)``.
        static func create(_ connection: PostgresConnection) throws {
            let (role, user) = try named(connection)
            try role.advising(user) {
                try role.create(connection, for: user)
                let earlier: String = try connection.execute("SELECT current_setting('role')")[0][0]
                try connection.pipeline([role.statement(for: 0), .setLocal("role", earlier)])
            }
        }

        /// Creates the role of a migrated database and grants its privileges, unless they are there already.
        ///
        /// - Throws: ``ServerSetupError`` if the role is missing and the user may not create it, with the statements
        ///   that an administrator has to run, or if a role of its name has rights that void the policies;
        ///   `PostgresError`.
        static func prepare(_ connection: PostgresConnection) throws -> PersonRole {
            let (role, user) = try named(connection)
            try role.advising(user) {
                try connection.transaction { connection in
                    connection.enqueue("SELECT pg_advisory_xact_lock($1)", [PostgresMigrator.lock])
                    try connection.pipeline([])
                    try role.create(connection, for: user)
                    try role.grant(connection)
                }
                // Verify that the user may take the role.
                try connection.transaction(.snapshot) { connection in
                    _ = try connection.pipeline([role.statement(for: 0)])
                }
            }
            return role
        }

        /// Returns the role of a connection's database, and the connection's user.
        private static func named(_ connection: PostgresConnection) throws -> (role: PersonRole, user: String) {
            let names = try connection.execute("SELECT current_database()::text, current_user::text")[0]
            return (try PersonRole(database: names[0]), try names[1])
        }

        /// Runs a body, whose missing rights are an administrator's to grant.
        private func advising(_ user: String, _ body: () throws -> Void) throws {
            do {
                try body()
            } catch let error as PostgresError where error.sqlState == "42501" {
                throw ServerSetupError(
                    """
                    The server's user \(user) can't create or take the role \(name), in which a person's rows are \
                    read. An administrator of PostgreSQL has to run: \(creation(for: user))
                    """
                )
            }
        }

        private func create(_ connection: PostgresConnection, for user: String) throws {
            guard let hasTooManyRights = try hasTooManyRights(connection) else {
                return try connection.executeScript(creation(for: user))
            }
            if hasTooManyRights { throw ServerSetupError(rightsDescription) }
        }

        /// Returns whether the role has rights that void the policies. Nil if there is no such role.
        private func hasTooManyRights(_ connection: PostgresConnection) throws -> Bool? {
            try connection.execute(
                "SELECT rolsuper OR rolbypassrls OR rolcanlogin OR rolcreaterole FROM pg_roles WHERE rolname = $1",
                [name]
            ).first.map { try $0[0] }
        }

        private var rightsDescription: String {
            "The role \(name) of PostgreSQL has rights that void the separation of people. Remove it, or run: "
                + "ALTER ROLE \(PostgresConnection.quoted(name)) NOSUPERUSER NOBYPASSRLS NOLOGIN NOCREATEROLE;"
        }

        /// The condition that a role of the catalog, `r`, can do all that the server's user can: it is a superuser, or
        /// a member of that user's role or of the tables' owner's, or may make itself one. Before version 16, a user
        /// who may create roles may do that, as administrators of hosted databases can, but for a superuser's role.
        static let hasServerRights = """
            (
                r.rolsuper OR pg_has_role(r.oid, quote_ident(current_user)::regrole, 'MEMBER')
                OR pg_has_role(r.oid, (SELECT relowner FROM pg_class WHERE oid = to_regclass('migration')), 'MEMBER')
                OR r.rolcreaterole AND current_setting('server_version_num')::integer < 160000
                    AND NOT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user)
            )
            """

        /// Returns the other users who may take the role. They see everyone's rows, since whoever has taken it can set
        /// the person: a role of this name may have been there before, such as a group of another application. Users
        /// who have the server's rights anyway are left out.
        func otherMembers(_ connection: PostgresConnection) throws -> [String] {
            // From version 16 on, a member may have no right but to grant it to others.
            try connection.execute(
                """
                SELECT quote_ident(r.rolname) FROM pg_roles r JOIN pg_roles p ON p.rolname = $1
                WHERE r.rolcanlogin AND CASE
                        WHEN current_setting('server_version_num')::integer < 160000
                            THEN pg_has_role(r.oid, p.oid, 'MEMBER')
                        ELSE pg_has_role(r.oid, p.oid, 'SET') OR pg_has_role(r.oid, p.oid, 'USAGE')
                    END AND NOT \(Self.hasServerRights)
                ORDER BY 1
                """,
                [name]
            ).map { try $0[0] }
        }

        /// Describes other users who may take the role, the first ones by name.
        func description(ofMembers members: [String]) -> String {
            "other users may take the role \(name), and see everyone's rows: \(Self.list(members))"
        }

        /// Returns the roles of a person of earlier versions or other databases that may read people's tables of this
        /// one. A database that is renamed keeps the rights of its former role, and one that is restored under another
        /// name gets them. Then the user of a database with the former name may read its people.
        static func formerRoles(_ connection: PostgresConnection) throws -> [String] {
            try connection.execute(
                """
                SELECT quote_ident(r.rolname) FROM pg_roles r
                WHERE r.rolname::text ~ '(\(suffix)|\(formerSuffix))$' AND NOT r.rolcanlogin
                    AND r.rolname::text <> current_database() || '\(suffix)'
                    AND EXISTS (
                        SELECT FROM unnest($1) AS granted (name)
                            JOIN pg_class c ON c.oid = to_regclass(granted.name)
                            CROSS JOIN LATERAL aclexplode(c.relacl) AS a
                        WHERE a.grantee = r.oid AND a.privilege_type = 'SELECT'
                    )
                ORDER BY 1
                """,
                [tables + ["message"]]
            ).map { try $0[0] }
        }
    }

    extension PersonRole {
        /// Returns the problem of the role and the policies of a migrated database, which isn't changed.
        ///
        /// - Returns: The problem, with advice for the operator. Nil if there is none.
        static func problem(_ connection: PostgresConnection) throws -> (value: String, advice: String)? {
            let names = try connection.execute("SELECT current_database()::text, current_user::text")[0]
            let (database, user): (String, String) = (try names[0], try names[1])
            let role: PersonRole
            do {
                role = try PersonRole(database: database)
            } catch {
                return ("none", error.description)
            }
            guard let hasTooManyRights = try role.hasTooManyRights(connection) else {
                return (
                    "\(role.name) is missing", "The server makes it at its start, or run: \(role.creation(for: user))"
                )
            }
            if hasTooManyRights { return ("\(role.name) has too many rights", role.rightsDescription) }
            do {
                try connection.transaction(.snapshot) { connection in
                    _ = try connection.pipeline([role.statement(for: 0)])
                }
            } catch let error as PostgresError where error.sqlState == "42501" {
                return ("\(user) can't take \(role.name)", "Run: \(role.grant(to: user))")
            }
            let open = try openTables(connection, among: PostgresSchema.personTables + PostgresSchema.namedPartitions)
            guard open.isEmpty else {
                return (
                    description(ofOpen: open),
                    "Something else has changed the schema. Restore the policies as in a new database of the server."
                )
            }
            let views = try wrongViews(connection)
            guard views.isEmpty else {
                return (
                    description(ofViews: views),
                    "Something else has changed the schema. Restore the views as in a new database of the server."
                )
            }
            let further = try role.furtherTables(connection)
            guard further.isEmpty else {
                return (
                    role.description(ofFurther: further),
                    "The server revokes that at its start, unless everyone has it: "
                        + "REVOKE ALL ON ALL TABLES IN SCHEMA … FROM PUBLIC"
                )
            }
            guard try role.mayReadAll(connection) else {
                return ("\(role.name) lacks privileges on tables", "The server grants them at its start.")
            }
            // Last: an operator who keeps such members still sees the problems of the tables.
            let members = try connection.transaction(.snapshot) { try role.otherMembers($0) }
            guard members.isEmpty else {
                return (
                    role.description(ofMembers: members),
                    "Revoke it from them, or from the groups that they are in: "
                        + "REVOKE \(PostgresConnection.quoted(role.name)) FROM …"
                )
            }
            return nil
        }

        // MARK: Policies

        /// Returns the tables that show more than the rows of the person who is set, or other rows, each with the
        /// problem of its policy.
        static func openTables(
            _ connection: PostgresConnection,
            among tables: [PostgresSchema.PersonTable]
        ) throws -> [(table: String, problem: String)] {
            let rows = try connection.execute(
                """
                SELECT name, c.relrowsecurity, p.polname::text,
                    p.polpermissive AND p.polcmd = '*' AND p.polroles = '{0}',
                    pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)
                FROM unnest($1) WITH ORDINALITY AS wanted (name, place)
                LEFT JOIN pg_class c ON c.oid = to_regclass(name)
                LEFT JOIN pg_policy p ON p.polrelid = c.oid
                ORDER BY place, p.polname
                """,
                [tables.map(\.name)]
            )
            var policies: [String: [PostgresRow]] = [:]
            for row in rows { policies[try row[0], default: []].append(row) }
            return try tables.compactMap { table in
                try problem(of: table, policies[table.name] ?? []).map { (table.name, $0) }
            }
        }

        /// Returns the problem of a table's policies; nil if there is none.
        private static func problem(of table: PostgresSchema.PersonTable, _ policies: [PostgresRow]) throws -> String? {
            guard let first = policies.first, let isEnabled: Bool = try first[1] else { return "no such table" }
            guard isEnabled else { return "row-level security is off" }
            guard try first[2] as String? != nil else { return "no policy" }
            let wanted = PostgresSchema.condition(on: table)
            for policy in policies {
                let name = try policy[2] as String? ?? ""
                let (condition, check): (String?, String?) = (try policy[4], try policy[5])
                for found in [condition ?? "nothing", check ?? wanted] where found != wanted {
                    return "its policy \(name) says \(found) instead of \(wanted)"
                }
                guard try policy[3] as Bool? == true else {
                    return "its policy \(name) isn't for all commands of everyone"
                }
            }
            return nil
        }

        /// Returns the names of the views that are missing, or that have options, or an owner without the server's
        /// rights. What they say isn't compared: only an owner, or a superuser, could have replaced them, and versions
        /// of PostgreSQL word it differently.
        static func wrongViews(_ connection: PostgresConnection) throws -> [String] {
            try connection.execute(
                """
                SELECT name FROM unnest($1) WITH ORDINALITY AS wanted (name, place)
                WHERE NOT EXISTS (
                    SELECT FROM pg_class c JOIN pg_roles r ON r.oid = c.relowner
                    WHERE c.oid = to_regclass(name) AND c.relkind = 'v' AND c.reloptions IS NULL
                        AND \(hasServerRights)
                ) ORDER BY place
                """,
                [PostgresSchema.views.map(\.name)]
            ).map { try $0[0] }
        }

        /// Describes views that aren't as the schema makes them, the first ones by name.
        static func description(ofViews views: [String]) -> String {
            "views of one person's messages that are missing or changed: \(list(views))"
        }

        /// Describes tables that don't have the policy of one person, the first ones by name.
        static func description(ofOpen open: [(table: String, problem: String)]) -> String {
            "tables without the policy of one person: \(list(open.map { "\($0.table) (\($0.problem))" }))"
        }

        /// Lists the first of some names.
        static func list(_ names: [String]) -> String {
            let rest = names.count - listed
            return names.prefix(listed).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
        }

        private static let listed = 4
    }

    extension PostgresSchema {
        /// The number of the person who is set. Null for none: a setting that has ended is an empty text.
        static let setPerson = "nullif(current_setting('\(PersonRole.setting)', true), '')::bigint"

        /// Returns the policy of a table: only the rows of the person who is set.
        static func policy(on table: PersonTable) -> String {
            """
            ALTER TABLE \(table.name) ENABLE ROW LEVEL SECURITY;
            CREATE POLICY person ON \(table.name)
                USING (\(table.person) = \(setPerson));

            """
        }

        /// The condition of ``policy(on:)`` as PostgreSQL returns it.
        static func condition(on table: PersonTable) -> String {
            "(\(table.person) = (NULLIF(current_setting('\(PersonRole.setting)'::text, true), ''::text))::bigint)"
        }

        /// Verifies, migrates and prepares a database, and returns the role in which a person's rows are read. A
        /// database that is up to date isn't changed.
        ///
        /// - Parameters:
        ///   - connection: It has the ``PostgresNamespace``.
        ///   - begun: Called in the transaction that creates the first tables.
        /// - Throws: ``ServerSetupError``, whose description has advice for the operator; `PostgresError`.
        static func prepare(
            _ connection: PostgresConnection,
            migrator: PostgresMigrator = PostgresMigrator(),
            begun: () throws -> Void = {}
        ) throws -> PersonRole {
            try PostgresRequirements.check(connection)
            try PartitionSetting.require(in: connection)
            try migrator.migrate(connection) { connection in
                try PersonRole.create(connection)
                try PostgresNamespace.secureNewFunctions(connection)
                try begun()
            }
            try PostgresNamespace.secureFunctions(connection)
            return try PersonRole.prepare(connection)
        }
    }
#endif
