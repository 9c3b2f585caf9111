import Observation

/// The model of a view or property wrapper, which is made once its owner, the environment's inbox or mail, is known,
/// and again for another one.
@MainActor
@Observable
package final class ModelCache<Model: AnyObject> {
    /// The model; nil without an owner. It isn't observed: it changes only while a view is being updated.
    @ObservationIgnored package private(set) var model: Model?
    /// The owner. It is retained: another one could otherwise have the address of a released one.
    @ObservationIgnored private var owner: AnyObject?
    @ObservationIgnored private var key: String?

    package nonisolated init() {}

    /// Makes the model if the owner or the key is another one than before.
    package func follow<Owner: AnyObject>(_ owner: Owner?, _ key: String? = nil, make: (Owner) -> Model) {
        guard owner !== self.owner || key != self.key else { return }
        (self.owner, self.key) = (owner, key)
        model = owner.map(make)
    }
}
