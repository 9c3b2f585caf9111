import InboxClient
import Replica

extension InboxError {
    /// The error of a failure as a screen shows it. One that isn't the client's is that of a closed inbox.
    init(_ error: any Error) {
        self = Self.wrapping(error) as? InboxError ?? InboxError(.closed, "The inbox was closed.")
    }
}
