/// One object for each id, for as long as somebody holds it.
@MainActor
final class UniqueObjects<Object: INModelObject> {
    private struct Held {
        weak var object: Object?
    }

    // Of the main actor. Entries whose object is gone are dropped when there are twice as many as were in use.
    private var held: [String: Held] = [:]
    private var most = 64

    /// The object for an id; a new one where nobody holds any.
    func object(_ id: String, _ make: () async throws -> Object?) async rethrows -> Object? {
        if let object = held[id]?.object { return object }
        guard let new = try await make() else { return nil }
        // Somebody else may have asked meanwhile.
        if let object = held[id]?.object { return object }
        if held.count >= most {
            held = held.filter { $0.value.object != nil }
            most = max(64, held.count * 2)
        }
        held[id] = Held(object: new)
        return new
    }
}
