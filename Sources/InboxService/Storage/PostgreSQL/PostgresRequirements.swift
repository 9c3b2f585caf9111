#if PostgreSQL
    import Postgres

    /// A server's requirements of PostgreSQL, checked at its start.
    ///
    /// The database's collation isn't one: each text column has a collation of its own, "C", which is that of all
    /// comparisons, orders and indexes of the column.
    struct PostgresRequirements: Sendable {
        /// 15, the oldest version that the tests run with. Version 14 is the first that leaves out partitions from
        /// prepared updates and deletes, and the project of PostgreSQL ended its support in November 2026.
        static let version = 15

        /// The settings that are checked.
        static let settings = [
            "server_version_num", "server_encoding", "fsync", "full_page_writes", "synchronous_commit",
            "session_replication_role",
        ]

        /// Reads the settings of a database, and verifies them.
        ///
        /// - Throws: ``ServerSetupError`` that names the first setting that doesn't suffice; `PostgresError`.
        static func check(_ connection: PostgresConnection) throws {
            if let problem = problem(with: try values(connection)) { throw ServerSetupError(problem) }
        }

        /// Reads the settings of a database.
        static func values(_ connection: PostgresConnection) throws -> [String: String] {
            var values: [String: String] = [:]
            let rows = try connection.execute(
                "SELECT name, current_setting(name) FROM unnest($1) AS setting (name)",
                [settings]
            )
            for row in rows { values[try row[0]] = try row[1] as String }
            return values
        }

        /// The tables that sending a message, and most of what a device writes, change.
        private static let writtenTables =
            PostgresSchema.personTables.map(\.name) + PostgresSchema.nameTables
            + ["message", "due", "counter", "figure", "actionFigure"]

        /// The sequences whose numbers the rows of those tables receive, with one of two rights. That of an identity
        /// column needs none.
        private static let usedSequences = ["personNumber", "blobNumber", "outboxNumber"]

        /// Returns whether the connection's user has the rights on people's tables, on messages and on their numbers
        /// without which most writes fail, and may take the role of a person, which has those without which most reads
        /// fail. There are none on a table or view that is missing.
        ///
        /// A pooler's user may be another one, whose rights aren't known here.
        static func hasRights(_ connection: PostgresConnection) throws -> Bool {
            try connection.execute(
                """
                SELECT (
                    SELECT bool_and(
                        coalesce(has_table_privilege(to_regclass(written.name)::oid, needed.privilege), false)
                    )
                    FROM unnest($1) AS written (name),
                        unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS needed (privilege)
                ) AND (
                    SELECT bool_and(
                        coalesce(has_sequence_privilege(to_regclass(used.name)::oid, 'USAGE, UPDATE'), false)
                    )
                    FROM unnest($2) AS used (name)
                ) AND EXISTS (
                    SELECT FROM pg_roles r
                    WHERE r.rolname::text = current_database() || '\(PersonRole.suffix)'
                        AND pg_has_role(r.oid, 'MEMBER') AND NOT EXISTS (
                            SELECT FROM unnest($3) AS seen (name)
                            WHERE NOT coalesce(has_table_privilege(r.oid, to_regclass(seen.name)::oid, 'SELECT'), false)
                        )
                )
                """,
                [writtenTables, usedSequences, PersonRole.tables]
            )[0][0]
        }

        /// The setting for when a commit is confirmed.
        static let durability = "synchronous_commit"

        /// Reads when a commit is confirmed, after ``check(_:)``. Connections that keep to it are as durable as the
        /// one that was checked.
        static func durability(_ connection: PostgresConnection) throws -> String {
            try connection.execute("SELECT current_setting($1)", [durability])[0][0]
        }

        /// A user's limits of time, which hosted databases often have. They would end a migration, an erasure of a
        /// large inbox, or a connection that is needed again. Not all versions have each of them.
        static let timeLimits = [
            "statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout", "transaction_timeout",
            "idle_session_timeout",
        ]

        /// Returns the settings with which a connection isn't subject to those limits that only some versions have, and
        /// with which rows of one person are read without an error. The others are in `PostgresSettings`.
        static func connectionSettings(_ connection: PostgresConnection) throws -> [(name: String, value: String)] {
            let limits = try connection.execute(
                "SELECT name FROM pg_settings WHERE name IN ('transaction_timeout', 'idle_session_timeout')"
            ).map { (name: try $0[0] as String, value: "0") }
            // With "off", a statement to whose rows a policy applies fails.
            return limits + [(name: "row_security", value: "on")]
        }

        /// Returns the problem of settings, or nil if they suffice.
        static func problem(with values: [String: String]) -> String? {
            let number = values["server_version_num"].flatMap { Int($0) } ?? 0
            guard number >= version * 10_000 else {
                return "PostgreSQL \(number / 10_000) is too old: version \(version) is the oldest that works."
            }
            let encoding = values["server_encoding"] ?? ""
            guard encoding == "UTF8" else {
                return "The database has the encoding \(encoding). Make one with UTF8: "
                    + "CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0."
            }
            for name in ["fsync", "full_page_writes", "synchronous_commit"] where values[name] == "off" {
                return "\(name) is off, so PostgreSQL may lose or damage what it has confirmed. Set it to on."
            }
            return skipsTriggers(values) ? skippedTriggers : nil
        }

        /// Whether triggers don't run with settings. An administrator alone can set it, also for a connection.
        static func skipsTriggers(_ values: [String: String]) -> Bool {
            values["session_replication_role"] == "replica"
        }

        /// The problem of a connection on which triggers don't run.
        static let skippedTriggers = """
            session_replication_role is replica, so triggers don't run, and payloads of webhooks aren't counted. Run \
            as an administrator: ALTER ROLE … RESET session_replication_role, and ALTER DATABASE … RESET \
            session_replication_role.
            """
    }
#endif
