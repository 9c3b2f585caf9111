#if PostgreSQL
    import Groundwork
    import Postgres

    /// Brings a database to the schema of this version, while servers of the previous version may still run.
    ///
    /// Each migration runs in a transaction that first takes a lock, which ends with the transaction: a lock of a
    /// session would outlive its migration behind a pooler in transaction mode. If several servers start at the same
    /// time, one migrates; the others wait, and find it done.
    struct PostgresMigrator: Sendable {
        /// The key of the advisory lock: "inbox" in ASCII.
        static let lock = 0x69_6E_62_6F_78

        let migrations: [PostgresMigration]
        /// The time in milliseconds for which a migration waits for the lock of a table. All later statements on the
        /// table wait behind it, those of servers that are at work too, so it stops soon and tries again. PostgreSQL
        /// looks for a deadlock after a second by default: before that, a migration and a read that wait for each other
        /// have ended by this, and the read isn't the one that fails.
        ///
        /// Only after that second does PostgreSQL cancel an autovacuum that holds the lock, so the next attempt waits
        /// longer if there is one.
        private let lockTimeout: Int
        /// The attempts after one that didn't receive its locks in time, and the pauses before.
        private let retries: Int
        private let backOff: PostgresBackOff

        /// - Parameter migrations: In the order of execution.
        init(
            _ migrations: [PostgresMigration] = PostgresSchema.migrations,
            lockTimeout: Int = 500,
            retries: Int = 60,
            backOff: PostgresBackOff = PostgresBackOff(first: 0.1, longest: 2)
        ) {
            (self.migrations, self.lockTimeout) = (migrations, lockTimeout)
            (self.retries, self.backOff) = (retries, backOff)
        }

        /// Runs the migrations that the database doesn't have.
        ///
        /// After an error, the database has the migrations before the failed one, whole, and nothing of that one.
        ///
        /// - Parameter begun: Called in the transaction of the first migration, after the tables are made. If it
        ///   throws, the transaction is rolled back.
        /// - Throws: ``ServerSetupError`` if a newer version has migrated the database so that this one can't work with
        ///   it, if the user lacks a privilege, or if the database has tables of something else; the error of `begun`;
        ///   `PostgresError` otherwise.
        func migrate(
            _ connection: PostgresConnection,
            begun: (PostgresConnection) throws -> Void = { _ in }
        ) throws {
            do {
                // Without a lock, since nearly every start ends here.
                for migration in try missing(in: connection) { try run(migration, on: connection, begun: begun) }
            } catch let error as PostgresError {
                var owner: (name: String, user: String)?
                if error.sqlState == "42501" { owner = try? Self.otherOwner(connection) }
                throw Self.setupError(of: error, owner: owner) ?? error
            }
        }

        private func run(
            _ migration: PostgresMigration,
            on connection: PostgresConnection,
            begun: (PostgresConnection) throws -> Void
        ) throws {
            var failures = 0
            var timeout = lockTimeout
            while true {
                do {
                    return try connection.transaction { connection in
                        try runOnce(migration, waiting: timeout, on: connection, begun: begun)
                    }
                } catch let error as PostgresError
                    where (error.sqlState == "55P03" || error.kind == .conflict) && failures < retries
                {
                    timeout = lockTimeout + (try Self.autovacuumCancelDelay(connection) ?? 0)
                    backOff.pause(after: failures)
                    failures += 1
                } catch let error as PostgresError where error.sqlState == "55P03" {
                    throw ServerSetupError(
                        """
                        The migration of the database failed: tables that it changes are locked\(
                            try Self.holders(connection)). Wait for that to end, or end it, and start again.
                        """
                    )
                }
            }
        }

        /// The locks of tables that others hold.
        private static let locks = """
            FROM pg_locks l JOIN pg_class c ON c.oid = l.relation JOIN pg_stat_activity a ON a.pid = l.pid
            WHERE l.granted AND l.pid <> pg_backend_pid() AND a.datname = current_database()
                AND c.relkind IN ('r', 'p') AND c.relnamespace = \(PostgresNamespace.current)
            """

        /// Returns the time in milliseconds after which PostgreSQL cancels an autovacuum that is in the way, unless it
        /// prevents a wraparound. Nil if none is at work. An autovacuum has no user.
        private static func autovacuumCancelDelay(_ connection: PostgresConnection) throws -> Int? {
            try connection.execute(
                """
                SELECT (extract(epoch FROM current_setting('deadlock_timeout')::interval) * 1000)::bigint \(locks)
                    AND l.mode = 'ShareUpdateExclusiveLock' AND a.usesysid IS NULL LIMIT 1
                """
            ).first.map { try $0[0] }
        }

        /// Describes who has locked tables, at most three of them.
        private static func holders(_ connection: PostgresConnection) throws -> String {
            let holders = try connection.execute(
                """
                SELECT format('%s by process %s (%s)', c.relname, a.pid, CASE WHEN a.usesysid IS NULL THEN 'autovacuum'
                    ELSE concat_ws(', ', a.usename, nullif(a.application_name, '')) END)
                \(locks) ORDER BY a.usesysid IS NOT NULL, a.xact_start, c.relname LIMIT 3
                """
            ).map { try $0[0] as String }
            return holders.isEmpty ? "" : ": " + holders.joined(separator: "; ")
        }

        private func runOnce(
            _ migration: PostgresMigration,
            waiting lockTimeout: Int,
            on connection: PostgresConnection,
            begun: (PostgresConnection) throws -> Void
        ) throws {
            connection.enqueue(
                "SELECT set_config(name, '0', true) FROM pg_settings WHERE name = ANY($1)",
                [PostgresRequirements.timeLimits]
            )
            connection.enqueue("SELECT pg_advisory_xact_lock($1)", [Self.lock])
            try connection.pipeline([.setLocal("lock_timeout", "\(lockTimeout)ms")])
            // A statement after the lock sees the commits of its earlier holder.
            guard try missing(in: connection).contains(where: { $0.name == migration.name }) else { return }
            // Another server may have made the tables meanwhile.
            try PartitionSetting.require(in: connection)
            let isFirst = migration.name == migrations.first?.name
            if isFirst { try checkIsEmpty(connection) }
            try connection.executeScript(Self.table + migration.sql)
            if isFirst { try begun(connection) }
            connection.enqueue(
                """
                INSERT INTO migration (name, at, needed)
                VALUES ($1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint, $2)
                """,
                [migration.name, migration.needed]
            )
        }

        private static let table = """
            CREATE TABLE IF NOT EXISTS migration (
                name text COLLATE "C" PRIMARY KEY,
                at bigint NOT NULL,
                needed text COLLATE "C"                -- the migration that a server has to know; null: none
            );

            """

        /// Returns the migrations that a database doesn't have.
        ///
        /// - Throws: ``ServerSetupError`` if it has one that needs servers to know one that this version doesn't know,
        ///   or if something else has the name of their table.
        private func missing(in connection: PostgresConnection) throws -> [PostgresMigration] {
            guard try PostgresNamespace.hasMigrations(connection) else { return migrations }
            var applied: Set<String> = []
            for row in try connection.execute("SELECT name, needed FROM migration ORDER BY at, name") {
                applied.insert(try row[0])
                guard let needed: String = try row[1] as String?, !migrations.contains(where: { $0.name == needed })
                else { continue }
                throw ServerSetupError(
                    "The database was migrated by a newer version (\(needed)). Use that version, or restore a backup."
                )
            }
            return migrations.filter { !applied.contains($0.name) }
        }

        /// Checks that the first migration runs in a database without tables.
        ///
        /// - Throws: ``ServerSetupError`` if there are tables already, other than those of an extension, or if another
        ///   schema has an inbox.
        private func checkIsEmpty(_ connection: PostgresConnection) throws {
            // One that was made since `PostgresNamespace.use(on:)` has looked.
            let path: String? = try connection.execute("SELECT quote_ident(current_schema())")[0][0]
            if let other = try PostgresNamespace.find(connection), other.path != path {
                throw ServerSetupError(
                    "The schema \(other.path) of the database has an inbox, made a moment ago. Start again, to use it."
                )
            }
            let found = try connection.execute(
                """
                SELECT c.relname::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p')
                    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e') LIMIT 1
                """
            ).first
            guard let found else { return }
            throw ServerSetupError(
                "The database isn't empty: there is a table \(try found[0] as String). "
                    + PostgresNamespace.ownPlace
            )
        }

        /// Returns the user who has migrated the database, whose role this user doesn't have, and this user. Nil if
        /// there is none.
        private static func otherOwner(_ connection: PostgresConnection) throws -> (name: String, user: String)? {
            let row = try connection.execute(
                """
                SELECT pg_get_userbyid(relowner)::text, current_user::text FROM pg_class
                WHERE relnamespace = \(PostgresNamespace.current) AND relname = 'migration'
                    AND NOT pg_has_role(relowner, 'USAGE')
                """
            ).first
            return try row.map { (name: try $0[0], user: try $0[1]) }
        }

        /// Returns an error with advice for the operator in place of one of a migration. Nil if its cause isn't the
        /// setup.
        ///
        /// - Parameter owner: The owner of the tables and this user, if they differ.
        private static func setupError(
            of error: PostgresError,
            owner: (name: String, user: String)?
        ) -> ServerSetupError? {
            let advice: String
            switch (error.sqlState, owner) {
            case ("42501", let owner?):
                let (name, user) = (PostgresConnection.quoted(owner.name), PostgresConnection.quoted(owner.user))
                advice =
                    "The tables belong to \(name), who migrated the database. Start as that user, or run there as an "
                    + "administrator: REASSIGN OWNED BY \(name) TO \(user)"
            // A privilege is missing, or a table, a type or a function of this name belongs to something else.
            case ("42501", _), ("42P07", _), ("42710", _), ("42723", _), ("42703", _):
                advice = PostgresNamespace.ownPlace
            case ("53200", _):
                advice = "Raise max_locks_per_transaction in postgresql.conf, and restart PostgreSQL."
            default:
                return nil
            }
            return ServerSetupError("The migration of the database failed: \(error.sentence) \(advice)")
        }
    }
#endif
