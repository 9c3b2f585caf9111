import Groundwork
import JMAP

/// The fetches of records that aren't on the device: of their outlines, and of the records that belong on the device.
extension SyncEngine {
    /// Returns whether to request the server's counts. They are needed while the device doesn't know all records.
    func wantsCounts(_ type: RecordType) async throws -> Bool {
        guard type.outline != nil, typeStates[type.name].support == .full else { return false }
        return try await !store.read { db in try db.hasCompleteOutline(type) }
    }

    /// The device's knowledge of a type's records.
    struct OutlineState {
        /// Whether the device knows all of them.
        var hasCompleteOutline = true
        /// Whether an answered bulk write waits for its changes.
        var hasAppliedBulk = false
        /// Whether records that belong on the device may be missing. It is false if the server offers no outline.
        var mayMissRecords = false
    }

    func outlineState(_ type: RecordType) async throws -> OutlineState {
        guard type.outline != nil else { return OutlineState() }
        let hasCheckedWindow = typeStates[type.name].hasCheckedWindow
        return try await store.read { db in
            let position = try db.outlinePosition(type)
            return OutlineState(
                hasCompleteOutline: position.isComplete,
                hasAppliedBulk: try db.hasAppliedBulk(type),
                mayMissRecords: position.isAvailable && (position.mayMissRecords || !hasCheckedWindow)
            )
        }
    }

    /// Fetches a page of the outline while it isn't complete. Then fetches the missing records that belong on the
    /// device, and those that callers requested.
    ///
    /// Changes are requested again between two pages, so that a long outline delays neither changes nor writes.
    ///
    /// - Parameter state: The state up to which the store is current.
    /// - Returns: Whether there is more to do.
    func completeOutline(in scope: TypeScope, at state: String) async throws -> Bool {
        let type = scope.type
        guard type.outline != nil else { return false }
        let position = try await store.read { db in try db.outlinePosition(type) }
        if !position.isComplete, typeStates[type.name].support == .full {
            // The lists are complete already.
            if position.upTo == nil { try await store.write { writer in try writer.setSyncedAt(type) } }
            try await fetchOutlinePage(in: scope, position, at: state)
            guard try await store.read({ db in try db.hasCompleteOutline(type) }) else { return true }
        }
        if try await outlineState(type).mayMissRecords {
            let ids = try await store.read { [settings] db in
                try db.missing(
                    type,
                    device: settings.deviceLimit(of: type, db),
                    atLeast: settings.newDeviceLimit(of: type, db)
                )
            }
            try await fetchMissingOnDevice(ids, in: scope, at: state, isRequested: false)
            typeStates[type.name].hasCheckedWindow = true
        }
        while let wanted = fetchRequests.next(of: type) {
            let outcome: Result<RequestedRecordsResponse, SyncError>
            do {
                outcome = .success(try await fetch(wanted, in: scope, at: state))
            } catch SyncError.method(let error) {
                // A filter that the server rejects doesn't end the sync.
                outcome = .failure(.method(error))
            }
            fetchRequests.complete(wanted, of: type, outcome)
        }
        return false
    }

    private func fetchOutlinePage(in scope: TypeScope, _ position: OutlinePosition, at state: String) async throws {
        let type = scope.type
        let page = typeStates[type.name].outline.page(at: position, state, limit: scope.limits.maxObjectsInGet)
        let step: OutlineFetch.Step
        var received: (SyncResponse, Outgoing)?
        do {
            let (answer, sent) = try await exchange(in: scope, pull: page.pull, carrying: [])
            received = (answer, sent)
            step = try typeStates[type.name].outline.answered(answer.pull, to: page, at: state)
        } catch SyncError.method(let error) where !error.isRetryable {
            step = typeStates[type.name].outline.rejected(page)
        }
        switch step {
        case .store(let found, let isCurrent):
            guard let (answer, sent) = received else { return }
            try await apply(type, answer, sent) { writer in
                if page.isFirst { try writer.beginOutline(type, upTo: page.upTo) }
                // Another process may have started over.
                guard try writer.db.outlinePosition(type).upTo == page.upTo else { return }
                try writer.store(found, of: type, isCurrent: isCurrent)
            }
        case .requestLess: break
        case .startOver: try await store.write { writer in try writer.expireOutline(type) }
        case .skip:
            typeStates[type.name].support = .withoutOutline
            try await store.write { writer in try writer.expireOutline(type) }
        }
    }

    private func fetch(_ wanted: RequestedRecords, in scope: TypeScope, at state: String) async throws
        -> RequestedRecordsResponse
    {
        switch wanted {
        case .ids(let ids):
            try await fetchMissingOnDevice(ids, in: scope, at: state, isRequested: true)
            return RequestedRecordsResponse(count: ids.count, isLast: true, state: state)
        case .matches(let filter, let sort, let position, let limit):
            let (answer, _) = try await exchange(
                in: scope,
                pull: .matches(filter: filter, sort: sort, position: position, limit: limit),
                carrying: []
            )
            guard case .ids(let ids, _, let queryState, let most) = answer.pull else {
                throw SyncError.mismatchedAnswer
            }
            try await fetchMissingOnDevice(ids, in: scope, at: state, isRequested: true)
            let isLast = ids.isEmpty || ids.count < min(limit, most ?? limit)
            return RequestedRecordsResponse(count: ids.count, isLast: isLast, state: queryState)
        }
    }

    /// Fetches the records, of those given, that aren't on the device.
    private func fetchMissingOnDevice(_ ids: [String], in scope: TypeScope, at state: String, isRequested: Bool)
        async throws
    {
        guard !ids.isEmpty else { return }
        let type = scope.type
        let missing = try await store.read { db in try ids.filter { try !db.exists(type, $0) } }
        if isRequested {
            let held = Set(ids).subtracting(missing)
            if !held.isEmpty { try await store.write { writer in try writer.markRequested(type, held.sorted()) } }
        }
        defer { progress.set(nil) }
        try await fetchMissing(
            missing,
            in: scope,
            progress: (0, missing.count),
            since: state,
            carrying: .queue,
            isRequested: isRequested
        )
    }

    // MARK: - Callers that wait for records

    /// Fetches records beyond the window.
    ///
    /// - Throws: ``SyncError``, which is `otherProcess` if another process has run the sync and doesn't know of the
    ///   request; ``StoreError``. Records that were fetched by then stay.
    @discardableResult
    package func fetch(_ records: RequestedRecords, of type: RecordType) async throws -> RequestedRecordsResponse {
        let number = fetchRequests.add(records, of: type)
        defer { fetchRequests.remove(number) }
        try await sync()
        return try answer(to: number)
    }

    /// Returns the outcome of a request for records.
    ///
    /// - Throws: ``SyncError``, which is `otherProcess` if this process hasn't requested the records.
    private func answer(to number: Int) throws -> RequestedRecordsResponse {
        guard let outcome = fetchRequests.outcome(of: number) else { throw SyncError.otherProcess }
        return try outcome.get()
    }

    /// Fetches records beyond the window as soon as a round may begin, and not during a back-off. If the engine isn't
    /// live, the next sync fetches them.
    ///
    /// - Throws: The errors of ``fetch(_:of:)``, and `CancellationError` during a back-off.
    package func fetchWhenDue(_ records: RequestedRecords, of type: RecordType) async throws -> RequestedRecordsResponse
    {
        let rounds = rounds()
        let number = fetchRequests.add(records, of: type)
        defer { fetchRequests.remove(number) }
        if lifecycle.isLive {
            guard let time = earliestRound(), time <= clock.now else { throw CancellationError() }
            try await syncWhenDue()
            return try answer(to: number)
        }
        for await _ in rounds { return try answer(to: number) }
        throw StoreError.closed
    }

    /// Returns the state up to which a type's rows are current; nil before the first sync.
    package func state(of type: RecordType) async -> String? {
        try? await store.read { db in try db.syncPosition(type)?.state }
    }
}

extension MethodError {
    /// Whether the same call may succeed later.
    package var isRetryable: Bool { ["serverUnavailable", "serverFail", "serverPartialFail"].contains(type) }
}
