import InboxClient
import Observation

/// The model of a view or property wrapper, which is made once the environment's inbox is known, and again for another
/// inbox.
@MainActor
@Observable
final class Held<Model: AnyObject> {
    /// The model; nil without an inbox. It isn't observed: it changes only while a view is being updated.
    @ObservationIgnored private(set) var model: Model?
    @ObservationIgnored private var inbox: ObjectIdentifier?
    @ObservationIgnored private var key: String?

    nonisolated init() {}

    /// Makes the model if the inbox or the key is another one than before.
    func follow(_ inbox: Inbox?, _ key: String? = nil, make: (Inbox) -> Model) {
        let identifier = inbox.map { ObjectIdentifier($0) }
        guard identifier != self.inbox || key != self.key else { return }
        (self.inbox, self.key) = (identifier, key)
        model = inbox.map(make)
    }
}
