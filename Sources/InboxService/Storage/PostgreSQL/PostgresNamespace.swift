#if PostgreSQL
    import Postgres

    /// The schema, as PostgreSQL calls a namespace, that has the server's tables.
    ///
    /// Statements have the names of tables alone, which PostgreSQL looks up in the schemas of `search_path`. That is a
    /// setting of the user and of the database, and the default, `"$user", public`, leads elsewhere as soon as a schema
    /// with the user's name is created. So the tables are found in the catalog, and each connection has their schema as
    /// its whole path: a server's by ``PostgresSettings/fixing(_:)``, which is sent with the first statements of a
    /// connection, or of a transaction through a pooler.
    struct PostgresNamespace: Hashable, Sendable {
        /// The setting of a connection that has it.
        static let setting = "search_path"
        /// An expression for the schema's number in the catalog.
        static let current = "quote_ident(current_schema())::regnamespace"

        /// The value of ``setting``: the name, in quotation marks where SQL needs them.
        let path: String

        /// Gives a direct connection the schema of the server's tables until its end. A database without them gets them
        /// in the first schema that its `search_path` has.
        ///
        /// - Throws: ``ServerSetupError`` if the database has several inboxes, if the user can't use the schema, or if
        ///   there is none; `PostgresError`.
        static func use(on connection: PostgresConnection) throws -> PostgresNamespace {
            let namespace = try find(connection) ?? first(connection)
            try connection.execute("SELECT set_config($1, $2, false)", [setting, namespace.path])
            return namespace
        }

        /// Returns the schema of the server's tables, wherever it is. Nil if the database has none.
        ///
        /// - Throws: ``ServerSetupError`` if it has several, or the user can't use it; `PostgresError`.
        static func find(_ connection: PostgresConnection) throws -> PostgresNamespace? {
            let found = try connection.execute(
                """
                SELECT quote_ident(n.nspname), has_schema_privilege(n.oid, 'USAGE'),
                    quote_ident(pg_get_userbyid(c.relowner)), quote_ident(current_user)
                FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                WHERE c.relname = 'migration' AND \(isOwn) ORDER BY 1
                """
            )
            guard let row = found.first else { return nil }
            let paths = try found.map { try $0[0] as String }
            guard paths.count == 1 else {
                throw ServerSetupError(
                    """
                    The database has the tables of several inboxes, in the schemas \(paths.joined(separator: ", ")). \
                    An inbox has a database of its own. Stop all servers, back the database up, find the schema that \
                    isn't yours, such as by SELECT count(*) FROM \(paths[0]).person, and run: DROP SCHEMA … CASCADE
                    """
                )
            }
            guard try row[1] else {
                let (owner, user): (String, String) = (try row[2], try row[3])
                throw ServerSetupError(
                    """
                    The user \(user) can't use the schema \(paths[0]), which has the tables. Start as their owner, \
                    \(owner), or run as an administrator: REASSIGN OWNED BY \(owner) TO \(user); GRANT USAGE, CREATE \
                    ON SCHEMA \(paths[0]) TO \(user)
                    """
                )
            }
            return PostgresNamespace(path: paths[0])
        }

        /// The condition that `migration` in the catalog, `c`, is a server's table: other applications have one, too.
        private static let isOwn = """
            c.relkind = 'r' AND c.relpersistence = 'p' AND ARRAY(
                SELECT format('%s %s', a.attname, format_type(a.atttypid, NULL)) FROM pg_attribute a
                WHERE a.attrelid = c.oid AND a.attname IN ('name', 'at', 'needed') AND NOT a.attisdropped
                ORDER BY a.attname
            ) = ARRAY['at bigint', 'name text', 'needed text']
            """

        /// Returns whether the schema in use has the table of migrations.
        ///
        /// - Throws: ``ServerSetupError`` if something else has its name; `PostgresError`.
        static func hasMigrations(_ connection: PostgresConnection) throws -> Bool {
            // A query of the catalog: `to_regclass` still reports a table as missing after the wait for a lock.
            let row = try connection.execute(
                """
                SELECT \(isOwn), quote_ident(n.nspname), quote_ident(pg_get_userbyid(c.relowner)), CASE
                    WHEN c.relkind IN ('r', 'p', 'f') THEN 'table' WHEN c.relkind IN ('v', 'm') THEN 'view'
                    WHEN c.relkind = 'S' THEN 'sequence' ELSE 'relation' END
                FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                WHERE n.nspname = current_schema() AND c.relname = 'migration'
                """
            ).first
            guard let row else { return false }
            if try row[0] { return true }
            let (schema, owner, kind): (String, String, String) = (try row[1], try row[2], try row[3])
            throw ServerSetupError(
                """
                The schema \(schema) has a \(kind) migration that isn't an inbox server's, of the user \(owner). \
                \(ownPlace)
                """
            )
        }

        /// The advice where something else has the schema, or a name in it.
        static let ownPlace = """
            Give the server a database of its own: CREATE DATABASE … OWNER …, or a schema of its own: CREATE SCHEMA …; \
            ALTER ROLE … IN DATABASE … SET search_path = …
            """

        /// Returns the schema in which new tables are created.
        private static func first(_ connection: PostgresConnection) throws -> PostgresNamespace {
            let row = try connection.execute(
                "SELECT quote_ident(current_schema()), current_setting($1), quote_ident(current_user)",
                [setting]
            )[0]
            if let path: String = try row[0] as String? { return PostgresNamespace(path: path) }
            let (wanted, user): (String, String) = (try row[1], try row[2])
            throw ServerSetupError(
                """
                The database has no schema for the tables: \(setting) is \(wanted.isEmpty ? "empty" : wanted), and the \
                user \(user) can use none of that. Run as an administrator: CREATE SCHEMA AUTHORIZATION \(user); ALTER \
                ROLE \(user) RESET \(setting)
                """
            )
        }

        // MARK: Functions

        /// Secures the functions that run with the rights of the tables' owner, on a connection that has the namespace.
        ///
        /// PostgreSQL looks for tables in the schema of temporary ones first, `pg_temp`, unless `search_path` has it at
        /// another place, and lets everyone make a trigger of a function. So another user of the database could have
        /// made such a function write into a temporary table, whose own triggers would have run with the owner's rights
        /// (PostgreSQL, CREATE FUNCTION, "Writing SECURITY DEFINER Functions Safely"). Here temporary tables come last,
        /// and only the owner can execute the functions. The triggers of the tables don't ask for that right.
        ///
        /// A function that an earlier version made has the path of its user, and one in a schema that was renamed has
        /// that of the former name.
        static func secureFunctions(_ connection: PostgresConnection) throws {
            guard try insecureFunctions(connection).contains(where: { $0.isOwn }) else { return }
            try connection.transaction { connection in
                connection.enqueue("SELECT pg_advisory_xact_lock($1)", [PostgresMigrator.lock])
                try connection.pipeline([])
                try secureNewFunctions(connection)
            }
        }

        /// The same in the open transaction that creates the functions. A trigger that another user makes between that
        /// and a later transaction would stay.
        static func secureNewFunctions(_ connection: PostgresConnection) throws {
            for function in try insecureFunctions(connection) where function.isOwn {
                try connection.executeScript(
                    """
                    ALTER FUNCTION \(function.name) SET \(setting) = \(function.path);
                    REVOKE EXECUTE ON FUNCTION \(function.name) FROM PUBLIC
                    """
                )
            }
        }

        /// Returns the functions that look for tables elsewhere than in the namespace first, or that everyone can
        /// execute, with the path that they have to have, and whether this user can change them.
        static func insecureFunctions(
            _ connection: PostgresConnection
        ) throws -> [(name: String, path: String, isOwn: Bool)] {
            try connection.execute(
                """
                SELECT oid::regprocedure::text, wanted.path, pg_has_role(proowner, 'USAGE')
                FROM pg_proc, concat(current_setting($1), ', pg_temp') AS wanted (path)
                WHERE pronamespace = \(current) AND proname IN ('countoutboxrows', 'moveinoutboxcount') AND (
                    concat($1, '=', wanted.path) <> ALL (coalesce(proconfig, '{}'))
                    OR has_function_privilege('public', oid, 'EXECUTE')
                )
                ORDER BY 1
                """,
                [setting]
            ).map { (name: try $0[0], path: try $0[1], isOwn: try $0[2]) }
        }

        /// Returns the functions and operators of other users in the schema of the tables, with their owners. A
        /// statement whose arguments have other types than PostgreSQL's own functions would call these, with the rights
        /// of the server's user (PostgreSQL, "Usage Patterns" of schemas). Users who have the server's rights anyway
        /// are left out, and so are their extensions: the owner of an extension can add any function to it.
        static func foreignFunctions(_ connection: PostgresConnection) throws -> [String] {
            try connection.execute(
                """
                SELECT format('%s of %I', f.name, r.rolname) FROM (
                    SELECT tableoid AS catalog, oid, oid::regprocedure::text AS name, proowner AS owner FROM pg_proc
                    WHERE pronamespace = \(current)
                    UNION ALL SELECT tableoid, oid, oid::regoperator::text, oprowner FROM pg_operator
                    WHERE oprnamespace = \(current)
                ) AS f JOIN pg_roles r ON r.oid = f.owner
                WHERE NOT \(PersonRole.hasServerRights)
                    AND NOT EXISTS (
                        SELECT FROM pg_depend d JOIN pg_extension x ON x.oid = d.refobjid
                            JOIN pg_roles r ON r.oid = x.extowner
                        WHERE d.classid = f.catalog AND d.objid = f.oid AND d.deptype = 'e'
                            AND \(PersonRole.hasServerRights)
                    )
                ORDER BY 1
                """
            ).map { try $0[0] }
        }

        /// Describes functions and operators of other users, the first ones by name.
        static func description(ofForeign functions: [String]) -> String {
            "the server's statements may call what other users have made in the schema of the tables: "
                + PersonRole.list(functions)
        }

        /// Returns the triggers by which other tables call these functions. One that another user made before they were
        /// secured stays, and its table may have columns whose casts would run with the rights of the tables' owner.
        static func foreignTriggers(_ connection: PostgresConnection) throws -> [String] {
            try connection.execute(
                """
                SELECT format('%I ON %s', t.tgname, t.tgrelid::regclass)
                FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
                WHERE p.pronamespace = \(current) AND p.prosecdef AND t.tgrelid <> to_regclass('outbox')
                ORDER BY 1
                """
            ).map { try $0[0] }
        }
    }
#endif
