import Foundation
import Groundwork
import JMAP
import Replica

/// Saves drafts on the server, and sends them.
///
/// ``DraftJob`` decides what is next for a draft. This actor carries it out: it stores what it is about to ask of the
/// server, asks, and stores the answer. One process at a time does so for a store, one draft after the other.
///
/// Guarded by the actor, and lost with the process: whether it is closed, at work, or works by itself; the account's
/// state after the last mail that it sent, by which the next one needs no search.
actor Outbox {
    private let store: ReplicaStore
    private let engine: SyncEngine
    private let connection: ServerConnection
    private let configuration: MailConfiguration
    private let user: String
    nonisolated let files: DraftFiles
    /// The uploads under way.
    nonisolated let uploads = DraftUploads()
    private let bodySource: BodySource
    private let lock: FileLock
    private var isClosed = false
    /// Whether the outbox works by itself, and keeps the lock.
    private var isRunning = false
    /// The work under way. Calls meanwhile follow it.
    private var work: Task<Bool, any Error>?
    /// The state of the account's mails that no mail of this package's drafts but those of this actor led to.
    private var knownState: String?
    /// Whether the server can't search for headers.
    private var isScanning = false

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
        lock = FileLock(store.location.lock(StoreDomain("outbox", label: "outbox")))
    }

    private var now: Int { configuration.clock.now.milliseconds }

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
            let time = max(due, next ?? .distantPast, recheck)
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
            return try await self.doAll()
        }
        work = task
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func doAll() async throws -> Bool {
        try await ReplicaStore.whileSyncing {
            guard !isClosed, try await isAnyDue(), lock.acquire() else { return false }
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

    private static let batchSize = 100
    /// The time after which what another process should have done is looked at again, in seconds.
    private static let recheckInterval = 1.0

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
        for _ in 0..<Self.maxSteps {
            try Task.checkCancellation()
            guard let document = try await store.read({ db in try db.draftDocument(id) }) else { return hasChanged }
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
                try await update(id) { [now, random = configuration.random] document in
                    document.job.failed(error, at: now, jitter: random.unit())
                }
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
    private func update<T: Sendable>(
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

    private func requests(_ document: DraftDocument) async throws -> DraftRequests {
        let account = try await engine.account(for: .email)
        let (identityID, sender, user) = (document.text.identityID, configuration.sender, user)
        let context = try await store.read { db in
            try DraftRequests.Context(db, account: account, identity: identityID, sender: sender, user: user)
        }
        guard let context else { throw SyncError.noAccount(capability: MailCapability.mail) }
        return DraftRequests(context: context)
    }

    // MARK: Files

    private func upload(_ document: DraftDocument) async throws {
        let id = document.id
        if case .send = document.job.order { try await update(id) { $0.job.isUploading = true } }
        let account = try await engine.account(for: .email)
        for file in document.text.files where file.blobID == nil {
            let bytes: Data
            do {
                guard file.isOnDevice else { throw DraftFiles.Changed() }
                bytes = try files.read(file, of: id)
            } catch {
                let text =
                    "The file \(file.name) is missing or was changed on this device. Remove it, or attach it again."
                try await update(id) { $0.job.cannotProceed(DraftRefusal(.attachment, text)) }
                return
            }
            let blobID: String
            defer { uploads.end(file.id, of: id) }
            do {
                blobID = try await uploads.report(file.id, of: id, size: bytes.count) {
                    try await connection.upload([UInt8](bytes), type: file.type, account: account)
                }
            } catch SyncError.method(let error) {
                // The server has a limit for one file.
                let text = "The file \(file.name) is larger than the server allows. \(error.description ?? "")"
                try await update(id) { $0.job.cannotProceed(DraftRefusal(.tooLarge, text)) }
                return
            }
            try await update(id) { document in
                for index in document.text.files.indices where document.text.files[index].id == file.id {
                    document.text.files[index].blobID = blobID
                }
            }
        }
        try await update(id) { $0.job.isUploading = false }
    }

    /// Forgets blobs that the server doesn't have any more, so that the files are uploaded again. If the server loses
    /// them each time, the draft can't be saved or sent as it is.
    private func forgetBlobs(_ blobs: [String], of id: String) async throws {
        try await update(id) { [now, random = configuration.random] document in
            let uploaded = document.text.files.filter { $0.blobID != nil }
            let named = uploaded.filter { blobs.contains($0.blobID ?? "") }
            // A server that names none, or others, may mean any of them.
            let lost = named.isEmpty ? uploaded : named
            let ids = lost.map(\.id)
            for index in document.text.files.indices where ids.contains(document.text.files[index].id) {
                document.text.files[index].blobID = nil
            }
            guard !document.job.lostUploads(of: ids, at: now, jitter: random.unit()) else { return }
            let names = lost.map(\.name).joined(separator: ", ")
            let text =
                lost.isEmpty
                ? "The server says that it lacks a file of the mail, which has none."
                : "The server doesn't keep \(names), though it was uploaded. Try again later, or remove it."
            document.job.cannotProceed(DraftRefusal(.attachment, text))
            // Its text isn't uploaded either until it is changed: the server would lose the file again.
            document.job.unsavableRevision = document.job.revision
        }
    }

    // MARK: Saving

    private func save(_ document: DraftDocument) async throws {
        let requests = try await requests(document)
        let messageID = DraftToken.versionID(
            document.id,
            domain: requests.context.domain,
            configuration.random
        )
        let begun = try await update(document.id) { current in
            // The person may have gone on writing, or ordered something else.
            guard current.job.revision == document.job.revision, current.job.order == nil else { return false }
            current.job.beginSaving(messageID: messageID)
            return true
        }
        guard begun ?? false else { return }
        knownState = nil
        let response: Response
        do {
            response = try await connection.call(requests.save(document, messageID: messageID, at: now))
        } catch let error as SyncError where error.isCertainlyUnprocessed {
            try await update(document.id) { document in
                if error.isTooLarge { document.job.saveWasRefused() } else { document.job.didNotSave() }
            }
            if error.isTooLarge { return }
            throw error
        }
        switch try DraftAnswers.creation(response) {
        case .created(let emailID): try await update(document.id) { [now] in $0.job.didSave(emailID, at: now) }
        case .refused: try await update(document.id) { $0.job.saveWasRefused() }
        case .postponed:
            try await update(document.id) { [now, random = configuration.random] document in
                document.job.didNotSave()
                document.job.postpone(at: now, jitter: random.unit())
            }
        case .blobsNotFound(let blobs):
            try await update(document.id) { $0.job.didNotSave() }
            try await forgetBlobs(blobs, of: document.id)
        }
    }

    private func findSaved(_ document: DraftDocument, _ messageID: String) async throws {
        let requests = try await requests(document)
        let local = String(messageID.prefix { $0 != "@" })
        let found = try await search(requests, local).mails.first
        try await update(document.id) { [now] document in
            if let found { document.job.didSave(found.id, at: now) } else { document.job.didNotSave() }
        }
    }

    private func destroy(_ document: DraftDocument, _ ids: [String]) async throws {
        let response = try await connection.call(try await requests(document).destroy(Array(ids.prefix(50))))
        let (gone, kept) = try DraftAnswers.destruction(response, of: Array(ids.prefix(50)))
        knownState = nil
        // What the server refuses to remove stays, as another version.
        try await update(document.id) { [now] in $0.job.didDestroy(gone, refused: kept, at: now) }
    }

    /// Moves the versions of a discarded draft to the trash, where other devices see that it was discarded, and the
    /// person finds it. Without a trash they are removed.
    private func trash(_ document: DraftDocument, _ ids: [String]) async throws {
        let requests = try await requests(document)
        let ids = Array(ids.prefix(50))
        guard let request = requests.trash(ids) else { return try await destroy(document, ids) }
        let (gone, kept) = try DraftAnswers.moving(try await connection.call(request), of: ids)
        knownState = nil
        try await update(document.id) { [now] in $0.job.didDestroy(gone, refused: kept, at: now) }
    }

    private func findVanished(_ document: DraftDocument) async throws {
        var found = try await search(try await requests(document), document.id).mails
        // What another device has sent isn't this text.
        if document.isSentElsewhere { found.removeAll(where: \.isForSending) }
        let (id, now) = (document.id, now)
        let isRemoved = try await store.write { [found] writer in
            guard var document = try writer.db.draftDocument(id),
                document.job.next(at: now, lacksUploads: false) == .findVanished
            else { return false }
            let isKept = document.job.foundVanished(found)
            if isKept {
                try writer.put(document)
            } else {
                try writer.remove(DeviceRecordKind.draft, [id])
            }
            return !isKept
        }
        if isRemoved { files.remove(of: id) }
    }

    // MARK: Sending

    /// Searches for mails with a draft's token, or for one saved version by the left side of its `Message-ID`.
    private func search(_ requests: DraftRequests, _ token: String) async throws -> DraftAnswers.Search {
        let trash = try await store.read { db in try StoreQuery(roles: [.trash]).fetch(db).first?.id }
        for _ in 0..<2 {
            let response = try await connection.call(requests.search(for: token, isScanning: isScanning))
            if let search = try DraftAnswers.search(
                response,
                token: token,
                trash: trash,
                sent: requests.context.sentMailbox ?? requests.context.draftsMailbox
            ) {
                return search
            }
            isScanning = true
        }
        throw SyncError.malformed("Email/query")
    }

    private func send(_ document: DraftDocument) async throws {
        let id = document.id
        let requests = try await requests(document)
        guard requests.context.identity != nil else {
            let text = "The server has no identity to send with for this account."
            try await update(id) { $0.job.cannotProceed(DraftRefusal(.notSupported, text)) }
            return
        }
        let hasBcc = !document.text.bcc.isEmpty
        // A draft that no other device knows needs no search.
        let isSecret =
            document.job.ownVersions.isEmpty && document.job.attempt == nil && !(document.job.hasAttempted ?? false)
            && document.job.attemptDates.isEmpty
        var state = isSecret ? knownState : nil
        knownState = nil
        if state == nil {
            let search = try await search(requests, document.job.token)
            var mails = search.mails
            let undecided = document.job.undecided(mails)
            if !undecided.isEmpty {
                let submitted = DraftAnswers.submitted(
                    try await connection.call(requests.submissions(of: undecided))
                )
                for index in mails.indices { mails[index].isSubmitted = submitted.contains(mails[index].id) }
            }
            let maySend = try await store.write { [now, mails] writer in
                // The person may have taken the order back, or discarded the draft.
                guard var document = try writer.db.draftDocument(id), case .send = document.job.order else {
                    return false
                }
                let maySend = document.job.found(mails, at: now, hasBcc: hasBcc)
                try writer.put(document)
                if case .sent = document.job.outcome { try writer.noteAnswer(document.text) }
                return maySend
            }
            guard maySend else { return }
            state = search.state
        }
        guard let state else { return }
        let now = now
        let current = try await update(id) { current -> DraftDocument? in
            // The person may have taken the order back, and given another one.
            guard case .send(let time) = current.job.order, time <= now,
                current.job.revision == document.job.revision
            else { return nil }
            current.job.beginAttempt(at: now)
            return current
        }
        guard let current, let current else { return }
        let response: Response
        do {
            response = try await connection.call(requests.send(current, ifInState: state, at: now))
        } catch let error as SyncError where error.isCertainlyUnprocessed {
            try await update(id) { document in
                document.job.attempt = nil
                if error.isTooLarge { document.job.cannotProceed(DraftRefusal(.tooLarge, DraftAnswers.tooLarge)) }
            }
            if error.isTooLarge { return }
            throw error
        }
        let answer = try DraftAnswers.send(response)
        let (time, random) = (self.now, configuration.random)
        try await store.write { writer in
            guard var document = try writer.db.draftDocument(id) else { return }
            document.job.answered(answer, at: time, hasBcc: hasBcc, jitter: random.unit())
            try writer.put(document)
            if case .sent = answer { try writer.noteAnswer(document.text) }
        }
        switch answer {
        case .sent: knownState = DraftAnswers.stateAfterSending(response)
        case .blobsNotFound(let blobs, _): try await forgetBlobs(blobs, of: id)
        case .stateMismatch: break
        case .refused(_, let emailID?), .postponed(_, let emailID?):
            // If this fails, it is done later.
            try? await destroy(document, [emailID])
        case .refused, .postponed: break
        }
    }

    /// Replaces a sent mail by a copy that names the hidden recipients.
    private func copy(_ document: DraftDocument) async throws {
        let requests = try await requests(document)
        knownState = nil
        let search = try await search(requests, document.job.token)
        var step = DraftJob.copyStep(search.mails)
        // A server that doesn't show the hidden recipients has it all the same.
        if case .create = step, let copyID = document.job.aftermath?.copyID {
            step = DraftJob.copyStep(search.mails.map { $0.id == copyID ? $0.named : $0 })
            if case .create = step { return try await waitForCopy(copyID, document.id) }
        }
        switch step {
        case .create:
            let response = try await connection.call(requests.copy(document, ifInState: search.state, at: now))
            switch try DraftAnswers.creation(response) {
            // The next step finds both mails.
            case .created(let emailID): try await update(document.id) { $0.job.createdCopy(emailID) }
            case .refused: try await update(document.id) { $0.job.abandonCopy() }
            case .postponed:
                try await update(document.id) { [now, random = configuration.random] document in
                    document.job.postpone(at: now, jitter: random.unit())
                }
            case .blobsNotFound(let blobs): try await forgetBlobs(blobs, of: document.id)
            }
        case .keep(let emailID, let others):
            if !others.isEmpty {
                let response = try await connection.call(requests.destroy(others))
                _ = try DraftAnswers.destruction(response, of: others)
            }
            try await update(document.id) { $0.job.copied(emailID) }
        }
    }
}

extension Outbox {
    /// Waits for a copy that was created and isn't found yet, and after a while leaves both mails where they are.
    private func waitForCopy(_ emailID: String, _ id: String) async throws {
        try await update(id) { [now, random = configuration.random] document in
            if document.job.retry?.failures ?? 0 < 5 {
                document.job.postpone(at: now, jitter: random.unit())
            } else {
                document.job.copied(emailID)
            }
        }
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

extension StoreWriter {
    /// Marks the mail that a sent draft answers or forwards.
    func noteAnswer(_ text: DraftText) throws {
        let marks = [(text.answeredMessageID, Keyword.answered), (text.forwardedMessageID, Keyword.forwarded)]
        for (id, keyword) in marks {
            if let id { try update(.email, RecordType.keywords, members: [keyword: true], ids: [id]) }
        }
    }
}

extension SyncError {
    /// Whether the failure concerns the draft, and not the connection.
    var isAboutOneDraft: Bool {
        switch self {
        case .method, .malformed: true
        default: false
        }
    }

    /// Whether the server refuses the request for its size.
    var isTooLarge: Bool {
        switch self {
        case .status(let status, _, _): status == 413
        case .method(let error): error.type == "requestTooLarge"
        default: false
        }
    }

    /// Whether the server has certainly not processed the request.
    var isCertainlyUnprocessed: Bool {
        switch self {
        case .status(let status, _, _): (400..<500).contains(status)
        case .unauthorized, .noToken, .otherPerson, .noAccount, .otherProcess: true
        case .method(let error): error.type == "requestTooLarge"
        case .transport, .malformed: false
        }
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
