import Replica

extension SyncError {
    /// Whether the request may succeed for fewer mails, or for others.
    var maySucceedForFewerMails: Bool {
        switch self {
        case .malformed, .method, .transport(.tooLarge): true
        default: false
        }
    }
}
