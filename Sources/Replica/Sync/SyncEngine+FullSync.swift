import Groundwork
import JMAP

/// Full syncs, for a type whose changes can't be calculated or whose state isn't known.
extension SyncEngine {
    /// Fetches the records of a type that its window keeps on the device.
    ///
    /// - Parameter parts: The parts that requests carry.
    /// - Returns: The state from which changes are requested, and whether nothing is left to fetch or to send.
    func fullSync(in scope: TypeScope, carrying parts: SendParts) async throws -> (state: String, isComplete: Bool) {
        log.fullSyncBegan(scope.type.name)
        if scope.type.isFetchedWhole { return try await fetchAll(in: scope) }
        if case .newest = scope.type.window { return (try await refreshWindow(in: scope), false) }
        return (try await refreshCached(in: scope, carrying: parts), false)
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
    private func refreshCached(in scope: TypeScope, carrying parts: SendParts) async throws -> String {
        defer { progress.set(nil) }
        let type = scope.type
        let (state, storedIDs) = try await stateOfCached(in: scope, carrying: parts)
        if case .everything = type.window {
            let all = try await ids(in: scope)
            let (known, listed) = (Set(storedIDs), Set(all))
            let missing = all.filter { !known.contains($0) }
            // Sync removes only records that the server reports as gone, so the unlisted ones are requested too.
            let unlisted = storedIDs.filter { !listed.contains($0) }
            try await fetchMissing(
                missing + unlisted,
                in: scope,
                progress: (all.count - missing.count, all.count),
                since: state,
                carrying: parts
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
        carrying parts: SendParts
    ) async throws -> (state: String, storedIDs: [String]) {
        let type = scope.type
        let (begun, storedIDs) = try await store.read { db in
            (try db.windowState(type), try db.ids(of: type))
        }
        if let begun { return (begun, storedIDs) }
        let (answer, sent) = try await exchange(in: scope, pull: .state, carrying: [])
        guard case .records(let records) = answer.pull else { throw SyncError.mismatchedAnswer }
        let state = records.state
        try await fetchMissing(
            storedIDs,
            in: scope,
            progress: (0, storedIDs.count),
            since: state,
            carrying: parts
        )
        try await apply(type, answer, sent) { writer in try writer.setWindowState(type, state) }
        return (state, storedIDs)
    }

    /// Returns the ids of all records, the newest first, without duplicates.
    private func ids(in scope: TypeScope) async throws -> [String] {
        var listing = IDListing()
        try await listing.run { listing, page in
            let (answer, _) = try await exchange(
                in: scope,
                pull: .ids(position: page.position, limit: page.limit),
                carrying: []
            )
            switch answer.pull {
            case .ids(let ids, let total, let queryState, _):
                listing.received(ids, total: total, queryState: queryState)
                return true
            case .tooLarge: return false
            default: throw SyncError.mismatchedAnswer
            }
        }
        return listing.ids
    }

    // MARK: - The newest

    /// Fetches again the records on the device, removes only those that the server reports as gone, and fetches the
    /// newest.
    private func refreshWindow(in scope: TypeScope) async throws -> String {
        let type = scope.type
        let storedIDs = try await store.read { db in try db.idsAsStored(of: type) }
        let earliest = try await fetch(storedIDs, in: scope) { writer, records, _ in
            try writer.apply(type, records.list)
            try writer.remove(type, records.removedIDs)
        }
        return try await fetchWindow(in: scope, since: earliest)
    }

    /// Fetches the newest records page by page, and stores the state with the last page.
    ///
    /// - Parameter earliest: The state from which changes are requested; nil for that of the first page.
    private func fetchWindow(in scope: TypeScope, since earliest: String?) async throws -> String {
        let type = scope.type
        let maxRecords = try await store.read { [settings] db in try settings.newDeviceLimit(of: type, db) }
        var fetch = WindowFetch(since: earliest, maxRecords: maxRecords, limit: scope.limits.maxObjectsInGet)
        var start = ""
        try await fetch.run { fetch, page in
            let (answer, sent) = try await exchange(
                in: scope,
                pull: .window(position: page.position, limit: page.limit),
                wantsCounts: try await wantsCounts(type)
            )
            switch answer.pull {
            case .window(let window):
                let received = fetch.received(window.ids, state: window.state, queryState: window.queryState)
                start = received.start
                try await apply(type, answer, sent) { [settings] writer in
                    try writer.apply(type, window.records.list)
                    try writer.remove(type, window.records.removedIDs)
                    if window.records.state != received.start { try writer.markUnconfirmed(type, window.records.list) }
                    if let limit = try settings.deviceLimit(of: type, writer.db) {
                        try writer.evict(type, limit: limit)
                    }
                    if received.isLast, answer.movesState {
                        try writer.setState(type, account: scope.account, received.start)
                    }
                }
                return true
            case .tooLarge:
                try await apply(type, answer, sent) { _ in }
                return false
            default: throw SyncError.mismatchedAnswer
            }
        }
        return start
    }
}
