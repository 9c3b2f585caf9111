import GRDB
import Groundwork
import JMAP

/// One type's part of a round: which requests to make, and what to do with their answers.
extension SyncEngine {
    // MARK: - One type

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
        var hasLooked = try await store.read { db in try type.repeats == .byBatchKey || db.sealedWrites(type) == nil }
        if state == nil {
            try await store.write { writer in try writer.setState(type, account: account, nil) }
        }
        var hasTaken = false
        while true {
            guard let since = state else {
                hasTaken = true
                if type.isWhole {
                    let (new, isDone) = try await takeAll(type, account: account, limits: limits)
                    if isDone { return try await store.write { writer in try writer.setSyncedAt(type) } }
                    state = new
                } else if case .everything = type.window {
                    state = try await takeEverything(type, account: account, limits: limits, carriesWrites: hasLooked)
                } else if case .slices = type.window {
                    state = try await beginSlices(type, account: account, limits: limits, carriesWrites: hasLooked)
                } else {
                    state = try await resync(type, account: account, limits: limits)
                }
                continue
            }
            let (answer, sent) = try await exchange(
                type,
                account: account,
                limits: limits,
                pull: .changes(since: since, max: maxChanges),
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
                if changes.records.isEmpty, !changes.hasMore, changes.newState != since { doubted.insert(type.name) }
                let isDone = try await apply(type, answer, sent) { [settings] writer in
                    if let groups = type.groups {
                        try writer.noteChanges(type, groups, changes.records.list, gone: changes.records.gone)
                    } else {
                        try writer.apply(type, changes.records.list)
                    }
                    try writer.remove(type, changes.records.gone)
                    if answer.movesState {
                        try writer.setState(type, account: account, changes.newState)
                    } else {
                        try writer.markUnconfirmed(type, changes.records.list)
                    }
                    if let limit = settings.deviceLimit, !changes.records.list.isEmpty {
                        try writer.evict(type, limit: limit)
                    }
                }
                state = changes.newState
                if !hasLooked, !changes.hasMore {
                    hasLooked = true
                    try await store.write { writer in try writer.settleRepeated(type) }
                    continue
                }
                if isDone, !changes.hasMore {
                    try await confirm(type, account: account, limits: limits)
                    if let groups = type.groups {
                        let state = changes.newState
                        try await fillSlices(type, groups, account: account, limits: limits, since: state)
                    }
                    return try await store.write { writer in try writer.setSyncedAt(type) }
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
            case .records, .window, .ids:
                throw SyncError.malformed("an answer to something else")
            }
        }
    }

    /// The other types of which it can be asked beside this one whether anything has changed: those that are held whole, that have a state,
    /// and of which nothing waits to be sent. Each is asked about once in a round.
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

    /// Takes the whole collection, and with it the state.
    ///
    /// - Returns: The state, and whether nothing more waits to be sent.
    private func takeAll(
        _ type: RecordType,
        account: String,
        limits: CoreCapability
    ) async throws -> (state: String, isDone: Bool) {
        let (answer, sent) = try await exchange(type, account: account, limits: limits, pull: .all)
        guard case .records(let records) = answer.pull else {
            try await apply(type, answer, sent) { _ in }
            throw SyncError.malformed("there is more of \(type.name) than one answer holds")
        }
        let isDone = try await apply(type, answer, sent) { writer in
            try writer.replace(type, with: records.list)
            if answer.movesState { try writer.setState(type, account: account, records.state) }
        }
        return (records.state, isDone)
    }

    /// Asks for the rows that are newer than the state was when they came, and that no changes have told of since.
    private func confirm(_ type: RecordType, account: String, limits: CoreCapability) async throws {
        var chunk = limits.maxObjectsInGet
        while true {
            let ids = try await store.read { [chunk] db in try db.unconfirmed(type, limit: chunk) }
            guard !ids.isEmpty else { return }
            let (answer, sent) = try await exchange(type, account: account, limits: limits, pull: .records(ids))
            switch answer.pull {
            case .records(let records):
                try await apply(type, answer, sent) { writer in
                    try writer.apply(type, records.list)
                    // An id in neither list breaks the protocol. To ask for it again and again would block all else.
                    let found = Set(records.list.compactMap { $0["id"]?.value.stringValue })
                    try writer.remove(type, ids.filter { !found.contains($0) })
                }
            case .tooLarge where ids.count > 1:
                try await apply(type, answer, sent) { _ in }
                chunk = ids.count / 2
            default:
                throw SyncError.malformed("an answer to something else")
            }
        }
    }

    /// Takes all that isn't there yet, and asks anew for all that is held where the server no longer knows what has changed.
    ///
    /// What isn't there yet goes on where it was broken off, also in another process; what is held is asked for from the start again.
    ///
    /// - Parameter carriesWrites: Whether what the person does meanwhile is sent along: not while it isn't known what became of earlier writes.
    /// - Returns: The state from which changes are to be asked for.
    private func takeEverything(
        _ type: RecordType,
        account: String,
        limits: CoreCapability,
        carriesWrites: Bool
    ) async throws -> String {
        defer { progress.set(nil) }
        let (state, held) = try await stateOfHeld(
            type,
            account: account,
            limits: limits,
            carriesWrites: carriesWrites
        )
        let all = try await ids(of: type, account: account, limits: limits)
        let here = Set(held)
        let missing = all.filter { !here.contains($0) }
        let listed = Set(all)
        // Only what the server says is gone is removed: those are asked for too.
        let unlisted = held.filter { !listed.contains($0) }
        let numbers = (done: all.count - missing.count, total: all.count)
        try await take(
            type,
            missing + unlisted,
            account: account,
            limits: limits,
            of: numbers,
            since: state,
            carriesWrites: carriesWrites
        )
        try await store.write { writer in
            guard try writer.db.syncPosition(type) != nil else { throw StoreCleared() }
            try writer.setState(type, account: account, state)
            try writer.setWindowState(type, nil)
        }
        return state
    }

    /// The state as of which what is held is current. What is of another time is asked for anew.
    ///
    /// - Returns: The state, and the ids of what is held, of which some may be gone by then.
    func stateOfHeld(
        _ type: RecordType,
        account: String,
        limits: CoreCapability,
        carriesWrites: Bool
    ) async throws -> (state: String, held: [String]) {
        let (begun, held) = try await store.read { db in
            (try db.windowState(type), try String.fetchAll(db, sql: "SELECT id FROM \"\(type.table)\""))
        }
        if let begun { return (begun, held) }
        let (answer, sent) = try await exchange(
            type,
            account: account,
            limits: limits,
            pull: .state,
            carriesWrites: false
        )
        guard case .records(let records) = answer.pull else { throw SyncError.malformed("an answer to something else") }
        let state = records.state
        // Nothing of it is current.
        try await take(
            type,
            held,
            account: account,
            limits: limits,
            of: (0, held.count),
            since: state,
            carriesWrites: carriesWrites
        )
        try await apply(type, answer, sent) { writer in try writer.setWindowState(type, state) }
        return (state, held)
    }

    /// All ids, the newest first, each once.
    ///
    /// Where the list changes between two pages, one may slip past: then it is asked for from the start, and all that was ever in it counts.
    private func ids(of type: RecordType, account: String, limits: CoreCapability) async throws -> [String] {
        var ids: [String] = []
        var known: Set<String> = []
        for _ in 0..<Self.mostReadings {
            var first: String?
            var position = 0
            var isSame = true
            while isSame {
                let (answer, _) = try await exchange(
                    type,
                    account: account,
                    limits: limits,
                    pull: .ids(position: position, limit: Self.idsPerQuery),
                    carriesWrites: false
                )
                guard case .ids(let page, let total, let queryState) = answer.pull else {
                    throw SyncError.malformed("an answer to something else")
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
    private static let mostReadings = 5

    /// Asks for records by id, chunk by chunk, and says how far it has come.
    ///
    /// - Parameters:
    ///   - numbers: How many are there, and of how many.
    ///   - state: The state from which changes will be asked for. What comes with another one may be gone again by then, untold.
    func take(
        _ type: RecordType,
        _ ids: [String],
        account: String,
        limits: CoreCapability,
        of numbers: (done: Int, total: Int),
        since state: String,
        carriesWrites: Bool
    ) async throws {
        var rest = ids[...]
        var chunk = min(limits.maxObjectsInGet, 500)
        while !rest.isEmpty {
            let done = min(numbers.total, numbers.done + ids.count - rest.count)
            progress.set(SyncProgress(type: type.name, done: done, total: numbers.total))
            let wanted = Array(rest.prefix(chunk))
            let answer: SyncAnswer
            let sent: Outgoing
            do {
                (answer, sent) = try await exchange(
                    type,
                    account: account,
                    limits: limits,
                    pull: .records(wanted),
                    carriesWrites: carriesWrites
                )
            } catch SyncError.transport(let error) where error.isAboutSize && wanted.count > 1 {
                chunk = wanted.count / 2
                continue
            }
            switch answer.pull {
            case .records(let records):
                try await apply(type, answer, sent) { writer in
                    try writer.apply(type, records.list)
                    try writer.remove(type, records.gone)
                    if records.state != state { try writer.markUnconfirmed(type, records.list) }
                }
                rest = rest.dropFirst(wanted.count)
            case .tooLarge where wanted.count > 1:
                try await apply(type, answer, sent) { _ in }
                chunk = wanted.count / 2
            default:
                throw SyncError.malformed("an answer to something else")
            }
        }
    }

    /// Starts anew without losing anything: asks for all that is held, drops only what the server says is gone, and takes the newest.
    ///
    /// - Returns: The state from which changes are to be asked for.
    private func resync(_ type: RecordType, account: String, limits: CoreCapability) async throws -> String {
        var held = try await store.read { db in
            try String.fetchAll(db, sql: "SELECT id FROM \"\(type.table)\" ORDER BY rowid")
        }[...]
        var chunk = limits.maxObjectsInGet
        var earliestState: String?
        while !held.isEmpty {
            let ids = Array(held.prefix(chunk))
            let (answer, sent) = try await exchange(type, account: account, limits: limits, pull: .records(ids))
            switch answer.pull {
            case .records(let records):
                earliestState = earliestState ?? records.state
                try await apply(type, answer, sent) { writer in
                    try writer.apply(type, records.list)
                    try writer.remove(type, records.gone)
                }
                held = held.dropFirst(chunk)
            case .tooLarge where ids.count > 1:
                try await apply(type, answer, sent) { _ in }
                chunk = ids.count / 2
            default:
                throw SyncError.malformed("an answer to something else")
            }
        }
        return try await takeWindow(type, account: account, limits: limits, state: earliestState)
    }

    /// Takes the newest records, and with the last of them the state.
    private func takeWindow(
        _ type: RecordType,
        account: String,
        limits: CoreCapability,
        state earliest: String?
    ) async throws -> String {
        var state = earliest
        var position = 0
        var page = limits.maxObjectsInGet
        while true {
            let wanted = min(page, settings.newDeviceLimit.map { $0 - position } ?? page)
            let (answer, sent) = try await exchange(
                type,
                account: account,
                limits: limits,
                pull: .window(position: position, limit: wanted)
            )
            switch answer.pull {
            case .window(let first, let ids, let records):
                let start = state ?? first
                state = start
                position += ids
                let isLast = ids == 0 || settings.newDeviceLimit.map { position >= $0 } ?? false
                try await apply(type, answer, sent) { [settings] writer in
                    try writer.apply(type, records.list)
                    try writer.remove(type, records.gone)
                    if records.state != start { try writer.markUnconfirmed(type, records.list) }
                    if let limit = settings.deviceLimit { try writer.evict(type, limit: limit) }
                    if isLast, answer.movesState { try writer.setState(type, account: account, start) }
                }
                if isLast { return start }
            case .tooLarge where page > 1:
                try await apply(type, answer, sent) { _ in }
                page = max(1, wanted / 2)
            default:
                throw SyncError.malformed("an answer to something else")
            }
        }
    }

    // MARK: - One request

    /// What a request carries to the server.
    private struct Outgoing: Sendable {
        let sealed: SealedWrites?
        let queued: [QueuedRecord]
    }

    /// Seals what waits, sends it with a question, and reads the answer.
    private func exchange(
        _ type: RecordType,
        account: String,
        limits: CoreCapability,
        pull: SyncRequest.Pull,
        probes: [SyncRequest.Probe] = [],
        carriesQueue: Bool = true,
        carriesWrites: Bool = true
    ) async throws -> (SyncAnswer, Outgoing) {
        let queued = carriesQueue ? try await queued(type, limit: min(queueLimit, limits.maxObjectsInSet)) : []
        let sealed = carriesWrites ? try await seal(type, limit: min(batchLimit, limits.maxObjectsInSet)) : nil
        let sent = Outgoing(sealed: sealed, queued: queued)
        let request = SyncRequest(
            type: type,
            account: account,
            queued: queued,
            sealed: sealed,
            pull: pull,
            probes: probes
        )
        let response: Response
        do {
            response = try await connection.call(request.request)
        } catch SyncError.method(let error)
            where error.type == "requestTooLarge" && (sealed != nil || !queued.isEmpty || pull.canBeHalved)
        {
            // The whole request was refused for its size: nothing was applied. The ids that it asks for weigh as well.
            if pull.canBeHalved {
                return (SyncAnswer(writes: nil, queued: nil, pull: .tooLarge), sent)
            }
            if queued.isEmpty {
                try await split(type, sealed)
            } else if sealed == nil {
                try await shorten(type, queued)
            }
            // Where both were there, it shows which of them is too large.
            let isBoth = !queued.isEmpty && sealed != nil
            return try await exchange(
                type,
                account: account,
                limits: limits,
                pull: pull,
                probes: probes,
                carriesQueue: !isBoth,
                carriesWrites: carriesWrites
            )
        }
        return (try SyncAnswer(response, to: request), sent)
    }

    private func queued(_ type: RecordType, limit: Int) async throws -> [QueuedRecord] {
        guard let queue = type.queue, limit > 0 else { return [] }
        return try await store.read { db in try db.queued(queue, limit: limit) }
    }

    private func seal(_ type: RecordType, limit: Int) async throws -> SealedWrites? {
        guard try await store.read({ db in try db.hasPending(type) }) else { return nil }
        let key = Batch(epoch: epoch, number: nextBatch)
        let (sealed, isUsed) = try await store.write { writer in
            let isUsed = try writer.seal(type, as: key, limit: limit)
            return (try writer.sealedWrites(type), isUsed)
        }
        if isUsed { nextBatch += 1 }
        return sealed
    }

    /// Opens a batch that is too large, so that fewer are sealed next.
    ///
    /// Who refuses a batch for its size has not applied it, nor has our server applied it before: its limits are constants, and a repeat is
    /// as large as the first. (A proxy that refuses what it let through before would have the writes applied a second time.)
    private func split(_ type: RecordType, _ sealed: SealedWrites?) async throws {
        let records = Set(sealed?.entries.map(\.id) ?? []).count
        guard records > 1 else {
            throw SyncError.malformed("the server finds a single write too large")
        }
        batchLimit = records / 2
        try await store.write { writer in try writer.unseal(type) }
    }

    /// From now on sends fewer of the queue at once. A single record that is too large is given up.
    private func shorten(_ type: RecordType, _ queued: [QueuedRecord]) async throws {
        queueLimit = max(1, queued.count / 2)
        guard let queue = type.queue, queued.count == 1 else { return }
        try await store.write { writer in try writer.dequeue(queue, queued.map(\.uid)) }
        let reason = SetError("tooLarge", "The server takes no request of that size.")
        for record in queued { refusals.send(RefusedWrite(queue, record, reason)) }
    }

    /// What may be taken later, but was refused too often, is given up.
    private func settled(_ answer: SyncAnswer, _ type: RecordType) -> SyncAnswer {
        var answer = answer
        if case .answered(let refused, let later) = answer.writes {
            let settled = passingRefusals.settle(refused: refused, later: later, of: type.name)
            answer.writes = .answered(refused: settled.refused, later: settled.later)
        }
        if case .answered(let refused, let later) = answer.queued, let queue = type.queue {
            let settled = passingRefusals.settle(refused: refused, later: later, of: queue.name)
            answer.queued = .answered(refused: settled.refused, later: settled.later)
        }
        return answer
    }

    /// Applies an answer in one transaction: first what became of what was sent, then the rows.
    ///
    /// - Returns: Whether nothing more waits to be sent.
    /// - Throws: ``StoreCleared`` where the store was emptied since the round began; then the rows are left out.
    @discardableResult
    private func apply(
        _ type: RecordType,
        _ answer: SyncAnswer,
        _ sent: Outgoing,
        rows: @Sendable (StoreWriter) throws -> Void
    ) async throws -> Bool {
        let answer = settled(answer, type)
        let (lost, hasPending, hasQueued, isCleared) = try await store.write { writer in
            var lost: [RefusedWrite] = []
            if case .answered(let refused, let later) = answer.queued, let queue = type.queue {
                try writer.dequeue(queue, sent.queued.map(\.uid).filter { later[$0] == nil })
                lost += sent.queued.compactMap { record in
                    refused[record.uid].map { RefusedWrite(queue, record, $0) }
                }
            }
            if case .answered(let refused, let later) = answer.writes, let sealed = sent.sealed {
                lost += try writer.answer(type, sealed, refused: Set(refused.keys), later: Set(later.keys))
                    .map { RefusedWrite(type, $0, refused[$0.id]) }
            }
            let isCleared = try writer.db.syncPosition(type) == nil
            if !isCleared { try rows(writer) }
            let hasQueued = try type.queue.map { try writer.db.hasQueued($0) } ?? false
            return (lost, try writer.db.hasPending(type), hasQueued, isCleared)
        }
        for refusal in lost { refusals.send(refusal) }
        var failure: SyncError?
        switch answer.queued {
        case .answered(_, let later):
            if !later.isEmpty { failure = .takesNoMore }
            // What was too large may have gone: more each time.
            queueLimit = queueLimit > 500 ? .max : queueLimit * 2
        case .tooLarge: try await shorten(type, sent.queued)
        // A server without such records: they wait for one that has them.
        case .unanswered(let error) where error.type == "unknownMethod": queueLimit = 0
        case .unanswered(let error): failure = .method(error)
        case nil: break
        }
        switch answer.writes {
        case .answered(_, let later): if !later.isEmpty { failure = .takesNoMore }
        case .tooLarge: try await split(type, sent.sealed)
        case .unanswered(let error): failure = .method(error)
        case nil: break
        }
        if let failure {
            // The account may have moved.
            if case .method(let error) = failure, error.type == "accountNotFound" { await connection.forgetSession() }
            throw failure
        }
        if isCleared { throw StoreCleared() }
        return !hasPending && (!hasQueued || queueLimit == 0)
    }

    /// The account in which a type's records are.
    ///
    /// - Throws: ``SyncError``.
    package func account(for type: RecordType) async throws -> String {
        try account(for: type, in: try await connection.currentSession())
    }

    private func account(for type: RecordType, in session: Session) throws -> String {
        guard let account = account(of: type, in: session) else {
            throw SyncError.noAccount(capability: type.capability)
        }
        return account
    }
}

extension TransportError {
    /// Whether asking for less may help.
    fileprivate var isAboutSize: Bool {
        switch self {
        case .timedOut, .tooLarge: true
        case .unreachable: false
        }
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

    fileprivate static let takesNoMore = SyncError.status(
        429,
        retryAfter: nil,
        detail: "The server takes no more writes at the moment."
    )
}

extension RefusedWrite {
    fileprivate init(_ type: RecordType, _ entry: PendingEntry, _ error: SetError?) {
        self.init(type: type.name, entry: entry, error: error?.type ?? "serverFail", detail: error?.description)
    }

    /// A record that was refused: its name, an empty path, and all of it as the value.
    fileprivate init(_ queue: QueueType, _ record: QueuedRecord, _ error: SetError) {
        let entry = PendingEntry(id: record.uid, path: "", value: record.json)
        self.init(type: queue.name, entry: entry, error: error.type, detail: error.description)
    }
}
