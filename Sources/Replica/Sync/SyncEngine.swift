import Foundation
package import Groundwork
package import JMAP
package import Logging

/// The synchronization of a store with a server: it sends pending writes and fetches changes.
///
/// State machines without I/O make the decisions, and the actor carries them out. `TypeRound`, `ChunkedFetch`,
/// `WindowFetch`, `IDListing`, `OutlineFetch` and `SliceFilling` decide what to request next; they last for one fetch.
/// `SizeRejection` and `SendOutcome` decide about the next request after an answer. `Reconnection` decides when the
/// event stream is opened again, and `PollingInterval` when the server is polled; they last for one ``runLive()``. The
/// actor guards the values that last longer. Callers, the tasks of ``runLive()`` and the round under way change them,
/// so after each `await` any of them may have changed:
///
/// - `roundQueue`: two rounds never run at once, and calls at the same time share one.
/// - `lifecycle`: the lock isn't released during a round or a sign-out, and no request is sent after the engine is
///   closed.
/// - `isRetrying`: a failed round is retried by the live connection, and only once.
/// - `health`: rounds, the live connection and requests for tokens report their outcome to it. The published state
///   follows from all of them.
/// - `sending`: no two batches have the same key, and each request obeys the limits that the last answer showed.
/// - `typeStates`: the answer about one type may contain news of another. Each has the `Reconciliation` of its type.
/// - `fetchRequests`: callers add and remove requests while a round settles them.
///
/// Everything else is a constant, or has a lock of its own because it is used outside the actor.
package actor SyncEngine {
    let store: ReplicaStore
    let connection: ServerConnection
    package nonisolated let settings: SyncSettings
    let clock: any WallClock
    package nonisolated let random: RandomSource
    private let lock: FileLock
    package nonisolated let log: SyncLog

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

    /// A broadcast whenever a round is due of which the live connection wouldn't know: after a failed round that a
    /// caller began, and after a new token.
    nonisolated let dueRounds = Broadcast<Void>()
    /// A broadcast after each successful round, and when a pause ends early.
    private nonisolated let resumed = Broadcast<Void>()
    /// A broadcast each time the server answers, which cuts pending back-offs short.
    private nonisolated let reachable = Broadcast<Void>()

    /// The times of the last activity, by which the polling task sets its pace.
    ///
    /// Guarded by its lock: any task may report a use.
    nonisolated let activity: Locked<Activity>
    nonisolated let uses = Broadcast<Void>()

    private var roundQueue = RoundQueue<Task<Void, any Error>>()
    private(set) var lifecycle = EngineLifecycle()
    private var health = ConnectionHealth()
    /// Whether the live connection runs rounds until one succeeds.
    var isRetrying = false
    var sending: SendState
    var typeStates = TypeSyncStates()
    var fetchRequests = FetchRequests()

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
        activity = Locked(Activity(lastUse: clock.now))
        sending = SendState(epoch: random.token(length: 20))
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
        // The live connection retries automatically, even if this call finds no network.
        if health.retryNow() { resumed.send(()) }
        publishState()
        if let wait = earliestRound(), wait > clock.now {
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
        let now = clock.now
        activity.withLock { $0.lastUse = now }
        uses.send(())
    }

    /// Returns a stream that sends after each successful round from now on. It finishes when the engine is closed.
    package nonisolated func rounds() -> AsyncStream<Void> { resumed.stream() }

    /// Returns the time at which a round may begin automatically; nil if it requires a new token or a call of
    /// ``sync()``.
    func earliestRound() -> Date? { health.earliest(at: clock.now) }

    /// Runs a round without ending a back-off. The caller waits for ``earliestRound()`` first.
    func syncWhenDue() async throws {
        try await round().value
    }

    /// Releases the store, so that another process may sync it.
    package func close() {
        guard lifecycle.close() else { return }
        for round in roundQueue.all { round.cancel() }
        lock.release()
        connectionState.set(.closed)
        refusals.finish()
        connectionState.finish()
        progress.finish()
        uses.finish()
        dueRounds.finish()
        resumed.finish()
    }

    /// Acquires the store's lock, and keeps it until the engine is closed or stops being live.
    ///
    /// - Returns: Whether this process is the one that syncs the store.
    func isResponsible() -> Bool {
        guard !lifecycle.isClosed, lock.acquire() else { return false }
        lifecycle.keepLock()
        return true
    }

    /// Records that the server rejected the token. No request is sent until there is another token or a sync is
    /// requested.
    package func recordRefusal(_ error: SyncError) {
        recordFailure(error)
        publishState()
    }

    /// Records that the live connection begins.
    func beginLive() { lifecycle.beginLive() }

    /// Records that the live connection has ended, and releases the lock. Other processes no longer wait for this one.
    func endLive() {
        setStream(.off)
        // A round under way releases the lock at its end.
        if lifecycle.endLive(), roundQueue.isIdle { lock.release() }
    }

    /// Keeps the lock until the engine is closed, so that only this process sends the remaining writes.
    func beginSigningOut() {
        lifecycle.beginSigningOut()
        _ = isResponsible()
    }

    /// Asks the app for a new token if the server rejected the current one.
    package func renewRejectedToken() async {
        if tokenRequest() != nil { _ = await requestToken() }
    }

    /// The time at which to ask the app for another token; nil if the token wasn't rejected.
    func tokenRequest() -> Date? { health.tokenRequest }

    /// Asks the app for a token in place of the rejected one. Syncing continues if it returns a new one.
    ///
    /// - Returns: Whether a new attempt can be made now.
    func requestToken() async -> Bool {
        let isNew = await connection.renewToken()
        if isNew {
            if health.tokenReceived() {
                resumed.send(())
                dueRounds.send(())
            }
        } else {
            health.noTokenReceived(at: clock.now, jitter: random.unit())
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
        health.retryNow()
        publishState()
        reachable.send(())
    }

    func setStream(_ stream: ConnectionHealth.Stream) {
        health.setStream(stream)
        publishState()
    }

    private func publishState() {
        guard !lifecycle.isClosed else { return }
        let state = health.state(at: clock.now)
        if state != connectionState.value { log.connectionChanged(state) }
        connectionState.set(state)
    }

    private func round() -> Task<Void, any Error> {
        roundQueue.next { number, previous in
            Task {
                _ = await previous?.result
                self.roundQueue.begin(number)
                defer { self.roundQueue.end(number) }
                try await ReplicaStore.$isSyncing.withValue(true) { try await self.runRound(number) }
            }
        }
    }

    private func runRound(_ number: Int) async throws {
        guard !lifecycle.isClosed else { throw StoreError.closed }
        let begun = clock.now
        log.roundBegan(number)
        do {
            var hasLock = lock.acquire()
            if !hasLock { hasLock = try await !waitForOtherProcess() }
            if hasLock {
                // A process that syncs only on request would not serve the requests of others.
                defer { if !lifecycle.keepsLock { lock.release() } }
                let requested = try await store.read { [domain] db in try db.syncRequest(domain).requested }
                typeStates.beginRound()
                var failure: SyncError?
                for type in try await inOrder() where typeStates[type.name].probe != .unchanged {
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
            health.succeeded()
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
                retryIn: earliestRound()?.timeIntervalSince(clock.now)
            )
            publishState()
            if isWaiting, !isRetrying { dueRounds.send(()) }
            throw error
        }
    }

    /// Whether a failure requires a wait before the next round.
    var isWaiting: Bool { health.isWaiting }

    /// Returns the types in the order in which a round syncs them.
    private func inOrder() async throws -> [RecordType] {
        let types = types
        let keys = try await store.read { db in
            let referred = Set(try types.flatMap { try db.referredTables($0) })
            return try types.map { type in
                TypeRound.OrderKey(
                    isNew: try db.syncPosition(type)?.state == nil,
                    isReferredTo: referred.contains(type.table),
                    canBeProbed: type.canBeProbed
                )
            }
        }
        return TypeRound.order(keys).map { types[$0] }
    }

    /// Returns the account of a type's records; nil if there is none.
    func account(of type: RecordType, in session: Session) -> String? {
        // Cyrus names capabilities in an account that the server hasn't enabled, and refuses requests with them.
        guard !type.isOptional || session.capabilities[type.capability] != nil else { return nil }
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
        if typeStates.adoptSession(session.state) { sending.limits.sessionChanged() }
    }

    private func recordFailure(_ error: any Error) {
        health.failed(error, at: clock.now, jitter: random.unit())
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
