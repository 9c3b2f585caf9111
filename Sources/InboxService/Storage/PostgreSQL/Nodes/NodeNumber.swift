#if PostgreSQL
    import Groundwork
    import Postgres

    /// A server's row in the table `node`: a number that no other server has at the same time.
    struct NodeNumber: Hashable, Sendable {
        /// One of ``Announcement/nodes``.
        let id: Int
        /// A random number, by which the row is this server's.
        let session: Int
        /// The number of its latest group of commits.
        var group: Int
        /// The number of the latest group of which PostgreSQL has confirmed that it has it.
        var confirmed: Int
        /// The greatest id of a message that it made.
        var message: Int
        /// Whether it was taken from a silent server when it was acquired.
        let isTaken: Bool
        /// The row's fence when it was acquired: a random number of the latest move or restore of the database, or of
        /// the first row of its table. Nil if the first row is of a version before.
        let fence: Int?

        /// A number that was just acquired.
        init(id: Int, session: Int, group: Int, message: Int, isTaken: Bool, fence: Int? = nil) {
            (self.id, self.session, self.group, self.message) = (id, session, group, message)
            (confirmed, self.isTaken, self.fence) = (group, isTaken, fence)
        }

        /// The time without a heartbeat after which another server may take the number, in milliseconds.
        static let lifetime = 15_000

        /// The time without a heartbeat after which a server whose connection has ended counts as dead, in
        /// milliseconds. A live server sends a heartbeat as soon as it is connected again.
        static let lateness = 3_000

        /// The time of the database's clock, in milliseconds since 1970.
        static let now = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"

        /// The key of the advisory lock of `inbox move`, "move" in ASCII. A server that acquires a number shares it.
        static let moveLock = 0x6D_6F_76_65

        /// Acquires a free number. One whose former server is committing, which it may do for as long as it is paused,
        /// is left out: that server's row is locked.
        ///
        /// - Parameter lost: The number that the server had before. Nil if it has just started.
        /// - Throws: ``ServerSetupError`` if there is none, if the database is being moved, if a move into it isn't
        ///   finished, or if it was moved or restored, or its rows of servers were deleted, since the lost number was
        ///   acquired; `PostgresError`.
        static func acquire(
            _ connection: PostgresConnection,
            insteadOf lost: NodeNumber? = nil
        ) throws -> NodeNumber {
            try connection.transaction { connection in
                guard try connection.execute("SELECT pg_try_advisory_xact_lock_shared($1)", [moveLock])[0][0] else {
                    throw ServerSetupError("The database is being moved (inbox move). Start the server after that.")
                }
                // A move may have begun after this server has opened the database.
                try UnfinishedMove.refuse(in: connection)
                try lost?.requireSameFence(connection)
                connection.enqueue("SELECT pg_advisory_xact_lock($1)", [numberLock])
                let (session, fence) = (Int(RandomSource.system.next() >> 1), Int(RandomSource.system.next() >> 1))
                let row =
                    try connection.execute(reused, [session, lifetime]).first
                    ?? connection.execute(new, [session, Announcement.nodes.upperBound, fence]).first
                guard let row else {
                    throw ServerSetupError("\(Announcement.nodes.count) servers use the database, which is the limit.")
                }
                endClaims(try row[4] ?? [], connection)
                return NodeNumber(
                    id: try row[0],
                    session: session,
                    group: try row[1],
                    message: try row[2],
                    isTaken: try row[3],
                    fence: try row[5]
                )
            }
        }

        /// Requires that the database was neither moved nor restored since the number was acquired, and that the rows
        /// of servers weren't deleted. A backup may be older than the row.
        private func requireSameFence(_ connection: PostgresConnection) throws {
            // A server of a version before the fence adds its row without one.
            let row = try connection.execute(
                "SELECT (SELECT max(fence) FROM node) FROM node WHERE id = $1::smallint",
                [id]
            ).first
            if let row, try (row[0] as Int?) == fence { return }
            throw ServerSetupError(
                """
                The database was moved or restored (inbox move, inbox restore), or the rows of its table node were \
                deleted, while this server was running. It writes nothing more. Stop it, and start it with the \
                --database that is in use now.
                """
            )
        }

        /// The key of the advisory lock under which a number is acquired, "node" in ASCII.
        static let numberLock = 0x6E_6F_64_65

        /// One of a silent server is left out as long as that is connected: it is paused, and the others end its
        /// session, or it runs, and the database's clock was set.
        private static let reused = """
            UPDATE node n SET session = $1, seenAt = \(now), claims = NULL,
                fence = coalesce(n.fence, (SELECT max(fence) FROM node)), \(ended)
            FROM (
                SELECT id, session IS NOT NULL AS isTaken, CASE WHEN NOT \(mayBePosting) THEN claims END AS claims
                FROM node
                WHERE session IS NULL OR seenAt < \(now) - $2 AND session NOT IN (\(connectedSessions))
                ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED
            ) AS free
            WHERE n.id = free.id RETURNING n.id::bigint, groups, message, isTaken, free.claims, fence
            """

        /// The condition that a row's claims may be posted by a server that goes on: its connection is open. Where the
        /// row has no session, that is the server that has lost it by a silence, if any has.
        private static let mayBePosting = "(coalesce(session, endedSession, -1) IN (\(connectedSessions)))"

        /// The assignments that keep the last group of the number's former server, by which that server finds out
        /// whether its commits are lost.
        private static let ended = """
            endedSession = coalesce(session, endedSession),
            endedGroup = CASE WHEN session IS NULL THEN endedGroup ELSE groups END
            """

        /// A row that is added has the fence of the others: servers from before the latest move or restore may have had
        /// its number. The first row of all has a new one, since there may have been rows that were deleted, and a
        /// server that had one of them may come back.
        ///
        /// A deleted row may have had the same number, so the ids of messages begin behind the milliseconds of those
        /// that are there (``MessageID``), unless a clock was ahead by more than a minute.
        private static let new = """
            INSERT INTO node (id, session, seenAt, groups, message, fence)
            SELECT free.id, $1, \(now), 0, coalesce(((latest.id >> 21) << 21) | (free.id << 13) | 8191, 0),
                coalesce((SELECT max(fence) FROM node), CASE WHEN NOT EXISTS (SELECT FROM node) THEN $3 END)
            FROM (
                SELECT s.id FROM generate_series(0, $2) AS s (id)
                WHERE NOT EXISTS (SELECT FROM node n WHERE n.id = s.id) ORDER BY s.id LIMIT 1
            ) AS free
            CROSS JOIN (SELECT max(m.id) AS id FROM message m WHERE m.id < ((\(now) + 60000) << 21)) AS latest
            RETURNING id::bigint, groups, message, false, NULL::bigint[], fence
            """

        /// Sends a heartbeat, on a connection that lives as long as the server: by a lock of that, the others know that
        /// the server does.
        ///
        /// - Parameter locked: Receives whether this connection has the lock. An earlier one of the server, which was
        ///   lost, may have it until PostgreSQL notices that.
        /// - Returns: Whether the number is still this server's.
        func renew(_ connection: PostgresConnection, locked: (Bool) -> Void = { _ in }) throws -> Bool {
            try connection.transaction { connection in
                connection.enqueue(.setLocal("synchronous_commit", "off"))
                // PostgreSQL counts how often it is taken, and releases it with the connection.
                let results = try connection.pipeline([
                    PostgresStatement("SELECT pg_try_advisory_lock($1)", [session]),
                    PostgresStatement(
                        "UPDATE node SET seenAt = \(Self.now) WHERE id = $1::smallint AND session = $2",
                        [id, session]
                    ),
                ])
                let isLocked: Bool = try results[0][0][0]
                locked(isLocked)
                return results[1].affectedRows == 1
            }
        }

        /// Takes the numbers of other servers that have been silent for long: they write nothing any more without
        /// ``acquire(_:insteadOf:)``. One whose commit isn't confirmed yet isn't waited for. What they have locked in
        /// the middle of a pipeline is unlocked.
        ///
        /// - Parameter limit: The time for which a connection waits for the rest of a pipeline, in milliseconds.
        func endSilent(_ connection: PostgresConnection, unfinishedFor limit: Int = unfinishedLimit) throws {
            let silent = "session <> $1 AND seenAt < \(Self.now) - $2"
            let parameters: [any PostgresEncodable] = [session, Self.lifetime]
            let found = try connection.execute("SELECT FROM node WHERE \(silent) LIMIT 1", parameters)
            guard !found.isEmpty else { return }
            try connection.execute(
                """
                UPDATE node SET session = NULL, \(Self.ended)
                WHERE id IN (SELECT id FROM node WHERE \(silent) FOR UPDATE SKIP LOCKED)
                """,
                parameters
            )
            try Self.endUnfinished(connection, for: limit)
        }

        /// The time after which a connection that waits for the rest of a pipeline counts as one of a silent server, in
        /// milliseconds. Below ``lifetime``: it may have received something after the latest heartbeat.
        static let unfinishedLimit = 10_000

        /// Ends connections of this user that wait for the rest of a pipeline: libpq sends a long one in parts, and
        /// `idle_in_transaction_session_timeout` begins after the last one. A `COPY` waits in the same way, and is left
        /// alone.
        ///
        /// PostgreSQL shows connections by the user who has signed in, and to that user. Where the user or the database
        /// has the setting `role`, the current one is another.
        ///
        /// - Parameter limit: The time since the latest statement began, in milliseconds.
        static func endUnfinished(_ connection: PostgresConnection, for limit: Int = unfinishedLimit) throws {
            try connection.transaction { connection in
                connection.enqueue(.setLocal("role", "none"))
                try connection.execute(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE datname = current_database() AND usename = current_user AND backend_type = 'client backend'
                        AND pid <> pg_backend_pid() AND state = 'active' AND wait_event = 'ClientRead'
                        AND xact_start IS NOT NULL AND query !~* '^\\s*COPY'
                        AND extract(epoch FROM clock_timestamp() - state_change) * 1000 >= $1
                    """,
                    [limit]
                )
            }
        }

        /// Leaves what dead servers were posting to webhooks to the others. A server is dead once its heartbeat is late
        /// and its connection has ended: one that is paused may be posting, also after it has lost its number, and its
        /// claims end by themselves. A server that has lost its own number changes nothing.
        ///
        /// - Returns: Whether there was something.
        func endClaimsOfStoppedServers(_ connection: PostgresConnection) throws -> Bool {
            try connection.transaction { connection in
                let claims = try connection.execute(
                    """
                    UPDATE node n SET claims = NULL FROM (
                        SELECT id, claims FROM node WHERE claims IS NOT NULL AND (
                            session IS NULL OR session <> $1 AND seenAt < \(Self.now) - $2
                        ) AND NOT \(Self.mayBePosting)
                        AND EXISTS (SELECT FROM node own WHERE own.id = $3::smallint AND own.session = $1)
                        FOR UPDATE SKIP LOCKED
                    ) AS dead
                    WHERE n.id = dead.id RETURNING dead.claims
                    """,
                    [session, Self.lateness, id]
                ).flatMap { try $0[0] as [Int] }
                Self.endClaims(claims, connection)
                return !claims.isEmpty
            }
        }

        /// Leaves payloads to whichever server comes first, unless their attempts have ended meanwhile.
        ///
        /// - Parameter claims: Those of a row.
        private static func endClaims(_ claims: [Int], _ connection: PostgresConnection) {
            for start in stride(from: 0, to: claims.count - 2, by: 3) {
                connection.enqueue(
                    """
                    UPDATE outbox SET nextAt = createdAt
                    WHERE person = $1 AND id = $2 AND nextAt = $3 AND diedAt IS NULL
                    """,
                    [claims[start], claims[start + 1], claims[start + 2]]
                )
            }
        }

        /// Makes each earlier group fail that isn't committed yet, such as one whose connection was lost, and
        /// waits for one that is being committed.
        ///
        /// - Returns: Whether the number is still this server's, and the database has its confirmed groups. Otherwise
        ///   nothing has changed.
        func endUnknown(_ connection: PostgresConnection) throws -> Bool {
            try connection.execute(
                """
                UPDATE node SET groups = greatest(groups, $1)
                WHERE id = $2::smallint AND session = $3 AND groups >= $4
                """,
                [group, id, session, confirmed]
            ).affectedRows == 1
        }

        /// Leaves the number to others.
        func release(_ connection: PostgresConnection) throws {
            try connection.execute(
                "UPDATE node SET session = NULL WHERE id = $1::smallint AND session = $2",
                [id, session]
            )
        }

        /// The last statement of a group of commits, which stores the group's number and message.
        var note: PostgresStatement {
            PostgresStatement(
                "SELECT noteGroup($1::smallint, $2, $3, $4, $5)",
                [id, session, group, message, confirmed]
            )
        }
    }
#endif
