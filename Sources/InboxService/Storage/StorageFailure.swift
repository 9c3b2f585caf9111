import GRDB

/// The database can't do something now, and may later: there is room again, or another process has let go. Nothing was
/// written.
package enum StorageFailure: Sendable {
    case full
    case busy

    /// - Returns: Nil for an error that doesn't pass.
    package init?(_ error: any Error) {
        switch (error as? DatabaseError)?.resultCode {
        case .SQLITE_FULL: self = .full
        case .SQLITE_IOERR, .SQLITE_BUSY: self = .busy
        default: return nil
        }
    }
}
