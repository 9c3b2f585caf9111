#if PostgreSQL
    import Postgres

    /// The rows of all servers of a database, as one read has them.
    struct NodeRows: Sendable {
        /// The number of the latest group of commits of each other server, and of those that were.
        let groups: [Int: Int]
        /// The number of this server's latest group of commits. Nil if it has lost its number, or in a standby.
        let ownGroup: Int?
        /// Whether this server has its number, and no other one has any.
        let isAlone: Bool
        /// The time at which the read began.
        let readAt: ContinuousClock.Instant

        init(groups: [Int: Int], ownGroup: Int? = nil, isAlone: Bool, readAt: ContinuousClock.Instant) {
            (self.groups, self.ownGroup, self.isAlone, self.readAt) = (groups, ownGroup, isAlone, readAt)
        }

        /// Reads the rows.
        ///
        /// - Parameter number: The number of this server.
        init(_ connection: PostgresConnection, of number: NodeNumber) throws {
            readAt = .now
            var groups: [Int: Int] = [:]
            var sessions: [Int] = []
            var ownGroup: Int?
            let rows = try connection.execute("SELECT id::bigint, session, groups, pg_is_in_recovery() FROM node")
            for row in rows {
                groups[try row[0]] = try row[2]
                guard let session: Int = try row[1] else { continue }
                sessions.append(session)
                // A standby may have received more than it shows.
                if session == number.session, try !row[3] { ownGroup = try row[2] }
            }
            groups[number.id] = nil
            (self.groups, self.ownGroup) = (groups, ownGroup)
            isAlone = sessions == [number.session]
        }
    }
#endif
