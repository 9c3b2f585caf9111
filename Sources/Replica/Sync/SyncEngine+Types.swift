import Groundwork
import JMAP

/// One type's part of a round: the requests, and the handling of their answers. ``TypeRound`` decides their order.
extension SyncEngine {
    /// Sends pending writes and fetches changes, request by request, until none are left.
    func sync(_ type: RecordType) async throws {
        while true {
            do {
                return try await syncOnce(type)
            } catch is StoreCleared {
                // The store was emptied during the round: start over.
            } catch let error as SyncError where type.isOptional && error.isUnsupportedType {
                return try await setUnsupported(type)
            }
        }
    }

    /// Skips a type that the server lacks, until the session changes.
    private func setUnsupported(_ type: RecordType) async throws {
        typeStates[type.name].support = .unsupported
        // The server may have the type without being able to calculate its changes. A full sync follows then.
        if type.isFetchedWhole { try await store.write { writer in try writer.clearState(type) } }
    }

    /// Whether the account has a later type with the same records.
    private func isReplaced(_ type: RecordType, in session: Session) -> Bool {
        guard let later = type.replacedBy, let account = account(of: type, in: session) else { return false }
        return session.capabilities[later] != nil && session.accounts[account]?.accountCapabilities[later] != nil
    }

    /// Skips a type that a later one replaces, until the session changes, and removes its records.
    private func removeReplaced(_ type: RecordType) async throws {
        typeStates[type.name].support = .unsupported
        guard try await store.read({ db in try db.count(of: type) > 0 || db.syncPosition(type) != nil }) else { return }
        try await store.write { writer in try writer.clear(type) }
    }

    /// The error of a round during which the store was emptied.
    struct StoreCleared: Error {}

    private func syncOnce(_ type: RecordType) async throws {
        let session = try await connection.currentSession()
        sessionReceived(session)
        guard typeStates[type.name].support != .unsupported else { return }
        if isReplaced(type, in: session) { return try await removeReplaced(type) }
        let scope = TypeScope(type: type, account: try account(for: type, in: session), limits: session.core)
        let state = try await store.read { db -> String? in
            guard let position = try db.syncPosition(type), position.account == scope.account else { return nil }
            // A record that can't be decoded may lack its id. Only a full sync shows whether it was repaired.
            if type.isFetchedWhole, try db.hasSetAside(type) { return nil }
            return position.state
        }
        if state == nil {
            try await store.write { writer in try writer.setState(type, account: scope.account, nil) }
        }
        var round = TypeRound(
            since: state,
            carriesWrites: try await mayRepeat(type),
            limit: min(scope.limits.maxObjectsInGet, 500)
        )
        typeStates[type.name].outline.beginRound()
        var isIdle = false
        while true {
            switch round.next {
            case .fullSync:
                let (state, isComplete) = try await fullSync(in: scope, carrying: round.carried)
                round.fullSynced(to: state, isComplete: isComplete)
                if isComplete { try await store.write { writer in try writer.setSyncedAt(type) } }
            case .changes(let since, let limit):
                isIdle = try await fetchChanges(in: scope, session, since: since, limit: limit, &round)
            case .complete(let state):
                let hasMore = try await complete(in: scope, at: state, isIdle: isIdle)
                round.completed(at: state, hasMore: hasMore)
            case .finished:
                return
            }
        }
    }

    /// Fetches and applies the changes since a state.
    ///
    /// - Returns: Whether nothing has changed and no record is known to be missing.
    private func fetchChanges(
        in scope: TypeScope,
        _ session: Session,
        since: String,
        limit: Int,
        _ round: inout TypeRound
    ) async throws -> Bool {
        let type = scope.type
        let outline = try await outlineState(type)
        let (answer, sent) = try await exchange(
            in: scope,
            pull: .changes(since: since, max: limit),
            carrying: round.carried,
            wantsCounts: !outline.hasCompleteOutline && typeStates[type.name].support == .full,
            probes: try await probes(beside: type, session)
        )
        try await noteProbes(answer)
        switch answer.pull {
        case .changes(let changes):
            guard !changes.hasMore || changes.newState != since else {
                throw SyncError.malformed("there are more changes, but the state stays the same")
            }
            if changes.isEmpty, !changes.hasMore, changes.newState != since {
                typeStates[type.name].reconciliation.request()
            }
            let received = ReceivedChanges(changes: changes, answer: answer, sent: sent)
            let isSent = try await apply(received, in: scope, hasAppliedBulk: outline.hasAppliedBulk)
            let followUp = round.changed(to: changes.newState, hasMore: changes.hasMore, isSent: isSent)
            try await follow(followUp, in: scope, at: changes.newState)
            return changes.isEmpty && outline.hasCompleteOutline && !outline.mayMissRecords
        case .cannotCalculateChanges:
            try await apply(type, answer, sent) { writer in
                try writer.setState(type, account: scope.account, nil)
            }
            guard round.lostState() else {
                throw SyncError.method(MethodError("cannotCalculateChanges", "right after a full sync"))
            }
        case .tooLarge:
            try await apply(type, answer, sent) { _ in }
            guard round.changesTooLarge() else { throw SyncError.malformed("a single change is too large") }
        case .noPatches:
            try await apply(type, answer, sent) { _ in }
            typeStates[type.name].support = .withoutOutline
        case .records, .window, .ids, .outline:
            throw SyncError.mismatchedAnswer
        }
        return false
    }

    /// Records the states of other types in an answer.
    private func noteProbes(_ answer: SyncResponse) async throws {
        for (name, isUnchanged) in answer.isUnchanged {
            typeStates[name].probe = isUnchanged ? .unchanged : .changed
        }
        for other in types where other.isOptional && answer.unsupportedProbes.contains(other.name) {
            try await setUnsupported(other)
        }
    }

    /// Changes, with the whole answer that they are a part of, and the writes that its request has sent.
    private struct ReceivedChanges {
        let changes: SyncResponse.Changes
        let answer: SyncResponse
        let sent: Outgoing
    }

    /// Applies changes and adopts their state.
    ///
    /// - Parameter hasAppliedBulk: Whether the server has applied a bulk write whose changes weren't all received
    ///   before.
    /// - Returns: Whether nothing is left to send.
    private func apply(_ received: ReceivedChanges, in scope: TypeScope, hasAppliedBulk: Bool) async throws -> Bool {
        let (type, changes, answer) = (scope.type, received.changes, received.answer)
        let isSent = try await apply(type, answer, received.sent) { [settings] writer in
            try writer.apply(changes, in: scope, movesState: answer.movesState, settings)
        }
        let isSettled = hasAppliedBulk || received.sent.sealed?.bulk != nil
        if !changes.hasMore, answer.movesState, isSettled {
            try await store.write { writer in try writer.finishAppliedBulk(type) }
        }
        return isSent
    }

    /// Performs the steps that a round requires after changes were applied.
    private func follow(_ followUp: TypeRound.FollowUp, in scope: TypeScope, at state: String) async throws {
        let type = scope.type
        switch followUp {
        case .repeatedWrites:
            // The changes of a type with slices have no values to compare with.
            if type.groups != nil { try await confirm(in: scope, at: state, carrying: .queue) }
            try await store.write { writer in try writer.resolveUnansweredWrites(type) }
        case .none: break
        }
    }

    /// Verifies the records that no answer has confirmed, and fetches the missing ones.
    ///
    /// - Parameter isIdle: Whether no record is known to be missing.
    /// - Returns: Whether there is more to do after the next changes.
    private func complete(in scope: TypeScope, at state: String, isIdle: Bool) async throws -> Bool {
        let type = scope.type
        try await confirm(in: scope, at: state)
        if let groups = type.groups { try await fillSlices(in: scope, groups, since: state) }
        let isIdle = isIdle && fetchRequests.next(of: type) == nil
        if !isIdle, try await completeOutline(in: scope, at: state) { return true }
        try await store.write { writer in
            try writer.setSyncedAt(type)
            if !isIdle { try writer.setMayMissRecords(type, false) }
        }
        return false
    }

    /// Returns whether a request may carry sealed writes: not if an earlier one did and the server doesn't recognize a
    /// repeat.
    private func mayRepeat(_ type: RecordType) async throws -> Bool {
        try await store.read { db in try type.repeatDetection == .byBatchKey || db.sealedWrites(type) == nil }
    }

    /// Returns the probes of other types for this type's request: types of which the device has all records, with a
    /// state and without pending writes. A round probes each once.
    private func probes(beside type: RecordType, _ session: Session) async throws -> [SyncRequest.Probe] {
        let others = types.filter { other in
            let state = typeStates[other.name]
            return other.canBeProbed && other.name != type.name && state.probe == .notSent
                && state.support != .unsupported && !isReplaced(other, in: session)
        }
        // Five calls are reserved for the type itself.
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

extension StoreWriter {
    /// Applies changes and adopts their state.
    fileprivate func apply(
        _ changes: SyncResponse.Changes,
        in scope: TypeScope,
        movesState: Bool,
        _ settings: SyncSettings
    ) throws {
        let type = scope.type
        if let groups = type.groups {
            try noteChanges(type, groups, changes.records.list, removedIDs: changes.records.removedIDs)
        } else {
            try applyChanged(type, changes.records.list)
            try patch(type, changes.patches)
        }
        try remove(type, changes.records.removedIDs)
        if movesState {
            try setState(type, account: scope.account, changes.newState)
        } else {
            try markUnconfirmed(type, changes.records.list)
        }
        if !changes.isEmpty { try setMayMissRecords(type) }
        let mayExceedLimit = !changes.records.list.isEmpty || !changes.patches.isEmpty
        if mayExceedLimit, let limit = try settings.deviceLimit(of: type, db) { try evict(type, limit: limit) }
    }
}

extension SyncError {
    /// Whether the server, or the account, lacks the requested type.
    fileprivate var isUnsupportedType: Bool {
        switch self {
        case .noAccount: true
        case .method(let error): ["unknownMethod", "accountNotSupportedByMethod"].contains(error.type)
        default: false
        }
    }
}
