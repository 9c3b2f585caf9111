#if PostgreSQL
    import Postgres

    /// Whether a pooler still leads to the database of `--database`: its settings may be changed after the start, or it
    /// may not follow a failover.
    ///
    /// Each 2 s the server's own row is read on both ways. Through a pooler that leads elsewhere it is missing, another
    /// server's, or older. Two such readings in a row count, since the server may have acquired another number between
    /// the two ways of one.
    struct PoolerComparison: Sendable {
        static let description = "The pooler leads to another database than --database does."

        /// The time between two readings.
        static let interval = Duration.seconds(2)
        /// The time in milliseconds by which the heartbeat of the row may be older, as in a standby.
        static let lag = 8_000

        private var differences = 0

        /// Whether reads and writes through the pooler would be of another database.
        var isElsewhere: Bool { differences >= 2 }

        /// Notes a reading.
        ///
        /// - Parameters:
        ///   - direct: The server's own row.
        ///   - pooled: The row with its number through the pooler, read after that. Nil if there is none.
        mutating func note(_ pooled: NodeNumber.Row?, beside direct: NodeNumber.Row) {
            let isSame = pooled.map { $0.session == direct.session && direct.seenAt - $0.seenAt <= Self.lag } ?? false
            differences = isSame ? 0 : differences + 1
        }
    }

    extension NodeNumber {
        /// The part of a row that says whose it is, and how old.
        struct Row: Hashable, Sendable {
            let id: Int
            let session: Int?
            /// The time of the heartbeat, in milliseconds since 1970.
            let seenAt: Int
            /// The number of the latest group of commits.
            let groups: Int
        }

        /// Reads the row with a number. Nil if there is none.
        static func row(_ id: Int, _ connection: PostgresConnection) throws -> Row? {
            try connection.execute("SELECT session, seenAt, groups FROM node WHERE id = $1::smallint", [id]).first
                .map { row in Row(id: id, session: try row[0] as Int?, seenAt: try row[1], groups: try row[2]) }
        }
    }
#endif
