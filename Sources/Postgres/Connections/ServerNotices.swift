import CLibpq

/// The server's notices of a connection that matter: that it closes the connection, such as at its shutdown, and
/// warnings, such as that a commit isn't on its standby.
///
/// libpq reports an error as a notice if nothing is running, and notices the end of the connection only later.
final class ServerNotices {
    // Written during calls of libpq, on the connection's thread.
    private(set) var endsConnection = false
    /// Whether a warning says that a commit's wait for a standby was cancelled. Statements may have other warnings.
    private(set) var hasUncertainCommit = false

    /// Forgets an earlier commit.
    func forgetUncertainCommit() { hasUncertainCommit = false }

    /// Receives each notice from libpq.
    static func receive(_ context: UnsafeMutableRawPointer?, _ result: OpaquePointer?) {
        guard let context, let result else { return }
        let notices = Unmanaged<ServerNotices>.fromOpaque(context).takeUnretainedValue()
        if PostgresError(result).endsConnection { notices.endsConnection = true }
        func field(_ code: UInt8) -> String? { PQresultErrorField(result, Int32(code)).map { String(cString: $0) } }
        // The field of the severity that isn't translated.
        guard field(UInt8(ascii: "V")) == "WARNING" else { return }
        // The server's function, which is in no language either.
        if field(UInt8(ascii: "R")) == "SyncRepWaitForLSN" { notices.hasUncertainCommit = true }
    }
}
