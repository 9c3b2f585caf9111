#if PostgreSQL
    import Foundation
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
                SELECT id, session, seenAt, \(NodeNumber.now) - seenAt, session IN (
                    SELECT (classid::bigint << 32) | objid::bigint FROM pg_locks
                    WHERE locktype = 'advisory' AND objsubid = 1 AND granted
                        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                )
                FROM node WHERE session IS NOT NULL ORDER BY id
                """,
                isRare: true
            ).map { row in
                NodeHeartbeat(id: row[0], session: row[1], time: row[2], silence: row[3], isConnected: row[4])
            }
        }
    }

    extension NodeNumber {
        /// Reads which servers have a number.
        ///
        /// - Returns: The time since the last heartbeat by number, in milliseconds, in the order of the numbers.
        static func silences(_ db: SQLConnection) throws -> [(id: Int, silence: Int)] {
            try db.rows("SELECT id, \(now) - seenAt FROM node WHERE session IS NOT NULL ORDER BY id")
                .map { row in (row[0], row[1]) }
        }

        /// Returns whether servers use the database. One that is silent loses its number, so that it can't write any
        /// more without ``acquire(_:)``.
        ///
        /// A recent heartbeat without a connection is of a server that has just started or lost it, which sends the
        /// next one soon, or of none: the database was restored, or the server was killed. So it is watched for
        /// ``lateness``.
        ///
        /// - Parameter pause: Blocks the calling thread for a number of seconds.
        static func areInUse(
            _ connection: PostgresConnection,
            pause: (Double) -> Void = { Thread.sleep(forTimeInterval: $0) }
        ) throws -> Bool {
            let table = try connection.execute(
                "SELECT FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'node'"
            )
            guard !table.isEmpty else { return false }
            func read() throws -> [NodeHeartbeat] {
                try NodeHeartbeat.all(.postgres(PostgresTransaction(connection)))
            }
            var rows = try read()
            let first = rows.map(\.time)
            for _ in 0...lateness / watchInterval {
                if rows.map(\.time) != first || rows.contains(where: { $0.isConnected && $0.isRunning }) { return true }
                guard rows.contains(where: \.isRunning) else { break }
                pause(Double(watchInterval) / 1_000)
                rows = try read()
            }
            if !rows.isEmpty { try connection.execute("UPDATE node SET session = NULL") }
            return false
        }

        /// The time between two looks at heartbeats, in milliseconds.
        private static let watchInterval = 250
    }
#endif
