import InboxClient
import Observation

/// The model of a view or property wrapper, which is made once the environment's inbox is known, and again for another
/// inbox.
@MainActor
@Observable
final class ModelCache<Model: AnyObject> {
    /// The model; nil without an inbox. It isn't observed: it changes only while a view is being updated.
    @ObservationIgnored private(set) var model: Model?
    /// It is retained: another inbox could otherwise come to lie at the address of a released one.
    @ObservationIgnored private var inbox: Inbox?
    @ObservationIgnored private var key: String?

    nonisolated init() {}

    /// Makes the model if the inbox or the key is another one than before.
    func follow(_ inbox: Inbox?, _ key: String? = nil, make: (Inbox) -> Model) {
        guard inbox !== self.inbox || key != self.key else { return }
        (self.inbox, self.key) = (inbox, key)
        model = inbox.map(make)
    }
}
