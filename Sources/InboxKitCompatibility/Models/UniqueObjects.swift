/// A registry of one object per id, for as long as the object is retained elsewhere.
@MainActor
final class UniqueObjects<Object: INModelObject> {
    private struct Held {
        weak var object: Object?
    }

    // Of the main actor. Entries of released objects are removed when the number of entries has doubled.
    private var held: [String: Held] = [:]
    private var limit = 64

    /// Returns the object of an id, or creates one if none is alive.
    func object(_ id: String, _ make: () async throws -> Object?) async rethrows -> Object? {
        if let object = held[id]?.object { return object }
        guard let new = try await make() else { return nil }
        // Another caller may have created it meanwhile.
        if let object = held[id]?.object { return object }
        if held.count >= limit {
            held = held.filter { $0.value.object != nil }
            limit = max(64, held.count * 2)
        }
        held[id] = Held(object: new)
        return new
    }
}
