public import Foundation

/// The state of syncing and of the live connection.
public enum ConnectionState: Hashable, Sendable {
    /// No connection is requested.
    case idle
    /// The client is connecting to the server.
    case connecting
    /// Changes are received as they happen.
    case live
    /// Push isn't available. The server is polled.
    case polling
    /// The server can't be reached, for the given reason. The client retries automatically at `nextTry`. It is nil if
    /// the retry is immediate, or if there is no automatic retry.
    case offline(reason: OfflineReason, nextTry: Date?)
    /// The server rejects the token, for the given reason. Pending writes wait.
    ///
    /// A live connection requests another token from the app's closure, first after 5 to 10 seconds, then at growing
    /// intervals of at most 5 minutes. It resumes with the first token that differs from the rejected one. `sync()`
    /// requests one at once.
    case unauthorized(reason: TokenRefusal)
    /// The token belongs to another person than the one whose records were opened. Pending writes wait. A live
    /// connection requests another token, as in ``unauthorized(reason:)``.
    case otherPerson
    /// Another process on this device syncs the same records. Its changes are shown here too.
    case otherProcess
    /// The store of the records is closed.
    case closed

    /// The name of the state, without its details: for scripts and logs.
    package var name: String {
        switch self {
        case .idle: "idle"
        case .connecting: "connecting"
        case .live: "live"
        case .polling: "polling"
        case .offline: "offline"
        case .unauthorized: "unauthorized"
        case .otherPerson: "otherPerson"
        case .otherProcess: "otherProcess"
        case .closed: "closed"
        }
    }
}
