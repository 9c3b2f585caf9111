#if PostgreSQL
    import Postgres

    /// The requirement that a connection has a process of PostgreSQL for itself.
    ///
    /// Most poolers refuse the settings with which a connection begins, which names them. One that ignores them, as it
    /// may be configured, accepts such a connection. Without them, in session mode too, tables in another schema aren't
    /// found, the user's limits of time end erasures, and a client that was stopped keeps its locks.
    ///
    /// In transaction mode it gives the connection another process for each transaction. What a session has would then
    /// be other clients': the schema, the number of the server, the lock of a heartbeat or of a move. And no
    /// notification would arrive.
    enum DirectConnection {
        /// Checks that a connection keeps its settings and locks to itself, as one without a pooler does.
        ///
        /// - Parameter name: The option or the database that the connection belongs to.
        /// - Throws: ``ServerSetupError`` if a pooler is between that ignores settings, or is in transaction mode;
        ///   `PostgresError`.
        static func require(_ connection: PostgresConnection, of name: String) throws {
            let fault: String
            if try !hasSettings(connection) {
                fault = "ignores the settings of connections"
            } else if try isShared(connection) {
                fault = "gives the settings and locks of a connection to others"
            } else {
                return
            }
            throw ServerSetupError(
                """
                \(name) leads through a pooler, which \(fault): give a direct \
                address\(name == "--database" ? ", and the pooler's as --pooler" : "").
                """
            )
        }

        /// Returns whether the settings with which the connection began have an effect. `PostgresSettings` always has
        /// this one among them, and a pooler may also set it by a statement.
        static func hasSettings(_ connection: PostgresConnection) throws -> Bool {
            let statement = PostgresStatement(
                """
                SELECT EXISTS (SELECT FROM pg_settings WHERE name = 'jit' AND source IN ('client', 'session'))
                """,
                isPrepared: false
            )
            return try connection.pipeline([statement])[0][0][0]
        }

        /// Returns whether another connection has the same process, one after the other.
        ///
        /// What is between two ends states a process of its own, for requests to cancel. In session mode it keeps one
        /// of PostgreSQL for each client.
        static func isShared(_ connection: PostgresConnection) throws -> Bool {
            let first = try process(of: connection)
            guard first != Int(connection.backend) else { return false }
            // A pooler gives the next transaction the process that was used last, or the one that wasn't used for
            // longest (`server_round_robin`). Other clients may come between.
            for _ in 0..<attempts {
                if try process(of: connection) != first { return true }
                let other = try PostgresConnection(connection.settings)
                defer { other.close() }
                if try process(of: other) == first { return true }
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
