package import Groundwork
package import JMAP

/// The failure of a sync, or of a connection to the server.
package enum SyncError: Error, Sendable, CustomStringConvertible {
    case transport(TransportError)
    /// The server answered with an error status. `retryAfter` is the wait that it requested, in seconds.
    case status(Int, retryAfter: Double?, detail: String?)
    /// The server rejected the token, and the one that replaced it.
    case unauthorized(TokenRefusal)
    /// The app's token closure threw. Its backend may be unavailable temporarily.
    case noToken(String)
    /// The token belongs to a person other than the store's.
    case otherPerson
    /// The server has no account with that capability for this person.
    case noAccount(capability: String)
    /// The server's answer is invalid.
    case malformed(String)
    case method(MethodError)
    /// Another process syncs this store and hasn't answered in time.
    case otherProcess

    package var description: String {
        switch self {
        case .transport(let error): error.description
        case .status(let status, _, let detail):
            "The server answered with status \(status)" + (detail.map { ": \($0)" } ?? ".")
        case .unauthorized(let refusal): "\(refusal) Sign in again."
        case .noToken(let reason): "No token is available: \(reason)"
        case .otherPerson: "The token belongs to another person."
        case .noAccount(let capability): "The server has no account with the capability \(capability)."
        case .malformed(let reason): "The server's answer can't be read: \(reason)"
        case .method(let error):
            "The server refused the request: \(error.type)" + (error.description.map { ", \($0)" } ?? "")
        case .otherProcess: "Another process syncs this store and didn't respond in time."
        }
    }

    /// Whether an automatic retry may succeed. Otherwise another token is needed first.
    package var isRetryable: Bool {
        switch self {
        case .unauthorized, .otherPerson: false
        default: true
        }
    }

    /// Whether something answered, or was connected and didn't answer: the server, or a proxy before it.
    var isFromServer: Bool {
        switch self {
        case .status, .method, .malformed, .transport(.timedOut), .transport(.tooLarge): true
        default: false
        }
    }

    /// Whether the failure is about a request for one type, so that other types can still be synced.
    var isAboutOneType: Bool {
        switch self {
        case .method, .malformed: true
        default: false
        }
    }

    /// The reason why the server rejected the token; nil for other failures.
    package var tokenRefusal: TokenRefusal? {
        if case .unauthorized(let refusal) = self { refusal } else { nil }
    }

    /// The reason to report while the device is offline because of this failure.
    package var offlineReason: OfflineReason {
        let code: OfflineReason.Code =
            switch self {
            case .transport(.timedOut): .timedOut
            case .transport(.unreachable): .notConnected
            case .transport(.tooLarge), .malformed: .invalidAnswer
            case .status(429, _, _): .rateLimited
            case .status, .method, .noAccount: .serverError
            case .noToken, .unauthorized, .otherPerson: .noToken
            case .otherProcess: .otherProcess
            }
        var status: Int?
        if case .status(let number, _, _) = self { status = number }
        return OfflineReason(code, status: status, description: description)
    }

    /// The wait that the server requested, in seconds; nil if it requested none.
    package var retryAfter: Double? {
        if case .status(_, let seconds, _) = self { seconds } else { nil }
    }
}
