import Groundwork
import JMAP

/// The fetches for types of which a device has slices: the records that queries request, and no others.
extension SyncEngine {
    /// Fetches the due slices with their missing records, and removes the records that no slice requests any more.
    ///
    /// Fetched records are stored at once, so that an interrupted fetch continues where it stopped.
    func fillSlices(
        in scope: TypeScope,
        _ groups: RecordGroups,
        since state: String
    ) async throws {
        defer { progress.set(nil) }
        let type = scope.type
        let source = SliceSource(
            engine: self,
            requests: SliceRequests(type: type, groups: groups, account: scope.account),
            scope: scope,
            state: state
        )
        let (changed, stale) = try await store.read { db in
            let changed = try db.dueGroups(type)
            return (changed, try db.groupsOnDevice(type, groups, changed))
        }
        var whole = stale
        try await source.complete(stale)
        var isEnded = changed.isEmpty
        while true {
            let due = try await store.read { db in
                try db.dueSlices(type).map { ($0, try db.groups(ofSlice: $0.slice.key)) }
            }
            guard !due.isEmpty else { break }
            isEnded = false
            for (stored, _) in due where stored.isDropped { slices.removeMatcher(stored.slice.key) }
            var fillings = due.filter { !$0.0.isDropped }.map { SliceFilling($0.0.slice, before: $0.1) }
            while fillings.contains(where: { !$0.isDone }) {
                try await step(&fillings, source, changed, &whole)
            }
            try await store.write { [fillings] writer in
                for filling in fillings { try writer.setGroups(filling.groups, of: filling.slice, type) }
                try writer.deleteDropped(type, changes: [])
            }
        }
        guard !isEnded else { return }
        try await store.write { writer in
            try writer.deleteDropped(type, changes: changed)
            try writer.evictUnrequested(type, groups)
        }
    }

    /// Fetches one more page of each slice, with as many slices in one request as the server allows.
    private func step(
        _ fillings: inout [SliceFilling],
        _ source: SliceSource,
        _ changed: Set<String>,
        _ whole: inout Set<String>
    ) async throws {
        let (type, groups) = (source.requests.type, source.requests.groups)
        let open = Array(fillings.indices.filter { !fillings[$0].isDone }.prefix(source.scope.limits.maxCallsInRequest))
        let parts = try await store.read { [fillings] db in
            try open.map { index in
                let filter = try fillings[index].currentFilter.map { try groups.resolve($0, db) }
                return fillings[index].next(resolved: filter)
            }
        }
        let answers = try await source.query(parts)
        var names: [String: String] = [:]
        for case .ids(let ids, _) in answers { names.merge(try await source.groups(of: ids)) { first, _ in first } }
        for (index, answer) in zip(open, answers) {
            let filling = fillings[index]
            let (ids, isLast): ([String], Bool)
            switch answer {
            case .ids(let page, let last): (ids, isLast) = (page, last)
            case .refused(let error):
                guard filling.currentFilter != nil else { throw SyncError.method(error) }
                fillings[index].refused()
                continue
            }
            let listed = ids.compactMap { id in names[id].map { (id: id, group: $0) } }
            let missing = try await store.read { [whole] db in
                let all = Set(listed.map(\.group))
                let held = try db.groupsOnDevice(type, groups, all)
                // Groups that didn't match and haven't changed since aren't fetched again.
                let passed = all.filter { filling.before[$0] == false && !changed.contains($0) && !held.contains($0) }
                let here = try db.completeGroups(type, all)
                return (passed: passed, incomplete: all.subtracting(passed).subtracting(here).subtracting(whole))
            }
            try await source.complete(missing.incomplete)
            whole.formUnion(missing.incomplete)
            let matching = try await matching(filling.slice, listed.filter { !missing.passed.contains($0.group) })
            fillings[index].add(
                listed.map { ($0.group, matching.contains($0.id)) },
                of: ids.count,
                isLast: isLast
            )
        }
    }

    /// Returns the ids of the records that a slice's query matches; all ids if no query of this process has requested
    /// the slice.
    private func matching(_ slice: Slice, _ listed: [(id: String, group: String)]) async throws -> Set<String> {
        guard let matcher = slices.matcher(slice.key) else { return Set(listed.map(\.id)) }
        return try await store.read { db in
            guard slice.isCollapsed else { return try matcher(db, listed.map(\.id)) }
            let groups = try matcher(db, listed.map(\.group))
            return Set(listed.filter { groups.contains($0.group) }.map(\.id))
        }
    }
}

/// The requests for slices, split into chunks that the account accepts.
private struct SliceSource {
    let engine: SyncEngine
    let requests: SliceRequests
    let scope: TypeScope
    /// The state from which changes are requested next.
    let state: String

    func query(_ parts: [SliceRequests.Part]) async throws -> [SliceRequests.Answer] {
        guard case .slices(let sort, _) = requests.type.window else { return [] }
        return try requests.answers(
            await engine.connection.call(requests.request(parts, sort: sort)),
            to: parts
        )
    }

    /// Returns the groups of records, which may not be on the device. Records that the server no longer has are
    /// omitted.
    func groups(of ids: [String]) async throws -> [String: String] {
        let (type, column) = (requests.type, requests.groups.column)
        var names = try await engine.store.read { db in try db.groupNames(type, column, of: ids) }
        let unknown = ids.filter { names[$0] == nil }
        try await request(unknown, requests.groupsRequest, read: requests.groups) { found in
            names.merge(found) { $1 }
        }
        return names
    }

    /// Fetches the missing records of groups.
    func complete(_ names: Set<String>) async throws {
        let type = requests.type
        try await request(names.sorted(), requests.membersRequest, read: requests.members) { ids in
            let held = try await engine.store.read { db in try db.groupNames(type, requests.groups.column, of: ids) }
            let missing = Set(ids.filter { held[$0] == nil }).sorted()
            try await engine.fetchMissing(
                missing,
                in: scope,
                progress: (0, missing.count),
                since: state,
                carrying: .queue
            )
        }
    }

    /// Requests something about ids, chunk by chunk. A chunk halves until its request and its answer aren't too large.
    ///
    /// - Parameter receive: Receives the content of each answer.
    private func request<Content>(
        _ ids: [String],
        _ request: (_ ids: [String]) -> Request,
        read: (Response) throws -> Content,
        receive: (Content) async throws -> Void
    ) async throws {
        var fetch = ChunkedFetch(ids, limit: scope.limits.maxObjectsInGet)
        try await fetch.run { fetch, chunk in
            let content: Content
            do {
                content = try read(await engine.connection.call(request(chunk)))
            } catch let error as SyncError where error.isAboutSize && fetch.canHalve {
                return false
            }
            fetch.advance()
            try await receive(content)
            return true
        }
    }
}
