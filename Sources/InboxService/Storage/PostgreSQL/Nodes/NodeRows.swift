#if PostgreSQL
    import Postgres

    /// The rows of all servers of a database, as one read has them.
    struct NodeRows: Sendable {
        /// The number of the latest group of commits of each other server, and of those that were.
        let groups: [Int: Int]
        /// The number of the latest group of each number, of this server's own until it lost its number. Nil in a
        /// standby, which may have received more than it shows.
        let latest: [Int: Int]?
        /// Whether this server has its number, and no other one has any.
        let isAlone: Bool
        /// Whether a server has found that the database has lost commits (``LostCommits``).
        let hasLostCommits: Bool
        /// The time at which the read began.
        let readAt: ContinuousClock.Instant

        init(
            groups: [Int: Int],
            latest: [Int: Int]? = nil,
            isAlone: Bool,
            hasLostCommits: Bool = false,
            readAt: ContinuousClock.Instant
        ) {
            (self.groups, self.latest, self.isAlone, self.readAt) = (groups, latest, isAlone, readAt)
            self.hasLostCommits = hasLostCommits
        }

        /// Reads the rows.
        ///
        /// - Parameter number: The number of this server.
        init(_ connection: PostgresConnection, of number: NodeNumber) throws {
            readAt = .now
            var groups: [Int: Int] = [:]
            var sessions: [Int] = []
            var (latest, isStandby, isMarked): ([Int: Int], Bool, Bool) = ([:], false, false)
            let rows = try connection.execute(
                """
                SELECT id::bigint, session, groups, CASE WHEN endedSession = $1 THEN endedGroup ELSE groups END,
                    pg_is_in_recovery(), EXISTS (SELECT FROM setting WHERE name = $2)
                FROM node
                """,
                [number.session, LostCommits.setting]
            )
            for row in rows {
                groups[try row[0]] = try row[2]
                latest[try row[0]] = try row[3]
                isStandby = try row[4]
                isMarked = try row[5]
                if let session: Int = try row[1] { sessions.append(session) }
            }
            groups[number.id] = nil
            (self.groups, self.latest) = (groups, isStandby ? nil : latest)
            isAlone = sessions == [number.session]
            hasLostCommits = isMarked
        }
    }
#endif
