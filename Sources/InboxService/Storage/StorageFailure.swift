import GRDB

#if PostgreSQL
    import Postgres
#endif

/// A retryable failure of the database: its disk is full, another process locks the file, the server can't reach it,
/// there was an I/O error, or it lacks tables or rights at the moment.
package enum StorageFailure: Sendable {
    case full
    case busy
    /// Tables, rights or something else that the server needs are missing, such as while a backup is restored, with
    /// PostgreSQL's SQLSTATE.
    case incomplete(sqlState: String)
    /// The connection was lost before a commit was confirmed: it may have been stored or not.
    case unknown

    /// Returns nil for an error that isn't retryable.
    package init?(_ error: any Error) {
        if error is WriterBusyError {
            self = .busy
            return
        }
        #if PostgreSQL
            // The server has lost its number, and there is none now.
            if error is ServerSetupError {
                self = .busy
                return
            }
            if let error = error as? PostgresError {
                guard error.isRetryable else { return nil }
                switch error.kind {
                case _ where error.mayHaveCommitted: self = .unknown
                case .diskFull: self = .full
                case .incomplete: self = .incomplete(sqlState: error.sqlState ?? "")
                default: self = .busy
                }
                return
            }
        #endif
        switch (error as? DatabaseError)?.resultCode {
        case .SQLITE_FULL: self = .full
        case .SQLITE_IOERR, .SQLITE_BUSY: self = .busy
        default: return nil
        }
    }
}

#if PostgreSQL
    extension PostgresError {
        /// Whether the same may succeed later, without a change of it.
        var isRetryable: Bool {
            switch kind {
            case .unavailable, .busy, .conflict, .timedOut, .diskFull, .rejected, .incomplete: true
            case .uniqueViolation, .invalidValue, .other: false
            }
        }

        /// Whether other statements may succeed: a damaged block, one statement's memory, or a table or a right that
        /// they don't need.
        var mayBeOfOneStatement: Bool {
            kind == .incomplete || sqlState.map { $0 == "53200" || $0.hasPrefix("58") } ?? false
        }
    }
#endif
