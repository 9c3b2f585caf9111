import GRDB
import Groundwork

/// A server that was set up anew, or from a copy, may take a state from before for one of its own: then it tells no changes, and goes on
/// from another state. What is held may be of another time, and nobody says so.
extension SyncEngine {
    /// Looks at the types of which the state moved in this round, though nothing had changed: takes those anew that aren't as the server counts
    /// them.
    func settleDoubts() async throws {
        let doubted = types.filter { self.doubted.contains($0.name) }
        self.doubted = []
        // Those that are held whole say how much there is of the others.
        for type in doubted where type.isWhole { try await takeAnew(type) }
        for type in doubted where !type.isWhole {
            guard let audit = type.audit else { continue }
            let difference = try await store.read { db in try db.hasPending(type) ? nil : audit(db) }
            // A server that counts in another way isn't asked for everything again and again.
            if let difference, differences.updateValue(difference, forKey: type.name) != difference {
                try await takeAnew(type)
            }
        }
        // To take them may have moved their states again.
        self.doubted = []
    }

    private func takeAnew(_ type: RecordType) async throws {
        try await store.write { writer in try writer.forgetState(type) }
        try await sync(type)
    }
}
