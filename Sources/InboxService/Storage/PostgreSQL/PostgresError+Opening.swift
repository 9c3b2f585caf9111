#if PostgreSQL
    import Postgres

    extension PostgresError {
        /// The advice for an operator whose database can't be opened. Of an attempt to connect that failed, libpq has
        /// the text alone, which is the server's.
        var openingAdvice: String {
            guard !isOfPooler else {
                return "--database leads through a pooler: give a direct address, and the pooler's as --pooler."
            }
            guard kind == .unavailable else { return advice }
            func says(_ parts: String...) -> Bool { parts.contains { message.contains($0) } }
            if says("connection slots are reserved", "too many connections for", "too many clients") {
                return "Raise max_connections, or the limit of the user or the database, or end other connections."
            }
            if says("is not permitted to log in") { return "Run as an administrator: ALTER ROLE … LOGIN." }
            if says("hot standby mode") {
                return "Name the primary in --database too, as in postgres://user@one,two/database."
            }
            return "Start PostgreSQL, or check the address of --database."
        }

        /// Whether a pooler is in the way: it refuses settings of a connection, or its next transaction runs on a
        /// connection with other prepared statements.
        var isOfPooler: Bool {
            message.contains("unsupported startup parameter") || ["42P05", "26000"].contains(sqlState)
        }
    }
#endif

extension Storage {
    /// Returns what an operator has to do about the error of a start. Nil if there is nothing to say.
    package static func setupError(of error: any Error) -> ServerSetupError? {
        #if PostgreSQL
            if let error = error as? PostgresError, error.isOfPooler {
                return ServerSetupError("The database can't be used: \(error.sentence) \(error.openingAdvice)")
            }
        #endif
        return nil
    }
}
