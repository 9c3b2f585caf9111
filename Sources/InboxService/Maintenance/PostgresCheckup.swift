#if PostgreSQL
    import Foundation
    import Groundwork
    import Postgres

    /// The checkup of a database of PostgreSQL that servers share. Each check has a snapshot of its own, so that none
    /// keeps the database from removing dead rows for long. All of them are read-only transactions.
    struct PostgresCheckup {
        typealias Finding = DatabaseCheckup.Finding

        private let connection: PostgresConnection
        private let now: Date
        private let start: ContinuousClock.Instant

        private static let restore = "Stop the servers and restore the last backup: pg_restore"

        /// Runs all checks.
        ///
        /// - Parameter now: The time of the call by this machine's clock.
        /// - Throws: ``MaintenanceError`` if the database can't be read, or isn't a server's.
        static func run(_ address: String, now: Date) throws -> [DatabaseCheckup.Finding] {
            let start = ContinuousClock.now
            do {
                let connection = try PostgresConnection(try PostgresSettings(address))
                defer { connection.close() }
                try DirectConnection.require(connection, of: "--database")
                return try PostgresCheckup(connection: connection, now: now, start: start).findings()
            } catch let error as PostgresError {
                let advice =
                    switch error.kind {
                    case _ where error.sqlState == "42501":
                        "Use the address of the server, whose user owns the tables."
                    // The error's own advice is this checkup.
                    case .incomplete:
                        "If a restore runs, let it end. Otherwise something has changed the schema. \(restore)"
                    default: error.openingAdvice
                    }
                throw MaintenanceError("The database can't be checked: \(error.sentence) \(advice)")
            } catch let error as ServerSetupError {
                throw MaintenanceError(error.description)
            }
        }

        private func findings() throws -> [Finding] {
            try configure()
            let applied = try migrations()
            var findings = [try requirements(), Self.schema(applied)]
            let knowsTables = Set(PostgresSchema.migrations.map(\.name)).isSubset(of: applied.keys)
            // A database of an older version has to be migrated by a server before it can be checked further.
            guard knowsTables else { return findings + [try notifications(), try clock(), try size()] }
            try PartitionSetting.require(in: connection)
            findings += [
                try rights(), try role(), try access(), Self.network(connection.protection), try partitions(),
                try commits(),
            ]
            let (alive, silent) = try servers()
            findings += [
                try connections(for: alive.count), try locks(for: alive.count), Self.servers(alive, silent: silent),
                try notifications(), try clock(), try references(),
                try sequences(),
                try read { try DatabaseCheckup.due($0, now: now, restore: Self.restore) }, try webhooks(),
                try read { try DatabaseCheckup.contents($0) }, try read { try DatabaseCheckup.broadcasts($0) },
            ]
            return try findings + Self.resources(connection) + [size()]
        }

        private func read<Value>(_ body: (SQLConnection) throws -> Value) throws -> Value {
            try connection.transaction(.snapshot) { connection in
                try body(.postgres(PostgresTransaction(connection)))
            }
        }

        private func row(_ sql: String, _ values: [any PostgresEncodable] = []) throws -> PostgresRow {
            try connection.transaction(.snapshot) { connection in try connection.execute(sql, values)[0] }
        }

        /// Settings of the connection: no limits of time, an error instead of the rows of one person alone, if the user
        /// isn't the owner of the tables, and the schema with the tables.
        private func configure() throws {
            try connection.execute(
                """
                SELECT set_config(name, value, false)
                FROM pg_settings JOIN unnest($1, $2) AS wanted (name, value) USING (name)
                """,
                [
                    [
                        "statement_timeout", "transaction_timeout", "lock_timeout", "row_security",
                        "default_transaction_read_only",
                    ],
                    ["0", "0", "10s", "off", "on"],
                ]
            )
            _ = try PostgresNamespace.use(on: connection)
        }

        // MARK: The schema

        private func requirements() throws -> Finding {
            let values = try PostgresRequirements.values(connection)
            if let problem = PostgresRequirements.problem(with: values) {
                return Finding("PostgreSQL", "doesn't suffice", .trouble, problem)
            }
            let number = (Int(values["server_version_num"] ?? "") ?? 0)
            let version = "\(number / 10_000).\(number % 10_000)"
            guard try row("SELECT pg_is_in_recovery()")[0] else { return Finding("PostgreSQL", version) }
            return Finding(
                "PostgreSQL",
                "\(version), a standby, which accepts no writes and may be behind the primary",
                .notice,
                "Servers need the primary: leave target_session_attrs out of their address."
            )
        }

        /// Reads the names of the migrations, with those that servers have to know.
        private func migrations() throws -> [String: String?] {
            guard try connection.transaction(.snapshot, { try PostgresNamespace.hasMigrations($0) }) else {
                throw MaintenanceError("The database isn't an inbox server's.")
            }
            return try read { db in
                if let problem = try UnfinishedMove.problem(of: "The database", in: db) {
                    throw MaintenanceError(problem)
                }
                var applied: [String: String?] = [:]
                for row in try db.rows("SELECT name, needed FROM migration") {
                    applied.updateValue(row[1] as String?, forKey: row[0] as String)
                }
                return applied
            }
        }

        /// Checks the user's privileges on the tables and sequences, other than those of an extension.
        private func rights() throws -> Finding {
            let row = try row(
                """
                SELECT string_agg(format('%s (%s)', c.relname, p.privilege), ', ' ORDER BY c.relname, p.privilege)
                FROM pg_class c, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'USAGE']) AS p (privilege)
                WHERE c.relnamespace = \(PostgresNamespace.current) AND NOT c.relispartition AND NOT CASE
                        WHEN c.relkind = 'S' THEN p.privilege <> 'USAGE' OR has_sequence_privilege(c.oid, 'USAGE')
                        WHEN c.relkind IN ('r', 'p') AND p.privilege <> 'USAGE'
                            THEN has_table_privilege(c.oid, p.privilege)
                        ELSE true
                    END
                    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
                """
            )
            guard let missing: String = try row[0] as String? else { return Finding("Rights", "good") }
            return Finding(
                "Rights",
                "missing: \(missing)",
                .trouble,
                "Grant the server's user all privileges on its tables and sequences, or use the address of their owner."
            )
        }

        private func role() throws -> Finding {
            if let problem = try PersonRole.problem(connection) {
                return Finding("Role", problem.value, .trouble, problem.advice)
            }
            return Finding("Role", "sees one person")
        }

        /// Checks who may connect: a user who is connected can send forged announcements. One who can also create
        /// functions where the tables are could have the server's statements call these (PostgreSQL, "Usage Patterns"
        /// of schemas), and one who can execute the functions with the owner's rights could misuse these.
        private func access() throws -> Finding {
            let functions = try connection.transaction(.snapshot) { try PostgresNamespace.insecureFunctions($0) }
            guard functions.isEmpty else {
                let names = functions.map { $0.name }.joined(separator: ", ")
                return Finding(
                    "Access",
                    "functions with the rights of the tables' owner can be misused by every user: \(names)",
                    .trouble,
                    "Start a server of this version as the owner of the tables, which corrects that. One of an earlier "
                        + "version that starts later undoes it."
                )
            }
            let triggers = try connection.transaction(.snapshot) { try PostgresNamespace.foreignTriggers($0) }
            guard triggers.isEmpty else {
                return Finding(
                    "Access",
                    "other tables call functions with the rights of the tables' owner: "
                        + triggers.joined(separator: ", "),
                    .trouble,
                    "Look for what their owners have changed, and run as an administrator: "
                        + triggers.map { "DROP TRIGGER \($0)" }.joined(separator: "; ")
                )
            }
            let foreign = try connection.transaction(.snapshot) { try PostgresNamespace.foreignFunctions($0) }
            guard foreign.isEmpty else {
                return Finding(
                    "Access",
                    PostgresNamespace.description(ofForeign: foreign),
                    .trouble,
                    "Look at what they do, and remove them as an administrator: DROP FUNCTION …, DROP OPERATOR …. The "
                        + "server's own, which a restore may give to another user, are given back: "
                        + "ALTER FUNCTION … OWNER TO …"
                )
            }
            let row = try row(
                """
                SELECT has_database_privilege('public', current_database(), 'CONNECT'),
                    has_schema_privilege('public', current_schema(), 'CREATE'),
                    quote_ident(current_database()), quote_ident(current_schema())
                """
            )
            let (isPublic, isOpen): (Bool, Bool) = (try row[0], try row[1])
            let (database, schema): (String, String) = (try row[2], try row[3])
            guard !isOpen else {
                return Finding(
                    "Access",
                    "every user may create functions in the schema of the tables, \(schema)",
                    .trouble,
                    "Run: REVOKE CREATE ON SCHEMA \(schema) FROM PUBLIC; REVOKE CONNECT ON DATABASE \(database) FROM "
                        + "PUBLIC"
                )
            }
            let others = try connection.transaction(.snapshot) { try PersonRole.formerRoles($0) }
            guard others.isEmpty else {
                let names = others.joined(separator: ", ")
                return Finding(
                    "Access",
                    "a role of an earlier version or of another database may read people's rows: \(names)",
                    .notice,
                    "Servers of earlier versions read in that role, or the database had another name. Once no such "
                        + "server runs, run as the owner of the tables: REVOKE ALL ON ALL TABLES IN SCHEMA \(schema) "
                        + "FROM \(names); REVOKE ALL ON SCHEMA \(schema) FROM \(names)"
                )
            }
            return Finding(
                "Access",
                isPublic ? "every user of PostgreSQL may connect" : "granted users alone",
                isPublic ? .notice : .good,
                "Run: REVOKE CONNECT ON DATABASE \(database) FROM PUBLIC"
            )
        }

        private func partitions() throws -> Finding {
            if let problem = try PersonPartition.problem(in: connection) {
                return Finding(
                    "Partitions",
                    PersonPartition.description(of: problem),
                    .notice,
                    "Something else has changed the schema. Restore the partitions of delivery as in a new "
                        + "database, and start the servers again."
                )
            }
            return Finding("Partitions", "named")
        }

        private func commits() throws -> Finding {
            if try LostCommits.isMarked(connection) {
                return Finding("Commits", "confirmed ones are lost", .trouble, LostCommits.description)
            }
            return Finding("Commits", "no server has found a loss")
        }

        // MARK: Servers

        private func connections(for servers: Int) throws -> Finding {
            let row = try row(
                """
                SELECT current_setting('max_connections')::bigint,
                    current_setting('superuser_reserved_connections')::bigint
                        + coalesce(current_setting('reserved_connections', true)::bigint, 0),
                    (SELECT datconnlimit::bigint FROM pg_database WHERE datname = current_database()),
                    (SELECT rolconnlimit::bigint FROM pg_roles WHERE rolname = current_user),
                    (SELECT coalesce(sum(numbackends), 0)::bigint FROM pg_stat_database)
                """
            )
            let (most, reserved, used): (Int, Int, Int) = (try row[0], try row[1], try row[4])
            // -1 is no limit.
            let limits = [try row[2] as Int, try row[3] as Int].filter { $0 >= 0 }
            return Self.connections(([most - reserved] + limits).min() ?? 0, of: most, used: used, servers: servers)
        }

        private func locks(for servers: Int) throws -> Finding {
            let tables = ["person", "delivery"] + PostgresSchema.nameTables
            let row = try row(
                """
                SELECT current_setting('max_locks_per_transaction')::bigint,
                    current_setting('max_connections')::bigint + current_setting('max_prepared_transactions')::bigint,
                    (
                        SELECT count(DISTINCT p.relid) + count(x.indexrelid) FROM unnest($1) AS wanted (name)
                        CROSS JOIN LATERAL pg_partition_tree(to_regclass(name)) AS p
                        LEFT JOIN pg_index x ON x.indrelid = p.relid
                    )
                """,
                [tables]
            )
            return Self.locks(try row[0], times: try row[1], for: try row[2], servers: servers)
        }

        /// Reads the numbers of the servers that send heartbeats, and of those that don't any more.
        private func servers() throws -> (alive: [Int], silent: [Int]) {
            let all = try read { try NodeHeartbeat.all($0) }
            return (all.filter(\.isRunning).map(\.id), all.filter { !$0.isRunning }.map(\.id))
        }

        private func notifications() throws -> Finding {
            Self.notifications(try row("SELECT pg_notification_queue_usage()")[0])
        }

        /// Compares the clocks by the quickest of some answers.
        private func clock() throws -> Finding {
            var best: (took: Duration, difference: Double)?
            for _ in 0..<5 {
                let before = ContinuousClock.now - start
                let milliseconds: Int = try connection.execute(
                    "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint"
                )[0][0]
                let after = ContinuousClock.now - start
                let here = now.timeIntervalSince1970 + (before + after) / .seconds(2)
                if best.map({ after - before < $0.took }) ?? true {
                    best = (after - before, Double(milliseconds) / 1_000 - here)
                }
            }
            return Self.clock(best?.difference ?? 0)
        }

        // MARK: The rows

        private func references() throws -> Finding {
            let counts = try [
                (
                    "deliveries without a person",
                    "delivery d WHERE NOT EXISTS (SELECT FROM person p WHERE p.id = d.person)"
                ),
                (
                    "deliveries without a message",
                    "delivery d WHERE NOT EXISTS (SELECT FROM message m WHERE m.id = d.message)"
                ),
                (
                    "names without a person",
                    "personName n WHERE NOT EXISTS (SELECT FROM person p WHERE p.id = n.person AND p.name = n.name)"
                ),
                (
                    "accounts without a person",
                    """
                    personAccount a
                    WHERE NOT EXISTS (SELECT FROM person p WHERE p.id = a.person AND p.account = a.account)
                    """
                ),
                (
                    "people without a name",
                    "person p WHERE NOT EXISTS (SELECT FROM personName n WHERE n.name = p.name AND n.person = p.id)"
                ),
            ].map { name, rest in (name: name, count: try row("SELECT count(*) FROM \(rest)")[0] as Int) }
            let wrong = counts.filter { $0.count > 0 }
            guard !wrong.isEmpty else { return Finding("References", "good") }
            let text = wrong.map { "\($0.name): \($0.count)" }.joined(separator: ", ")
            return Finding("References", text, .trouble, Self.restore)
        }

        /// Checks also that no row has a number that its sequence has yet to give: the next row couldn't be stored.
        private func sequences() throws -> Finding {
            try read { db in
                let behind = try MovedNumber.all.filter { number in
                    let greatest: Int? = try db.value("SELECT max(\(number.column)) FROM \(number.table)", isRare: true)
                    return try (greatest ?? 0) > number.read(in: db)
                }
                guard !behind.isEmpty else { return try DatabaseCheckup.sequences(db, restore: Self.restore) }
                let statements = behind.map {
                    "SELECT setval('\($0.sequence)', (SELECT max(\($0.column)) FROM \($0.table)));"
                }
                return Finding(
                    "Sequences",
                    "behind the numbers in their tables: \(behind.map(\.sequence).joined(separator: ", "))",
                    .trouble,
                    "Stop the servers and set them: \(statements.joined(separator: " "))"
                )
            }
        }

        private func webhooks() throws -> Finding {
            let row = try row(
                """
                SELECT count(*) FILTER (
                        WHERE (coalesce(c.pending, 0), coalesce(c.dead, 0))
                            <> (coalesce(o.pending, 0), coalesce(o.dead, 0))
                    ), coalesce(sum(o.pending), 0)::bigint, coalesce(sum(o.dead), 0)::bigint,
                    (SELECT count(*) FROM webhook)
                FROM (
                    SELECT webhook, sum(pending)::bigint AS pending, sum(dead)::bigint AS dead
                    FROM webhookCount GROUP BY 1
                ) AS c FULL JOIN (
                    SELECT webhook, count(*) FILTER (WHERE diedAt IS NULL) AS pending,
                        count(*) FILTER (WHERE diedAt IS NOT NULL) AS dead
                    FROM outbox GROUP BY 1
                ) AS o USING (webhook)
                """
            )
            let (wrong, pending, dead, count): (Int, Int, Int, Int) = (try row[0], try row[1], try row[2], try row[3])
            guard wrong > 0 else {
                return Finding("Webhooks", "\(count) with \(pending) pending payloads and \(dead) dead letters")
            }
            return Finding(
                "Webhooks",
                "the counts of \(wrong) differ from their payloads",
                .trouble,
                "Stop the servers and count again: TRUNCATE webhookCount; INSERT INTO webhookCount SELECT webhook, 0, "
                    + "count(*) FILTER (WHERE diedAt IS NULL), count(*) FILTER (WHERE diedAt IS NOT NULL) "
                    + "FROM outbox GROUP BY webhook;"
            )
        }

        private func size() throws -> Finding {
            Finding("Size", HostCheckup.text(try row("SELECT pg_database_size(current_database())")[0]))
        }
    }
#endif
