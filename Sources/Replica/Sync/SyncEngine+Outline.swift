import GRDB
import Groundwork
import JMAP

/// Records that aren't held: their light rows, and those that are to be held after all.
extension SyncEngine {
    /// Whether to ask how many records the server has: while not all of them are known here.
    func wantsCounts(_ type: RecordType) async throws -> Bool {
        guard type.outline != nil, !withoutOutline.contains(type.name) else { return false }
        return try await !store.read { db in try db.knowsAll(type) }
    }

    /// What is known here of a type's records.
    struct OutlineState {
        /// Whether all are known.
        var knowsAll = true
        /// Whether the changes of a write without names are still to come.
        var hasAnswered = false
        /// Whether some that belong onto the device may not be held, so far as the server tells of such.
        var mayLack = false
    }

    func outlineState(_ type: RecordType) async throws -> OutlineState {
        guard type.outline != nil else { return OutlineState() }
        let looked = looked.contains(type.name)
        return try await store.read { db in
            let position = try db.outlinePosition(type)
            return OutlineState(
                knowsAll: position.isComplete,
                hasAnswered: try db.hasAnsweredBulk(type),
                mayLack: position.isOffered && (position.mayLack || !looked)
            )
        }
    }

    /// Takes a page of light rows where not all are there; then the records that belong onto the device and aren't
    /// held, and those that were asked for.
    ///
    /// Between two pages the changes are asked for again, so that a long listing keeps neither news nor writes waiting.
    ///
    /// - Parameters:
    ///   - state: The state up to which the store is current.
    ///   - lastPages: How often in this round the last page was of a later state.
    /// - Returns: Whether there is more to do.
    func completeOutline(
        _ type: RecordType,
        account: String,
        limits: CoreCapability,
        at state: String,
        _ lastPages: inout Int
    ) async throws -> Bool {
        guard type.outline != nil else { return false }
        let position = try await store.read { db in try db.outlinePosition(type) }
        if !position.isComplete, !withoutOutline.contains(type.name) {
            // The lists are there already.
            if position.upTo == nil { try await store.write { writer in try writer.setSyncedAt(type) } }
            try await takeOutline(type, position, account: account, limits: limits, at: state, &lastPages)
            guard try await store.read({ db in try db.knowsAll(type) }) else { return true }
        }
        if try await outlineState(type).mayLack {
            let ids = try await store.read { [settings] db in
                try db.missing(
                    type,
                    device: settings.deviceLimit(of: type, db),
                    atLeast: settings.newDeviceLimit(of: type, db)
                )
            }
            try await fetch(ids, of: type, account: account, limits: limits, at: state, isAsked: false)
            looked.insert(type.name)
        }
        while let wish = wishes.first(where: { $0.type == type.name && $0.outcome == nil }) {
            let outcome: Result<WantedAnswer, SyncError>
            do {
                outcome = .success(
                    try await fetch(wish.records, of: type, account: account, limits: limits, at: state)
                )
            } catch SyncError.method(let error) {
                // What the server can't look for must not keep the sync from its end.
                outcome = .failure(.method(error))
            }
            for place in wishes.indices where wishes[place].isSame(as: wish) { wishes[place].outcome = outcome }
        }
        return false
    }

    /// Takes one page of light rows.
    private func takeOutline(
        _ type: RecordType,
        _ position: OutlinePosition,
        account: String,
        limits: CoreCapability,
        at state: String,
        _ lastPages: inout Int
    ) async throws {
        let upTo = position.upTo ?? state
        let answer: SyncAnswer
        let sent: Outgoing
        do {
            (answer, sent) = try await exchange(
                type,
                account: account,
                limits: limits,
                pull: .outline(
                    upTo: upTo,
                    after: position.cursor,
                    limit: min(outlineLimit, min(limits.maxObjectsInGet, outlineLimit) * 5)
                ),
                carriesQueue: false,
                carriesWrites: false
            )
        } catch SyncError.method(let error) where !error.isOfTheMoment {
            // A place that the server doesn't know, or knows no longer, must not keep all else from going on: from the
            // start then, or not at all.
            if position.upTo == nil { withoutOutline.insert(type.name) }
            return try await store.write { writer in try writer.expireOutline(type) }
        }
        switch answer.pull {
        case .outline(let page):
            guard page.after == nil || page.after != position.cursor else {
                throw SyncError.malformed("an outline that doesn't go on")
            }
            var isCurrent = page.state == nil || page.state == state
            if page.after == nil, !isCurrent {
                lastPages += 1
                // A server whose state moves with each look at it.
                isCurrent = lastPages > Self.mostLastPages
            }
            try await apply(type, answer, sent) { [isCurrent] writer in
                if position.upTo == nil { try writer.beginOutline(type, upTo: upTo) }
                // Another process may have begun anew.
                guard try writer.db.outlinePosition(type).upTo == upTo else { return }
                try writer.take(page, of: type, isCurrent: isCurrent)
            }
        case .tooLarge where outlineLimit > 1:
            outlineLimit /= 2
        // The state from which it was listed is known no longer: from the present one then.
        case .cannotCalculateChanges where position.upTo != nil:
            try await store.write { writer in try writer.expireOutline(type) }
        default:
            throw SyncError.malformed("an answer to something else")
        }
    }

    /// How often in a round the last page is asked for again, since the changes up to its state hadn't come yet.
    private static var mostLastPages: Int { 5 }

    private func fetch(
        _ wanted: WantedRecords,
        of type: RecordType,
        account: String,
        limits: CoreCapability,
        at state: String
    ) async throws -> WantedAnswer {
        switch wanted {
        case .ids(let ids):
            try await fetch(ids, of: type, account: account, limits: limits, at: state, isAsked: true)
            return WantedAnswer(count: ids.count, isLast: true, state: state)
        case .matches(let filter, let sort, let position, let limit):
            let (answer, _) = try await exchange(
                type,
                account: account,
                limits: limits,
                pull: .matches(filter: filter, sort: sort, position: position, limit: limit),
                carriesQueue: false,
                carriesWrites: false
            )
            guard case .ids(let ids, _, let queryState, let most) = answer.pull else {
                throw SyncError.malformed("an answer to something else")
            }
            try await fetch(ids, of: type, account: account, limits: limits, at: state, isAsked: true)
            let isLast = ids.isEmpty || ids.count < min(limit, most ?? limit)
            return WantedAnswer(count: ids.count, isLast: isLast, state: queryState)
        }
    }

    /// Fetches those of some records that aren't held.
    private func fetch(
        _ ids: [String],
        of type: RecordType,
        account: String,
        limits: CoreCapability,
        at state: String,
        isAsked: Bool
    ) async throws {
        guard !ids.isEmpty else { return }
        let missing = try await store.read { db in
            let held = try db.cachedStatement(sql: "SELECT 1 FROM \"\(type.table)\" WHERE id = ?")
            return try ids.filter { try Int.fetchOne(held, arguments: [$0]) == nil }
        }
        if isAsked {
            let held = Set(ids).subtracting(missing)
            if !held.isEmpty { try await store.write { writer in try writer.markAsked(type, held.sorted()) } }
        }
        defer { progress.set(nil) }
        try await take(
            type,
            missing,
            account: account,
            limits: limits,
            of: (0, missing.count),
            since: state,
            carriesWrites: false,
            isAsked: isAsked
        )
    }

    /// Asks for records beyond the window, and waits until they are there.
    ///
    /// - Throws: ``SyncError``, also `otherProcess` where another process has made the sync, which knows nothing of
    ///   them; ``StoreError``. Those that were taken by then stay.
    @discardableResult
    package func fetch(_ some: WantedRecords, of type: RecordType) async throws -> WantedAnswer {
        let number = addWish(some, of: type)
        defer { removeWish(number) }
        try await sync()
        return try answer(to: number)
    }

    /// - Throws: ``SyncError``, also `otherProcess` where this process hasn't asked for it.
    private func answer(to wish: Int) throws -> WantedAnswer {
        guard let outcome = wishes.first(where: { $0.number == wish })?.outcome else { throw SyncError.otherProcess }
        return try outcome.get()
    }

    /// Asks for records beyond the window as a sync by itself would be made: not while it waits after failures. Where
    /// the engine isn't live, the next sync asks for them.
    ///
    /// - Throws: As ``fetch(_:of:)``, or `CancellationError` where it isn't time.
    package func fetchWhenDue(_ some: WantedRecords, of type: RecordType) async throws -> WantedAnswer {
        let rounds = rounds()
        let number = addWish(some, of: type)
        defer { removeWish(number) }
        if isLive {
            guard let time = earliestRound(), time <= clock.now else { throw CancellationError() }
            try await syncWhenDue()
            return try answer(to: number)
        }
        for await _ in rounds { return try answer(to: number) }
        throw StoreError.closed
    }

    private func addWish(_ records: WantedRecords, of type: RecordType) -> Int {
        lastWish += 1
        wishes.append(Wish(number: lastWish, type: type.name, records: records))
        return lastWish
    }

    private func removeWish(_ number: Int) { wishes.removeAll { $0.number == number } }

    /// The state up to which a type's rows are current; nil before the first sync.
    package func state(of type: RecordType) async -> String? {
        try? await store.read { db in try db.syncPosition(type)?.state }
    }
}

extension Database {
    /// Selects the light rows of active records that are kept whatever the window: few, by an index of theirs.
    static func keptOutline(_ type: RecordType, _ retention: RecordType.RetentionRule) -> String {
        """
        SELECT id FROM "\(type.outlineTable)" INDEXED BY "\(type.outlineTable)_kept"
            WHERE NOT (\(retention.evictable.rule())) AND (\(retention.active.rule()))
        """
    }

    /// The light rows of records that belong onto the device: those that are kept whatever the window, those that are
    /// newer than what it holds, and the newest while it holds fewer than a new device.
    ///
    /// - Parameters:
    ///   - most: How many active records a device holds; nil for all.
    ///   - least: How many a new device holds; nil for all.
    fileprivate func missing(_ type: RecordType, device most: Int?, atLeast least: Int?) throws -> [String] {
        guard let outline = type.outline, case .newest(_, _, let retention) = type.window else { return [] }
        let (table, light) = ("\"\(type.table)\"", "\"\(type.outlineTable)\"")
        let (active, evictable, order) = (retention.active.rule(), retention.evictable.rule(), "\"\(outline.order)\"")
        var ids = try String.fetchAll(cachedStatement(sql: Self.keptOutline(type, retention)))
        let held = try Int.fetchOne(cachedStatement(sql: "SELECT count(*) FROM \(table) WHERE \(active)")) ?? 0
        // With a limit of its own: what comes at once and goes again helps nobody.
        ids += try String.fetchAll(
            cachedStatement(
                sql: """
                    SELECT id FROM \(light) WHERE (\(active)) AND (\(order), id) > (
                        SELECT \(order), id FROM \(table)
                            WHERE (\(active)) AND (\(evictable)) AND askedAt IS NULL AND provisionalUntil IS NULL
                            ORDER BY \(order), id LIMIT 1)
                    ORDER BY \(order) DESC, id DESC LIMIT ?
                    """
            ),
            arguments: [most ?? -1]
        )
        // A device with a small window may be asked to begin with a larger one.
        let least = most.map { most in least.map { min($0, most) } ?? most } ?? least
        if held < least ?? .max {
            ids += try String.fetchAll(
                cachedStatement(
                    sql: "SELECT id FROM \(light) WHERE \(active) ORDER BY \(order) DESC, id DESC LIMIT ?"
                ),
                arguments: [least.map { $0 - held } ?? -1]
            )
        }
        var seen: Set<String> = []
        return ids.filter { seen.insert($0).inserted }
    }
}

extension MethodError {
    /// Whether the same call may succeed later.
    var isOfTheMoment: Bool { ["serverUnavailable", "serverFail", "serverPartialFail"].contains(type) }
}
