import Foundation
import Groundwork
import JMAP
import Replica

/// Saves drafts on the server, and sends them.
///
/// ``DraftJob`` decides what is next for a draft. This actor carries it out: it stores what it is about to ask of the
/// server, asks, and stores the answer. One process at a time does so for a store, one draft after the other. What is
/// about one draft alone, such as a mail that the person takes back, is done beside that.
///
/// Guarded by the actor, and lost with the process. Callers and the work under way change these, so after each `await`
/// any of them may have changed:
///
/// - `isClosed`, `isRunning`, `lockUsers`, `work`: the lock is held while it works by itself or a call needs it, and no
///   two calls work on one draft at once.
/// - `lastNow`: whether the clock was set back since the last look at the drafts.
/// - `answerCount`, `unansweredDrafts`: whether the network fails, or one draft's requests alone.
/// - `knownStates`, `ownChanges`: the next mail needs no search, and a lost request is known not to have been
///   processed.
/// - `unansweredRemovals`: a version that is gone was removed by this device.
/// - `isScanning`, `countsSubmissions`: what the server was seen to do.
/// - `requestedTexts`: no text is fetched twice.
/// - `unknownOutcomes`: no mail is looked at twice.
actor Outbox {
    let store: ReplicaStore
    let engine: SyncEngine
    let connection: ServerConnection
    let configuration: MailConfiguration
    let user: String
    nonisolated let files: DraftFiles
    /// The uploads under way.
    nonisolated let uploads = DraftUploads()
    nonisolated let newDrafts = NewDrafts()
    let bodySource: BodySource
    private let log: OutboxLog
    private let lock: FileLock
    private var isClosed = false
    /// The latest time at which drafts were looked at; nil before the first.
    private var lastNow: Int?
    /// Whether the outbox works by itself, and keeps the lock.
    private var isRunning = false
    private var work = OutboxWork()
    /// The number of calls that need the lock.
    private var lockUsers = 0
    /// The number of requests that were answered, by the server or a proxy before it.
    private var answerCount = 0
    /// The drafts whose last request ended without an answer. The others come first.
    private var unansweredDrafts: Set<String> = []
    /// The account's states after the last mail that this actor sent, in which the next one needs no search; nil for
    /// none.
    var knownStates: DraftJob.AccountStates?
    var ownChanges = OwnChanges()
    /// The versions that this process has asked the server to remove, without an answer. If they are gone, no other
    /// device has to have removed them.
    var unansweredRemovals: Set<String> = []
    /// Whether the server can't search for headers.
    var isScanning = false
    /// The versions whose texts this process has fetched.
    var requestedTexts: Set<String> = []
    /// The last look at drafts of which it isn't known whether they were sent; nil before the first.
    var unknownOutcomes: UnknownOutcomes?

    init(
        store: ReplicaStore,
        engine: SyncEngine,
        connection: ServerConnection,
        bodySource: BodySource,
        configuration: MailConfiguration,
        user: String
    ) {
        (self.store, self.engine, self.connection) = (store, engine, connection)
        (self.bodySource, self.configuration, self.user) = (bodySource, configuration, user)
        files = DraftFiles(store.location)
        log = OutboxLog(engine.log)
        lock = FileLock(store.location.lock(StoreDomain("outbox", label: "outbox")))
    }

    var now: Int { configuration.clock.now.milliseconds }
    /// A random number from 0 to 1, by which a wait differs from the others'.
    var jitter: Double { configuration.random.unit() }

    /// Ends all work. The next process searches for the outcome of an attempt under way.
    func close() async {
        isClosed = true
        let calls = work.calls
        for call in calls { call.cancel() }
        for call in calls { _ = await call.result }
        uploads.finish()
        lock.release()
    }

    // MARK: - When

    /// Works whenever something is due, until the task is cancelled.
    func run() async {
        var retry = RetryMachine()
        let changes = store.changes.stream(startingWith: ())
        removeUnusedFiles()
        let signals = AsyncStream<Void>.merging(changes, engine.connectionState.values())
        var wake: Task<Void, Never>?
        let (timer, fire) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        defer {
            wake?.cancel()
            fire.finish()
        }
        isRunning = true
        var wasReachable = engine.connectionState.value.isReachable
        for await _ in AsyncStream<Void>.merging(signals, timer) {
            guard !Task.isCancelled, !isClosed else { break }
            let now = configuration.clock.now
            // A wait ends when the server can be reached again, and not with each change of a draft meanwhile.
            let isReachable = engine.connectionState.value.isReachable
            if isReachable, !wasReachable { retry.retryNow() }
            wasReachable = isReachable
            var next = retry.earliest(at: now)
            if let earliest = next, earliest <= now {
                do { next = try await attempt(&retry) } catch { break }
            }
            let time = await nextCheck(after: now, notBefore: next)
            wake?.cancel()
            guard let time else { continue }
            wake = Task { [clock = configuration.clock] in
                if (try? await clock.sleep(until: time)) != nil { fire.yield() }
            }
        }
        // Another process may send what comes next.
        isRunning = false
        for call in work.calls { _ = await call.result }
        releaseLockIfUnused()
    }

    /// Does what is due.
    ///
    /// - Returns: After a failure, the time of the next attempt; nil if there is none.
    /// - Throws: `CancellationError` if the task was cancelled meanwhile.
    private func attempt(_ retry: inout RetryMachine) async throws -> Date? {
        do {
            // A draft that failed by itself waits by itself.
            try await flush()
            retry.succeeded()
            return nil
        } catch {
            if Task.isCancelled { throw CancellationError() }
            let failure = error as? SyncError
            // No request is sent until there is another token.
            if let failure, !failure.isRetryable { await engine.recordRefusal(failure) }
            retry.failed(
                isRetryable: true,
                retryAfter: failure?.retryAfter,
                at: configuration.clock.now,
                jitter: jitter
            )
            let next = retry.earliest(at: configuration.clock.now)
            log.failed(error, at: configuration.clock.now, retryAt: next)
            return next
        }
    }

    /// Returns the time at which the drafts are looked at again without a change of one; nil if none is due at any
    /// time.
    ///
    /// - Parameter retry: The time of the next attempt after a failure; nil if there was none.
    private func nextCheck(after now: Date, notBefore retry: Date?) async -> Date? {
        let due: Date?
        do {
            due = try await store.read { db in try db.nextDueDeviceRecord(.draft) }.map(Date.init(milliseconds:))
        } catch {
            due = .distantPast
        }
        guard let due else { return nil }
        // What was due already and wasn't done waits for another process, or for a store that can be read.
        let recheck = due <= now ? now.addingTimeInterval(Self.recheckInterval) : .distantPast
        // The clock may be set back meanwhile.
        return min(max(due, retry ?? .distantPast, recheck), now.addingTimeInterval(Self.maxSleep))
    }

    /// The result of doing what is due.
    struct Progress: Sendable {
        /// Whether anything was changed on the server.
        var hasChanged = false
        /// The first failure of a draft that waits for its next attempt now, while the others went on.
        var failure: SyncError?
        /// Whether nothing was done, since another process is at work, or works by itself.
        var isLeftToOther = false
    }

    /// Does everything that is due now. A draft whose requests fail doesn't hold up the others.
    ///
    /// - Parameter id: The draft alone for which it does so, without a wait for work on others; nil for all.
    /// - Throws: ``SyncError`` if the server can't be reached, accepts no token or asks for a pause, ``StoreError``,
    ///   `CancellationError`. What wasn't done is still due. A call that is cancelled doesn't wait for the work before
    ///   it.
    @discardableResult
    func flush(only id: String? = nil) async throws -> Progress {
        guard !isClosed else { throw StoreError.closed }
        let before = work.predecessors(on: id)
        let call = Task {
            for earlier in before { try await earlier.end() }
            return try await self.processDue(only: id)
        }
        work.add(call, on: id)
        defer { work.remove(call) }
        return try await withTaskCancellationHandler {
            try await call.value
        } onCancel: {
            call.cancel()
        }
    }

    private func processDue(only onlyID: String?) async throws -> Progress {
        try await ReplicaStore.withSyncAllowed {
            var progress = Progress()
            guard !isClosed else { return progress }
            if lastNow == nil { try await readAgain() }
            try await adjustToClock()
            guard try await isAnyDue() else { return progress }
            guard lock.acquire() else {
                progress.isLeftToOther = true
                return progress
            }
            lockUsers += 1
            defer {
                lockUsers -= 1
                releaseLockIfUnused()
            }
            let answersBefore = answerCount
            var failures: [(id: String, error: SyncError)] = []
            var failuresInARow = 0
            var done: Set<String> = []
            rounds: while true {
                let due = try await store.read { [now] db in try db.deviceRecordIDs(.draft, dueAt: now) }
                // The rest is looked at again after these.
                let ids = due.filter { !done.contains($0) && $0 == onlyID ?? $0 }.prefix(Self.batchSize)
                guard !ids.isEmpty else { break }
                for id in ids.filter({ !unansweredDrafts.contains($0) }) + ids.filter({ unansweredDrafts.contains($0) })
                {
                    done.insert(id)
                    let answersOfOthers = answerCount
                    do {
                        let result = try await processAlone(id)
                        progress.hasChanged = progress.hasChanged || result.hasChanged
                        progress.failure = progress.failure ?? result.failure
                        guard answerCount > answersOfOthers else { continue }
                        unansweredDrafts.remove(id)
                        failuresInARow = result.failure == nil ? 0 : failuresInARow + 1
                        // The server, or what is before it, fails for all.
                        if let failure = result.failure, failuresInARow >= Self.maxFailuresInARow { throw failure }
                    } catch let error as SyncError where error.isOfConnection {
                        failures.append((id, error))
                        unansweredDrafts.insert(id)
                        // One may be the draft's own failure. Two in a row are the network's.
                        if failures.count > 1, answerCount == answersOfOthers { break rounds }
                    }
                }
            }
            guard let first = failures.first else { return progress }
            guard answerCount > answersBefore else { throw first.error }
            for failure in failures { try await record(failure.error, of: failure.id) }
            progress.failure = progress.failure ?? first.error
            return progress
        }
    }

    /// Lets another process do what comes next, unless this one is at work, or works by itself.
    private func releaseLockIfUnused() {
        if !isRunning, lockUsers == 0 { lock.release() }
    }

    /// Brings waits to the present clock, if it may have been set back.
    ///
    /// At the first look after a start, the recorded times show it. A clock that is right again needs nothing: waits
    /// were made shorter, and are brought to it when they end.
    private func adjustToClock() async throws {
        let now = now
        if lastNow.map({ $0 > now }) ?? true { try await adjust(toClock: now, isSetBack: lastNow != nil) }
        // Not before: what fails, or is cancelled, is to be repeated.
        lastNow = now
    }

    private func adjust(toClock now: Int, isSetBack: Bool) async throws {
        // Thousands may wait. They are read beside other writes, and few have to be written.
        let affected = try await store.read { db in
            let ids =
                try isSetBack
                ? db.deviceRecordIDs(.draft, waitingAt: now) : db.deviceRecordIDs(.draft, recordingLaterThan: now)
            return try ids.filter { id in
                var job = try db.draftDocument(id)?.job
                return job?.adjust(toClock: now, isSetBack: isSetBack) ?? false
            }
        }
        guard !affected.isEmpty else { return }
        try await store.write { writer in
            for id in affected {
                guard var document = try writer.db.draftDocument(id),
                    document.job.adjust(toClock: now, isSetBack: isSetBack)
                else { continue }
                try writer.put(document)
            }
        }
    }

    /// Stores documents again that this version can read, and another one couldn't: what is shown of them, and their
    /// time, are of that one.
    private func readAgain() async throws {
        let ids = try await store.read { db in try db.draftsToReadAgain() }
        guard !ids.isEmpty else { return }
        try await store.write { writer in
            for id in ids {
                if let document = try writer.db.draftDocument(id) { try writer.put(document) }
            }
        }
    }

    /// The number of drafts that are looked at together.
    static let batchSize = 100
    /// The number of drafts in a row that are answered with an error status, after which the others wait too.
    private static let maxFailuresInARow = 3
    /// The time after which what another process should have done is looked at again, in seconds.
    private static let recheckInterval = 1.0
    /// The time after which a document that can't be read is looked at again, in milliseconds.
    private static let unreadablePause = 600_000
    /// The longest wait before the drafts are looked at again, in seconds.
    private static let maxSleep = 60.0

    private func isAnyDue() async throws -> Bool {
        try await store.read { [now] db in try db.nextDueDeviceRecord(.draft).map { $0 <= now } ?? false }
    }

    // MARK: - One draft

    /// Does what is due for a draft, once no other call is at work on it.
    ///
    /// - Throws: As ``process(_:)``.
    private func processAlone(_ id: String) async throws -> Progress {
        while let end = work.begin(id) {
            // The stream also ends with the task's cancellation.
            for await _ in end {}
            try Task.checkCancellation()
        }
        defer { work.end(id) }
        return try await process(id)
    }

    /// The number of steps for a draft in a row: more than any needs.
    private static let maxSteps = 50

    /// Does what is due for a draft.
    ///
    /// - Returns: What was done. A failure that concerns the draft alone is recorded in it.
    /// - Throws: As ``flush()``; and ``SyncError`` `transport` if a request had no answer.
    private func process(_ id: String) async throws -> Progress {
        var progress = Progress()
        var earlier: DraftJob?
        for _ in 0..<Self.maxSteps {
            try Task.checkCancellation()
            guard var document = try await store.read({ db in try db.draftDocument(id) }) else {
                try await postponeUnreadable(id)
                return progress
            }
            if document.job.adjust(toClock: now, isSetBack: false) {
                // The clock is right again.
                guard let adjusted = try await adjust(id) else { return progress }
                document = adjusted
            }
            if let earlier { log.changed(from: earlier, to: document.job) }
            earlier = document.job
            let step = document.next(at: now)
            switch step {
            case .none, .wait: return progress
            case .forget:
                let unused = try await store.write { [now] writer -> Set<String> in
                    // Another window may have written the draft again.
                    guard let document = try writer.db.draftDocument(id), document.next(at: now) == .forget
                    else { return [] }
                    try writer.remove(DeviceRecordKind.draft, [id])
                    return document.filesOnDevice
                }
                files.remove(unused, of: id)
                return progress
            default: break
            }
            do {
                try await perform(step, document)
                progress.hasChanged = true
            } catch let error as SyncError where error.isAboutOneDraft {
                answerCount += 1
                try await record(error, of: id)
                if error.asksForPause { throw error }
                if case .status = error { progress.failure = error }
                return progress
            }
        }
        return progress
    }

    /// Sets the time at which a document that can't be read is looked at again: a live outbox looks at what is due each
    /// second. All else of it stays.
    private func postponeUnreadable(_ id: String) async throws {
        try await store.write { [now] writer in
            guard let record = try writer.db.deviceRecord(.draft, id), DraftDocument(record) == nil else { return }
            let later = DeviceRecord(
                id: id,
                json: record.json,
                due: now + Self.unreadablePause,
                isUnsent: record.isUnsent,
                recordedAt: record.recordedAt
            )
            try writer.put(.draft, later)
        }
    }

    /// Records a failure of a draft's request, after which the draft waits.
    private func record(_ error: SyncError, of id: String) async throws {
        let jobs = try await update(id) { [now, jitter] document in
            let before = document.job
            document.job.failed(error, at: now, jitter: jitter)
            return (before, document.job)
        }
        if let jobs { log.changed(from: jobs.0, to: jobs.1, after: error) }
    }

    /// Sends method calls to the server.
    ///
    /// - Parameter notesChanges: Whether the changes that the answer reports are noted now. Those of an attempt to send
    ///   are once its outcome is stored: until then they would show that it wasn't carried out.
    func call(_ request: Request, notesChanges: Bool = true) async throws -> Response {
        let response = try await connection.call(request)
        answerCount += 1
        if notesChanges { ownChanges.note(response) }
        return response
    }

    private func adjust(_ id: String) async throws -> DraftDocument? {
        try await update(id) { [now] document in
            _ = document.job.adjust(toClock: now, isSetBack: false)
            return document
        }
    }

    private func perform(_ step: DraftStep, _ document: DraftDocument) async throws {
        switch step {
        case .none, .wait, .forget: break
        case .upload: try await upload(document)
        case .findSaved(let messageID): try await findSaved(document, messageID)
        case .save: try await save(document)
        case .send: try await send(document)
        case .findHold: try await findHold(document)
        case .excludeHold: try await excludeHold(document)
        case .checkHold: try await checkHold(document)
        case .cancelHold: try await cancelHold(document)
        case .release: try await release(document)
        case .move(let emailID): try await move(document, emailID)
        case .copy: try await copy(document)
        case .destroy(let ids): try await destroy(document, ids)
        case .trash(let ids): try await trash(document, ids)
        case .findVanished: try await findVanished(document)
        case .separate: try await separateReplacedTexts(of: document)
        }
    }

    /// Changes a draft's document in one transaction, and marks the mail that the draft answers if it was sent now.
    ///
    /// - Returns: Nil if there is no document any more.
    @discardableResult
    func update<T: Sendable>(
        _ id: String,
        _ body: @Sendable (inout DraftDocument) throws -> T
    ) async throws -> T? {
        try await store.write { writer in
            guard var document = try writer.db.draftDocument(id) else { return nil }
            let wasSent = document.job.isSent
            let result = try body(&document)
            try writer.put(document)
            if !wasSent, document.job.isSent { try writer.noteAnswer(document.text) }
            return result
        }
    }

    func requests(_ document: DraftDocument) async throws -> DraftRequests {
        let account = try await engine.account(for: .email)
        let (text, sender, user) = (document.text, configuration.sender, user)
        let context = try await store.read { db in
            try DraftRequests.Context(db, account: account, for: text, sender: sender, user: user)
        }
        if let context { return DraftRequests(context: context) }
        // A server that fails to say which mailboxes there are fails for the draft. The next sync fetches them.
        _ = try DraftAnswers.arguments(try await call(DraftRequests.mailboxes(of: account)), "mailboxes")
        throw SyncError.noAccount(capability: MailCapability.mail)
    }
}

extension Task where Failure == any Error {
    /// Waits for the task's end, whatever its outcome.
    ///
    /// - Throws: `CancellationError` as soon as the calling task is cancelled. This task goes on.
    fileprivate func end() async throws(CancellationError) {
        let (ends, signal) = AsyncStream.makeStream(of: Void.self)
        Task<Void, Never> {
            _ = await self.result
            signal.finish()
        }
        // The stream also ends with the calling task's cancellation.
        for await _ in ends {}
        if Task<Never, Never>.isCancelled { throw _Concurrency.CancellationError() }
    }
}

extension ConnectionState {
    /// Whether the server answered last.
    var isReachable: Bool {
        switch self {
        case .live, .polling: true
        default: false
        }
    }
}

extension AsyncStream<Void> {
    /// Returns a stream that has an element for each of two streams' elements, of which it keeps the newest.
    fileprivate static func merging<A: AsyncSequence & Sendable, B: AsyncSequence & Sendable>(
        _ one: A,
        _ other: B
    ) -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let tasks = [
            Task { for try await _ in one { continuation.yield() } },
            Task { for try await _ in other { continuation.yield() } },
        ]
        continuation.onTermination = { _ in for task in tasks { task.cancel() } }
        return stream
    }
}
