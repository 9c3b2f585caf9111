import Foundation
import Groundwork
import JMAP
import Replica

extension Outbox {
    /// Searches for mails with a draft's token, or for one saved version by the left side of its `Message-ID`.
    ///
    /// - Parameters:
    ///   - spentToken: A token with which another device may have sent the draft; nil for none.
    ///   - readsSubmissions: Whether the state of the submissions is read too.
    ///   - versions: The ids of known versions, of which the result says which are missing.
    func search(
        _ requests: DraftRequests,
        _ token: String,
        of job: DraftJob,
        spentToken: String? = nil,
        readsSubmissions: Bool = false,
        versions: [String] = []
    ) async throws -> DraftAnswers.Search {
        let place = try await place(requests, token, spentToken)
        if !isScanning {
            let response = try await call(
                requests.search(for: token, readsSubmissions: readsSubmissions, versions: versions)
            )
            if var search = try DraftAnswers.search(response, in: place, versions: versions) {
                guard let spentToken else { return search }
                let response = try await call(requests.search(for: spentToken))
                if let others = try DraftAnswers.search(response, in: place) {
                    search.mails += others.mails
                    return search
                }
            }
            isScanning = true
        }
        var whole: DraftAnswers.Search?
        var position = 0
        for _ in 0..<Self.maxPages {
            // The first page shows which versions are there.
            let asked = whole == nil ? versions : []
            let request = requests.search(
                for: token,
                scanningFrom: position,
                readsSubmissions: readsSubmissions,
                versions: asked
            )
            let answer = try DraftAnswers.search(
                try await call(request),
                in: place,
                scanningFrom: position,
                versions: asked
            )
            guard let page = answer else { throw SyncError.malformed("Email/query") }
            let known = Set((whole?.mails ?? []).map(\.id))
            // The first page has the states before them all.
            let mails = (whole?.mails ?? []) + page.mails.filter { !known.contains($0.id) }
            whole = DraftAnswers.Search(
                states: whole?.states ?? page.states,
                mails: mails,
                missing: whole?.missing ?? page.missing
            )
            guard let rest = page.rest, rest.time > job.searchHorizon else { break }
            position = rest.position
        }
        guard let whole else { throw SyncError.malformed("Email/query") }
        return whole
    }

    /// The number of pages of a scan.
    private static let maxPages = 50

    func place(
        _ requests: DraftRequests,
        _ token: String,
        _ spentToken: String? = nil
    ) async throws -> DraftAnswers.Place {
        let trash = try await store.read { db in try StoreQuery(roles: [.trash]).fetch(db).first?.id }
        let sent = requests.context.sentMailbox ?? requests.context.draftsMailbox
        return DraftAnswers.Place(token: token, spentToken: spentToken, trash: trash, sent: sent)
    }

    /// The knowledge of a draft's attempt after a search.
    struct Findings {
        /// The draft's mails.
        var mails: [FoundMail] = []
        /// Whether the attempt was certainly not carried out, if none of them is its own.
        var isExcluded: Bool
        /// A state of the account's mails, later than that of the search, at which this is so; nil for none.
        var state: String?
        /// The ids of mails that were removed until then. The search may have found them.
        var removed: [String] = []
    }

    /// Looks further for an attempt of which a search has found no mail.
    ///
    /// - Parameter state: The state of the account's mails before the search.
    private func lookUp(
        _ attempt: DraftJob.Attempt,
        of job: DraftJob,
        in state: String,
        _ requests: DraftRequests
    ) async throws -> Findings {
        // An attempt of an earlier version.
        guard let states = attempt.states else { return Findings(isExcluded: true) }
        if ownChanges.areAll(from: states.mails, to: state) { return Findings(isExcluded: true) }
        let place = try await place(requests, job.token, job.spentToken)
        var submissions: Response?
        if let since = states.submissions {
            // An hour for the clocks of device and server.
            submissions = try await call(requests.submissions(since: since, before: attempt.since - 3_600_000))
        }
        // Last, since the next request is made in the state that this reads.
        let changes = try await changes(since: states.mails, in: place, requests)
        guard job.lacksAttempt(changes.mails) else { return Findings(mails: changes.mails, isExcluded: false) }
        if let submissions {
            if DraftAnswers.excludesSubmission(submissions, since: states, in: place) {
                // A server that doesn't show what it has created may be about to submit it.
                let isOver = now - job.recorded(attempt.since, at: now) >= DraftJob.attemptPatience
                return Findings(
                    isExcluded: changes.isComplete || isOver,
                    state: changes.state,
                    removed: changes.removed
                )
            }
            // One may be the attempt's, of a mail that is gone.
            if !DraftAnswers.areOtherSubmissions(submissions, since: states, in: place, beside: changes) {
                return Findings(isExcluded: false)
            }
        }
        return Findings(
            isExcluded: try await isOtherConflict(attempt, changes, in: place),
            state: changes.state,
            removed: changes.removed
        )
    }

    /// Whether the changes of other mails are the reason for which an attempt's only request found the account's mails
    /// in another state, so that it wasn't carried out.
    ///
    /// The server's answer alone doesn't show it: the network may have delivered the request twice, and the first copy
    /// been carried out. Then the changes since contain its mail. A server may leave out one that was removed again, so
    /// they have to contain another change, by which the answer is explained, and no removal of a mail that may be the
    /// attempt's: one that this device doesn't know, or one that a sync has brought; and they are read at once, as a
    /// rule, and before the attempt would be reported as unknown.
    private func isOtherConflict(
        _ attempt: DraftJob.Attempt,
        _ changes: DraftAnswers.Changes,
        in place: DraftAnswers.Place
    ) async throws -> Bool {
        guard attempt.isRefused ?? false, !(attempt.isRepeated ?? false), changes.isComplete,
            (0..<DraftJob.attemptPatience).contains(now - attempt.since), changes.hasOthers || !changes.removed.isEmpty
        else { return false }
        let removed = Set(changes.removed)
        let known = try await store.read { db in try db.mails(Array(removed)) }
        return known.count == removed.count
            && !known.contains { place.isForSending($0.messageIDs.first) ?? false }
    }

    /// Returns the changes of the account's mails since a state, with the created mails that are a draft's. A server's
    /// search may not know them yet.
    func changes(
        since state: String,
        in place: DraftAnswers.Place,
        _ requests: DraftRequests
    ) async throws -> DraftAnswers.Changes {
        var (changes, next): (DraftAnswers.Changes, String?) = (.init(), state)
        for _ in 0..<Self.maxPages {
            guard let since = next else { break }
            let response = try await call(requests.changes(since: since))
            guard let page = DraftAnswers.changes(response, in: place) else { break }
            changes.add(page.changes)
            next = page.next
            // A server that names the same state again would do so each time.
            if next == since { break }
        }
        // The rest isn't known.
        changes.isComplete = changes.isComplete && next == nil
        if !changes.isComplete { changes.state = nil }
        return changes
    }

    /// A draft that is being sent, as it was when that began.
    struct Sending {
        let document: DraftDocument
        let requests: DraftRequests

        var id: String { document.id }
        var hasBcc: Bool { !document.text.bcc.isEmpty }
    }

    func send(_ document: DraftDocument) async throws {
        let sending = Sending(document: document, requests: try await requests(document))
        guard try await hasSender(document, sending.requests.context.sender) else { return }
        guard var states = try await statesBeforeSending(sending) else { return }
        states.countsSubmissions = sending.requests.context.countsSubmissions
        let now = now
        let heldUntil = document.job.holdTime(at: now)
        guard let attempt = try await beginAttempt(sending, in: states, at: now, heldUntil: heldUntil) else { return }
        let request = sending.requests.send(attempt, ifInState: states.mails, at: now)
        guard let response = try await callForAttempt(request, of: sending.id) else { return }
        let answer = try DraftAnswers.send(response)
        if let heldUntil {
            try await recordHold(answer, in: response, to: sending, until: heldUntil)
        } else {
            try await recordAnswer(answer, to: sending)
            if case .sent = answer { knownStates = DraftAnswers.statesAfterSending(response) }
        }
        ownChanges.note(response)
        if let counts = DraftAnswers.countsSubmissions(response), counts != states.countsSubmissions {
            try await store.write { writer in try writer.set(countsSubmissions: counts) }
        }
        try await follow(answer, to: sending)
    }

    /// Makes sure that no earlier attempt has sent the draft.
    ///
    /// - Returns: The states of the account in which it may be sent; nil if it isn't to be sent now.
    private func statesBeforeSending(_ sending: Sending) async throws -> DraftJob.AccountStates? {
        let job = sending.document.job
        // A draft that no other device knows needs no search. One of another process may be known: the device may have
        // been restored from a backup, and the mail been sent after that was made.
        let isNew = (job.isNew ?? false) && newDrafts.hasSaved(sending.id)
        let known = isNew ? knownStates : nil
        knownStates = nil
        if let known { return known }
        var search = try await search(
            sending.requests,
            job.token,
            of: job,
            spentToken: job.spentToken,
            readsSubmissions: true,
            versions: job.versionsToLookFor
        )
        let findings = try await findings(sending, after: search)
        // The request is made in the state of the findings.
        search.missing += findings.removed
        var mails = findings.mails
        if job.attempt?.heldUntil != nil, !job.lacksAttempt(mails) {
            // A request to hold it has arrived late. The submissions show whether the mail was sent.
            try await update(sending.id) { $0.job.holdMayHaveArrived() }
            return nil
        }
        let undecided = job.undecided(mails)
        if !undecided.isEmpty {
            let submitted = DraftAnswers.submitted(try await call(sending.requests.submissions(of: undecided)))
            for index in mails.indices { mails[index].isSubmitted = submitted.contains(mails[index].id) }
        }
        let missing = try await missingVersions(sending, mails, search)
        let maySend = try await maySend(
            sending,
            after: mails,
            in: search.states.mails,
            isExcluded: findings.isExcluded,
            missing: missing
        )
        guard maySend else { return nil }
        var states = search.states
        states.mails = findings.state ?? states.mails
        return states
    }

    /// Returns the ids of the known versions that the server doesn't have, unless another device has replaced them.
    private func missingVersions(
        _ sending: Sending,
        _ mails: [FoundMail],
        _ search: DraftAnswers.Search
    ) async throws -> [String] {
        let job = sending.document.job
        // A version has the draft's id, whatever token the mail to send has.
        guard job.token != sending.id, job.isRemovedElsewhere(mails, missing: search.missing) else {
            return search.missing
        }
        let others = try await self.search(sending.requests, sending.id, of: job).mails
        return others.contains { $0.isDraft && !$0.isForSending && !$0.isInTrash } ? [] : search.missing
    }

    /// Returns the mails that a search has found, with those of an attempt that it may not know yet.
    func findings(_ sending: Sending, after search: DraftAnswers.Search) async throws -> Findings {
        let job = sending.document.job
        var findings = Findings(isExcluded: true)
        if job.lacksAttempt(search.mails) {
            let (state, requests) = (search.states.mails, sending.requests)
            if let attempt = job.attempt {
                findings = try await lookUp(attempt, of: job, in: state, requests)
            } else if let refused = job.refused, now - refused.since < DraftJob.searchLag,
                !ownChanges.areAll(from: refused.mails, to: state)
            {
                // Another copy of the last request may have been carried out.
                let place = try await place(requests, job.token, job.spentToken)
                let changes = try await changes(since: refused.mails, in: place, requests)
                (findings.mails, findings.state) = (changes.mails, changes.state)
                findings.removed = changes.removed
            }
        }
        findings.mails = search.mails.filter { !findings.removed.contains($0.id) } + findings.mails
        return findings
    }

    /// Stores which mails of the draft there are, in a state of the account's mails.
    ///
    /// - Returns: Whether the draft is still to be sent.
    private func maySend(
        _ sending: Sending,
        after mails: [FoundMail],
        in state: String,
        isExcluded: Bool,
        missing: [String]
    ) async throws -> Bool {
        let (id, hasBcc) = (sending.id, sending.hasBcc)
        let newToken = DraftToken.make(configuration.random)
        let maySend = try await update(id) { [now] document in
            // The person may have taken the order back, or discarded the draft.
            guard document.job.isToBeSent else { return false }
            return document.job.found(
                mails,
                in: state,
                at: now,
                hasBcc: hasBcc,
                isExcluded: isExcluded,
                missing: missing,
                newToken: newToken
            )
        }
        return maySend ?? false
    }

    /// Stores that a request to send is about to be made.
    ///
    /// - Parameter heldUntil: The time until which the server is asked to hold the mail; nil if it isn't.
    /// - Returns: The draft with the attempt; nil if it isn't to be sent any more.
    private func beginAttempt(
        _ sending: Sending,
        in states: DraftJob.AccountStates,
        at now: Int,
        heldUntil: Int?
    ) async throws -> DraftDocument? {
        let mark = configuration.random.token(length: 16)
        let revision = sending.document.job.revision
        let begun = try await update(sending.id) { current -> DraftDocument? in
            // The person may have taken the order back, and given another one.
            guard let time = current.job.sendTime(at: now), current.job.revision == revision,
                heldUntil.map({ $0 == time }) ?? (time <= now)
            else { return nil }
            current.job.noteRequest(sending.requests.messageID(current.job), at: now)
            current.job.beginAttempt(at: now, mark: mark, in: states, heldUntil: heldUntil)
            return current
        }
        return begun ?? nil
    }

    /// Makes a request to send. If it was certainly not processed, and is the first one, there was no attempt.
    ///
    /// - Returns: Nil if the request is too large, which the draft then says.
    private func callForAttempt(_ request: Request, of id: String) async throws -> Response? {
        do {
            return try await call(request, notesChanges: false)
        } catch let error as SyncError where error.isCertainlyUnprocessed {
            try await update(id) { document in
                document.job.endRequest(hasChanged: false)
                if error.isTooLarge { document.job.cannotProceed(DraftRefusal(.tooLarge, DraftAnswers.tooLarge)) }
            }
            if error.isTooLarge { return nil }
            throw error
        } catch let error as SyncError where error.isOfConnection && !Task.isCancelled {
            // That it is recorded only helps the person.
            _ = try? await update(id) { $0.job.requestFailed(error) }
            throw error
        }
    }

    func recordAnswer(_ answer: SendAnswer, to sending: Sending) async throws {
        try await update(sending.id) { [now, jitter, hasBcc = sending.hasBcc] document in
            document.job.answered(answer, at: now, hasBcc: hasBcc, jitter: jitter)
        }
    }

    /// Removes what an attempt has left that didn't send.
    func follow(_ answer: SendAnswer, to sending: Sending) async throws {
        switch answer {
        case .blobsNotFound(let blobs, _): try await forgetBlobs(blobs, of: sending.document)
        case .refused(_, let emailID?), .postponed(_, let emailID?):
            // If this fails, it is done later.
            var removing = sending.document
            removing.job.remove(emailID)
            try? await destroy(removing, [emailID])
        case .sent, .stateMismatch, .refused, .postponed: break
        }
    }

    /// Moves a sent mail that is still where drafts are to where sent mails are. One that another program has moved
    /// stays there, and is no draft any more.
    func move(_ document: DraftDocument, _ emailID: String) async throws {
        let requests = try await requests(document)
        let place = try await place(requests, document.job.token)
        let mail = try DraftAnswers.mail(try await call(requests.mail(emailID)), emailID, in: place)
        let isElsewhere = mail.map { !$0.mailboxIDs.contains(requests.context.draftsMailbox) } ?? false
        var kept: [String] = []
        if !isElsewhere || mail?.isDraft ?? true {
            let response = try await call(requests.move(emailID, isElsewhere: isElsewhere))
            (_, kept) = try DraftAnswers.moving(response, of: [emailID])
            knownStates = nil
        }
        try await update(document.id) { [now, jitter, kept] document in
            if kept.isEmpty { document.job.moved() } else { document.job.postpone(at: now, jitter: jitter) }
        }
    }

    /// Replaces a sent mail by a copy that names the hidden recipients.
    func copy(_ document: DraftDocument) async throws {
        guard case .sent(let sentID, _) = document.job.outcome else { return }
        let requests = try await requests(document)
        knownStates = nil
        let search = try await search(requests, document.job.token, of: document.job)
        // A search may not know it yet.
        var mails = search.mails
        if !mails.contains(where: { $0.id == sentID }) {
            let place = try await place(requests, document.job.token)
            mails += [try DraftAnswers.mail(try await call(requests.mail(sentID)), sentID, in: place)].compactMap { $0 }
        }
        let sent = mails.first { $0.id == sentID }
        // The person has put it into the trash: there it stays as it is.
        if sent?.isInTrash ?? false {
            try await update(document.id) { $0.job.copied(sentID) }
            return
        }
        var step = DraftJob.copyStep(mails, of: sentID)
        // A server that doesn't show the hidden recipients has it all the same.
        if case .create = step, let copyID = document.job.aftermath?.copyID {
            step = DraftJob.copyStep(mails.map { $0.id == copyID ? $0.named : $0 }, of: sentID)
            if case .create = step { return try await waitForCopy(copyID, document.id) }
        }
        switch step {
        case .create:
            let request = requests.copy(document, of: sent, ifInState: search.states.mails, at: now)
            switch try DraftAnswers.creation(try await call(request)) {
            // The next step finds both mails.
            case .created(let emailID): try await update(document.id) { $0.job.createdCopy(emailID) }
            case .refused(let refusal), .postponed(let refusal):
                try await update(document.id) { [now, jitter] document in
                    document.job.copyWasRefused(refusal, at: now, jitter: jitter)
                }
            case .blobsNotFound(let blobs): try await forgetBlobs(blobs, of: document)
            }
        case .keep(let emailID, let others):
            if !others.isEmpty {
                let response = try await call(requests.destroy(others, ifInState: search.states.mails))
                _ = try DraftAnswers.destruction(response, of: others)
            }
            try await update(document.id) { $0.job.copied(emailID) }
        }
    }
}

extension Outbox {
    /// Whether the draft has a sender. If not, the draft is refused; while the identities aren't known, it waits.
    private func hasSender(_ document: DraftDocument, _ sender: SenderChoice) async throws -> Bool {
        let none = DraftRefusal(.notSupported, "The server has no identity to send with for this account.")
        switch sender {
        case .identity: return true
        case .refused(let refusal): try await refuse(refusal, document)
        case .none: try await refuse(none, document)
        case .unknown:
            do {
                _ = try await engine.account(for: .identity)
            } catch SyncError.noAccount {
                try await refuse(none, document)
                return false
            }
            // The next sync fetches them.
            try await update(document.id) { [now, jitter] document in
                document.job.postpone(at: now, jitter: jitter)
            }
        }
        return false
    }

    /// Records that the draft can't be sent as it was read.
    private func refuse(_ refusal: DraftRefusal, _ document: DraftDocument) async throws {
        try await update(document.id) { $0.job.cannotSend(refusal, as: document.job) }
    }

    /// Waits for a copy that was created and isn't found yet, and after a while leaves both mails where they are.
    private func waitForCopy(_ emailID: String, _ id: String) async throws {
        try await update(id) { [now, jitter] document in
            if document.job.retry?.failures ?? 0 < 5 {
                document.job.postpone(at: now, jitter: jitter)
            } else {
                document.job.copied(emailID)
            }
        }
    }
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
    /// Whether the failure concerns the draft, and neither the connection nor the account. A proxy, or a server with a
    /// mistake, may answer one draft's requests with an error status, and no other's.
    var isAboutOneDraft: Bool {
        switch self {
        case .method, .malformed, .status: true
        case .transport, .unauthorized, .noToken, .otherPerson, .noAccount, .otherProcess: false
        }
    }

    /// Whether a request had no answer.
    var isOfConnection: Bool {
        if case .transport = self { true } else { false }
    }

    /// Whether the server asks for a pause of all requests.
    var asksForPause: Bool {
        if case .status(let status, let retryAfter, _) = self { status == 429 || retryAfter != nil } else { false }
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
        // A proxy that waited in vain for a server's answer says 408, whatever the server did.
        case .status(let status, _, _): (400..<500).contains(status) && status != 408
        case .unauthorized, .noToken, .otherPerson, .noAccount, .otherProcess: true
        case .method(let error): error.type == "requestTooLarge"
        case .transport, .malformed: false
        }
    }
}
