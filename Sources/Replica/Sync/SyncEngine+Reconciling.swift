import Groundwork

/// The verification of types whose state changed although no record had changed. ``Reconciliation`` decides what to
/// fetch again.
extension SyncEngine {
    /// Verifies the types whose state changed in this round without changes, and fetches again those that differ from
    /// the server's counts.
    func reconcile() async throws {
        let requested = types.filter { typeStates[$0.name].reconciliation.begin(hasSlices: $0.groups != nil) }
        // Types of which the device has all records contain the counts of the others.
        for type in requested where type.isFetchedWhole { try await refetch(type) }
        for type in requested where !type.isFetchedWhole {
            guard let audit = type.audit else { continue }
            let difference = try await store.read { db in try db.hasPending(type) ? nil : audit(db) }
            if typeStates[type.name].reconciliation.compared(difference) { try await refetch(type) }
        }
        for type in types where typeStates[type.name].reconciliation.needsSlices(at: clock.now) {
            guard try await !store.read({ db in try db.hasPending(type) }) else { continue }
            try await refetch(type)
            typeStates[type.name].reconciliation.slicesFetched(at: clock.now)
        }
        for type in types { typeStates[type.name].reconciliation.cancelRequest() }
    }

    private func refetch(_ type: RecordType) async throws {
        try await store.write { writer in try writer.clearState(type) }
        try await sync(type)
    }
}
