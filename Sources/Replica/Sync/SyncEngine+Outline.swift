import GRDB
import Groundwork
import JMAP

/// The fetches of records that aren't on the device: of their outlines, and of the records that belong on the device.
extension SyncEngine {
    /// Returns whether to request the server's counts. They are needed while the device doesn't know all records.
    func wantsCounts(_ type: RecordType) async throws -> Bool {
        guard type.outline != nil, !typeStates[type.name].session.lacksOutline else { return false }
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
    /// - Parameters:
    ///   - state: The state up to which the store is current.
    ///   - lastPages: The number of times in this round that the last page was of a later state.
    /// - Returns: Whether there is more to do.
    func completeOutline(in scope: TypeScope, at state: String, _ lastPages: inout Int) async throws -> Bool {
        let type = scope.type
        guard type.outline != nil else { return false }
        let position = try await store.read { db in try db.outlinePosition(type) }
        if !position.isComplete, !typeStates[type.name].session.lacksOutline {
            // The lists are complete already.
            if position.upTo == nil { try await store.write { writer in try writer.setSyncedAt(type) } }
            try await fetchOutlinePage(in: scope, position, at: state, &lastPages)
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
            let outcome: Result<WantedAnswer, SyncError>
            do {
                outcome = .success(try await fetch(wanted, in: scope, at: state))
            } catch SyncError.method(let error) {
                // A filter that the server rejects doesn't end the sync.
                outcome = .failure(.method(error))
            }
            fetchRequests.settle(wanted, of: type, outcome)
        }
        return false
    }

    private func fetchOutlinePage(
        in scope: TypeScope,
        _ position: OutlinePosition,
        at state: String,
        _ lastPages: inout Int
    ) async throws {
        let type = scope.type
        let upTo = position.upTo ?? state
        let size = typeStates[type.name].outlinePage.value
        let answer: SyncAnswer
        let sent: Outgoing
        do {
            (answer, sent) = try await exchange(
                in: scope,
                pull: .outline(
                    upTo: upTo,
                    after: position.cursor,
                    limit: min(size, min(scope.limits.maxObjectsInGet, size) * 5)
                ),
                carriesQueue: false,
                carriesWrites: false
            )
        } catch SyncError.method(let error) where !error.isRetryable {
            // An unknown cursor doesn't end the sync: the outline starts over, or is skipped.
            if position.upTo == nil { typeStates[type.name].session.lacksOutline = true }
            return try await store.write { writer in try writer.expireOutline(type) }
        }
        switch answer.pull {
        case .outline(let page):
            guard page.after == nil || page.after != position.cursor else {
                throw SyncError.malformed("two pages of the outline have the same cursor")
            }
            var isCurrent = page.state == nil || page.state == state
            if page.after == nil, !isCurrent {
                lastPages += 1
                // The server's state changes with each request.
                isCurrent = lastPages > Self.maxLastPages
            }
            try await apply(type, answer, sent) { [isCurrent] writer in
                if position.upTo == nil { try writer.beginOutline(type, upTo: upTo) }
                // Another process may have started over.
                guard try writer.db.outlinePosition(type).upTo == upTo else { return }
                try writer.store(page, of: type, isCurrent: isCurrent)
            }
        case .tooLarge where typeStates[type.name].outlinePage.canHalve:
            typeStates[type.name].outlinePage.halve()
        // The server no longer knows the state of the first page: the outline starts over.
        case .cannotCalculateChanges where position.upTo != nil:
            try await store.write { writer in try writer.expireOutline(type) }
        default:
            throw SyncError.mismatchedAnswer
        }
    }

    /// The maximum number of times in a round that the last page is requested again while the changes up to its state
    /// are missing.
    private static var maxLastPages: Int { 5 }

    private func fetch(_ wanted: WantedRecords, in scope: TypeScope, at state: String) async throws -> WantedAnswer {
        switch wanted {
        case .ids(let ids):
            try await fetchMissingOnDevice(ids, in: scope, at: state, isRequested: true)
            return WantedAnswer(count: ids.count, isLast: true, state: state)
        case .matches(let filter, let sort, let position, let limit):
            let (answer, _) = try await exchange(
                in: scope,
                pull: .matches(filter: filter, sort: sort, position: position, limit: limit),
                carriesQueue: false,
                carriesWrites: false
            )
            guard case .ids(let ids, _, let queryState, let most) = answer.pull else {
                throw SyncError.mismatchedAnswer
            }
            try await fetchMissingOnDevice(ids, in: scope, at: state, isRequested: true)
            let isLast = ids.isEmpty || ids.count < min(limit, most ?? limit)
            return WantedAnswer(count: ids.count, isLast: isLast, state: queryState)
        }
    }

    /// Fetches the records, of those given, that aren't on the device.
    private func fetchMissingOnDevice(_ ids: [String], in scope: TypeScope, at state: String, isRequested: Bool)
        async throws
    {
        guard !ids.isEmpty else { return }
        let type = scope.type
        let missing = try await store.read { db in
            let held = try db.cachedStatement(sql: "SELECT 1 FROM \"\(type.table)\" WHERE id = ?")
            return try ids.filter { try Int.fetchOne(held, arguments: [$0]) == nil }
        }
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
            carriesWrites: false,
            isRequested: isRequested
        )
    }

    // MARK: - Callers that wait for records

    /// Fetches records beyond the window.
    ///
    /// - Throws: ``SyncError``, which is `otherProcess` if another process has run the sync and doesn't know of the
    ///   request; ``StoreError``. Records that were fetched by then stay.
    @discardableResult
    package func fetch(_ records: WantedRecords, of type: RecordType) async throws -> WantedAnswer {
        let number = fetchRequests.add(records, of: type)
        defer { fetchRequests.remove(number) }
        try await sync()
        return try answer(to: number)
    }

    /// - Throws: ``SyncError``, which is `otherProcess` if this process hasn't requested the records.
    private func answer(to number: Int) throws -> WantedAnswer {
        guard let outcome = fetchRequests.outcome(of: number) else { throw SyncError.otherProcess }
        return try outcome.get()
    }

    /// Fetches records beyond the window as soon as a round may begin, and not during a back-off. If the engine isn't
    /// live, the next sync fetches them.
    ///
    /// - Throws: The errors of ``fetch(_:of:)``, and `CancellationError` during a back-off.
    package func fetchWhenDue(_ records: WantedRecords, of type: RecordType) async throws -> WantedAnswer {
        let rounds = rounds()
        let number = fetchRequests.add(records, of: type)
        defer { fetchRequests.remove(number) }
        if isLive {
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

extension Database {
    /// Selects the outline rows of active records that are kept outside the window too. They are few, and have an index
    /// of their own.
    static func keptOutline(_ type: RecordType, _ retention: RecordType.RetentionRule) -> String {
        """
        SELECT id FROM "\(type.outlineTable)" INDEXED BY "\(type.outlineTable)_kept"
            WHERE NOT (\(retention.evictable.rule())) AND (\(retention.active.rule()))
        """
    }

    /// Returns the ids of outline rows whose records belong on the device: those that are kept outside the window too,
    /// those that are newer than the records on the device, and the newest ones while the device has fewer records than
    /// a new device fetches.
    ///
    /// - Parameters:
    ///   - maxCount: The number of active records that a device keeps; nil for all.
    ///   - minCount: The number that a new device fetches; nil for all.
    fileprivate func missing(_ type: RecordType, device maxCount: Int?, atLeast minCount: Int?) throws -> [String] {
        guard let outline = type.outline, case .newest(_, _, let retention) = type.window else { return [] }
        let (table, outlineTable) = ("\"\(type.table)\"", "\"\(type.outlineTable)\"")
        let (active, evictable, order) = (retention.active.rule(), retention.evictable.rule(), "\"\(outline.order)\"")
        var ids = try String.fetchAll(cachedStatement(sql: Self.keptOutline(type, retention)))
        let held = try Int.fetchOne(cachedStatement(sql: "SELECT count(*) FROM \(table) WHERE \(active)")) ?? 0
        // Limited to the window, because records beyond it would be removed again at once.
        ids += try String.fetchAll(
            cachedStatement(
                sql: """
                    SELECT id FROM \(outlineTable) WHERE (\(active)) AND (\(order), id) > (
                        SELECT \(order), id FROM \(table)
                            WHERE (\(active)) AND (\(evictable)) AND askedAt IS NULL AND provisionalUntil IS NULL
                            ORDER BY \(order), id LIMIT 1)
                    ORDER BY \(order) DESC, id DESC LIMIT ?
                    """
            ),
            arguments: [maxCount ?? -1]
        )
        // A device with a small window may be configured to begin with a larger one.
        let minCount = maxCount.map { maxCount in minCount.map { min($0, maxCount) } ?? maxCount } ?? minCount
        if held < minCount ?? .max {
            ids += try String.fetchAll(
                cachedStatement(
                    sql: "SELECT id FROM \(outlineTable) WHERE \(active) ORDER BY \(order) DESC, id DESC LIMIT ?"
                ),
                arguments: [minCount.map { $0 - held } ?? -1]
            )
        }
        var seen: Set<String> = []
        return ids.filter { seen.insert($0).inserted }
    }
}

extension MethodError {
    /// Whether the same call may succeed later.
    var isRetryable: Bool { ["serverUnavailable", "serverFail", "serverPartialFail"].contains(type) }
}
