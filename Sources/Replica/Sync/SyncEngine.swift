import Foundation
import GRDB
package import Groundwork
import JMAP

/// Brings a store and a server together: sends what the person did, takes what is new.
///
/// Guarded by the actor: the rounds under way, the number of the next batch, and when to try again. After each `await` any of them
/// may have changed.
package actor SyncEngine {
    let store: ReplicaStore
    let connection: ServerConnection
    let settings: SyncSettings
    let clock: any WallClock
    let random: RandomSource
    private let lock: FileLock

    /// Writes that the server refused.
    package nonisolated let refusals = Broadcast<RefusedWrite>(buffer: 1_000)
    /// What syncing and the live connection are doing.
    package nonisolated let connectionState = LatestValue<ConnectionState>(.idle)

    /// Told after each round that succeeded.
    private nonisolated let resumed = Broadcast<Void>()

    /// Names the batches of this process's turn at syncing.
    private let epoch: String
    private var nextBatch = 1
    /// How many records a batch may be about; less after the server found one too large.
    private var batchLimit = Int.max
    private var retry = RetryMachine()
    /// The round under way, or about to be.
    private var running: Round?
    /// The one that waits for it.
    private var queued: Round?
    private var lastRound = 0
    private var isClosed = false
    /// What the live connection does, where there is one.
    private var stream = StreamState.off

    private struct Round {
        let number: Int
        let task: Task<Void, any Error>
    }

    enum StreamState {
        case off, connecting, open, polling
        /// Broken; tried again at that time.
        case broken(nextTry: Date?)
        case otherProcess
    }

    package init(
        store: ReplicaStore,
        connection: ServerConnection,
        settings: SyncSettings,
        clock: any WallClock,
        random: RandomSource
    ) {
        self.store = store
        self.connection = connection
        self.settings = settings
        self.clock = clock
        self.random = random
        lock = FileLock(store.location.lock)
        epoch = random.token(length: 20)
    }

    /// Syncs now, whatever the waiting time after earlier failures, unless the server itself asked to wait.
    ///
    /// Calls that come while a round is under way share the next one: a round that has begun may have missed what they are about.
    ///
    /// - Throws: ``SyncError``, ``StoreError``.
    package func sync() async throws {
        retry.retryNow()
        publishState()
        if let wait = retry.earliest(at: clock.now), wait > clock.now {
            throw SyncError.status(
                429,
                retryAfter: wait.timeIntervalSince(clock.now),
                detail: "The server asked to wait."
            )
        }
        try await round().value
    }

    /// When a round may begin by itself; nil when somebody has to do something first.
    func earliestRound() -> Date? { retry.earliest(at: clock.now) }

    /// Runs a round by itself, after the waiting time.
    func syncWhenDue() async throws {
        try await round().value
    }

    /// Lets go of the store, so that another process may sync it.
    package func close() {
        isClosed = true
        running?.task.cancel()
        queued?.task.cancel()
        lock.release()
        connectionState.set(.closed)
        refusals.finish()
        connectionState.finish()
    }

    /// Whether this process is the one that syncs the store, from now on.
    func isResponsible() -> Bool { !isClosed && lock.acquire() }

    /// The server doesn't take the token: nothing is tried until someone asks for a sync that succeeds.
    func noteUnauthorized() {
        retry.failed(isPassing: false, retryAfter: nil, at: clock.now, chance: 0)
        publishState()
    }

    /// Waits until a sync has succeeded.
    ///
    /// - Returns: False when the task is cancelled first.
    func resumption() async -> Bool {
        for await _ in resumed.stream() { return true }
        return false
    }

    func setStream(_ state: StreamState) {
        stream = state
        publishState()
    }

    private func publishState() {
        guard !isClosed else { return }
        let state: ConnectionState =
            switch (retry.state, stream) {
            case (.paused, _): .unauthorized
            case (.waiting(let until, _, _), _): .offline(nextTry: until > clock.now ? until : nil)
            case (.ready, .off): .idle
            case (.ready, .connecting): .connecting
            case (.ready, .open): .live
            case (.ready, .polling): .polling
            case (.ready, .broken(let nextTry)): .offline(nextTry: nextTry)
            case (.ready, .otherProcess): .otherProcess
            }
        connectionState.set(state)
    }

    private func round() -> Task<Void, any Error> {
        if let queued { return queued.task }
        let previous = running?.task
        lastRound += 1
        let number = lastRound
        let task = Task {
            _ = await previous?.result
            self.begin(number)
            defer { self.end(number) }
            try await self.runRound()
        }
        let round = Round(number: number, task: task)
        if previous == nil { running = round } else { queued = round }
        return task
    }

    /// A round that waited for another is now the one under way.
    private func begin(_ number: Int) {
        guard let round = queued, round.number == number else { return }
        running = round
        queued = nil
    }

    private func end(_ number: Int) {
        if running?.number == number { running = nil }
    }

    private func runRound() async throws {
        guard !isClosed else { throw StoreError.closed }
        do {
            if lock.acquire() {
                let requested = try await store.read { db in try db.syncRequest().requested }
                for type in store.types { try await sync(type) }
                try await store.write { writer in try writer.serveSyncRequests(upTo: requested) }
            } else {
                try await awaitOtherProcess()
            }
            retry.succeeded()
            resumed.send(())
            publishState()
        } catch {
            fail(error)
            publishState()
            throw error
        }
    }

    private func fail(_ error: any Error) {
        guard !(error is CancellationError), let error = error as? SyncError else { return }
        retry.failed(
            isPassing: error.isPassing,
            retryAfter: error.retryAfter,
            at: clock.now,
            chance: random.unit()
        )
    }

    // MARK: - One type

    /// Sends what waits and takes what is new, request by request, until neither is left.
    private func sync(_ type: RecordType) async throws {
        let session = try await connection.currentSession()
        let account = try self.account(for: type, in: session)
        let limits = session.core
        var maxChanges = min(limits.maxObjectsInGet, 500)
        var state = try await store.read { db -> String? in
            guard let position = try db.syncPosition(type), position.account == account else { return nil }
            return position.state
        }
        while true {
            guard let since = state else {
                state = try await resync(type, account: account, limits: limits)
                continue
            }
            let (answer, sealed) = try await exchange(
                type,
                account: account,
                limits: limits,
                pull: .changes(since: since, max: maxChanges)
            )
            switch answer.pull {
            case .changes(let changes):
                guard !changes.hasMore || changes.newState != since else {
                    throw SyncError.malformed("there are more changes, but the state stays the same")
                }
                let isDone = try await apply(type, answer.writes, sealed) { [settings] writer in
                    try writer.apply(type, changes.records.list)
                    try writer.remove(type, changes.records.gone)
                    try writer.setState(type, account: account, changes.newState)
                    if let limit = settings.deviceLimit, !changes.records.list.isEmpty {
                        try writer.evict(type, limit: limit)
                    }
                }
                state = changes.newState
                if isDone, !changes.hasMore {
                    return try await store.write { writer in try writer.setSyncedAt(type) }
                }
            case .cannotCalculateChanges:
                try await apply(type, answer.writes, sealed) { writer in
                    try writer.setState(type, account: account, nil)
                }
                state = nil
            case .tooLarge:
                try await apply(type, answer.writes, sealed) { _ in }
                guard maxChanges > 1 else { throw SyncError.malformed("a single change is too large") }
                maxChanges /= 2
            case .records, .window:
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
            let (answer, sealed) = try await exchange(type, account: account, limits: limits, pull: .records(ids))
            switch answer.pull {
            case .records(let records):
                earliestState = earliestState ?? records.state
                try await apply(type, answer.writes, sealed) { writer in
                    try writer.apply(type, records.list)
                    try writer.remove(type, records.gone)
                }
                held = held.dropFirst(chunk)
            case .tooLarge where chunk > 1:
                try await apply(type, answer.writes, sealed) { _ in }
                chunk /= 2
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
            let (answer, sealed) = try await exchange(
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
                try await apply(type, answer.writes, sealed) { [settings] writer in
                    try writer.apply(type, records.list)
                    try writer.remove(type, records.gone)
                    if let limit = settings.deviceLimit { try writer.evict(type, limit: limit) }
                    if isLast { try writer.setState(type, account: account, start) }
                }
                if isLast { return start }
            case .tooLarge where page > 1:
                try await apply(type, answer.writes, sealed) { _ in }
                page = max(1, wanted / 2)
            default:
                throw SyncError.malformed("an answer to something else")
            }
        }
    }

    // MARK: - One request

    /// Seals what waits, sends it with a question, and reads the answer.
    private func exchange(
        _ type: RecordType,
        account: String,
        limits: CoreCapability,
        pull: SyncRequest.Pull
    ) async throws -> (SyncAnswer, SealedWrites?) {
        let sealed = try await seal(type, limit: min(batchLimit, limits.maxObjectsInSet))
        let request = SyncRequest(type: type, account: account, sealed: sealed, pull: pull)
        let response: Response
        do {
            response = try await connection.call(request.request)
        } catch SyncError.method(let error) where error.type == "requestTooLarge" && sealed != nil {
            // The whole request was refused for its size: nothing was applied.
            try await split(type, sealed)
            return try await exchange(type, account: account, limits: limits, pull: pull)
        }
        return (try SyncAnswer(response, to: request), sealed)
    }

    private func seal(_ type: RecordType, limit: Int) async throws -> SealedWrites? {
        guard try await store.read({ db in try db.hasPending() }) else { return nil }
        let key = Batch(epoch: epoch, number: nextBatch)
        let (sealed, isUsed) = try await store.write { writer in
            let isUsed = try writer.seal(type, as: key, limit: limit)
            return (try writer.sealedWrites(type), isUsed)
        }
        if isUsed { nextBatch += 1 }
        return sealed
    }

    private func split(_ type: RecordType, _ sealed: SealedWrites?) async throws {
        let records = Set(sealed?.entries.map(\.id) ?? []).count
        guard records > 1 else {
            throw SyncError.malformed("the server finds a single write too large")
        }
        batchLimit = records / 2
        try await store.write { writer in try writer.unseal(type) }
    }

    /// Applies an answer in one transaction: first what became of the writes, then the rows.
    ///
    /// - Returns: Whether nothing more waits to be sent.
    @discardableResult
    private func apply(
        _ type: RecordType,
        _ writes: SyncAnswer.Writes?,
        _ sealed: SealedWrites?,
        rows: @Sendable (StoreWriter) throws -> Void
    ) async throws -> Bool {
        let (lost, isDone) = try await store.write { writer in
            var lost: [PendingEntry] = []
            if case .answered(let refused, let later) = writes, let sealed {
                lost = try writer.answer(type, sealed, refused: Set(refused.keys), later: later)
            }
            try rows(writer)
            return (lost, try !writer.db.hasPending())
        }
        switch writes {
        case .answered(let refused, let later):
            for entry in lost {
                let error = refused[entry.id]
                refusals.send(
                    RefusedWrite(
                        type: type.name,
                        entry: entry,
                        error: error?.type ?? "serverFail",
                        detail: error?.description
                    )
                )
            }
            if !later.isEmpty {
                throw SyncError.status(429, retryAfter: nil, detail: "The server takes no more writes at the moment.")
            }
        case .tooLarge:
            try await split(type, sealed)
            return false
        case .unanswered(let error):
            // The account may have moved.
            if error.type == "accountNotFound" { await connection.forgetSession() }
            throw SyncError.method(error)
        case nil: break
        }
        return isDone
    }

    private func account(for type: RecordType, in session: Session) throws -> String {
        if let account = session.primaryAccounts[type.capability] { return account }
        let offering = session.accounts.filter { $0.value.accountCapabilities[type.capability] != nil }
        guard let account = offering.keys.min() else { throw SyncError.noAccount(capability: type.capability) }
        return account
    }

    // MARK: - Other processes

    /// Asks the process that syncs this store to do so, and waits until it has.
    private func awaitOtherProcess() async throws {
        let request = try await store.write { writer in try writer.requestSync() }
        let deadline = clock.now.addingTimeInterval(settings.otherProcessDeadline)
        while clock.now < deadline {
            if try await store.read({ db in try db.syncRequest().served }) >= request { return }
            // The other process may have ended meanwhile.
            if lock.acquire() { return try await runRound() }
            try await clock.sleep(seconds: min(0.1, settings.foreignInterval))
        }
        throw SyncError.otherProcess
    }
}
