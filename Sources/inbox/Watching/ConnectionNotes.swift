import InboxClient

/// Says on standard error what keeps news away, once each time.
struct ConnectionNotes {
    /// The command with which the person logs in again.
    let login: String
    private var last: ConnectionState?

    init(login: String) {
        self.login = login
    }

    mutating func note(_ state: ConnectionState) {
        defer { last = state }
        switch state {
        case .offline:
            if case .offline = last { return }
            Output.note("inbox: The server can't be reached; trying again by itself.")
        case .unauthorized where last != .unauthorized:
            Output.note("inbox: The server doesn't accept the login. Log in again with: \(login)")
        default: break
        }
    }
}
