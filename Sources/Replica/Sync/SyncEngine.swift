import Foundation
package import Groundwork
package import JMAP
package import Logging

/// The synchronization of a store with a server: it sends pending writes and fetches changes.
///
/// The actor guards the rounds under way, the number of the next batch, and the time of the next attempt. After each
/// `await` any of them may have changed.
package actor SyncEngine {
    let store: ReplicaStore
    let connection: ServerConnection
    package nonisolated let settings: SyncSettings
    let clock: any WallClock
    let random: RandomSource
    private let lock: FileLock
    let log: SyncLog

    /// The writes that the server refused.
    package nonisolated let refusals = Broadcast<RefusedWrite>(buffer: 1_000)
    /// The state of the sync and of the live connection.
    package nonisolated let connectionState = LatestValue<ConnectionState>(.idle)
    /// The progress of the first fetch of many records; nil while there is none.
    package nonisolated let progress = LatestValue<SyncProgress?>(nil)
    /// The slices that this process's queries use.
    package nonisolated let slices = SliceUses()
    /// The types to sync, and their domain in the store.
    nonisolated let types: [RecordType]
    let domain: StoreDomain
    /// The account of the records; nil for the primary account of each type.
    private let accountID: String?

    /// A broadcast after each successful round, and when a pause ends early.
    private nonisolated let resumed = Broadcast<Void>()
    /// A broadcast each time the server answers, which cuts pending back-offs short.
    private nonisolated let reachable = Broadcast<Void>()

    /// The time at which the app last read records or the person last changed one. The polling task sets its pace by
    /// it.
    ///
    /// Guarded by its lock: any task may report a use.
    nonisolated let lastUse: Locked<Date>
    nonisolated let uses = Broadcast<Void>()
    /// The time at which polling last found changes.
    var lastRemoteChange = Date.distantPast

    /// The part of the keys of batches that identifies this engine.
    let epoch: String
    var nextBatch = 1
    var sendLimits = SendLimits()
    var retryableRefusals = RetryableRefusals()
    /// The in-memory states of the types.
    var typeStates = TypeSyncStates()
    /// The session that the types' session states belong to.
    private var knownSession: String?
    /// The requests for records beyond the window that callers wait for. Rounds settle them.
    var fetchRequests = FetchRequests()
    /// Whether ``runLive()`` is running.
    private(set) var isLive = false
    private var retry = RetryMachine()
    /// The failure of the last round or connection, while ``retry`` waits or pauses because of it.
    private var lastFailure: SyncError?
    /// The failure of the store in the last round, likewise.
    private var storeFailure: OfflineReason?
    /// The round that is under way or about to begin.
    private var running: Round?
    /// The round after ``running``.
    private var queued: Round?
    private var lastRound = 0
    private var isClosed = false
    /// Whether this process keeps the lock after a round. A process that isn't live doesn't receive other processes'
    /// requests.
    private var keepsLock = false
    /// Whether a sign-out is under way.
    private var isSigningOut = false
    /// The state of the live connection.
    private var stream = StreamState.off

    private struct Round {
        let number: Int
        let task: Task<Void, any Error>
    }

    enum StreamState {
        case off, connecting, open, polling
        /// The stream broke. The next attempt is at that time.
        case broken(OfflineReason, nextTry: Date?)
        case otherProcess
    }

    /// - Parameters:
    ///   - types: The types to sync; nil for all of the store's.
    ///   - domain: Their domain in the store. One process at a time syncs a domain.
    ///   - accountID: The account of their records; nil for the primary account of each type.
    package init(
        store: ReplicaStore,
        connection: ServerConnection,
        types: [RecordType]? = nil,
        domain: StoreDomain,
        account accountID: String? = nil,
        settings: SyncSettings,
        clock: any WallClock,
        random: RandomSource,
        logger: Logger = SyncLog.disabled
    ) {
        self.store = store
        self.types = (types ?? store.types).filter(\.isSynced)
        self.domain = domain
        self.connection = connection
        self.accountID = accountID
        self.settings = settings
        self.clock = clock
        self.random = random
        lock = FileLock(store.location.lock(domain))
        lastUse = Locked(clock.now)
        epoch = random.token(length: 20)
        log = SyncLog(logger, domain)
        // Logged once, because the engines of other domains have the same store.
        if let repair = store.repair, domain == .primary { log.repaired(repair) }
    }

    /// Reports a write that the server refused.
    nonisolated func report(_ refusal: RefusedWrite) {
        log.refused(refusal)
        refusals.send(refusal)
    }

    /// Syncs at once, without waiting for a back-off to end, unless the server itself requested the wait.
    ///
    /// Calls during a round share the next round, because the current one may have missed the change that led to the
    /// call.
    ///
    /// - Throws: ``SyncError``, ``StoreError``.
    package func sync() async throws {
        await connection.clearRefusal()
        let wasPaused = retry.tokenRequest != nil
        retry.retryNow()
        // The live connection retries automatically, even if this call finds no network.
        if wasPaused { resumed.send(()) }
        publishState()
        if let wait = retry.earliest(at: clock.now), wait > clock.now {
            throw SyncError.status(
                429,
                retryAfter: wait.timeIntervalSince(clock.now),
                detail: "The server requested a wait."
            )
        }
        try await round().value
    }

    /// Records a use: the app reads records, or the person changes one. A server without an event source is polled more
    /// often for a while.
    package nonisolated func noteUse() {
        lastUse.withLock { $0 = clock.now }
        uses.send(())
    }

    /// Returns a stream that sends after each successful round from now on. It finishes when the engine is closed.
    package nonisolated func rounds() -> AsyncStream<Void> { resumed.stream() }

    /// Returns the time at which a round may begin automatically; nil if it requires a new token or a call of
    /// ``sync()``.
    func earliestRound() -> Date? { retry.earliest(at: clock.now) }

    /// Runs a round without ending a back-off. The caller waits for ``earliestRound()`` first.
    func syncWhenDue() async throws {
        try await round().value
    }

    /// Releases the store, so that another process may sync it.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        running?.task.cancel()
        queued?.task.cancel()
        lock.release()
        connectionState.set(.closed)
        refusals.finish()
        connectionState.finish()
        progress.finish()
        uses.finish()
        resumed.finish()
    }

    /// Acquires the store's lock, and keeps it until the engine is closed or stops being live.
    ///
    /// - Returns: Whether this process is the one that syncs the store.
    func isResponsible() -> Bool {
        guard !isClosed, lock.acquire() else { return false }
        keepsLock = true
        return true
    }

    /// Records that the server rejected the token. No request is sent until there is another token or a sync is
    /// requested.
    func recordRefusal(_ error: SyncError) {
        recordFailure(error)
        publishState()
    }

    /// Records that the live connection begins.
    func beginLive() { isLive = true }

    /// Records that the live connection has ended, and releases the lock. Other processes no longer wait for this one.
    func endLive() {
        isLive = false
        setStream(.off)
        guard !isSigningOut else { return }
        keepsLock = false
        // A round under way releases the lock at its end.
        if running == nil { lock.release() }
    }

    /// Keeps the lock until the engine is closed, so that only this process sends the remaining writes.
    func beginSigningOut() {
        isSigningOut = true
        _ = isResponsible()
    }

    /// Asks the app for a new token if the server rejected the current one.
    package func renewRejectedToken() async {
        if retry.tokenRequest != nil { _ = await requestToken() }
    }

    /// The time at which to ask the app for another token; nil if the token wasn't rejected.
    func tokenRequest() -> Date? { retry.tokenRequest }

    /// Asks the app for a token in place of the rejected one. Syncing continues if it returns a new one.
    ///
    /// - Returns: Whether a new attempt can be made now.
    func requestToken() async -> Bool {
        let isNew = await connection.renewToken()
        // A manual sync may have ended the pause while the app was asked.
        if isNew {
            let wasPaused = retry.tokenRequest != nil
            retry.tokenReceived()
            if wasPaused { resumed.send(()) }
        } else {
            retry.noTokenReceived(at: clock.now, chance: random.unit())
        }
        log.tokenRequested(isNew: isNew)
        publishState()
        return isNew
    }

    /// Waits until a round has succeeded, or a pause has ended.
    ///
    /// - Returns: False if the task is cancelled first.
    func resumption() async -> Bool {
        for await _ in resumed.stream() { return true }
        return false
    }

    /// Waits until a time, or until the server is known to be reachable again.
    ///
    /// - Returns: False if the task is cancelled first.
    func pause(until time: Date) async -> Bool {
        guard time > clock.now else { return !Task.isCancelled }
        let (clock, signs) = (clock, reachable.stream())
        return await withTaskGroup(of: Bool.self) { group in
            group.addTask { (try? await clock.sleep(until: time)) != nil }
            group.addTask {
                for await _ in signs { return true }
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }

    /// Records that the server has answered another request. Pending back-offs are cut short.
    func noteReachable() {
        retry.retryNow()
        publishState()
        reachable.send(())
    }

    func setStream(_ state: StreamState) {
        stream = state
        publishState()
    }

    private func publishState() {
        guard !isClosed else { return }
        let state: ConnectionState =
            switch (retry.state, stream) {
            case (.paused, _): refusal
            case (.waiting(let until, _, _), _):
                .offline(reason: offlineReason, nextTry: until > clock.now ? until : nil)
            case (.ready, .off): .idle
            case (.ready, .connecting): .connecting
            case (.ready, .open): .live
            case (.ready, .polling): .polling
            case (.ready, .broken(let reason, let nextTry)): .offline(reason: reason, nextTry: nextTry)
            case (.ready, .otherProcess): .otherProcess
            }
        if state != connectionState.value { log.connectionChanged(state) }
        connectionState.set(state)
    }

    private var refusal: ConnectionState {
        if case .otherPerson = lastFailure { return .otherPerson }
        return .unauthorized(reason: lastFailure?.tokenRefusal ?? TokenRefusal(.unspecified))
    }

    private var offlineReason: OfflineReason {
        storeFailure ?? lastFailure?.offlineReason
            ?? OfflineReason(.notConnected, description: "The server can't be reached.")
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
            try await ReplicaStore.$isSyncing.withValue(true) { try await self.runRound(number) }
        }
        let round = Round(number: number, task: task)
        if previous == nil { running = round } else { queued = round }
        return task
    }

    /// Makes the queued round the one under way.
    private func begin(_ number: Int) {
        guard let round = queued, round.number == number else { return }
        running = round
        queued = nil
    }

    private func end(_ number: Int) {
        if running?.number == number { running = nil }
    }

    private func runRound(_ number: Int) async throws {
        guard !isClosed else { throw StoreError.closed }
        let begun = clock.now
        log.roundBegan(number)
        do {
            var hasLock = lock.acquire()
            if !hasLock { hasLock = try await !waitForOtherProcess() }
            if hasLock {
                // A process that syncs only on request would not serve the requests of others.
                defer { if !keepsLock { lock.release() } }
                let requested = try await store.read { [domain] db in try db.syncRequest(domain).requested }
                typeStates.beginRound()
                var failure: SyncError?
                for type in try await inOrder() where typeStates[type.name].round.isUnchanged != true {
                    do {
                        try await sync(type)
                    } catch let error as SyncError where error.isAboutOneType {
                        // The failure of one type doesn't delay the others.
                        failure = failure ?? error
                    }
                }
                if let failure { throw failure }
                try await reconcile()
                try await store.write { [domain] writer in try writer.serveSyncRequests(domain, upTo: requested) }
            }
            retry.succeeded()
            resumed.send(())
            reachable.send(())
            log.roundSucceeded(number, seconds: clock.now.timeIntervalSince(begun))
            publishState()
        } catch {
            recordFailure(error)
            log.roundFailed(
                number,
                SyncLog.Failure(error),
                seconds: clock.now.timeIntervalSince(begun),
                retryIn: retry.earliest(at: clock.now)?.timeIntervalSince(clock.now)
            )
            publishState()
            throw error
        }
    }

    /// Returns the types in the order in which a round syncs them.
    private func inOrder() async throws -> [RecordType] {
        let types = types
        let keys = try await store.read { db in
            let referred = Set(try types.flatMap { try db.referredTables($0) })
            return try types.map { type in
                TypeRound.OrderKey(
                    isNew: try db.syncPosition(type)?.state == nil,
                    isReferredTo: referred.contains(type.table),
                    isFetchedWhole: type.isFetchedWhole
                )
            }
        }
        return TypeRound.order(keys).map { types[$0] }
    }

    /// Returns the account of a type's records; nil if there is none.
    func account(of type: RecordType, in session: Session) -> String? {
        guard let accountID else { return Self.primaryAccount(of: type, in: session) }
        return session.accounts[accountID]?.accountCapabilities[type.capability].map { _ in accountID }
    }

    /// Returns the default account of a type's records.
    package static func primaryAccount(of type: RecordType, in session: Session) -> String? {
        session.primaryAccounts[type.capability]
            ?? session.accounts.filter { $0.value.accountCapabilities[type.capability] != nil }.keys.min()
    }

    /// Resets the states that are valid for one session if the server has a new session.
    func sessionReceived(_ session: Session) {
        guard session.state != knownSession else { return }
        knownSession = session.state
        sendLimits.sessionChanged()
        typeStates.sessionChanged()
    }

    private func recordFailure(_ error: any Error) {
        if error is CancellationError { return }
        if case .closed? = error as? StoreError { return }
        guard let error = error as? SyncError else {
            storeFailure = OfflineReason(.storage, description: Self.description(of: error))
            return retry.failed(isRetryable: true, retryAfter: nil, at: clock.now, chance: random.unit())
        }
        (lastFailure, storeFailure) = (error, nil)
        retry.failed(
            isRetryable: error.isRetryable,
            retryAfter: error.retryAfter,
            at: clock.now,
            chance: random.unit()
        )
    }

    /// Describes a local failure without the person's data that it may contain.
    private static func description(of error: any Error) -> String {
        (error as? StoreError)?.description ?? "The server's data can't be stored."
    }

    // MARK: - Other processes

    /// Requests a sync from the process that syncs this store, and waits until it is done.
    ///
    /// - Returns: False if that process has ended meanwhile. Then this process has the lock.
    private func waitForOtherProcess() async throws -> Bool {
        let request = try await store.write { [domain] writer in try writer.requestSync(domain) }
        let deadline = clock.now.addingTimeInterval(settings.otherProcessDeadline)
        while clock.now < deadline {
            if try await store.read({ [domain] db in try db.syncRequest(domain).served }) >= request { return true }
            // The other process may have ended meanwhile.
            if lock.acquire() { return false }
            try await clock.sleep(seconds: min(0.1, settings.externalCheckInterval))
        }
        throw SyncError.otherProcess
    }
}
