import GRDB

/// A retryable failure of the database: the disk is full, another process locks the file, or there was an I/O error.
/// Nothing was written.
package enum StorageFailure: Sendable {
    case full
    case busy

    /// Returns nil for an error that isn't retryable.
    package init?(_ error: any Error) {
        switch (error as? DatabaseError)?.resultCode {
        case .SQLITE_FULL: self = .full
        case .SQLITE_IOERR, .SQLITE_BUSY: self = .busy
        default: return nil
        }
    }
}
