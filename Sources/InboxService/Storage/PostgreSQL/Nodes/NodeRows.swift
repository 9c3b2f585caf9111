#if PostgreSQL
    import Postgres

    /// The rows of all servers of a database, as one read has them.
    struct NodeRows: Sendable {
        /// The number of the latest group of commits of each other server, and of those that were.
        let groups: [Int: Int]
        /// Whether this server has its number, and no other one has any.
        let isAlone: Bool
        /// The time at which the read began.
        let readAt: ContinuousClock.Instant

        init(groups: [Int: Int], isAlone: Bool, readAt: ContinuousClock.Instant) {
            (self.groups, self.isAlone, self.readAt) = (groups, isAlone, readAt)
        }

        /// Reads the rows.
        ///
        /// - Parameter number: The number of this server.
        init(_ connection: PostgresConnection, of number: NodeNumber) throws {
            readAt = .now
            var groups: [Int: Int] = [:]
            var sessions: [Int] = []
            for row in try connection.execute("SELECT id::bigint, session, groups FROM node") {
                groups[try row[0]] = try row[2]
                if let session: Int = try row[1] { sessions.append(session) }
            }
            groups[number.id] = nil
            self.groups = groups
            isAlone = sessions == [number.session]
        }
    }
#endif
