import Replica

/// The outcome of a request to send.
enum SendAnswer: Hashable, Sendable {
    /// The mail was submitted. `isMoved` is false if it is still where drafts are.
    case sent(emailID: String, isMoved: Bool)
    /// The account's state was another one. Nothing was done.
    case stateMismatch
    /// The server refuses. `emailID` is the id of a mail that was created and not submitted.
    case refused(DraftRefusal, emailID: String?)
    /// The server refuses for now.
    case postponed(DraftRefusal, emailID: String?)
    /// The server doesn't have these blobs any more.
    case blobsNotFound([String], emailID: String?)
}

extension DraftJob {
    /// Records that a request to send begins.
    mutating func beginAttempt(at now: Int) {
        attempt = attempt ?? Attempt(since: now)
        hasAttempted = true
        attemptDates = (attemptDates + [now]).suffix(Self.maxAttemptDates)
    }

    /// Returns the mail that shows that the draft was sent; nil if none does.
    private static func sent(_ mails: [FoundMail]) -> FoundMail? {
        let others = mails.filter { !$0.isDraft }
        // One that was received, or moved away, shows that the one that is still where drafts are was sent.
        return others.first(where: \.isInSent) ?? mails.first(where: \.isSubmitted)
            ?? others.first.flatMap { _ in mails.first { $0.isDraft && $0.isForSending && !$0.isInTrash } }
            ?? others.first { !$0.isInTrash } ?? others.first
    }

    /// Whether this device sent a mail that has the draft's `Message-ID`, and not another one.
    private func isOwn(_ mail: FoundMail) -> Bool {
        guard let sentAt = mail.sentAt else { return !attemptDates.isEmpty }
        return attemptDates.contains { $0 / 1_000 == sentAt / 1_000 }
    }

    /// Returns the ids of the mails that were created for an attempt, and of which it isn't known whether they were
    /// submitted.
    func undecided(_ mails: [FoundMail]) -> [String] {
        // Another device's attempt, whose text this one has changed, is as open as before.
        let known = Set(ownVersions).subtracting(undecidedMails ?? []).union(reportedMails ?? [])
        return mails.filter { $0.isDraft && $0.isForSending && !known.contains($0.id) }.map(\.id)
    }

    /// Takes in what was found on the server before an attempt, or after one whose answer was lost.
    ///
    /// - Returns: Whether the mail can be sent now, under the condition that the account's state is still that of the
    ///   search.
    mutating func found(_ mails: [FoundMail], at now: Int, hasBcc: Bool) -> Bool {
        if let sent = Self.sent(mails) {
            if isOwn(sent) {
                let isMoved = !sent.isDraft
                let named = mails.first { !$0.isDraft && $0.isInSent && $0.hasBcc }
                attemptDates = (sent.sentAt ?? attemptDates.last).map { [$0] } ?? []
                // The person has put it into the trash: there it stays as it is.
                markSent(named?.id ?? sent.id, at: now, isMoved: isMoved, needsCopy: hasBcc && !sent.isInTrash)
            } else {
                isSentElsewhere = true
                refuse(
                    DraftRefusal(
                        .alreadySent,
                        "This draft was sent from another device. Send it again to send a new mail with this text."
                    )
                )
            }
            return false
        }
        guard let created = undecided(mails).first else {
            // Not there: it wasn't processed. If it is later, the state is another one by then.
            attempt = nil
            return true
        }
        // Created, and not submitted, or submitted and not moved. The server may still be at it.
        var attempt = attempt ?? Attempt(since: now)
        attempt.checks += 1
        if now - attempt.since >= Self.attemptPatience {
            (outcome, order, self.attempt, retry) = (.unknown(since: attempt.since), nil, nil, nil)
            // One that the person has put into the trash stays there.
            reportedMails = (reportedMails ?? []) + undecided(mails)
            if mails.contains(where: { $0.id == created && !$0.isInTrash }) {
                undecidedMails = (undecidedMails ?? []) + [created]
            }
        } else {
            self.attempt = attempt
            let wait = min(1_000 << min(attempt.checks, 5), Self.attemptPatience)
            retry = Retry(failures: 0, notBefore: now + wait, since: now)
        }
        return false
    }

    /// Takes in the answer to a request to send.
    mutating func answered(_ answer: SendAnswer, at now: Int, hasBcc: Bool, jitter: Double) {
        switch answer {
        case .sent(let emailID, let isMoved):
            attemptDates = attemptDates.suffix(1)
            markSent(emailID, at: now, isMoved: isMoved, needsCopy: hasBcc)
        case .stateMismatch:
            attempt = nil
            let failures = (retry?.failures ?? 0) + 1
            // At once at first: other mails arrive, and the next attempt finds the new state.
            let wait = failures < 5 ? 0 : 1_000 * min(failures, 30)
            retry = Retry(failures: failures, notBefore: now + wait, since: now)
        case .refused(let refusal, let emailID):
            remove(emailID)
            refuse(refusal)
        case .postponed(let refusal, let emailID):
            remove(emailID)
            attempt = nil
            if now - orderedAt >= Self.maxPostponement {
                refuse(refusal)
            } else {
                postpone(at: now, jitter: jitter, first: 60_000)
            }
        case .blobsNotFound(_, let emailID):
            remove(emailID)
            attempt = nil
        }
    }

    /// Records a retryable failure, in which nothing was changed on the server or it isn't known.
    mutating func postpone(at now: Int, jitter: Double, first: Int = 1_000) {
        let failures = min((retry?.failures ?? 0) + 1, 20)
        let full = min(first << min(failures - 1, 12), 3_600_000)
        let delay = full / 2 + Int(Double(full / 2) * jitter)
        retry = Retry(failures: failures, notBefore: now + delay, since: now)
    }

    /// Records a retryable failure of the server.
    mutating func failed(_ error: SyncError, at now: Int, jitter: Double) {
        if case .send = order, attempt == nil, now - orderedAt >= Self.maxPostponement {
            refuse(DraftRefusal(.other, error.description))
        } else {
            postpone(at: now, jitter: jitter)
        }
    }

    /// Records that the draft can't be saved or sent as it is.
    mutating func cannotProceed(_ refusal: DraftRefusal) {
        if case .sent = outcome { return abandonCopy() }
        isUploading = false
        if case .send = order { refuse(refusal) } else { unsavableRevision = revision }
    }

    /// Records that the server doesn't have files any more that were uploaded.
    ///
    /// Files that were uploaded long ago may be gone, so they are uploaded again: at once the first time, after a wait
    /// from then on. A server that loses each upload refuses the mail.
    ///
    /// - Parameter files: The files' ids.
    /// - Returns: Whether they are to be uploaded again.
    mutating func lostUploads(of files: [String], at now: Int, jitter: Double) -> Bool {
        var counts = lostUploads ?? [:]
        for id in files { counts[id, default: 0] += 1 }
        lostUploads = counts
        let most = files.compactMap { counts[$0] }.max() ?? Self.maxLostUploads
        if most > 1, most < Self.maxLostUploads { postpone(at: now, jitter: jitter) }
        return most < Self.maxLostUploads
    }

    /// Records a created mail that wasn't submitted. It has to go: another device would take it for an attempt that is
    /// still under way.
    mutating func remove(_ emailID: String?) {
        if let emailID { leftovers.append(emailID) }
    }

    mutating func refuse(_ refusal: DraftRefusal) {
        (outcome, order, attempt, retry) = (.refused(refusal), nil, nil, nil)
    }

    mutating func markSent(_ emailID: String, at now: Int, isMoved: Bool, needsCopy: Bool) {
        outcome = .sent(emailID: emailID, at: now)
        (order, attempt, retry, lostUploads) = (nil, nil, nil, nil)
        leftovers += included + (undecidedMails ?? []) + (saved.map { [$0.emailID] } ?? [])
        leftovers.removeAll { $0 == emailID }
        (included, saved, undecidedMails) = ([], nil, nil)
        aftermath = isMoved && !needsCopy ? nil : RemainingWork(isToBeMoved: !isMoved, needsCopy: needsCopy)
    }

    /// Records that a mail of an attempt whose outcome wasn't known is among the sent ones.
    mutating func foundSent(_ emailID: String, at now: Int, hasBcc: Bool, namesBcc: Bool) {
        markSent(emailID, at: now, isMoved: true, needsCopy: hasBcc && !namesBcc)
    }

    /// Records that the sent mail is where sent mails are.
    mutating func moved() {
        aftermath?.isToBeMoved = false
        if aftermath?.needsCopy == false { aftermath = nil }
        retry = nil
    }

    /// The next step for the copy of a sent mail with hidden recipients.
    enum CopyStep: Hashable, Sendable {
        case create
        /// The copies there are; all mails but one of them are to go.
        case keep(String, destroying: [String])
    }

    /// Returns what to do about the copy, given the mails that have the draft's `Message-ID`.
    static func copyStep(_ mails: [FoundMail]) -> CopyStep {
        // A mail that was received, by oneself or through a list, isn't the one that was sent.
        let sent = mails.filter { !$0.isDraft && $0.isForSending && $0.isInSent }
        guard let copy = sent.filter(\.hasBcc).map(\.id).min() else { return .create }
        return .keep(copy, destroying: sent.map(\.id).filter { $0 != copy })
    }

    /// The date of the mail that was sent; nil if none was.
    var sentDate: Int? {
        if case .sent = outcome { attemptDates.last } else { nil }
    }

    /// Records that the copy was created.
    mutating func createdCopy(_ emailID: String) {
        aftermath?.copyID = emailID
        retry = nil
    }

    /// Records that the copy has taken the place of the sent mail.
    mutating func copied(_ emailID: String) {
        if case .sent(_, let time) = outcome { outcome = .sent(emailID: emailID, at: time) }
        (aftermath, retry) = (nil, nil)
    }

    /// Abandons the copy, because the server refuses it. The mail itself was sent.
    mutating func abandonCopy() { (aftermath, retry) = (nil, nil) }
}
