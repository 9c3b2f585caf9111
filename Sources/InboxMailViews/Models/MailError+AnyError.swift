import InboxMail
import Replica

extension MailError {
    /// The error of a failure as a screen shows it. One that isn't the client's is that of closed mail.
    init(_ error: any Error) { self = Self.wrapping(error) as? MailError ?? .closedMail }

    /// The error of mail that was closed or signed out while it was shown.
    static var closedMail: MailError { MailError(.closed, "The mail was closed.") }
}
