import CLibpq

/// The server's notice that it closes the connection, such as at its shutdown. libpq reports such an error as a notice
/// if nothing is running, and notices the end of the connection only later.
final class ShutdownNotice {
    // Written during calls of libpq alone, on the connection's thread.
    private(set) var isReceived = false

    /// Receives each notice from libpq.
    static func receive(_ context: UnsafeMutableRawPointer?, _ result: OpaquePointer?) {
        guard let context, let result, PostgresError(result).endsConnection else { return }
        Unmanaged<ShutdownNotice>.fromOpaque(context).takeUnretainedValue().isReceived = true
    }
}
