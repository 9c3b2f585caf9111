import Foundation
package import Groundwork
package import JMAP

/// Brings a store and a server together: sends what the person did, takes what is new.
///
/// Guarded by the actor: the rounds under way, the number of the next batch, and when to try again. After each `await`
/// any of them may have changed.
package actor SyncEngine {
    let store: ReplicaStore
    let connection: ServerConnection
    package nonisolated let settings: SyncSettings
    let clock: any WallClock
    let random: RandomSource
    private let lock: FileLock

    /// Writes that the server refused.
    package nonisolated let refusals = Broadcast<RefusedWrite>(buffer: 1_000)
    /// What syncing and the live connection are doing.
    package nonisolated let connectionState = LatestValue<ConnectionState>(.idle)
    /// How far the first taking of many records has come; nil while none goes on.
    package nonisolated let progress = LatestValue<SyncProgress?>(nil)
    /// What this process's queries use, of types of which slices are held.
    package nonisolated let slices = SliceUses()
    /// The types that it syncs, and their domain in the store.
    nonisolated let types: [RecordType]
    let domain: StoreDomain
    /// The account whose records they are; nil for the primary one of each type.
    private let accountID: String?

    /// Told after each round that succeeded, and when someone ends a pause.
    private nonisolated let resumed = Broadcast<Void>()
    /// Told whenever the server has answered: who waits to reach it again needn't.
    private nonisolated let reachable = Broadcast<Void>()

    /// When the app last read something, or the person did something; told to those who ask the server at the pace of
    /// that.
    ///
    /// Guarded by its lock: any task may note a use.
    nonisolated let lastUse: Locked<Date>
    nonisolated let uses = Broadcast<Void>()
    /// When a server that has to be asked last had news.
    var lastNews = Date.distantPast

    /// Names the batches of this engine.
    let epoch: String
    var nextBatch = 1
    var sendLimits = SendLimits()
    var retryableRefusals = RetryableRefusals()
    /// What the engine knows of each type beside the store.
    var typeStates = TypeSyncStates()
    /// The session to which the types' session states belong.
    private var knownSession: String?
    /// Callers that wait for records beyond the window. Rounds settle them.
    var fetchRequests = FetchRequests()
    /// Whether ``runLive()`` runs.
    private(set) var isLive = false
    private var retry = RetryMachine()
    /// Why the last round or connection failed, while ``retry`` waits or pauses because of it.
    private var lastFailure: SyncError?
    /// The same where the device's own store is the reason.
    private var storeFailure: OfflineReason?
    /// The round under way, or about to be.
    private var running: Round?
    /// The one that waits for it.
    private var queued: Round?
    private var lastRound = 0
    private var isClosed = false
    /// Whether this process goes on being the one that syncs the store when a round is over: one that isn't live hears
    /// of no requests.
    private var staysResponsible = false
    /// The person signs out.
    private var isSigningOut = false
    /// What the live connection does, where there is one.
    private var stream = StreamState.off

    private struct Round {
        let number: Int
        let task: Task<Void, any Error>
    }

    enum StreamState {
        case off, connecting, open, polling
        /// Broken; tried again at that time.
        case broken(OfflineReason, nextTry: Date?)
        case otherProcess
    }

    /// - Parameters:
    ///   - types: Those that it syncs; nil for all of the store's.
    ///   - domain: Their domain in the store. One process at a time syncs a domain.
    ///   - accountID: The account in which they are; nil for the primary one of each type.
    package init(
        store: ReplicaStore,
        connection: ServerConnection,
        types: [RecordType]? = nil,
        domain: StoreDomain,
        account accountID: String? = nil,
        settings: SyncSettings,
        clock: any WallClock,
        random: RandomSource
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
    }

    /// Syncs now, whatever the waiting time after earlier failures, unless the server itself asked to wait.
    ///
    /// Calls that come while a round is under way share the next one: a round that has begun may have missed what they
    /// are about.
    ///
    /// - Throws: ``SyncError``, ``StoreError``.
    package func sync() async throws {
        await connection.askAgain()
        let wasPaused = retry.tokenRequest != nil
        retry.retryNow()
        // The live connection tries by itself again, even if this call finds no network.
        if wasPaused { resumed.send(()) }
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

    /// Notes that the app reads, or the person does something: where the server has to be asked, it is asked more often
    /// for a while.
    package nonisolated func noteUse() {
        lastUse.withLock { $0 = clock.now }
        uses.send(())
    }

    /// Told after each round that succeeded, from now on; ends when the engine is closed.
    package nonisolated func rounds() -> AsyncStream<Void> { resumed.stream() }

    /// When a round may begin by itself; nil when somebody has to do something first.
    func earliestRound() -> Date? { retry.earliest(at: clock.now) }

    /// Runs a round by itself, after the waiting time.
    func syncWhenDue() async throws {
        try await round().value
    }

    /// Lets go of the store, so that another process may sync it.
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

    /// Whether this process is the one that syncs the store, from now on until it is closed.
    func isResponsible() -> Bool {
        guard !isClosed, lock.acquire() else { return false }
        staysResponsible = true
        return true
    }

    /// The server doesn't take the token: nothing is tried until there is another one, or someone asks for a sync.
    func noteRefusal(_ error: SyncError) {
        fail(error)
        publishState()
    }

    /// The live connection begins.
    func beginLive() { isLive = true }

    /// The live connection has ended: other processes needn't wait for this one any more.
    func endLive() {
        isLive = false
        setStream(.off)
        guard !isSigningOut else { return }
        staysResponsible = false
        // A round under way lets go by itself.
        if running == nil { lock.release() }
    }

    /// What is left to send is this process's alone, to the end.
    func beginSigningOut() {
        isSigningOut = true
        _ = isResponsible()
    }

    /// There may be a token in place of a refused one: the app is asked now.
    package func tokenMayBeNew() async {
        if retry.tokenRequest != nil { _ = await askForToken() }
    }

    /// When to ask the app for another token; nil where none was refused.
    func tokenRequest() -> Date? { retry.tokenRequest }

    /// Asks the app for a token in place of the refused one. Everything goes on where it gives another.
    ///
    /// - Returns: Whether something may be tried now.
    func askForToken() async -> Bool {
        let isNew = await connection.renewToken()
        // While the app was asked, a call by hand may have ended the pause.
        if isNew {
            let wasPaused = retry.tokenRequest != nil
            retry.gotToken()
            if wasPaused { resumed.send(()) }
        } else {
            retry.gotNoToken(at: clock.now, chance: random.unit())
        }
        publishState()
        return isNew
    }

    /// Waits until a sync has succeeded, or a pause has ended.
    ///
    /// - Returns: False when the task is cancelled first.
    func resumption() async -> Bool {
        for await _ in resumed.stream() { return true }
        return false
    }

    /// Waits until a time, or until something else shows that the server can be reached again.
    ///
    /// - Returns: False when the task is cancelled first.
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

    /// The server has answered elsewhere: what waits because of failures is tried again now.
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
            try await ReplicaStore.$isSyncing.withValue(true) { try await self.runRound() }
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
            var isOurs = lock.acquire()
            if !isOurs { isOurs = try await !isDoneByOtherProcess() }
            if isOurs {
                // Others would ask in vain a process that syncs only when it is told to.
                defer { if !staysResponsible { lock.release() } }
                let requested = try await store.read { [domain] db in try db.syncRequest(domain).requested }
                typeStates.beginRound()
                var failure: SyncError?
                for type in try await inOrder() where typeStates[type.name].round.isUnchanged != true {
                    do {
                        try await sync(type)
                    } catch let error as SyncError where error.isAboutOneType {
                        // The others needn't wait for it.
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
            publishState()
        } catch {
            fail(error)
            publishState()
            throw error
        }
    }

    /// The types in the order in which a round syncs them.
    private func inOrder() async throws -> [RecordType] {
        let types = types
        let places = try await store.read { db in
            let referred = Set(try types.flatMap { try db.referredTables($0) })
            return try types.map { type in
                TypeRound.Place(
                    isNew: try db.syncPosition(type)?.state == nil,
                    isReferredTo: referred.contains(type.table),
                    isWhole: type.isWhole
                )
            }
        }
        return TypeRound.order(places).map { types[$0] }
    }

    /// The account in which a type's records are; nil where there is none.
    func account(of type: RecordType, in session: Session) -> String? {
        guard let accountID else { return Self.primaryAccount(of: type, in: session) }
        return session.accounts[accountID]?.accountCapabilities[type.capability].map { _ in accountID }
    }

    /// The account in which a type's records are where none is named.
    package static func primaryAccount(of type: RecordType, in session: Session) -> String? {
        session.primaryAccounts[type.capability]
            ?? session.accounts.filter { $0.value.accountCapabilities[type.capability] != nil }.keys.min()
    }

    /// Forgets what the server lacked where its session is another one now.
    func notice(_ session: Session) {
        guard session.state != knownSession else { return }
        knownSession = session.state
        sendLimits.sessionChanged()
        typeStates.sessionChanged()
    }

    private func fail(_ error: any Error) {
        if error is CancellationError { return }
        if case .closed? = error as? StoreError { return }
        guard let error = error as? SyncError else {
            storeFailure = OfflineReason(.storage, description: Self.text(error))
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

    /// What to say of a failure of the device's own, without what may be in it of a person's.
    private static func text(_ error: any Error) -> String {
        (error as? StoreError)?.description ?? "What the server sent can't be stored."
    }

    // MARK: - Other processes

    /// Asks the process that syncs this store to do so, and waits until it has.
    ///
    /// - Returns: False where that process has ended meanwhile; this one has the lock then.
    private func isDoneByOtherProcess() async throws -> Bool {
        let request = try await store.write { [domain] writer in try writer.requestSync(domain) }
        let deadline = clock.now.addingTimeInterval(settings.otherProcessDeadline)
        while clock.now < deadline {
            if try await store.read({ [domain] db in try db.syncRequest(domain).served }) >= request { return true }
            // The other process may have ended meanwhile.
            if lock.acquire() { return false }
            try await clock.sleep(seconds: min(0.1, settings.foreignInterval))
        }
        throw SyncError.otherProcess
    }
}
