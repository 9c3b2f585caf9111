#if PostgreSQL
    import Postgres

    extension PostgresError {
        /// The advice for an operator whose database can't be opened.
        var openingAdvice: String {
            setupAdvice() ?? (kind == .unavailable ? "Start PostgreSQL, or check the address of --database." : advice)
        }

        /// Returns the advice for an operator if the cause is known and permanent, otherwise nil. A failed attempt to
        /// connect has the text of the server or of libpq, and a SQLSTATE if that server writes in another language.
        ///
        /// - Parameter option: The option of the command line with the address.
        func setupAdvice(of option: String = "--database") -> String? {
            guard !isOfPooler else {
                return "\(option) leads through a pooler: give a direct address"
                    + (option == "--database" ? ", and the pooler's as --pooler." : ".")
            }
            // The kind is that of a transaction that couldn't begin: other statements at fault have the same SQLSTATE.
            if kind == .unavailable, !isOfConnecting, ["0A000", "25006"].contains(sqlState) {
                return "\(option) leads to a standby, which accepts no writes: name the primary, and leave "
                    + "target_session_attrs out."
            }
            // Errors of statements have the server's SQLSTATE.
            guard sqlState == nil || isOfConnecting else { return nil }
            func says(_ parts: String...) -> Bool { parts.contains { message.contains($0) } }
            if isOfConnectionLimit { return Self.connectionLimitAdvice }
            if says("is not currently accepting connections") {
                return "Run as an administrator: ALTER DATABASE … ALLOW_CONNECTIONS true."
            }
            if says("is not permitted to log in") { return "Run as an administrator: ALTER ROLE … LOGIN." }
            if says("hot standby mode") {
                return "Name the primary in \(option) too, as in postgres://user@one,two/database."
            }
            if says("does not match host name") {
                return "Use a name that the certificate has in \(option); ?hostaddr= leads it to another address."
            }
            if says("root certificate file", "certificate verify failed") {
                return "Add sslrootcert= to \(option), with the file of the authority that has signed PostgreSQL's "
                    + "certificate."
            }
            if says("certificate file", "private key file") { return "Correct sslcert= and sslkey= in \(option)." }
            if says("server does not support SSL") { return "Set ssl = on in postgresql.conf, or another sslmode=." }
            if says("invalid URI query parameter", "invalid connection option") || message.hasPrefix("invalid ") {
                return "Correct that in \(option). PostgreSQL's documentation of libpq lists the parameters."
            }
            return nil
        }

        /// The advice for an operator whose pooler can't be used.
        var poolerAdvice: String {
            message.contains("statement pooling mode")
                ? "Set pool_mode = transaction in the pooler." : "Check the address of --pooler."
        }

        /// Whether a pooler is in the way: it refuses settings of a connection, or its next transaction runs on a
        /// connection with other prepared statements.
        var isOfPooler: Bool {
            message.contains("unsupported startup parameter") || ["42P05", "26000"].contains(sqlState)
        }
    }
#endif
