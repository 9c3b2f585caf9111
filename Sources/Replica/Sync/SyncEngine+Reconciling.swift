import Foundation
import GRDB
import Groundwork

/// The verification of types whose state changed although no record had changed.
///
/// A server that was reinstalled, or restored from a backup, may recognize an earlier state as one of its own. It then
/// reports no changes and a different state, while the records on the device are of another time.
extension SyncEngine {
    /// Verifies the types whose state changed in this round without changes, and fetches again those that differ from
    /// the server's counts.
    func reconcile() async throws {
        let typesToVerify = types.filter { typeStates[$0.name].round.needsVerification }
        for type in typesToVerify { typeStates[type.name].round.needsVerification = false }
        // Types of which the device has all records contain the counts of the others.
        for type in typesToVerify where type.isFetchedWhole { try await refetch(type) }
        for type in typesToVerify where !type.isFetchedWhole {
            if case .slices = type.window { typeStates[type.name].slicesNeedVerification = true }
            guard let audit = type.audit else { continue }
            let difference = try await store.read { db in try db.hasPending(type) ? nil : audit(db) }
            // A difference that the last full sync left doesn't cause another one in each round: the server may count
            // differently.
            guard let difference, difference != typeStates[type.name].lastDifference else { continue }
            typeStates[type.name].lastDifference = difference
            try await refetch(type)
        }
        try await verifySlices()
        // These fetches may have changed the states once more.
        for type in types { typeStates[type.name].round.needsVerification = false }
    }

    /// Fetches again the slices on the device, at most once an hour. The server offers no count of a slice's records.
    private func verifySlices() async throws {
        for type in types where typeStates[type.name].slicesNeedVerification {
            guard clock.now.timeIntervalSince(typeStates[type.name].slicesVerifiedAt) >= Self.verificationInterval,
                try await store.read({ db in try !db.hasPending(type) })
            else { continue }
            try await refetch(type)
            typeStates[type.name].slicesVerifiedAt = clock.now
            typeStates[type.name].slicesNeedVerification = false
        }
    }

    private static let verificationInterval = 3_600.0

    private func refetch(_ type: RecordType) async throws {
        try await store.write { writer in try writer.clearState(type) }
        try await sync(type)
    }
}
