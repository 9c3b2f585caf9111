/// A registry of one object per id, for as long as the object is retained elsewhere.
@MainActor
final class UniqueObjects<Object: INModelObject> {
    private struct Entry {
        weak var object: Object?
    }

    // Isolated to the main actor. Entries of released objects are removed when the number of entries has doubled.
    private var entries: [String: Entry] = [:]
    private var limit = 64

    /// Returns the object of an id, or creates one if none is alive.
    func object(_ id: String, _ make: () async throws -> Object?) async rethrows -> Object? {
        if let object = entries[id]?.object { return object }
        guard let new = try await make() else { return nil }
        // Another caller may have created it meanwhile.
        if let object = entries[id]?.object { return object }
        add(new)
        return new
    }

    /// Adds an object whose id no other has.
    func add(_ object: Object) {
        if entries.count >= limit {
            entries = entries.filter { $0.value.object != nil }
            limit = max(64, entries.count * 2)
        }
        entries[object.ID] = Entry(object: object)
    }
}
