import Groundwork
import JMAP
import Replica

/// Mails that the server holds until their time.
extension Outbox {
    /// Stores the answer to a request to hold a mail.
    func recordHold(_ answer: SendAnswer, in response: Response, to sending: Sending, until due: Int) async throws {
        switch answer {
        case .sent(let emailID, let isMoved):
            guard let submission = DraftAnswers.heldSubmission(response, of: emailID) else {
                try await recordAnswer(answer, to: sending)
                break
            }
            let serverTime = await serverTime()
            try await update(sending.id) { [now] document in
                let since = document.job.attempt?.since ?? now
                document.job.held(
                    .init(submissionID: submission.id, emailID: emailID, due: due, isMoved: isMoved, since: since)
                )
                document.job.note(sendAt: submission.sendAt, serverTime: serverTime, at: now)
            }
        case .refused(_, let emailID), .postponed(_, let emailID):
            try await update(sending.id) { $0.job.holdWasRefused(emailID) }
        case .stateMismatch: try await update(sending.id) { $0.job.requestWasMismatched() }
        case .blobsNotFound: try await recordAnswer(answer, to: sending)
        }
    }

    /// The present time by the server's clock; nil if its last answer didn't say.
    private func serverTime() async -> Int? {
        guard let difference = await connection.clockDifference else { return nil }
        return now + Int(difference * 1_000)
    }

    /// Finds out whether the server holds a mail, after a request whose answer was lost.
    func findHold(_ document: DraftDocument) async throws {
        let sending = Sending(document: document, requests: try await requests(document))
        knownStates = nil
        let search = try await search(
            sending.requests,
            document.job.token,
            of: document.job,
            spentToken: document.job.spentToken,
            readsSubmissions: true
        )
        let findings = try await findings(sending, after: search)
        let ids = findings.mails.filter { $0.isForSending && !$0.isReceived }.map(\.id)
        let submissions = try await ids.isEmpty ? [] : DraftAnswers.holds(call(sending.requests.holds(of: ids)))
        let serverTime = await serverTime()
        try await update(document.id) { [now] document in
            guard let due = document.job.attempt?.heldUntil else { return }
            document.job.foundHold(
                findings.mails,
                submissions,
                in: search.states.mails,
                until: due,
                serverTime: serverTime,
                at: now,
                isExcluded: findings.isExcluded
            )
        }
    }

    /// Keeps a request to hold a mail, which the person has taken back, from being carried out later: a mail is created
    /// in the state of the account's mails in which the request would be, which is another one then. It is in the trash
    /// until it is destroyed.
    func excludeHold(_ document: DraftDocument) async throws {
        guard let missing = document.job.attempt, let state = missing.states?.mails else { return }
        let requests = try await requests(document)
        let random = configuration.random
        let messageID =
            missing.exclusion
            ?? DraftToken.versionID(DraftToken.make(random), domain: requests.context.domain, random)
        let begun = try await update(document.id) { current -> DraftJob.Attempt? in
            guard current.job.attempt == missing else { return nil }
            current.job.attempt?.exclusion = messageID
            return current.job.attempt
        }
        guard let attempt = begun ?? nil else { return }
        knownStates = nil
        let response = try await call(requests.exclude(in: state, messageID: messageID, at: now))
        switch try DraftAnswers.exclusion(response) {
        case .excluded(let emailID): try await endExclusion([emailID], of: attempt, document, requests)
        case .stateMismatch:
            // An earlier request, whose answer was lost, may have created it.
            let mails = try await exclusions(messageID, since: state, document, requests)
            guard mails.isEmpty else { return try await endExclusion(mails, of: attempt, document, requests) }
            // The request to hold the mail may have arrived meanwhile.
            try await update(document.id) { document in
                if document.job.attempt == attempt { document.job.holdWasOvertaken() }
            }
        case .refused:
            try await update(document.id) { [now, jitter] document in
                if document.job.attempt == attempt { document.job.exclusionWasRefused(at: now, jitter: jitter) }
            }
        }
    }

    /// Returns the ids of the mails that were created to exclude a request to hold a mail.
    ///
    /// - Parameter state: The state of the account's mails in which they were created.
    private func exclusions(
        _ messageID: String,
        since state: String,
        _ document: DraftDocument,
        _ requests: DraftRequests
    ) async throws -> [String] {
        let local = String(messageID.prefix { $0 != "@" })
        let found = try await search(requests, local, of: document.job).mails
        guard found.isEmpty else { return found.map(\.id) }
        return try await changes(since: state, in: place(requests, local), requests).mails.map(\.id)
    }

    /// Stores that a request to hold a mail won't be carried out, and removes the mails that were created for that.
    private func endExclusion(
        _ mails: [String],
        of attempt: DraftJob.Attempt,
        _ document: DraftDocument,
        _ requests: DraftRequests
    ) async throws {
        let areInTrash = requests.context.trashMailbox != nil
        try await update(document.id) { document in
            if document.job.attempt == attempt { document.job.holdWasExcluded(leaving: areInTrash ? [] : mails) }
        }
        // In the trash they are no drafts.
        if areInTrash { _ = try? await call(requests.destroy(mails)) }
    }

    /// Finds out whether the server has sent a mail that it held.
    func checkHold(_ document: DraftDocument) async throws {
        guard let hold = document.job.hold else { return }
        let requests = try await requests(document)
        let response = try await call(requests.hold(hold.submissionID))
        var submission = try DraftAnswers.holds(response).first { $0.id == hold.submissionID }
        var isAmongSent = false
        if submission?.status == "canceled" {
            // Another program may have submitted the mail again, for another time.
            let all = try DraftAnswers.holds(try await call(requests.holds(of: [hold.emailID])))
            submission = DraftJob.deciding(all, of: [hold.emailID]) ?? submission
        } else if submission == nil {
            let places = try await call(requests.places(of: [hold.emailID]))
            isAmongSent = try DraftAnswers.isAmongSent(places, hold)
        }
        let serverTime = await serverTime()
        try await update(document.id) { [now, jitter, submission, isAmongSent] document in
            guard document.job.hold?.submissionID == hold.submissionID else { return }
            document.job.sawHold(
                submission,
                isAmongSent: isAmongSent,
                serverTime: serverTime,
                at: now,
                jitter: jitter
            )
        }
        if submission?.status == "canceled", hold.mayBeCancelled { try await recordUnsentHold(document) }
    }

    /// Asks the server not to send a mail that it holds. A repetition changes nothing more.
    func cancelHold(_ document: DraftDocument) async throws {
        guard let hold = document.job.hold else { return }
        let requests = try await requests(document)
        try await update(document.id) { [now] document in document.job.beginCancelling(at: now) }
        let response = try await call(requests.cancel(hold.submissionID))
        let answer = try DraftAnswers.cancellation(response, of: hold.submissionID)
        try await update(document.id) { [now, jitter] document in
            guard document.job.hold?.submissionID == hold.submissionID else { return }
            // What an earlier request did isn't known. This one was answered.
            document.job.hold?.mayBeCancelled = hold.mayBeCancelled
            document.job.cancelled(answer, at: now, jitter: jitter)
        }
        if answer == .cancelled { try await recordUnsentHold(document) }
    }

    /// Ends the verification of a server that hasn't sent a mail, if this device has cancelled it for that reason.
    private func recordUnsentHold(_ document: DraftDocument) async throws {
        guard case .send = document.job.order else { return }
        let text =
            "The server hadn't sent a mail a quarter of an hour after its time, and this device has sent it."
        try await store.write { [clock = configuration.clock] writer in
            guard let check = try writer.db.heldSendingCheck() else { return }
            try writer.set(HeldSendingCheck(reason: text, checkedAt: clock.now, longest: check.longest))
        }
    }

    /// Makes a mail a draft again that the server held and holds no longer.
    func release(_ document: DraftDocument) async throws {
        guard let released = document.job.released else { return }
        let response = try await call(try await requests(document).release(released.emailID))
        let (_, kept) = try DraftAnswers.moving(response, of: [released.emailID])
        knownStates = nil
        try await update(document.id) { [now, jitter] document in
            guard document.job.released == released else { return }
            if kept.isEmpty {
                document.job.wasReleased()
            } else {
                document.job.releaseWasRefused(at: now, jitter: jitter)
            }
        }
    }
}
