import Groundwork
import JMAP

/// One type's part of a round: which requests to make, and what to do with their answers.
extension SyncEngine {
    /// Sends what waits and takes what is new, request by request, until neither is left.
    func sync(_ type: RecordType) async throws {
        while true {
            do {
                return try await syncOnce(type)
            } catch is StoreCleared {
                // Emptied in the middle: what was taken before is gone.
            } catch let error as SyncError where type.isOptional && error.isLackOfType {
                return try await leaveAlone(type)
            }
        }
    }

    /// Asks no more about a type that the server lacks, until there is another session.
    private func leaveAlone(_ type: RecordType) async throws {
        unknownTypes.insert(type.name)
        // A server that has the type, but can't tell what changed of it: all of it is asked for again then.
        if type.isWhole { try await store.write { writer in try writer.forgetState(type) } }
    }

    /// The store was emptied while a round was under way.
    struct StoreCleared: Error {}

    private func syncOnce(_ type: RecordType) async throws {
        let session = try await connection.currentSession()
        notice(session)
        guard !unknownTypes.contains(type.name) else { return }
        let account = try self.account(for: type, in: session)
        let limits = session.core
        var maxChanges = min(limits.maxObjectsInGet, 500)
        var state = try await store.read { db -> String? in
            guard let position = try db.syncPosition(type), position.account == account else { return nil }
            // What couldn't be read may be without an id: only all that there is tells whether it has been mended.
            if type.isWhole, try db.hasSetAside(type) { return nil }
            return position.state
        }
        var hasLooked = try await mayRepeat(type)
        if state == nil {
            try await store.write { writer in try writer.setState(type, account: account, nil) }
        }
        var hasTaken = false
        var lastPages = 0
        while true {
            guard let since = state else {
                hasTaken = true
                if type.isWhole {
                    let (new, isDone) = try await takeAll(type, account: account, limits: limits)
                    if isDone { return try await store.write { writer in try writer.setSyncedAt(type) } }
                    state = new
                } else if case .newest = type.window {
                    state = try await resync(type, account: account, limits: limits)
                } else {
                    state = try await takeHeld(type, account: account, limits: limits, carriesWrites: hasLooked)
                }
                continue
            }
            let outline = try await outlineState(type)
            let (answer, sent) = try await exchange(
                type,
                account: account,
                limits: limits,
                pull: .changes(since: since, max: maxChanges),
                wantsCounts: !outline.knowsAll && !withoutOutline.contains(type.name),
                probes: try await probes(beside: type, session),
                carriesWrites: hasLooked
            )
            isUnchanged.merge(answer.isUnchanged) { $1 }
            for other in types where other.isOptional && answer.untold.contains(other.name) {
                try await leaveAlone(other)
            }
            switch answer.pull {
            case .changes(let changes):
                guard !changes.hasMore || changes.newState != since else {
                    throw SyncError.malformed("there are more changes, but the state stays the same")
                }
                if changes.isEmpty, !changes.hasMore, changes.newState != since { doubted.insert(type.name) }
                let isDone = try await apply(type, answer, sent) { [settings] writer in
                    if let groups = type.groups {
                        try writer.noteChanges(type, groups, changes.records.list, gone: changes.records.gone)
                    } else {
                        try writer.applyChanged(type, changes.records.list)
                        try writer.patch(type, changes.patches)
                    }
                    try writer.remove(type, changes.records.gone)
                    if answer.movesState {
                        try writer.setState(type, account: account, changes.newState)
                    } else {
                        try writer.markUnconfirmed(type, changes.records.list)
                    }
                    let mayBeMore = !changes.records.list.isEmpty || !changes.patches.isEmpty
                    if !changes.isEmpty { try writer.noteLack(type) }
                    if mayBeMore, let limit = try settings.deviceLimit(of: type, writer.db) {
                        try writer.evict(type, limit: limit)
                    }
                }
                state = changes.newState
                if !changes.hasMore, answer.movesState, outline.hasAnswered || sent.sealed?.bulk != nil {
                    try await store.write { writer in try writer.settleAnswered(type) }
                }
                if !hasLooked, !changes.hasMore {
                    hasLooked = true
                    try await store.write { writer in try writer.settleRepeated(type) }
                    continue
                }
                if isDone, !changes.hasMore {
                    try await confirm(type, account: account, limits: limits, at: changes.newState)
                    if let groups = type.groups {
                        let state = changes.newState
                        try await fillSlices(type, groups, account: account, limits: limits, since: state)
                    }
                    let wishes = wishes.contains { $0.type == type.name && $0.outcome == nil }
                    let isIdle = !wishes && outline.knowsAll && changes.isEmpty && !outline.mayLack
                    let current = changes.newState
                    if !isIdle,
                        try await completeOutline(type, account: account, limits: limits, at: current, &lastPages)
                    {
                        continue
                    }
                    return try await store.write { writer in
                        try writer.setSyncedAt(type)
                        if !isIdle { try writer.noteLack(type, isThere: false) }
                    }
                }
            case .cannotCalculateChanges:
                try await apply(type, answer, sent) { writer in
                    try writer.setState(type, account: account, nil)
                }
                // A server that can't tell what has changed since a moment ago never can: again, but later.
                if hasTaken {
                    throw SyncError.method(MethodError("cannotCalculateChanges", "right after all was taken"))
                }
                state = nil
            case .tooLarge:
                try await apply(type, answer, sent) { _ in }
                guard maxChanges > 1 else { throw SyncError.malformed("a single change is too large") }
                maxChanges /= 2
            case .noPatches:
                try await apply(type, answer, sent) { _ in }
                withoutOutline.insert(type.name)
            case .records, .window, .ids, .outline:
                throw SyncError.malformed("an answer to something else")
            }
        }
    }

    /// Whether a request may carry what was sealed: not where an earlier one did, and the server wouldn't know it
    /// again.
    func mayRepeat(_ type: RecordType) async throws -> Bool {
        try await store.read { db in try type.repeats == .byBatchKey || db.sealedWrites(type) == nil }
    }

    /// The other types of which it can be asked beside this one whether anything has changed: those that are held
    /// whole, that have a state, and of which nothing waits to be sent. Each is asked about once in a round.
    private func probes(beside type: RecordType, _ session: Session) async throws -> [SyncRequest.Probe] {
        let others = types.filter { other in
            other.isWhole && other.name != type.name && isUnchanged[other.name] == nil
                && !unknownTypes.contains(other.name)
        }
        // Besides the five calls for the type itself.
        let room = session.core.maxCallsInRequest - 5
        guard !others.isEmpty, room > 0 else { return [] }
        let found = try await store.read { db in
            try others.map { other in
                let isIdle = try !db.hasPending(other) && !(other.queue.map { try db.hasQueued($0) } ?? false)
                return try isIdle && db.unconfirmed(other, limit: 1).isEmpty ? db.syncPosition(other) : nil
            }
        }
        let probes = zip(others, found).compactMap { other, position -> SyncRequest.Probe? in
            guard let position, let state = position.state, position.account == account(of: other, in: session)
            else { return nil }
            return SyncRequest.Probe(type: other, account: position.account, state: state)
        }
        return Array(probes.prefix(room))
    }
}

extension SyncError {
    /// Whether the server, or the account, doesn't have the type that was asked about.
    fileprivate var isLackOfType: Bool {
        switch self {
        case .noAccount: true
        case .method(let error): ["unknownMethod", "accountNotSupportedByMethod"].contains(error.type)
        default: false
        }
    }
}
