import GRDB

#if PostgreSQL
    import Postgres
#endif

/// A retryable failure of the database: its disk is full, another process locks the file, the server can't reach it, or
/// there was an I/O error.
package enum StorageFailure: Sendable {
    case full
    case busy
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
                guard error.kind == .diskFull || error.isRetryable else { return nil }
                self = error.mayHaveCommitted ? .unknown : error.kind == .diskFull ? .full : .busy
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
            case .unavailable, .busy, .conflict, .timedOut, .diskFull, .rejected: true
            case .uniqueViolation, .invalidValue, .other: false
            }
        }

        /// Whether other statements may succeed: a damaged block, or one statement's memory.
        var mayBeOfOneStatement: Bool { sqlState.map { $0 == "53200" || $0.hasPrefix("58") } ?? false }
    }
#endif
