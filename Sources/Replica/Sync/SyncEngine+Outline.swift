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

    /// Whether all records are known here, and whether the changes of a write without names are still to come.
    func outlineState(_ type: RecordType) async throws -> (knowsAll: Bool, hasAnswered: Bool) {
        guard type.outline != nil else { return (true, false) }
        return try await store.read { db in (try db.knowsAll(type), try db.hasAnsweredBulk(type)) }
    }

    /// Takes a page of light rows where not all are there; then the records that belong onto the device and aren't held, and those that were asked
    /// for.
    ///
    /// Between two pages the changes are asked for again, so that a long listing keeps neither news nor writes waiting.
    ///
    /// - Parameters:
    ///   - state: The state up to which the store is current.
    ///   - hasNews: Whether anything may have come or gone since it was last looked which records are to be held.
    /// - Returns: Whether there is more to do.
    func completeOutline(
        _ type: RecordType,
        account: String,
        limits: CoreCapability,
        at state: String,
        _ hasNews: inout Bool
    ) async throws -> Bool {
        guard type.outline != nil else { return false }
        let position = try await store.read { db in try db.outlinePosition(type) }
        if !position.isComplete, !withoutOutline.contains(type.name) {
            hasNews = true
            // The lists are there already.
            if position.upTo == nil { try await store.write { writer in try writer.setSyncedAt(type) } }
            try await takeOutline(type, position, account: account, limits: limits, at: state)
            guard try await store.read({ db in try db.knowsAll(type) }) else { return true }
        }
        if hasNews {
            let ids = try await store.read { [settings] db in
                try db.missing(
                    type,
                    device: settings.deviceLimit(of: type, db),
                    atLeast: settings.newDeviceLimit(of: type, db)
                )
            }
            try await fetch(ids, of: type, account: account, limits: limits, at: state, isAsked: false)
            hasNews = false
        }
        while let wanted = nextWanted(of: type) {
            do {
                try await fetch(wanted, of: type, account: account, limits: limits, at: state)
            } catch SyncError.method {
                // What the server can't look for is left to what is here: it must not keep the sync from its end.
                continue
            }
        }
        return false
    }

    /// Takes one page of light rows.
    private func takeOutline(
        _ type: RecordType,
        _ position: OutlinePosition,
        account: String,
        limits: CoreCapability,
        at state: String
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
                    limit: min(outlineLimit, limits.maxObjectsInGet * 5)
                ),
                carriesQueue: false,
                carriesWrites: false
            )
        } catch SyncError.method(let error) where ["unknownMethod", "forbidden"].contains(error.type) {
            withoutOutline.insert(type.name)
            return
        }
        switch answer.pull {
        case .outline(let page):
            guard page.after == nil || page.after != position.cursor else {
                throw SyncError.malformed("an outline that doesn't go on")
            }
            try await apply(type, answer, sent) { writer in
                if position.upTo == nil { try writer.beginOutline(type, upTo: upTo) }
                // Another process may have begun anew.
                guard try writer.db.outlinePosition(type).upTo == upTo else { return }
                try writer.take(page, of: type)
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

    private func fetch(
        _ wanted: WantedRecords,
        of type: RecordType,
        account: String,
        limits: CoreCapability,
        at state: String
    ) async throws {
        switch wanted {
        case .ids(let ids):
            try await fetch(ids, of: type, account: account, limits: limits, at: state, isAsked: true)
        case .matches(let filter, let sort, let limit):
            let (answer, _) = try await exchange(
                type,
                account: account,
                limits: limits,
                pull: .matches(filter: filter, sort: sort, position: 0, limit: limit),
                carriesQueue: false,
                carriesWrites: false
            )
            guard case .ids(let ids, _, _) = answer.pull else {
                throw SyncError.malformed("an answer to something else")
            }
            try await fetch(ids, of: type, account: account, limits: limits, at: state, isAsked: true)
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
    /// - Throws: ``SyncError``, ``StoreError``; those that were taken by then stay.
    package func fetch(_ some: WantedRecords, of type: RecordType) async throws {
        wanted[type.name, default: []].append(some)
        // Also where another process syncs, or the round came to nothing.
        defer { wanted[type.name]?.removeAll { $0 == some } }
        try await sync()
    }

    /// Asks for records beyond the window as a sync by itself would be made: not while it waits after failures. Where the engine isn't live, the next
    /// sync asks for them.
    ///
    /// - Throws: ``SyncError``, ``StoreError``, or `CancellationError` where it isn't time.
    package func fetchWhenDue(_ some: WantedRecords, of type: RecordType) async throws {
        guard isLive else {
            if wanted[type.name]?.contains(some) != true { wanted[type.name, default: []].append(some) }
            throw CancellationError()
        }
        guard let time = earliestRound(), time <= clock.now else { throw CancellationError() }
        wanted[type.name, default: []].append(some)
        defer { wanted[type.name]?.removeAll { $0 == some } }
        try await syncWhenDue()
    }

    /// The state up to which a type's rows are current; nil before the first sync.
    package func state(of type: RecordType) async -> String? {
        try? await store.read { db in try db.syncPosition(type)?.state }
    }

    private func nextWanted(of type: RecordType) -> WantedRecords? {
        guard let some = wanted[type.name], !some.isEmpty else { return nil }
        return wanted[type.name]?.removeFirst()
    }
}

extension Database {
    /// The light rows of records that belong onto the device: those that are kept whatever the window, those that are newer than what it holds, and
    /// the newest while it holds fewer than a new device.
    ///
    /// - Parameters:
    ///   - most: How many active records a device holds; nil for all.
    ///   - least: How many a new device holds; nil for all.
    fileprivate func missing(_ type: RecordType, device most: Int?, atLeast least: Int?) throws -> [String] {
        guard let outline = type.outline, case .newest(_, _, let retention) = type.window else { return [] }
        let (table, light) = ("\"\(type.table)\"", "\"\(type.outlineTable)\"")
        let (active, evictable, order) = (retention.active.rule(), retention.evictable.rule(), "\"\(outline.order)\"")
        var ids = try String.fetchAll(
            cachedStatement(sql: "SELECT id FROM \(light) WHERE NOT (\(evictable)) AND (\(active))")
        )
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
