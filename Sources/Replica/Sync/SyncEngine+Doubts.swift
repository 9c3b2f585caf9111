import Foundation
import GRDB
import Groundwork

/// A server that was set up anew, or from a copy, may take a state from before for one of its own: then it tells no
/// changes, and goes on from another state. What is held may be of another time, and nobody says so.
extension SyncEngine {
    /// Looks at the types of which the state moved in this round, though nothing had changed: takes those anew that
    /// aren't as the server counts them.
    func settleDoubts() async throws {
        let doubted = types.filter { self.doubted.contains($0.name) }
        self.doubted = []
        // Those that are held whole say how much there is of the others.
        for type in doubted where type.isWhole { try await takeAnew(type) }
        for type in doubted where !type.isWhole {
            if case .slices = type.window { sliceDoubts.insert(type.name) }
            guard let audit = type.audit else { continue }
            let difference = try await store.read { db in try db.hasPending(type) ? nil : audit(db) }
            // A server that counts in another way isn't asked for everything again and again.
            if let difference, differences.updateValue(difference, forKey: type.name) != difference {
                try await takeAnew(type)
            }
        }
        try await settleSliceDoubts()
        // To take them may have moved their states again.
        self.doubted = []
    }

    /// Of a part nobody can say how many there should be: what is held is asked for again, which is little, and no more
    /// often than once in an hour.
    private func settleSliceDoubts() async throws {
        for type in types where sliceDoubts.contains(type.name) {
            guard clock.now.timeIntervalSince(slicesTakenAnew[type.name] ?? .distantPast) >= Self.sliceDoubtInterval
            else { continue }
            guard try await store.read({ db in try !db.hasPending(type) }) else { continue }
            try await takeAnew(type)
            slicesTakenAnew[type.name] = clock.now
            sliceDoubts.remove(type.name)
        }
    }

    private static let sliceDoubtInterval = 3_600.0

    private func takeAnew(_ type: RecordType) async throws {
        try await store.write { writer in try writer.forgetState(type) }
        try await sync(type)
    }
}
