import InboxMail
import Replica

extension MailError {
    /// Returns the error of a failure as a screen shows it. One that isn't the mail's is that of a closed account.
    static func shown(_ error: any Error) -> MailError {
        wrapping(error) as? MailError ?? MailError(.closed, "The mail was closed.")
    }
}
