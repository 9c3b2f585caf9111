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
    /// Nothing can be exchanged with the server, for that reason. The next try comes by itself, at that time; nil where
    /// it comes at once, or where nothing is tried by itself.
    case offline(reason: OfflineReason, nextTry: Date?)
    /// The server doesn't take the token, for that reason. Pending writes wait.
    ///
    /// A live connection asks the app's closure for another token by itself, at first after 5 to 10 seconds, then less
    /// and less often, at least every 5 minutes, and goes on with the first token that isn't the refused one. `sync()`
    /// asks at once.
    case unauthorized(reason: TokenRefusal)
    /// The token belongs to another person than the inbox was opened for. Pending writes wait; a live connection asks
    /// for another token as in ``unauthorized(reason:)``.
    case otherPerson
    /// Another process on this device syncs the same inbox; what it brings is shown here too.
    case otherProcess
    /// The inbox was closed.
    case closed
}
