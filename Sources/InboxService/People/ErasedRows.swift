#if PostgreSQL
    import Foundation
    package import Groundwork
    import Postgres
    package import Logging
    import ServiceLifecycle

    /// Removes erased rows from the files of a PostgreSQL database: a deleted row stays in its table's file, where no
    /// statement finds it, until `VACUUM` removes it. Autovacuum does so at some time; this does it at once.
    ///
    /// Each server looks for such erasures, and one at a time works. It has a connection of its own.
    package struct ErasedRows: Service {
        private let storage: Storage
        private let database: PostgresStorage
        private let clock: any WallClock
        private let logger: Logger
        // What was logged last as being in the way, until rows are removed. Accessed only in `withLock`.
        private let reported = Locked<String?>(nil)

        /// The time between two looks, in seconds.
        private static let interval = 5.0
        /// The number of erasures of one round.
        private static let limit = 1_000
        /// The time that readers have to end between the two runs of `VACUUM`: those of later erasures would wait for
        /// the same readers, and to begin again sooner would only repeat the first run.
        private static let patience = Duration.seconds(3_600)
        /// The time after which it is logged what is in the way.
        private static let reportTime = Duration.seconds(600)
        /// The time between two looks at the readers, which grows from the first to the last.
        private static let looks = (first: Duration.seconds(1), last: Duration.seconds(10))

        /// - Returns: Nil if the storage isn't PostgreSQL's.
        package init?(of storage: Storage, clock: any WallClock, logger: Logger) {
            guard case .postgres(let database) = storage.engine else { return nil }
            (self.storage, self.database, self.clock, self.logger) = (storage, database, clock, logger)
        }

        package func run() async throws {
            await cancelWhenGracefulShutdown {
                var isFailing = false
                while !Task.isCancelled {
                    do {
                        try await removeDue()
                        isFailing = false
                    } catch {
                        // The shutdown cancels a statement that runs, which is then an error of the database.
                        if Task.isCancelled { return }
                        // Once: the database may be away for long, which has lines of its own.
                        if !isFailing {
                            logger.warning(
                                "erased rows can't be vacuumed now; that is tried again until it succeeds",
                                metadata: ["error": "\(error)"]
                            )
                        }
                        isFailing = true
                    }
                    try? await Task.sleep(for: .seconds(Self.interval))
                }
            }
        }

        /// Removes the rows of the erasures that no older transaction may still read.
        ///
        /// - Parameter patience: The time that readers have to end.
        /// - Returns: The number of erasures whose rows were removed.
        @discardableResult
        func removeDue(patience: Duration = patience) async throws -> Int {
            let isAny: Bool = try await storage.read { reading in
                let waiting: Int? = try reading.db.value("SELECT 1 FROM erasure WHERE \(Self.waits) LIMIT 1")
                return waiting != nil
            }
            guard isAny else { return 0 }
            let isCancelled = Locked(false)
            let count: Int = try await withTaskCancellationHandler {
                try await onNewThread {
                    let connection = try database.newConnection()
                    defer { connection.close() }
                    connection.shouldCancel = { isCancelled.withLock { $0 } }
                    return try remove(connection, patience)
                }
            } onCancel: {
                isCancelled.withLock { $0 = true }
            }
            if count > 0 { reported.withLock { $0 = nil } }
            return count
        }

        /// Logs what is in the way, unless it was logged last.
        private func report(
            _ holder: String?,
            as message: Logger.Message = "erased rows stay in the files while others may read them"
        ) {
            guard let holder else { return }
            let isNew = reported.withLock { reported in
                defer { reported = holder }
                return reported != holder
            }
            guard isNew else { return }
            logger.warning(message, metadata: ["by": "\(holder)"])
        }

        /// The condition on an erasure whose rows weren't removed yet.
        static let waits = "parts IS NOT NULL AND vacuumedAt IS NULL"

        /// The condition on a process of `pg_stat_activity`, `a`, that it isn't this one, nor at a `VACUUM`, which may
        /// take hours: PostgreSQL keeps no rows for that, and it holds no page of a table that this one vacuums.
        private static let isOther =
            "a.pid <> pg_backend_pid() AND a.pid NOT IN (SELECT pid FROM pg_stat_progress_vacuum)"

        /// The replication slots for which rows are kept. One whose log is lost still shows its transaction.
        private static let slots = "FROM pg_replication_slots WHERE wal_status IS DISTINCT FROM 'lost'"

        /// The age of the oldest transaction whose changes a running one may not see: `VACUUM` keeps the rows that it
        /// may still read. Standbys and prepared transactions count too, and up to version 15 the transactions for
        /// which the operator has rows kept. Of other databases, transactions that write count: a snapshot that is
        /// taken later in this one is as old as the oldest of them, and would keep the rows. `pg_stat_activity` shows
        /// every user the snapshots of all.
        private static let oldestReader = """
            SELECT coalesce(max(age), 0)::bigint
                + coalesce(current_setting('vacuum_defer_cleanup_age', true)::bigint, 0)
            FROM (
                SELECT age(a.backend_xmin) AS age FROM pg_stat_activity a
                WHERE \(isOther) AND (a.datname = current_database() OR a.datname IS NULL)
                UNION ALL SELECT age(pg_snapshot_xmin(pg_current_snapshot())::xid)
                UNION ALL SELECT age(xmin) \(slots)
                UNION ALL SELECT age(transaction) FROM pg_prepared_xacts WHERE database = current_database()
            ) AS readers
            """

        /// The transactions in which others may hold a page: those with a snapshot, such as of a running statement or
        /// an open cursor. An idle one may have that of its latest query, whose portal lives until the next statement
        /// (PostgreSQL, "Extended Query"). One that is open without a snapshot holds none, and what it reads later is
        /// without the erased rows. An autovacuum has no user, and is left out.
        private static let readers = """
            SELECT l.virtualtransaction FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
            WHERE l.locktype = 'virtualxid' AND l.granted AND \(isOther)
                AND a.datname = current_database() AND a.usesysid IS NOT NULL AND a.backend_xmin IS NOT NULL
            """

        /// Describes what the database keeps deleted rows for: the oldest transaction that has a snapshot, or a
        /// standby's, a prepared one or a replication slot; of another database, the oldest that has written, since
        /// each snapshot here is as old. Nil if there is none.
        ///
        /// - Parameter time: The time for which a transaction is open. PostgreSQL doesn't show that of another user's
        ///   to every user; it may then be younger.
        static func holder(_ connection: PostgresConnection, openFor time: Duration = .seconds(60)) throws -> String? {
            try connection.execute(
                """
                SELECT name FROM (
                    SELECT format('process %s (%s)', a.pid, concat_ws(', ', coalesce(a.usename, a.backend_type),
                            nullif(a.application_name, ''), nullif(a.datname, current_database()))) AS name,
                        CASE
                            WHEN a.datname <> current_database() THEN age(a.backend_xid)
                            ELSE greatest(age(a.backend_xmin), age(a.backend_xid))
                        END AS age,
                        a.backend_xid IS NOT NULL AS hasWritten
                    FROM pg_stat_activity a
                    WHERE \(isOther)
                        AND coalesce(a.xact_start <= clock_timestamp() - $1 * interval '1 millisecond', true)
                    UNION ALL SELECT format('replication slot %L', slot_name), age(xmin), false \(slots)
                    UNION ALL SELECT format('prepared transaction %L', gid), age(transaction), true
                    FROM pg_prepared_xacts
                ) AS holder
                WHERE age IS NOT NULL ORDER BY age DESC, hasWritten DESC LIMIT 1
                """,
                [Int(time / .milliseconds(1))]
            ).first.map { try $0[0] }
        }

        /// Waits until those transactions have ended, or have no snapshot any more but later ones, that may hold a page
        /// now: their statements and cursors of now have then ended. That the oldest snapshot is another one isn't
        /// enough, since each cursor of a transaction may have its own.
        ///
        /// - Returns: False if one of them is left after a time, or the work is cancelled.
        private func waitForReaders(_ connection: PostgresConnection, _ patience: Duration) throws -> Bool {
            let (readers, looks) = (Self.readers, Self.looks)
            // The oldest transaction of an earlier snapshot isn't after this one.
            let latest: String = try connection.execute(
                "SELECT pg_snapshot_xmax(pg_current_snapshot())::xid::text"
            )[0][0]
            var found = try connection.execute(readers).map { try $0[0] as String }
            let waited = min(patience, Self.reportTime)
            let (reportAt, end) = (ContinuousClock.now + waited, ContinuousClock.now + patience)
            var isReported = false
            var pause = looks.first
            while !found.isEmpty {
                let next = min(ContinuousClock.now + pause, end)
                // A shutdown doesn't wait for the next look.
                while .now < next {
                    if connection.shouldCancel?() == true { return false }
                    Thread.sleep(forTimeInterval: min(0.1, ContinuousClock.now.duration(to: next) / .seconds(1)))
                }
                found = try connection.execute(
                    "\(readers) AND l.virtualtransaction = ANY($1) AND age(a.backend_xmin) >= age($2::text::xid)",
                    [found, latest]
                ).map { try $0[0] as String }
                if !found.isEmpty, !isReported, .now >= reportAt {
                    isReported = true
                    report(try Self.holder(connection, openFor: waited))
                }
                if !found.isEmpty, .now >= end { return false }
                pause = min(pause * 2, looks.last)
            }
            return true
        }

        private func remove(_ connection: PostgresConnection, _ patience: Duration) throws -> Int {
            // A lock of the session, since `VACUUM` can't run in a transaction. It is released with the connection.
            let isFirst: Bool = try connection.execute(
                "SELECT pg_try_advisory_lock(hashtext('swift-inbox erased rows'))"
            )[0][0]
            guard isFirst else { return 0 }
            let rows = try connection.execute(
                """
                SELECT id, parts[1], parts[2], parts[3] FROM erasure
                WHERE \(Self.waits) AND age(xmin) > (\(Self.oldestReader)) ORDER BY at LIMIT \(Self.limit)
                """
            )
            guard !rows.isEmpty else {
                let limit = clock.now.milliseconds - Int(Self.reportTime / .milliseconds(1))
                let late = "SELECT FROM erasure WHERE \(Self.waits) AND at <= $1 LIMIT 1"
                if try !connection.execute(late, [limit]).isEmpty { report(try Self.holder(connection)) }
                return 0
            }
            var ids: [String] = []
            var tables = Set(try Self.ordinaryTables(connection))
            for row in rows {
                ids.append(try row[0])
                let parts: [Int?] = [try row[1], try row[2], try row[3]]
                tables.formUnion(Self.names(ofParts: parts.compactMap(\.self)))
            }
            try Self.requireVacuum(of: tables, connection)
            let waited = Int(min(patience, Self.reportTime) / .milliseconds(1))
            try connection.executeScript("SET lock_timeout = '\(waited)ms'")
            guard try vacuum(tables, connection) else { return 0 }
            // It leaves out the pages that a reader holds at the moment, such as one with an open cursor, and doesn't
            // report it. Once those who read at that time have ended, it looks at these again.
            guard try waitForReaders(connection, patience), try vacuum(tables, connection) else { return 0 }
            try connection.execute(
                "UPDATE erasure SET parts = NULL, vacuumedAt = $1 WHERE id = ANY($2)",
                [clock.now.milliseconds, ids]
            )
            return ids.count
        }

        /// Vacuums tables.
        ///
        /// - Returns: False if one of them stays locked. Then the log names what has locked it.
        private func vacuum(_ tables: Set<String>, _ connection: PostgresConnection) throws -> Bool {
            // Truncating a file would lock the table for others. Without the option, the indexes of a table with few
            // such rows would keep their keys, which are names among others.
            let list = tables.sorted().joined(separator: ", ")
            let vacuum = PostgresStatement("VACUUM (TRUNCATE false, INDEX_CLEANUP on) \(list)", [], isPrepared: false)
            do {
                try connection.pipeline([vacuum])
                return true
            } catch {
                guard error.sqlState == "55P03" else { throw error }
                report(
                    try Self.locker(of: tables, connection),
                    as: "erased rows stay in the files while others have locked their tables"
                )
                return false
            }
        }

        /// Describes who has locked one of the tables so that it can't be vacuumed, or waits for such a lock. Nil if no
        /// one does any more.
        private static func locker(of tables: Set<String>, _ connection: PostgresConnection) throws -> String? {
            try connection.execute(
                """
                SELECT CASE WHEN l.pid IS NULL THEN 'prepared transaction' ELSE format('process %s (%s)', l.pid,
                    concat_ws(', ', coalesce(a.usename, a.backend_type), nullif(a.application_name, ''))) END
                FROM unnest($1) AS t (name) JOIN pg_locks l ON l.relation = to_regclass(t.name)
                LEFT JOIN pg_stat_activity a ON a.pid = l.pid
                WHERE l.locktype = 'relation' AND l.pid IS DISTINCT FROM pg_backend_pid()
                    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
                    AND l.mode NOT IN ('AccessShareLock', 'RowShareLock', 'RowExclusiveLock')
                ORDER BY l.granted DESC, a.xact_start LIMIT 1
                """,
                [Array(tables)]
            ).first.map { try $0[0] }
        }

        /// Requires that the user may vacuum tables. `VACUUM` leaves out the others, with no more than a warning.
        ///
        /// - Throws: ``MaintenanceError``, `PostgresError`.
        private static func requireVacuum(of tables: Set<String>, _ connection: PostgresConnection) throws {
            // The privilege is newer than version 15.
            let refused = try connection.execute(
                """
                SELECT c.relname::text FROM unnest($1) AS t (name) JOIN pg_class c ON c.oid = to_regclass(t.name)
                WHERE NOT pg_has_role(c.relowner, 'USAGE')
                    AND NOT (SELECT pg_has_role(datdba, 'USAGE') FROM pg_database WHERE datname = current_database())
                    AND NOT CASE
                        WHEN current_setting('server_version_num')::integer >= 170000
                            THEN has_table_privilege(c.oid, 'MAINTAIN')
                        ELSE false
                    END
                ORDER BY 1
                """,
                [Array(tables)]
            ).map { try $0[0] as String }
            guard !refused.isEmpty else { return }
            throw MaintenanceError(
                "The server's user may not vacuum \(refused.joined(separator: ", ")). "
                    + "Make it the owner of these tables."
            )
        }

        /// The tables that aren't divided by person, such as those of messages and of the audit log. An extension's may
        /// be an administrator's.
        private static func ordinaryTables(_ connection: PostgresConnection) throws -> [String] {
            try connection.execute(
                """
                SELECT quote_ident(c.relname) FROM pg_class c
                WHERE c.relkind = 'r' AND NOT c.relispartition AND c.relnamespace = \(PostgresNamespace.current)
                    AND NOT EXISTS (
                        SELECT FROM pg_depend d
                        WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e'
                    )
                """
            ).map { try $0[0] }
        }

        /// The partitions in which a person's rows were.
        ///
        /// - Parameter parts: The numbers of the partitions by the person, by the name and by the account.
        private static func names(ofParts parts: [Int]) -> [String] {
            guard parts.count == 3 else { return [] }
            return PostgresSchema.personTables.map { PostgresSchema.partition(parts[0], of: $0.name) }
                + zip(PostgresSchema.nameTables, parts[1...]).map { PostgresSchema.partition($1, of: $0) }
        }
    }

    extension ReadTransaction {
        /// Returns the numbers of the partitions in which a person's rows are. Empty for an unknown person.
        func parts(ofPerson name: String) throws -> [Int] {
            func part(_ table: String, _ key: String) -> String {
                """
                (SELECT r::bigint FROM generate_series(0, \(PostgresSchema.partitions - 1)) AS r
                    WHERE satisfies_hash_partition('\(table)'::regclass, \(PostgresSchema.partitions), r, \(key)))
                """
            }
            let keys = [part("person", "p.id"), part("personName", "p.name"), part("personAccount", "p.account")]
            let columns = keys.joined(separator: ", ")
            let row = try row("SELECT \(columns) FROM person p", ofPerson: name)
            return row.map { [$0[0], $0[1], $0[2]] } ?? []
        }
    }
#endif
