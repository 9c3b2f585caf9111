import InboxClient

/// Reports connection problems on standard error, each once.
struct ConnectionReporter {
    /// The command to log in again.
    let login: String
    private var last: ConnectionState?

    init(login: String) {
        self.login = login
    }

    mutating func report(_ state: ConnectionState) {
        defer { last = state }
        switch state {
        case .offline(let reason, _):
            if case .offline(reason, _) = last { return }
            // With what keeps it from the server, such as a certificate that isn't trusted.
            Output.note("inbox: \(reason.description.trimming(suffix: ".")); retrying automatically.")
        case .unauthorized(let reason) where last != state:
            Output.note("inbox: \(reason.loginText) Log in again with: \(login)")
        case .otherPerson where last != state:
            Output.note("inbox: The login belongs to another person. Log in again with: \(login)")
        default: break
        }
    }
}
