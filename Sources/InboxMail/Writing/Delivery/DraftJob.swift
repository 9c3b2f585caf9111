import Replica

/// How far a draft has come: what the server has of it, what the person ordered, and what was attempted.
///
/// A state machine without I/O, stored with the draft's text. Each request that changes something on the server is
/// recorded here, durably, before it is sent: a process that dies, or an answer that is lost, leaves a record of what
/// may have happened, and ``next(at:lacksUploads:_:)`` begins with finding out.
///
/// **A mail is sent once.** Every attempt, by whichever device, has the same `Message-ID`. An attempt creates the mail
/// and submits it in one request, under the condition that the account's state of mails is one at which no mail with
/// that `Message-ID` was there (`ifInState`, RFC 8620, section 5.3). So of two attempts, one of which may have been
/// delayed or belong to another device, only one creates a mail, and only what was created is submitted.
///
/// Times are in milliseconds since 1970.
struct DraftJob: Codable, Hashable, Sendable {
    /// What the person wants.
    enum Order: Codable, Hashable, Sendable {
        /// To send it, not before a time.
        case send(at: Int)
        /// To remove it from all devices.
        case discard
    }

    /// An attempt to send whose outcome isn't known yet.
    struct Attempt: Codable, Hashable, Sendable {
        /// When it began.
        var since: Int
        /// How often its outcome was looked for in vain.
        var checks = 0
    }

    /// A version that this device has created on the server.
    struct Saved: Codable, Hashable, Sendable {
        /// The number of the text's change.
        var revision: Int
        var emailID: String
        /// When it was created.
        var at: Int
        /// Whether a sync has brought it to this device.
        var isSeen = false
        /// Whether the server has it, and it isn't part of what this device keeps.
        var isElsewhere = false
    }

    /// A version whose creation isn't confirmed yet.
    struct Saving: Codable, Hashable, Sendable {
        var revision: Int
        /// Its `Message-ID`, by which it is found.
        var messageID: String
    }

    /// How sending ended.
    enum Outcome: Codable, Hashable, Sendable {
        case refused(DraftRefusal)
        case unknown(since: Int)
        case sent(emailID: String, at: Int)
    }

    /// What is left to do on the server with a mail that was sent.
    struct Aftermath: Codable, Hashable, Sendable {
        /// Whether it is still where drafts are.
        var isToBeMoved: Bool
        /// Whether it is to be replaced by a copy that names the hidden recipients.
        var needsCopy: Bool
        /// The copy, once it was created. Documents of earlier versions have none.
        var copyID: String?
    }

    /// A retryable failure: the number of them in a row, and the time before which there is no attempt.
    struct Retry: Codable, Hashable, Sendable {
        var failures: Int
        var notBefore: Int
    }

    /// The wait from the last change of the text to its upload, in milliseconds.
    static let savePause = 5_000
    /// The time within which a sync brings a saved version to this device, in milliseconds. Otherwise it is looked for.
    static let arrivalPause = 60_000
    /// The time for the server to complete an attempt that has created the mail and not yet submitted it, in
    /// milliseconds.
    static let attemptPatience = 120_000
    /// The time for which a sent draft is kept, so that the app can show it, in milliseconds.
    static let sentRetention = 86_400_000
    /// The time after which a retryable failure counts as a refusal, in milliseconds.
    static let maxPostponement = 86_400_000
    /// The time for which a discarded draft is kept while a removed version is on this device, in milliseconds.
    static let removedRetention = 86_400_000
    /// The number of removed versions that are known, the last ones.
    static let maxRemoved = 100
    /// The number of uploads of a file that the server may lose, one after the other, before it counts as refused.
    static let maxLostUploads = 5
    /// The number of attempts whose dates are kept, the last ones.
    static let maxAttemptDates = 100

    /// The number of changes of the text. The server has the text if ``saved`` has the same number.
    var revision = 1
    /// When the text was last changed.
    var editedAt: Int
    var order: Order?
    /// When the person gave the order.
    var orderedAt = 0
    var attempt: Attempt?
    /// The dates (the header field `Date`) of the mails of all attempts, by which this device recognises what it sent
    /// itself.
    var attemptDates: [Int] = []
    var outcome: Outcome?
    var saved: Saved?
    var saving: Saving?
    /// The versions on the server, by their ids, that the text includes or replaces. They are removed once the server
    /// has the text.
    var included: [String] = []
    /// The versions on the server to be removed now.
    var leftovers: [String] = []
    /// The mails of attempts of which it isn't known whether they were sent. They show that to other devices, so once
    /// the server has the text they go to the trash, and aren't destroyed. Documents of earlier versions have none.
    var undecidedMails: [String]?
    /// The mails of attempts that were reported as unknown: the next order sends all the same. Documents of earlier
    /// versions have none.
    var reportedMails: [String]?
    var aftermath: Aftermath?
    var retry: Retry?
    /// Whether the saved version is gone from the server, and it isn't known why.
    var isVanished = false
    /// The change whose text the server refused to save. It isn't tried again until the text is changed.
    var unsavableRevision: Int?
    /// The versions that the server has removed, the last ones. Until a sync has removed them from this device too,
    /// they are no part of the draft. Documents of earlier versions have none.
    var removed: [String]?
    /// When the last of them was removed; nil once none of them is on this device.
    var removedAt: Int?
    /// Whether files are being uploaded so that the draft can be sent.
    var isUploading = false
    /// Whether the text is uploaded without a wait for further changes. Documents of earlier versions have none.
    var isFinished: Bool?
    /// How many uploads of a file the server has lost since the last change, order or success, by the file's id.
    /// Documents of earlier versions have none.
    var lostUploads: [String: Int]?
    /// Whether an attempt to send has begun, ever. Documents of earlier versions have none.
    var hasAttempted: Bool?
    /// Whether another device has sent a mail with the present token. Documents of earlier versions have none.
    var isSentElsewhere: Bool?
    /// The token of the mail's `Message-ID` (``DraftToken``): the draft's id, until another device has sent a mail with
    /// it.
    var token: String

    init(token: String, editedAt: Int) {
        (self.token, self.editedAt) = (token, editedAt)
    }

    /// Whether the server lacks the text.
    var isDirty: Bool { saved?.revision != revision }

    /// Whether something would be lost with this device's store.
    var isUnsent: Bool {
        switch outcome {
        // Such as the hidden recipients, which the server's mail doesn't name yet.
        case .sent: aftermath != nil || !leftovers.isEmpty
        case .refused, .unknown: true
        case nil: order.map { $0 != .discard || !isGone } ?? (isDirty || isVanished)
        }
    }

    /// Whether nothing is to be done, and the server has the text.
    var isIdle: Bool { order == nil && attempt == nil && outcome == nil && saving == nil && !isDirty }

    /// Whether the server has nothing of the draft.
    private var isGone: Bool { saving == nil && ownVersions.isEmpty }

    /// Whether the person's order can still be taken back.
    var isRevocable: Bool {
        if case .send = order { attempt == nil && outcome == nil } else { false }
    }

    /// Whether the text can be changed.
    var isEditable: Bool {
        if case .sent = outcome { return false }
        return order == nil && attempt == nil
    }

    /// Whether the draft is to be gone, so that no list shows it.
    var isDiscarded: Bool { order == .discard }

    /// The ids of all versions on the server that this device has a hand in, each once.
    var ownVersions: [String] {
        Self.distinct(included + leftovers + (undecidedMails ?? []) + (saved.map { [$0.emailID] } ?? []))
    }

    /// A version may have become part of the draft, and one to remove, more than once.
    private static func distinct(_ ids: [String]) -> [String] {
        var known: Set<String> = []
        return ids.filter { known.insert($0).inserted }
    }
}

// MARK: - What is next

/// What to do next for a draft.
enum DraftStep: Hashable, Sendable {
    /// Nothing, until the person does something.
    case none
    case wait(until: Int)
    /// Upload the files that the server lacks.
    case upload
    /// Look for the version of an unanswered request to save.
    case findSaved(messageID: String)
    /// Create a version on the server.
    case save
    /// Look for the mail with the draft's `Message-ID`, then send it if it isn't there.
    case send
    /// Move the mail that was sent to where sent mails are.
    case move(emailID: String)
    /// Replace the mail that was sent by one that names the hidden recipients.
    case copy(emailID: String)
    /// Remove versions.
    case destroy([String])
    /// Move versions to the trash.
    case trash([String])
    /// Find out why the saved version is gone.
    case findVanished
    /// Remove the draft from this device.
    case forget
}

extension DraftJob {
    /// Returns what to do next.
    ///
    /// - Parameter lacksUploads: Whether the server lacks the bytes of a file.
    func next(at now: Int, lacksUploads: Bool) -> DraftStep {
        if let retry, retry.notBefore > now { return .wait(until: retry.notBefore) }
        if case .sent(let emailID, let time) = outcome {
            if let aftermath {
                if aftermath.isToBeMoved { return .move(emailID: emailID) }
                if aftermath.needsCopy { return lacksUploads ? .upload : .copy(emailID: emailID) }
            }
            if !leftovers.isEmpty { return .destroy(Self.distinct(leftovers)) }
            let end = time + Self.sentRetention
            return end > now ? .wait(until: end) : .forget
        }
        switch order {
        case .discard:
            // A version that may have been created has to be known first.
            if let saving { return .findSaved(messageID: saving.messageID) }
            guard ownVersions.isEmpty else { return .trash(ownVersions) }
            // Until a sync has brought it, the removed version would be shown as a draft.
            let end = removedAt.map { $0 + Self.removedRetention } ?? now
            return end > now ? .wait(until: end) : .forget
        case .send(let time):
            if attempt != nil { return .send }
            if time > now { return .wait(until: time) }
            if let saving { return .findSaved(messageID: saving.messageID) }
            return lacksUploads ? .upload : .send
        case nil:
            if let saving { return .findSaved(messageID: saving.messageID) }
            if isVanished { return .findVanished }
            if !leftovers.isEmpty { return .destroy(Self.distinct(leftovers)) }
            guard isDirty else { return nextOfSaved(at: now) }
            guard unsavableRevision != revision else { return .none }
            let time = editedAt + (isFinished ?? false ? 0 : Self.savePause)
            if time > now { return .wait(until: time) }
            return lacksUploads ? .upload : .save
        }
    }

    private func nextOfSaved(at now: Int) -> DraftStep {
        if let undecidedMails, outcome == nil { return .trash(Self.distinct(undecidedMails)) }
        guard outcome == nil, let saved, !saved.isSeen, !saved.isElsewhere else { return .none }
        let time = saved.at + Self.arrivalPause
        return time > now ? .wait(until: time) : .findVanished
    }

    /// Returns the time at which something is to be done; nil for never.
    func due(at now: Int, lacksUploads: Bool) -> Int? {
        switch next(at: now, lacksUploads: lacksUploads) {
        case .none: nil
        case .wait(let time): time
        default: now
        }
    }
}

// MARK: - The person

extension DraftJob {
    /// Records that the person has changed the text.
    mutating func edit(at now: Int) {
        revision += 1
        editedAt = now
        // A mail of an earlier attempt doesn't have this text.
        attemptDates = []
        (outcome, retry, isVanished, isFinished, lostUploads) = (nil, nil, false, nil, nil)
    }

    /// Records the order to send.
    ///
    /// - Parameter newToken: The token to use if another device has sent a mail with the present one.
    mutating func orderSending(at time: Int, now: Int, newToken: String) {
        if isSentElsewhere ?? false || isRefusedAsSent { (token, isSentElsewhere) = (newToken, nil) }
        (order, orderedAt, outcome, retry, lostUploads) = (.send(at: time), now, nil, nil, nil)
    }

    private var isRefusedAsSent: Bool {
        if case .refused(let refusal) = outcome { refusal.code == .alreadySent } else { false }
    }

    /// Takes the order to send back.
    mutating func revoke() { (order, retry) = (nil, nil) }

    /// Records the order to remove the draft.
    mutating func discard(at now: Int) { (order, orderedAt, outcome, retry) = (.discard, now, nil, nil) }
}

// MARK: - Answers

/// A mail with a draft's token, on the server.
struct FoundMail: Hashable, Sendable {
    let id: String
    /// Whether it has the keyword `$draft`.
    let isDraft: Bool
    /// Whether its `Message-ID` is that of the mail to send, and not that of a saved version.
    let isForSending: Bool
    /// Whether it names hidden recipients.
    let hasBcc: Bool
    /// Whether it is only in the trash.
    let isInTrash: Bool
    /// Whether it is where sent mails are. One that isn't may have been received: of a mail to oneself, or through a
    /// list, the server has two with one `Message-ID`.
    let isInSent: Bool
    /// Its date (the header field `Date`), to the second; nil if the server doesn't have it.
    let sentAt: Int?
    /// The same mail, known to name the hidden recipients.
    var named: FoundMail {
        FoundMail(
            id: id,
            isDraft: isDraft,
            isForSending: isForSending,
            hasBcc: true,
            isInTrash: isInTrash,
            isInSent: isInSent,
            sentAt: sentAt
        )
    }

    /// Whether the server has a submission of it. One that hasn't may have been submitted all the same: servers may not
    /// keep submissions (RFC 8621, section 7).
    var isSubmitted = false
}

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
            retry = Retry(failures: 0, notBefore: now + min(1_000 << min(attempt.checks, 5), Self.attemptPatience))
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
            retry = Retry(failures: failures, notBefore: failures < 5 ? now : now + 1_000 * min(failures, 30))
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
    mutating func postpone(at now: Int, jitter: Double, first: Int = 1_000, retryAfter: Double? = nil) {
        let failures = min((retry?.failures ?? 0) + 1, 20)
        let full = min(first << min(failures - 1, 12), 3_600_000)
        let delay = max(full / 2 + Int(Double(full / 2) * jitter), Int((retryAfter ?? 0) * 1_000))
        retry = Retry(failures: failures, notBefore: now + delay)
    }

    /// Records a retryable failure of the server.
    mutating func failed(_ error: SyncError, at now: Int, jitter: Double) {
        if case .send = order, attempt == nil, now - orderedAt >= Self.maxPostponement {
            refuse(DraftRefusal(.other, error.description))
        } else {
            postpone(at: now, jitter: jitter, retryAfter: error.retryAfter)
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
    private mutating func remove(_ emailID: String?) {
        if let emailID { leftovers.append(emailID) }
    }

    private mutating func refuse(_ refusal: DraftRefusal) {
        (outcome, order, attempt, retry) = (.refused(refusal), nil, nil, nil)
    }

    private mutating func markSent(_ emailID: String, at now: Int, isMoved: Bool, needsCopy: Bool) {
        outcome = .sent(emailID: emailID, at: now)
        (order, attempt, retry, lostUploads) = (nil, nil, nil, nil)
        leftovers += included + (undecidedMails ?? []) + (saved.map { [$0.emailID] } ?? [])
        leftovers.removeAll { $0 == emailID }
        (included, saved, undecidedMails) = ([], nil, nil)
        aftermath = isMoved && !needsCopy ? nil : Aftermath(isToBeMoved: !isMoved, needsCopy: needsCopy)
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

    /// What to do about the copy of a sent mail with hidden recipients.
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

    // MARK: - Saving

    /// Records that a request to save begins.
    mutating func beginSaving(messageID: String) { saving = Saving(revision: revision, messageID: messageID) }

    /// Records a version that the server has created, in answer or as it was found later.
    mutating func didSave(_ emailID: String, at now: Int) {
        guard let saving else { return }
        if let saved, saved.emailID != emailID { leftovers.append(saved.emailID) }
        leftovers += included.filter { $0 != emailID }
        (included, self.saving, retry, lostUploads) = ([], nil, nil, nil)
        saved = Saved(revision: saving.revision, emailID: emailID, at: now)
    }

    /// Records that a version wasn't created: the search found none.
    mutating func didNotSave() { (saving, retry) = (nil, nil) }

    /// Records that the server refuses the version.
    mutating func saveWasRefused() {
        unsavableRevision = saving?.revision
        (saving, retry) = (nil, nil)
    }

    /// Takes in what there is of a draft whose saved version is gone.
    ///
    /// A draft that was sent, changed or put into the trash elsewhere has left a mail. One that has left none was lost,
    /// such as with the whole mailbox, and is saved again.
    ///
    /// - Returns: Whether this device keeps the draft.
    mutating func foundVanished(_ mails: [FoundMail]) -> Bool {
        (isVanished, retry) = (false, nil)
        if let saved, mails.contains(where: { $0.id == saved.emailID && $0.isDraft && !$0.isInTrash }) {
            // It is there, and only isn't part of what this device keeps.
            self.saved?.isSeen = false
            self.saved?.isElsewhere = true
            return true
        }
        guard mails.isEmpty else { return false }
        saved = nil
        return true
    }

    /// Records that versions are gone from the server, or that it refuses to remove them.
    mutating func didDestroy(_ ids: [String], refused: [String], at now: Int) {
        let gone = Set(ids + refused)
        if !ids.isEmpty { (removed, removedAt) = (((removed ?? []) + ids).suffix(Self.maxRemoved), now) }
        leftovers.removeAll(where: gone.contains)
        included.removeAll(where: gone.contains)
        undecidedMails?.removeAll(where: gone.contains)
        if undecidedMails?.isEmpty ?? false { undecidedMails = nil }
        if let saved, gone.contains(saved.emailID) { self.saved = nil }
        // The wait of an order to send isn't about these.
        if case .send = order { return }
        retry = nil
    }
}
