import JMAP
import Replica

extension SyncError {
    /// Whether the failure concerns the draft, and neither the connection nor the account. A proxy, or a server with a
    /// mistake, may answer one draft's requests with an error status, and no other's.
    var isAboutOneDraft: Bool {
        switch self {
        case .method, .malformed, .status: true
        case .transport, .unauthorized, .noToken, .otherPerson, .noAccount, .otherProcess: false
        }
    }

    /// Whether a request had no answer.
    var isOfConnection: Bool {
        if case .transport = self { true } else { false }
    }

    /// Whether the server asks for a pause of all requests.
    var asksForPause: Bool {
        if case .status(let status, let retryAfter, _) = self { status == 429 || retryAfter != nil } else { false }
    }

    /// Whether the server refuses the request for its size.
    var isTooLarge: Bool {
        switch self {
        case .status(let status, _, _): status == 413
        case .method(let error): error.type == "requestTooLarge"
        default: false
        }
    }

    /// Whether the server has certainly not processed the request.
    var isCertainlyUnprocessed: Bool {
        switch self {
        // A proxy that waited in vain for a server's answer says 408, whatever the server did.
        case .status(let status, _, _): (400..<500).contains(status) && status != 408
        case .unauthorized, .noToken, .otherPerson, .noAccount, .otherProcess: true
        case .method(let error): error.type == "requestTooLarge"
        case .transport, .malformed: false
        }
    }
}
