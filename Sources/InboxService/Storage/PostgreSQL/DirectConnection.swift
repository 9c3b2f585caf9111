#if PostgreSQL
    import Postgres

    /// The requirement that a connection has a process of PostgreSQL for itself.
    ///
    /// Most poolers refuse the settings with which a connection begins, which names them. One that ignores them, as it
    /// may be configured, accepts such a connection and gives it another process for each transaction. What a session
    /// has would then be other clients': the schema, the number of the server, the lock of a heartbeat or of a move.
    /// And no notification would arrive.
    enum DirectConnection {
        /// - Parameter name: The option or the database that the connection belongs to.
        /// - Throws: ``ServerSetupError`` if a pooler in transaction mode is between; `PostgresError`.
        static func require(_ connection: PostgresConnection, of name: String) throws {
            guard try isShared(connection) else { return }
            throw ServerSetupError(
                """
                \(name) leads through a pooler, which gives the settings and locks of a connection to others: give a \
                direct address\(name == "--database" ? ", and the pooler's as --pooler" : "").
                """
            )
        }

        /// Returns whether another connection has the same process, one after the other.
        ///
        /// What is between two ends states a process of its own, for requests to cancel. In session mode it keeps one
        /// of PostgreSQL for each client, which is as good as a direct connection.
        private static func isShared(_ connection: PostgresConnection) throws -> Bool {
            guard try process(of: connection) != Int(connection.backend) else { return false }
            // A pooler gives a process that is free to the next client, but others may come between.
            for _ in 0..<attempts {
                let other = try PostgresConnection(connection.settings)
                defer { other.close() }
                if try process(of: connection) == process(of: other) { return true }
            }
            return false
        }

        private static let attempts = 3

        /// Returns the process that a transaction has. The statement isn't prepared, since that would stay there.
        private static func process(of connection: PostgresConnection) throws -> Int {
            let statement = PostgresStatement("SELECT pg_backend_pid()", isPrepared: false)
            return try connection.pipeline([statement])[0][0][0]
        }
    }
#endif
