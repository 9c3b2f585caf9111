import InboxClient
import Replica

extension InboxError {
    /// Returns an error as a screen shows it. What isn't the client's is a failure of the store.
    static func shown(_ error: any Error) -> InboxError {
        wrapping(error) as? InboxError ?? InboxError(.closed, "The inbox was closed.")
    }
}
