public import Foundation

/// What syncing and the live connection are doing.
public enum ConnectionState: Hashable, Sendable {
    /// Nobody has asked for a connection.
    case idle
    /// Trying to reach the server.
    case connecting
    /// News arrive as they happen.
    case live
    /// The server can't tell by itself: it is asked from time to time.
    case polling
    /// The server can't be reached, or the app gave no token to reach it with. The next try comes by itself, at that time.
    case offline(nextTry: Date?)
    /// The server doesn't take the token, or it belongs to somebody else. Pending writes wait; someone has to sign in.
    case unauthorized
    /// Another process on this device syncs the same inbox; what it brings is shown here too.
    case otherProcess
    /// The inbox was closed.
    case closed
}
