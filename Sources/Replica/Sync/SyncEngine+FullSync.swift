import GRDB
import Groundwork
import JMAP

/// Full syncs, for a type whose changes can't be calculated or whose state isn't known.
extension SyncEngine {
    /// Fetches the records of a type that its window keeps on the device.
    ///
    /// - Parameter carriesWrites: Whether requests carry pending writes.
    /// - Returns: The state from which changes are requested, and whether nothing is left to fetch or to send.
    func fullSync(in scope: TypeScope, carriesWrites: Bool) async throws -> (state: String, isComplete: Bool) {
        log.fullSyncBegan(scope.type.name)
        if scope.type.isFetchedWhole { return try await fetchAll(in: scope) }
        if case .newest = scope.type.window { return (try await refreshWindow(in: scope), false) }
        return (try await refreshCached(in: scope, carriesWrites: carriesWrites), false)
    }

    /// Fetches all records, and with them the state, in one answer.
    private func fetchAll(in scope: TypeScope) async throws -> (state: String, isComplete: Bool) {
        let type = scope.type
        let (answer, sent) = try await exchange(in: scope, pull: .all)
        guard case .records(let records) = answer.pull else {
            try await apply(type, answer, sent) { _ in }
            throw SyncError.malformed("the records of \(type.name) don't fit into one answer")
        }
        let isSent = try await apply(type, answer, sent) { writer in
            try writer.replace(type, with: records.list)
            if answer.movesState { try writer.setState(type, account: scope.account, records.state) }
        }
        return (records.state, isSent)
    }

    // MARK: - Everything, and slices

    /// Fetches again the records on the device. If all records belong on the device, it fetches the missing ones too.
    /// All slices become due.
    ///
    /// The fetch of missing records resumes where it was interrupted, also in another process. The fetch of records on
    /// the device starts from the beginning.
    private func refreshCached(in scope: TypeScope, carriesWrites: Bool) async throws -> String {
        defer { progress.set(nil) }
        let type = scope.type
        let (state, storedIDs) = try await stateOfCached(in: scope, carriesWrites: carriesWrites)
        if case .everything = type.window {
            let all = try await ids(in: scope)
            let (known, listed) = (Set(storedIDs), Set(all))
            let missing = all.filter { !known.contains($0) }
            // Sync removes only what the server reports as gone, so the unlisted ones are requested too.
            let unlisted = storedIDs.filter { !listed.contains($0) }
            try await fetchMissing(
                missing + unlisted,
                in: scope,
                progress: (all.count - missing.count, all.count),
                since: state,
                carriesWrites: carriesWrites
            )
        }
        try await store.write { writer in
            guard try writer.db.syncPosition(type) != nil else { throw StoreCleared() }
            if case .slices = type.window { try writer.makeSlicesDue(type) }
            try writer.setState(type, account: scope.account, state)
            try writer.setWindowState(type, nil)
        }
        return state
    }

    /// Returns the state of the records on the device. Records of another state are fetched again first.
    ///
    /// - Returns: The state, and the ids on the device before the fetch.
    private func stateOfCached(
        in scope: TypeScope,
        carriesWrites: Bool
    ) async throws -> (state: String, storedIDs: [String]) {
        let type = scope.type
        let (begun, storedIDs) = try await store.read { db in
            (try db.windowState(type), try String.fetchAll(db, sql: "SELECT id FROM \"\(type.table)\""))
        }
        if let begun { return (begun, storedIDs) }
        let (answer, sent) = try await exchange(in: scope, pull: .state, carriesWrites: false)
        guard case .records(let records) = answer.pull else { throw SyncError.mismatchedAnswer }
        let state = records.state
        try await fetchMissing(
            storedIDs,
            in: scope,
            progress: (0, storedIDs.count),
            since: state,
            carriesWrites: carriesWrites
        )
        try await apply(type, answer, sent) { writer in try writer.setWindowState(type, state) }
        return (state, storedIDs)
    }

    /// Returns the ids of all records, the newest first, without duplicates.
    ///
    /// If the list changes between two pages, a record may be missing from both. The list is then requested from its
    /// start, and the result has the ids of all readings.
    private func ids(in scope: TypeScope) async throws -> [String] {
        var ids: [String] = []
        var known: Set<String> = []
        for _ in 0..<Self.maxReadings {
            var first: String?
            var position = 0
            var isSame = true
            while isSame {
                let pull = SyncRequest.Pull.ids(position: position, limit: Self.idsPerQuery)
                let (answer, _) = try await exchange(in: scope, pull: pull, carriesWrites: false)
                guard case .ids(let page, let total, let queryState, _) = answer.pull else {
                    throw SyncError.mismatchedAnswer
                }
                ids += page.filter { known.insert($0).inserted }
                position += page.count
                first = first ?? queryState
                isSame = first == queryState
                if page.isEmpty || total.map({ position >= $0 }) ?? false { break }
            }
            if isSame { break }
        }
        return ids
    }

    private static let idsPerQuery = 10_000
    /// The maximum number of readings of a list that changes while it is read.
    private static let maxReadings = 5

    // MARK: - The newest

    /// Fetches again the records on the device, removes only those that the server reports as gone, and fetches the
    /// newest.
    private func refreshWindow(in scope: TypeScope) async throws -> String {
        let type = scope.type
        let storedIDs = try await store.read { db in
            try String.fetchAll(db, sql: "SELECT id FROM \"\(type.table)\" ORDER BY rowid")
        }
        let earliest = try await fetch(storedIDs, in: scope) { writer, records, _ in
            try writer.apply(type, records.list)
            try writer.remove(type, records.removedIDs)
        }
        return try await fetchWindow(in: scope, since: earliest)
    }

    /// Fetches the newest records page by page, and stores the state with the last page.
    ///
    /// If the list changes between two pages, a record may be missing from both. The list is then requested from its
    /// start.
    ///
    /// - Parameter earliest: The state from which changes are requested; nil for that of the first page.
    private func fetchWindow(in scope: TypeScope, since earliest: String?) async throws -> String {
        let type = scope.type
        let maxRecords = try await store.read { [settings] db in try settings.newDeviceLimit(of: type, db) }
        var state = earliest
        var position = 0
        var page = HalvingSize(scope.limits.maxObjectsInGet)
        var readings = 1
        var first: String?
        while true {
            let wanted = min(page.value, maxRecords.map { $0 - position } ?? page.value)
            let (answer, sent) = try await exchange(
                in: scope,
                pull: .window(position: position, limit: wanted),
                wantsCounts: try await wantsCounts(type)
            )
            switch answer.pull {
            case .window(let window):
                let start = state ?? window.state
                state = start
                let hasMoved = position > 0 && window.queryState != first && readings < Self.maxReadings
                first = window.queryState
                position = hasMoved ? 0 : position + window.ids
                if hasMoved { readings += 1 }
                let isLast = !hasMoved && (window.ids == 0 || maxRecords.map { position >= $0 } ?? false)
                try await apply(type, answer, sent) { [settings] writer in
                    try writer.apply(type, window.records.list)
                    try writer.remove(type, window.records.removedIDs)
                    if window.records.state != start { try writer.markUnconfirmed(type, window.records.list) }
                    if let limit = try settings.deviceLimit(of: type, writer.db) {
                        try writer.evict(type, limit: limit)
                    }
                    if isLast, answer.movesState { try writer.setState(type, account: scope.account, start) }
                }
                if isLast { return start }
            case .tooLarge where page.canHalve:
                try await apply(type, answer, sent) { _ in }
                page.halve(requested: wanted)
            default:
                throw SyncError.mismatchedAnswer
            }
        }
    }
}
