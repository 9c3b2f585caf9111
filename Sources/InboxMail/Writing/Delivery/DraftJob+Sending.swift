import Foundation
import Groundwork
import Replica

/// The outcome of a request to send.
enum SendAnswer: Hashable, Sendable {
    /// The mail was submitted. `isMoved` is false if it is still where drafts are.
    case sent(emailID: String, isMoved: Bool)
    /// The account's state has changed. The server has applied nothing of the request; it may have applied a copy of it
    /// that came first, which is a change of the state too.
    case stateMismatch
    /// The server refuses. `emailID` is the id of a mail that was created and not submitted.
    case refused(DraftRefusal, emailID: String?)
    /// The server refuses for now.
    case postponed(DraftRefusal, emailID: String?)
    /// The server doesn't have these blobs any more.
    case blobsNotFound([String], emailID: String?)
}

extension DraftJob.Attempt {
    /// The attempt's last request, as one that was refused; nil for an attempt of an earlier version.
    fileprivate var refused: DraftJob.RefusedRequest? { states.map { .init(mails: $0.mails, since: since) } }
}

extension DraftJob {
    /// Records that a request to send begins.
    ///
    /// - Parameters:
    ///   - mark: A new, random mark for its mail.
    ///   - states: The account's states at which it is processed.
    ///   - heldUntil: The time until which the server is asked to hold the mail; nil if it isn't.
    mutating func beginAttempt(at now: Int, mark: String, in states: AccountStates, heldUntil: Int? = nil) {
        let isRepeated: Bool? = attempt == nil ? nil : true
        let earlier = heldUntil == nil ? attempt?.heldUntil : nil
        attempt = Attempt(since: now, states: states, heldUntil: heldUntil ?? earlier, isRepeated: isRepeated)
        if earlier != nil { attempt?.isAtOnce = true }
        (isNew, refused) = (nil, nil)
        attemptDates = (attemptDates + [heldUntil ?? now]).suffix(Self.maxAttemptDates)
        attemptMarks = ((attemptMarks ?? []) + [mark]).suffix(Self.maxAttemptDates)
    }

    /// Records that a request to send is about to be made, before ``beginAttempt(at:mark:in:heldUntil:)``.
    ///
    /// - Parameter messageID: The mail's `Message-ID`.
    mutating func noteRequest(_ messageID: String, at now: Int) {
        let time = Date(milliseconds: now)
        if tried != nil {
            tried?.requestCount += 1
            tried?.lastRequestAt = time
            tried?.checkCount = 0
            tried?.finding = nil
        } else if attempt == nil {
            tried = SendingAttempts(messageID: messageID, requestCount: 1, firstRequestAt: time, lastRequestAt: time)
        }
    }

    /// Records why the last request to send had no answer.
    mutating func requestFailed(_ error: SyncError) { tried?.failure = error.description }

    /// Records an answer of the server that doesn't show whether the mail was sent.
    mutating func noteCheck(_ finding: SendingAttempts.Finding) {
        tried?.checkCount += 1
        tried?.finding = finding
    }

    /// Returns the mail that shows that the draft was sent; nil if none does.
    private static func sent(_ mails: [FoundMail]) -> FoundMail? {
        let others = mails.filter { !$0.isDraft }
        // One that was received, or moved away, shows that the one that is still where drafts are was sent.
        return others.first { $0.isInSent && !$0.isReceived } ?? others.first(where: \.isInSent)
            ?? mails.first(where: \.isSubmitted)
            ?? others.first.flatMap { _ in mails.first { $0.isDraft && $0.isForSending && !$0.isInTrash } }
            ?? others.first { !$0.isInTrash } ?? others.first
    }

    /// Whether this device, and no other, sent the mail with the draft's `Message-ID`.
    func isOwn(_ mail: FoundMail) -> Bool {
        guard mail.isForSending, !isUnsubmitted(mail) else { return false }
        if let mark = mail.mark { return attemptMarks?.contains(mark) ?? false }
        guard let sentAt = mail.sentAt else { return !attemptDates.isEmpty }
        return attemptDates.contains { $0 / 1_000 == sentAt / 1_000 }
    }

    /// Whether this device created a mail that certainly wasn't submitted. Another program may have sent it since.
    private func isUnsubmitted(_ mail: FoundMail) -> Bool { (unsubmitted ?? []).contains(mail.id) && !mail.isInSent }

    /// The refusal to send beside a mail of the draft that this device hasn't sent.
    private func refusal(beside sent: FoundMail) -> DraftRefusal {
        // Programs that send a draft put it among the sent mails. One that is elsewhere may only have been moved.
        let isElsewhere = !sent.isInSent && !sent.isSubmitted && !sent.isInTrash
        let what =
            isElsewhere && (!sent.isForSending || isUnsubmitted(sent))
            ? "Another program has moved a text of this draft out of the drafts, and may have sent it."
            : "A mail of this draft was sent already, from another device or with an earlier text."
        return DraftRefusal(.alreadySent, "\(what) Send it again to send a new mail with this text.")
    }

    /// Returns the ids of the mails that were created for an attempt, and of which it isn't known whether they were
    /// submitted.
    func undecided(_ mails: [FoundMail]) -> [String] {
        // Another device's attempt, whose text this one has changed, is as open as before.
        let known = Set(ownVersions).subtracting(undecidedMails ?? []).union(reportedMails ?? [])
            .union(unsubmitted ?? [])
        return mails.filter { $0.isDraft && $0.isForSending && !known.contains($0.id) }.map(\.id)
    }

    /// Whether none of the mails is that of an attempt, sent or not.
    func lacksAttempt(_ mails: [FoundMail]) -> Bool { Self.sent(mails) == nil && undecided(mails).isEmpty }

    /// Applies the result of the search on the server before an attempt, or after one whose answer was lost.
    ///
    /// - Parameters:
    ///   - state: The state of the account's mails before the search.
    ///   - isExcluded: Whether an attempt under way of which there is no mail was certainly not carried out. Otherwise
    ///     its mail may have been sent, and removed since.
    ///   - missing: The ids of versions of the draft that the server doesn't have.
    ///   - newToken: The token to use if a mail with the present one may have been sent, and removed for good.
    /// - Returns: Whether the mail can be sent now, under the condition that the account's state is still that of the
    ///   search.
    mutating func found(
        _ mails: [FoundMail],
        in state: String? = nil,
        at now: Int,
        hasBcc: Bool,
        isExcluded: Bool = true,
        missing: [String] = [],
        newToken: String? = nil
    ) -> Bool {
        if foundSent(mails, at: now, hasBcc: hasBcc) { return false }
        let created = undecided(mails)
        if created.isEmpty, attempt == nil || isExcluded {
            if let attempt, !(attempt.isRefused ?? false), let before = attempt.states?.mails, before == state {
                // A request that arrives later is carried out, unless a repetition, or another change, comes first.
                self.attempt?.isMissing = true
                return true
            }
            let wasMismatched = attempt?.isRefused ?? false
            // A request that arrives later finds another state.
            attempt = nil
            if isRemovedElsewhere(mails, missing: missing) {
                refuseRemoved(at: now)
                return false
            }
            replaceSpentToken(by: newToken)
            return !wasMismatched || mayRepeat(at: now)
        }
        // Created, and not submitted, or submitted and not moved. The server may still be at it.
        var attempt = attempt ?? Attempt(since: now)
        attempt.checks += 1
        noteCheck(created.isEmpty ? .missing : .unsubmitted)
        if now - recorded(attempt.since, at: now) >= Self.attemptPatience {
            reportUnknown(since: attempt.since)
            guard let first = created.first else { return false }
            reportedMails = (reportedMails ?? []) + created
            // One that the person has put into the trash stays there.
            if mails.contains(where: { $0.id == first && !$0.isInTrash }) {
                undecidedMails = (undecidedMails ?? []) + [first]
            }
        } else {
            self.attempt = attempt
            let wait = min(1_000 << min(attempt.checks, 5), Self.attemptPatience)
            retry = Retry(failures: 0, notBefore: now + wait, since: now)
        }
        return false
    }

    /// Applies the answer to a request to send.
    mutating func answered(_ answer: SendAnswer, at now: Int, hasBcc: Bool, jitter: Double) {
        unanswered = nil
        switch answer {
        case .sent(let emailID, let isMoved):
            attemptDates = attemptDates.suffix(1)
            attemptMarks = lastMark.map { [$0] }
            markSent(emailID, at: now, isMoved: isMoved, needsCopy: hasBcc)
        case .stateMismatch: requestWasMismatched()
        // It was taken back meanwhile.
        case .refused(_, let emailID) where !isToBeSent, .postponed(_, let emailID) where !isToBeSent:
            remove(emailID)
            endRequest(hasChanged: emailID != nil)
        case .refused(let refusal, let emailID):
            remove(emailID)
            refuse(refusal)
        case .postponed(let refusal, let emailID):
            remove(emailID)
            endRequest(hasChanged: emailID != nil)
            if hasFailedForLong(at: now) {
                refuse(refusal)
            } else {
                postpone(at: now, jitter: jitter, first: 60_000)
            }
        case .blobsNotFound(_, let emailID):
            remove(emailID)
            endRequest(hasChanged: emailID != nil)
        }
    }

    /// Records that the last request of the attempt was certainly not carried out. An earlier one whose answer was lost
    /// may still be.
    ///
    /// - Parameter hasChanged: Whether it has changed the account's mails: then an earlier one finds another state.
    mutating func endRequest(hasChanged: Bool) {
        if !hasChanged, attempt?.isRepeated ?? false {
            attempt?.isMissing = true
        } else {
            refused = hasChanged ? nil : attempt?.refused
            attempt = nil
        }
    }

    /// Records that the server has refused a request to hold or send the mail because the account's mails have changed.
    /// A copy of the request, or an earlier one whose answer was lost, may have changed them, so its mail is searched
    /// for next.
    mutating func requestWasMismatched() {
        attempt?.isMissing = nil
        attempt?.isRefused = true
        tried?.failure = Self.hadChanged
    }

    /// Records that a request which found the account's mails in another state wasn't carried out. It is repeated at
    /// once at first: other mails arrive, and the next request is made in the new state.
    ///
    /// - Returns: Whether it is repeated at once.
    private mutating func mayRepeat(at now: Int) -> Bool {
        guard isToBeSent else { return true }
        // One that the server doesn't get to hold is sent by this device at its time.
        let isToBeHeld = holdTime(at: now) != nil
        if !isToBeHeld, hasFailedForLong(at: now, after: Self.promptRepeats + Self.minFailures) {
            refuse(DraftRefusal(.other, Self.alwaysChanging))
            return false
        }
        let failures = (retry?.failures ?? 0) + 1
        let wait = failures < Self.promptRepeats ? 0 : 1_000 * min(failures, 30)
        retry = Retry(failures: failures, notBefore: now + wait, since: now)
        return wait == 0
    }

    /// The number of attempts in a row to find the account unchanged, of which all but the last one need no wait.
    private static let promptRepeats = 5
    private static let hadChanged = "The account's mails had changed when the server was asked."
    private static let alwaysChanging =
        "The account's mails changed each time the server was asked to send it. Send it again."

    /// Records that it isn't known whether an attempt has sent the mail.
    mutating func reportUnknown(since: Int) {
        (outcome, order, attempt, retry, failing) = (.unknown(since: since), nil, nil, nil, nil)
    }

    /// Records a created mail that wasn't submitted. It has to go: another device would take it for an attempt that is
    /// still under way.
    mutating func remove(_ emailID: String?) {
        guard let emailID else { return }
        leftovers.append(emailID)
        unsubmitted = (unsubmitted ?? []) + [emailID]
    }

    mutating func refuse(_ refusal: DraftRefusal) {
        refused = attempt?.refused ?? refused
        (outcome, order, attempt, retry, failing) = (.refused(refusal), nil, nil, nil, nil)
    }

    mutating func markSent(_ emailID: String, at now: Int, isMoved: Bool, needsCopy: Bool) {
        outcome = .sent(emailID: emailID, at: now)
        (order, attempt, retry, lostUploads, failing) = (nil, nil, nil, nil, nil)
        leftovers += included + (undecidedMails ?? []) + (saved.map { [$0.emailID] } ?? [])
        leftovers.removeAll { $0 == emailID }
        (included, saved, undecidedMails) = ([], nil, nil)
        aftermath = isMoved && !needsCopy ? nil : RemainingWork(isToBeMoved: !isMoved, needsCopy: needsCopy)
    }

    /// Records that a mail with the draft's `Message-ID` was sent, if one was: this device's, another device's, or an
    /// earlier text.
    ///
    /// - Returns: Whether one was.
    mutating func foundSent(_ mails: [FoundMail], at now: Int, hasBcc: Bool) -> Bool {
        guard let sent = Self.sent(mails) else { return false }
        guard isOwn(sent) else {
            isSentElsewhere = true
            refuse(refusal(beside: sent))
            return true
        }
        let named = mails.first { !$0.isDraft && $0.isInSent && $0.hasBcc }
        attemptDates = (sent.sentAt ?? attemptDates.last).map { [$0] } ?? []
        attemptMarks = (sent.mark ?? attemptMarks?.last).map { [$0] }
        // The person has moved it to the trash, where it stays unchanged.
        markSent(named?.id ?? sent.id, at: now, isMoved: !sent.isDraft, needsCopy: hasBcc && !sent.isInTrash)
        return true
    }

    /// The time from which on mails may be the draft's, as far as this device knows, with a day for wrong clocks.
    var searchHorizon: Int {
        guard let createdAt else { return 0 }
        let times: [Int?] = [
            createdAt, editedAt, orderedAt == 0 ? nil : orderedAt, attempt?.since, saved?.at, attemptDates.first,
        ]
        return (times.compactMap { $0 }.min() ?? 0) - 86_400_000
    }

    /// The date of the mail that was sent; nil if none was.
    var sentDate: Int? {
        isSent ? attemptDates.last : nil
    }

    /// The mark of the last attempt, or of the mail that was sent; nil for a document of an earlier version.
    var lastMark: String? { attemptMarks?.last }
}
