#if PostgreSQL
    import Foundation
    import Groundwork
    import Postgres

    /// The latest heartbeat of a server that has a number, as another connection sees it.
    struct NodeHeartbeat: Sendable {
        /// The server's number.
        let id: Int
        let session: Int
        /// The time of the heartbeat by the database's clock, in milliseconds since 1970.
        let time: Int
        /// The time since then, in milliseconds. Below 0 in a row that comes from a database whose clock was ahead.
        let silence: Int
        /// Whether the connection is open on which the server sends them: it has the lock of the session. A row that
        /// was restored, or whose server was killed, has none, and neither has a server between its start and its first
        /// heartbeat.
        let isConnected: Bool

        /// Whether the server runs, as far as one read shows.
        var isRunning: Bool { silence <= (isConnected ? NodeNumber.lifetime : NodeNumber.lateness) }

        /// Reads those of all servers, in the order of their numbers.
        static func all(_ db: SQLConnection) throws -> [NodeHeartbeat] {
            try db.rows(
                """
                SELECT id, session, seenAt, \(NodeNumber.now) - seenAt, session IN (\(NodeNumber.connectedSessions))
                FROM node WHERE session IS NOT NULL ORDER BY id
                """,
                isRare: true
            ).map { row in
                NodeHeartbeat(id: row[0], session: row[1], time: row[2], silence: row[3], isConnected: row[4])
            }
        }
    }

    extension NodeNumber {
        /// The sessions of servers whose connection for heartbeats is open, among other advisory locks.
        static let connectedSessions = """
            SELECT (classid::bigint << 32) | objid::bigint FROM pg_locks
            WHERE locktype = 'advisory' AND objsubid = 1 AND granted
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
            """

        /// Returns whether servers use the database. If none does, each number is taken, and each row has a new fence.
        /// So a server that wasn't seen, such as one that still connects after a failover, can't write any more:
        /// neither with its number, nor with another one (``acquire(_:insteadOf:)``), also after the move.
        ///
        /// A recent heartbeat without a connection is of a server that has just started or lost it, which sends the
        /// next one soon, or of none: the database was restored, or the server was killed. So it is watched for
        /// ``lateness``, and so is a silent server that has a connection: it is paused, or the database's clock was
        /// set.
        ///
        /// - Parameter pause: Blocks the calling thread for a number of seconds.
        static func areInUse(
            _ connection: PostgresConnection,
            pause: (Double) -> Void = { Thread.sleep(forTimeInterval: $0) }
        ) throws -> Bool {
            let columns = try connection.execute(
                """
                SELECT a.attname::text FROM pg_attribute a
                JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
                WHERE n.nspname = current_schema() AND c.relname = 'node' AND a.attnum > 0 AND NOT a.attisdropped
                """
            ).map { try $0[0] as String }
            guard !columns.isEmpty else { return false }
            func read() throws -> [NodeHeartbeat] {
                try NodeHeartbeat.all(.postgres(PostgresTransaction(connection)))
            }
            var rows = try read()
            let first = rows.map(\.time)
            for _ in 0...lateness / watchInterval {
                if rows.map(\.time) != first || rows.contains(where: { $0.isConnected && $0.isRunning }) { return true }
                guard rows.contains(where: { $0.isRunning || $0.isConnected }) else { break }
                pause(Double(watchInterval) / 1_000)
                rows = try read()
            }
            // A backup of a version before has no fence yet, which a server's start would add.
            if !columns.contains("fence") { try connection.executeScript(PostgresSchema.nodeFence) }
            let fence = Int(RandomSource.system.next() >> 1)
            try connection.execute("UPDATE node SET session = NULL, fence = $1", [fence])
            return false
        }

        /// The time between two looks at heartbeats, in milliseconds.
        private static let watchInterval = 250
    }
#endif
