import Foundation
import Groundwork
import JMAP
import Replica

extension Outbox {
    /// A draft that is being sent, as it was when that began.
    struct Sending {
        let document: DraftDocument
        let requests: DraftRequests

        var id: String { document.id }
        var hasBcc: Bool { !document.text.bcc.isEmpty }
    }

    func send(_ document: DraftDocument) async throws {
        let sending = Sending(document: document, requests: try await requests(document))
        // Whether an earlier request has sent it is found out first, whatever has become of the sender since.
        let isOpen = document.job.attempt != nil
        if !isOpen, try await !hasSender(sending) { return }
        guard var states = try await statesBeforeSending(sending) else { return }
        if isOpen, try await !hasSender(sending) { return }
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
}

extension Outbox {
    /// Whether the draft has a sender. If not, the draft is refused; while the identities aren't known, it waits, no
    /// longer than after any other failure.
    ///
    /// - Throws: ``SyncError`` if the server doesn't say which identities there are.
    private func hasSender(_ sending: Sending) async throws -> Bool {
        let (document, requests) = (sending.document, sending.requests)
        let none = DraftRefusal(.notSupported, "The server has no identity to send with for this account.")
        switch requests.context.sender {
        case .identity: return true
        case .refused(let refusal): try await refuse(refusal, document)
        case .none: try await refuse(none, document)
        case .unknown:
            let account: String
            do {
                account = try await engine.account(for: .identity)
            } catch SyncError.noAccount {
                try await refuse(none, document)
                return false
            }
            // Time without a network doesn't count, so the server is asked.
            _ = try DraftAnswers.arguments(try await call(requests.identities(of: account)), "identities")
            // The next sync fetches them.
            let text = "The senders of this account aren't on this device yet. Send it again later."
            try await update(document.id) { [now, jitter] current in
                if current.job.hasFailedForLong(at: now) {
                    current.job.cannotSend(DraftRefusal(.sender, text), as: document.job)
                } else {
                    current.job.postpone(at: now, jitter: jitter)
                }
            }
        }
        return false
    }

    /// Records that the draft can't be sent as it was read.
    private func refuse(_ refusal: DraftRefusal, _ document: DraftDocument) async throws {
        try await update(document.id) { $0.job.cannotSend(refusal, as: document.job) }
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
