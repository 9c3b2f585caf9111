#if PostgreSQL
    import Postgres

    /// The findings about what PostgreSQL can't free: in the end it accepts no writes any more, since its disk is full
    /// or its transaction ids are used up.
    extension PostgresCheckup {
        static func resources(_ connection: PostgresConnection) throws -> [Finding] {
            try connection.transaction(.snapshot) { connection in
                [
                    try vacuum(connection), try slots(connection), try transactions(connection),
                    try erasures(connection),
                ]
            }
        }

        // MARK: Transaction ids

        private static func vacuum(_ connection: PostgresConnection) throws -> Finding {
            // All databases share the ids.
            let row = try connection.execute(
                """
                SELECT greatest(age(datfrozenxid), mxid_age(datminmxid))::bigint, quote_ident(datname) FROM pg_database
                ORDER BY 1 DESC LIMIT 1
                """
            )[0]
            let (age, database): (Int, String) = (try row[0], try row[1])
            return vacuum(age, in: database)
        }

        /// The finding about transaction ids that VACUUM hasn't freed.
        ///
        /// - Parameters:
        ///   - age: The number of transactions since the oldest one whose rows VACUUM hasn't frozen.
        ///   - database: The name of its database.
        static func vacuum(_ age: Int, in database: String) -> Finding {
            Finding(
                "Vacuum",
                "\(age / 1_000_000) of 2147 million transaction ids in use, the oldest in \(database)",
                // The first limit is PostgreSQL's `vacuum_failsafe_age`.
                age >= 1_600_000_000 ? .trouble : age >= 800_000_000 ? .notice : .good,
                "With all of them in use, PostgreSQL accepts no writes. End what holds VACUUM up, such as old "
                    + "transactions and replication slots, and run VACUUM in \(database) as an administrator."
            )
        }

        // MARK: Replication slots

        /// A replication slot, with the bytes of the write-ahead log that it keeps, and whether
        /// `max_slot_wal_keep_size` limits them.
        typealias Slot = (name: String, isRead: Bool, kept: Int, isLimited: Bool)

        private static func slots(_ connection: PostgresConnection) throws -> Finding {
            let rows = try connection.execute(
                """
                SELECT slot_name::text, active, greatest(pg_wal_lsn_diff(
                    CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END,
                    restart_lsn
                ), 0)::bigint, safe_wal_size IS NOT NULL
                FROM pg_replication_slots WHERE restart_lsn IS NOT NULL AND wal_status <> 'lost' ORDER BY 3 DESC, 1
                """
            )
            let found: [Slot] = try rows.map { row in
                (name: try row[0], isRead: try row[1], kept: try row[2], isLimited: try row[3])
            }
            return slots(found)
        }

        /// The finding about replication slots, which keep files of the log.
        ///
        /// - Parameter slots: Those of PostgreSQL, the one first that keeps most. They aren't of one database.
        static func slots(_ slots: [Slot]) -> Finding {
            func verdict(_ slot: Slot) -> Finding.Verdict {
                if slot.kept >= 16 << 30 { return slot.isLimited ? .notice : .trouble }
                return !slot.isRead && slot.kept >= 1 << 30 ? .notice : .good
            }
            let troubles = slots.filter { verdict($0) == .trouble }
            let notices = slots.filter { verdict($0) == .notice }
            guard let worst = troubles.first ?? notices.first ?? slots.first else { return Finding("Slots", "none") }
            return Finding(
                "Slots",
                "\(slots.count); \(worst.name)\(worst.isRead ? "" : ", which nothing reads,") keeps "
                    + "\(HostCheckup.text(worst.kept)) of the write-ahead log",
                verdict(worst),
                "What it keeps grows until the disk is full, where max_slot_wal_keep_size has no limit. Start its "
                    + "reader, or run as an administrator: SELECT pg_drop_replication_slot('\(worst.name)')"
            )
        }

        // MARK: Transactions

        /// An open transaction, with its age and the statement that ends it.
        typealias OpenTransaction = (name: String, seconds: Int, remedy: String)

        private static func transactions(_ connection: PostgresConnection) throws -> Finding {
            let row = try connection.execute(
                """
                SELECT name, seconds, remedy FROM (
                    SELECT format('process %s (%s)', pid, concat_ws(', ', usename, nullif(application_name, '')))
                            AS name,
                        extract(epoch FROM now() - xact_start)::bigint AS seconds,
                        format('SELECT pg_terminate_backend(%s)', pid) AS remedy
                    FROM pg_stat_activity
                    WHERE datname = current_database() AND xact_start IS NOT NULL AND pid <> pg_backend_pid()
                        AND backend_type = 'client backend'
                    UNION ALL SELECT format('prepared transaction %L', gid),
                        extract(epoch FROM now() - prepared)::bigint, format('ROLLBACK PREPARED %L', gid)
                    FROM pg_prepared_xacts WHERE database = current_database()
                ) AS transaction ORDER BY seconds DESC LIMIT 1
                """
            ).first
            let oldest: OpenTransaction? = try row.map { row in
                (name: try row[0], seconds: try row[1], remedy: try row[2])
            }
            // PostgreSQL shows when a transaction began to members of that role, and of the role of its user, alone.
            let seesAll: Bool = try connection.execute(
                """
                SELECT pg_has_role('pg_read_all_stats', 'USAGE') OR NOT EXISTS (
                    SELECT FROM pg_stat_activity
                    WHERE datname = current_database() AND NOT pg_has_role(usesysid, 'USAGE')
                )
                """
            )[0][0]
            return transactions(oldest, seesAll: seesAll)
        }

        /// The finding about transactions that are open for long.
        ///
        /// - Parameters:
        ///   - oldest: The oldest one of the database that the user can see.
        ///   - seesAll: Whether the user can see all.
        static func transactions(_ oldest: OpenTransaction?, seesAll: Bool) -> Finding {
            guard let oldest, oldest.seconds >= 60 else {
                let unseen = "; those of other users are shown to members of pg_read_all_stats"
                return Finding("Transactions", "none is open for a minute" + (seesAll ? "" : unseen))
            }
            return Finding(
                "Transactions",
                "the oldest is open for \(oldest.seconds / 60) min: \(oldest.name)",
                oldest.seconds >= 86_400 ? .trouble : oldest.seconds >= 600 ? .notice : .good,
                "Until it ends, VACUUM removes nothing that was deleted since, such as rows of erased people, and "
                    + "others may wait for its locks. To end it: \(oldest.remedy)"
            )
        }

        // MARK: Erasures

        private static func erasures(_ connection: PostgresConnection) throws -> Finding {
            let row = try connection.execute(
                """
                SELECT count(*), greatest(coalesce(\(NodeNumber.now) - min(at), 0), 0) / 1000 FROM erasure
                WHERE \(ErasedRows.waits)
                """
            )[0]
            let (count, seconds): (Int, Int) = (try row[0], try row[1])
            return erasures(waiting: count, for: seconds, heldBy: try ErasedRows.holder(connection))
        }

        /// The finding about erasures that aren't complete.
        ///
        /// - Parameters:
        ///   - count: The number of erasures whose deleted rows are still in the files.
        ///   - seconds: The time since the first of them.
        ///   - holder: The oldest that may still read them. Nil if there is none.
        static func erasures(waiting count: Int, for seconds: Int, heldBy holder: String? = nil) -> Finding {
            guard count > 0 else { return Finding("Erasures", "complete") }
            return Finding(
                "Erasures",
                "\(count) whose rows are still in the files, for up to \(seconds / 60) min",
                seconds >= 3_600 ? .notice : .good,
                "A server removes them, once no transaction, prepared one, replication slot or standby may still read "
                    + "them. Start a server, or end what is in the way\(holder.map { ": \($0)" } ?? ""); the servers' "
                    + "log may say more."
            )
        }
    }
#endif
