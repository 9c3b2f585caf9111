import Foundation
import Groundwork
import JMAP
import Replica

/// Saves drafts on the server, and sends them.
///
/// ``DraftJob`` decides what is next for a draft. This actor carries it out: it stores what it is about to ask of the
/// server, asks, and stores the answer. One process at a time does so for a store, one draft after the other.
///
/// Guarded by the actor, and lost with the process: whether it is closed, at work, or works by itself; when it last
/// looked at the drafts; the account's state after the last mail that it sent, by which the next one needs no search.
actor Outbox {
    let store: ReplicaStore
    let engine: SyncEngine
    let connection: ServerConnection
    let configuration: MailConfiguration
    let user: String
    nonisolated let files: DraftFiles
    /// The uploads under way.
    nonisolated let uploads = DraftUploads()
    private let bodySource: BodySource
    private let log: OutboxLog
    private let lock: FileLock
    private var isClosed = false
    /// The latest time at which drafts were looked at; nil before the first.
    private var lastNow: Int?
    /// Whether the outbox works by itself, and keeps the lock.
    private var isRunning = false
    /// The work under way. Calls meanwhile follow it.
    private var work: Task<Bool, any Error>?
    /// The state of the account's mails that no mail of this package's drafts but those of this actor led to.
    var knownState: String?
    /// Whether the server can't search for headers.
    var isScanning = false

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

    /// Ends all work. An attempt under way is looked into by the next process.
    func close() async {
        isClosed = true
        work?.cancel()
        _ = await work?.result
        uploads.finish()
        lock.release()
    }

    // MARK: - When

    /// Works whenever something is due, until the task is cancelled.
    func run() async {
        var retry = RetryMachine()
        let changes = store.changes.stream(startingWith: ())
        removeUnusedFiles()
        let signals = merged(changes, engine.connectionState.values())
        var wake: Task<Void, Never>?
        let (timer, fire) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        defer {
            wake?.cancel()
            fire.finish()
        }
        isRunning = true
        var wasReachable = engine.connectionState.value.isReachable
        for await _ in merged(signals, timer) {
            guard !Task.isCancelled, !isClosed else { break }
            let now = configuration.clock.now
            var next: Date?
            // A wait ends when the server can be reached again, and not with each change of a draft meanwhile.
            let isReachable = engine.connectionState.value.isReachable
            if isReachable, !wasReachable { retry.retryNow() }
            wasReachable = isReachable
            if let earliest = retry.earliest(at: now), earliest <= now {
                do {
                    _ = try await flush()
                    retry.succeeded()
                } catch {
                    if Task.isCancelled { break }
                    let failure = error as? SyncError
                    // No request is sent until there is another token.
                    if let failure, !failure.isRetryable { await engine.recordRefusal(failure) }
                    retry.failed(
                        isRetryable: true,
                        retryAfter: failure?.retryAfter,
                        at: configuration.clock.now,
                        jitter: configuration.random.unit()
                    )
                    next = retry.earliest(at: configuration.clock.now)
                    log.failed(error, at: configuration.clock.now, retryAt: next)
                }
            } else {
                next = retry.earliest(at: now)
            }
            let due: Date?
            do {
                due = try await store.read { db in try db.nextDueDeviceRecord(.draft) }.map(Date.init(milliseconds:))
            } catch {
                due = .distantPast
            }
            wake?.cancel()
            guard let due else { continue }
            // What was due already and wasn't done waits for another process, or for a store that can be read.
            let recheck = due <= now ? now.addingTimeInterval(Self.recheckInterval) : .distantPast
            // The clock may be set back meanwhile.
            let time = min(max(due, next ?? .distantPast, recheck), now.addingTimeInterval(Self.maxSleep))
            wake = Task { [clock = configuration.clock] in
                if (try? await clock.sleep(until: time)) != nil { fire.yield() }
            }
        }
        // Another process may send what comes next.
        isRunning = false
        _ = await work?.result
        if !isRunning { lock.release() }
    }

    /// Does everything that is due now.
    ///
    /// - Returns: Whether anything was changed on the server.
    /// - Throws: ``SyncError`` if the server can't be reached, ``StoreError``, `CancellationError`. What wasn't done is
    ///   still due.
    @discardableResult
    func flush() async throws -> Bool {
        guard !isClosed else { throw StoreError.closed }
        let before = work
        let task = Task {
            _ = await before?.result
            return try await self.processDue()
        }
        work = task
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func processDue() async throws -> Bool {
        try await ReplicaStore.whileSyncing {
            guard !isClosed else { return false }
            try await adjustToClock()
            guard try await isAnyDue(), lock.acquire() else { return false }
            // Another process may send what comes next.
            defer { if !isRunning { lock.release() } }
            var hasChanged = false
            var done: Set<String> = []
            while true {
                let due = try await store.read { [now] db in
                    try db.dueDeviceRecords(.draft, at: now, limit: Self.batchSize)
                }
                let ids = due.map(\.id).filter { !done.contains($0) }
                guard !ids.isEmpty else { return hasChanged }
                for id in ids {
                    done.insert(id)
                    if try await process(id) { hasChanged = true }
                }
            }
        }
    }

    /// Brings waits to the present clock, if it may have been set back.
    private func adjustToClock() async throws {
        let now = now
        defer { lastNow = now }
        if let lastNow, lastNow <= now { return }
        let waiting = try await store.read { db in try db.deviceRecordIDs(.draft, waitingAt: now) }
        guard !waiting.isEmpty else { return }
        try await store.write { writer in
            for id in waiting {
                guard var document = try writer.db.draftDocument(id), document.job.adjust(toClock: now) else {
                    continue
                }
                try writer.put(document)
            }
        }
    }

    private static let batchSize = 100
    /// The time after which what another process should have done is looked at again, in seconds.
    private static let recheckInterval = 1.0
    /// The longest wait before the drafts are looked at again, in seconds.
    private static let maxSleep = 60.0

    private func isAnyDue() async throws -> Bool {
        try await store.read { [now] db in try db.nextDueDeviceRecord(.draft).map { $0 <= now } ?? false }
    }

    private nonisolated func removeUnusedFiles() {
        Task { [store, files] in
            guard let ids = try? await store.read({ db in try db.deviceRecordIDs(.draft) }) else { return }
            files.removeOthers(than: Set(ids))
        }
    }

    // MARK: - Texts

    /// Fetches the texts of the drafts' versions after each sync, so that drafts can be read and written without a
    /// network.
    func fetchTexts(after rounds: AsyncStream<Void>) async {
        for await _ in rounds { try? await fetchTexts() }
    }

    /// Fetches the texts of the drafts' versions that aren't on this device.
    func fetchTexts() async throws {
        let missing = try await store.read { db in try db.draftVersionsWithoutBody(limit: Self.batchSize) }
        for start in stride(from: 0, to: missing.count, by: BodySource.batchSize) {
            let some = Array(missing[start..<min(start + BodySource.batchSize, missing.count)])
            try await bodySource.fetch(some, for: .prefetch)
        }
    }

    // MARK: - One draft

    /// The number of steps for a draft in a row: more than any needs.
    private static let maxSteps = 50

    /// Does what is due for a draft.
    ///
    /// - Returns: Whether anything was changed on the server.
    private func process(_ id: String) async throws -> Bool {
        var hasChanged = false
        var earlier: DraftJob?
        for _ in 0..<Self.maxSteps {
            try Task.checkCancellation()
            guard let document = try await store.read({ db in try db.draftDocument(id) }) else { return hasChanged }
            if let earlier { log.changed(from: earlier, to: document.job) }
            earlier = document.job
            let step = document.job.next(at: now, lacksUploads: document.text.lacksUploads)
            switch step {
            case .none, .wait: return hasChanged
            case .forget:
                let isForgotten = try await store.write { [now] writer in
                    // Another window may have written the draft again.
                    guard let document = try writer.db.draftDocument(id),
                        document.job.next(at: now, lacksUploads: document.text.lacksUploads) == .forget
                    else { return false }
                    try writer.remove(DeviceRecordKind.draft, [id])
                    return true
                }
                if isForgotten { files.remove(of: id) }
                return hasChanged
            default: break
            }
            do {
                try await perform(step, document)
                hasChanged = true
            } catch let error as SyncError where error.isAboutOneDraft {
                let job = try await update(id) { [now, random = configuration.random] document in
                    document.job.failed(error, at: now, jitter: random.unit())
                    return document.job
                }
                if let job { log.changed(from: document.job, to: job) }
                return hasChanged
            }
        }
        return hasChanged
    }

    private func perform(_ step: DraftStep, _ document: DraftDocument) async throws {
        switch step {
        case .none, .wait, .forget: break
        case .upload: try await upload(document)
        case .findSaved(let messageID): try await findSaved(document, messageID)
        case .save: try await save(document)
        case .send: try await send(document)
        case .move(let emailID):
            let response = try await connection.call(try await requests(document).move(emailID))
            let (_, kept) = try DraftAnswers.moving(response, of: [emailID])
            knownState = nil
            try await update(document.id) { [now, random = configuration.random] document in
                if kept.isEmpty { document.job.moved() } else { document.job.postpone(at: now, jitter: random.unit()) }
            }
        case .copy: try await copy(document)
        case .destroy(let ids): try await destroy(document, ids)
        case .trash(let ids): try await trash(document, ids)
        case .findVanished: try await findVanished(document)
        }
    }

    /// Changes a draft's document in one transaction.
    @discardableResult
    func update<T: Sendable>(
        _ id: String,
        _ body: @Sendable (inout DraftDocument) throws -> T
    ) async throws -> T? {
        try await store.write { writer in
            guard var document = try writer.db.draftDocument(id) else { return nil }
            let result = try body(&document)
            try writer.put(document)
            return result
        }
    }

    func requests(_ document: DraftDocument) async throws -> DraftRequests {
        let account = try await engine.account(for: .email)
        let (identityID, sender, user) = (document.text.identityID, configuration.sender, user)
        let context = try await store.read { db in
            try DraftRequests.Context(db, account: account, identity: identityID, sender: sender, user: user)
        }
        guard let context else { throw SyncError.noAccount(capability: MailCapability.mail) }
        return DraftRequests(context: context)
    }
}

/// Returns a stream that has an element for each of two streams' elements, of which it keeps the newest.
private func merged<A: AsyncSequence & Sendable, B: AsyncSequence & Sendable>(
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

extension ConnectionState {
    /// Whether the server answered last.
    var isReachable: Bool {
        switch self {
        case .live, .polling: true
        default: false
        }
    }
}
