package import Groundwork
package import JMAP

/// Why a sync, or a connection to the server, failed.
package enum SyncError: Error, Sendable, CustomStringConvertible {
    case transport(TransportError)
    /// The server answered with an error status; with the seconds it wants us to wait.
    case status(Int, retryAfter: Double?, detail: String?)
    /// The server doesn't take the token, nor the one asked for after it.
    case unauthorized(TokenRefusal)
    /// The app's token closure threw: its backend may be away for a moment.
    case noToken(String)
    /// The token belongs to another person than the inbox was opened for.
    case otherPerson
    /// The server has no account with that capability for this person.
    case noAccount(capability: String)
    /// The server's answer isn't what it has to be.
    case malformed(String)
    case method(MethodError)
    /// Another process syncs this store, and hasn't done so in time.
    case otherProcess

    package var description: String {
        switch self {
        case .transport(let error): error.description
        case .status(let status, _, let detail):
            "The server answered with status \(status)" + (detail.map { ": \($0)" } ?? ".")
        case .unauthorized(let refusal): "\(refusal) Sign in again."
        case .noToken(let reason): "There is no token: \(reason)"
        case .otherPerson: "The token belongs to another person than the inbox was opened for."
        case .noAccount(let capability): "The server offers no account with \(capability)."
        case .malformed(let what): "The server's answer can't be read: \(what)"
        case .method(let error):
            "The server refused the request: \(error.type)" + (error.description.map { ", \($0)" } ?? "")
        case .otherProcess: "Another process keeps this inbox up to date and hasn't answered in time."
        }
    }

    /// Whether trying again by itself can help. If not, someone has to do something first.
    package var isRetryable: Bool {
        switch self {
        case .unauthorized, .otherPerson: false
        default: true
        }
    }

    /// Whether it is about what was asked of one type, so that others may be asked about nevertheless.
    var isAboutOneType: Bool {
        switch self {
        case .method, .malformed: true
        default: false
        }
    }

    /// Why the server doesn't take the token, where that is the failure.
    package var tokenRefusal: TokenRefusal? {
        if case .unauthorized(let refusal) = self { refusal } else { nil }
    }

    /// The reason that a person or an app is given while it is tried again.
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

    /// The seconds that the server wants us to wait.
    var retryAfter: Double? {
        if case .status(_, let seconds, _) = self { seconds } else { nil }
    }
}
