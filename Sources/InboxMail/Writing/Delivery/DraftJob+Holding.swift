/// Mails for later that the server holds (FUTURERELEASE, RFC 4865; RFC 8621, section 7).
///
/// The request to hold a mail is an attempt to send it, with the same `Message-ID` and under the same condition, and
/// moves the mail to where sent mails are. From then on the server alone sends it. This device sends it only after the
/// server has confirmed that it won't (`undoStatus` `canceled`).
extension DraftJob {
    /// A mail that the server holds.
    struct Hold: Codable, Hashable, Sendable {
        var submissionID: String
        var emailID: String
        /// The time at which the server is to send it, by this device's clock (``adjustHold(_:serverTime:at:)``).
        var due: Int
        /// Whether it is where sent mails are.
        var isMoved: Bool
        /// Whether a request to cancel it may have been carried out.
        var mayBeCancelled = false
        /// The time at which the server was last found to hold it still; nil if it wasn't asked.
        var pendingAt: Int?
        /// Whether the server was asked to cancel it and can't, or has no such submission: it is to be asked what has
        /// become of it. Nil for no.
        var isToBeChecked: Bool?
        /// The time at which ``due`` was determined, by this device's clock. Nil in documents of earlier versions.
        var since: Int?
        /// The time at which the server is to send it, by the server's clock; nil if it isn't known.
        var sendAt: Int?
        /// The reason for which ``due`` may be wrong; nil for none.
        var clock: Clock?

        /// A device's clock that was set back since ``due`` was determined.
        enum Clock: String, Codable, Hashable, Sendable {
            /// The server is to be asked.
            case changed
            /// The server was asked, and doesn't state its own time.
            case unknown
        }
    }

    /// A mail that the server held, and holds no longer.
    struct Released: Codable, Hashable, Sendable {
        var emailID: String
        /// Whether the server has confirmed that it isn't sent.
        var isCancelled: Bool
        /// The time of the confirmation, or at which its submission was found to be gone.
        var since: Int
    }

    /// A submission as the server has it.
    struct Submission: Hashable, Sendable {
        let id: String
        let emailID: String
        /// The `undoStatus`: `pending`, `final` or `canceled`.
        let status: String
        /// The time at which the server is to send it, by the server's clock; nil if it doesn't say.
        var sendAt: Int?
        /// Whether its delivery to one of the recipients has begun.
        var hasBegun = false
    }

    /// The outcome of a request to cancel.
    enum Cancellation: Hashable, Sendable {
        case cancelled
        /// The server can't take it back: it was sent, or cancelled already.
        case tooLate
        /// The server has no such submission.
        case gone
        /// The server refuses for another reason.
        case refused
    }

    /// The shortest time for which the server is asked to hold a mail, in milliseconds.
    static let minHold = 15_000
    /// The wait after the time of a mail that the server holds, before it is asked whether it has sent it, in
    /// milliseconds.
    static let holdCheckPause = 30_000
    /// The time after which a mail that the server hasn't sent is taken back and sent by this device, in milliseconds.
    static let holdPatience = 900_000
    /// The time before its own within which a mail may have been sent all the same, in milliseconds.
    private static let holdMargin = 60_000

    /// The difference up to which the times of server and device are the same, in milliseconds: both are in seconds,
    /// and an answer takes a while.
    static let clockTolerance = 5_000

    /// The time by which a server sends a mail early, since it counts in seconds, in milliseconds.
    static let holdRounding = 2_000

    /// Whether the server holds the mail, or was asked to and hasn't answered.
    var isAtServer: Bool { hold != nil || attempt?.heldUntil != nil }

    /// Whether the person's order is to send it.
    var isToBeSent: Bool { if case .send = order { true } else { false } }

    /// Whether the server held the mail, or holds it, or may: it may have sent it.
    var mayBeSentByServer: Bool { isAtServer || released != nil }

    /// Whether the person doesn't want the mail that the server holds to be sent.
    var isBeingTakenBack: Bool { isAtServer && !isToBeSent }

    /// Returns the time until which the server is to be asked to hold the mail now; nil if it isn't.
    func holdTime(at now: Int) -> Int? {
        guard hold == nil, let handOverAt, handOverAt <= now, let time = sendTime(at: now), time - now >= Self.minHold
        else { return nil }
        return time
    }

    /// Returns the next step for a mail that the server holds, was asked to hold, or held; nil for any other.
    func nextOfHold(at now: Int) -> DraftStep? {
        if let attempt, attempt.heldUntil != nil {
            guard attempt.isMissing ?? false else { return .findHold }
            if !isToBeSent { return .excludeHold }
        }
        if released != nil { return .release }
        guard let hold else { return nil }
        if hold.isToBeChecked ?? false || hold.clock == .changed { return .checkHold }
        // Unless the server was asked, another program may have cancelled it.
        guard isToBeSent, (hold.pendingAt ?? 0) - hold.due < Self.holdPatience else {
            // From its time on, it may be on its way to some of the recipients. The clock may have been set since.
            guard let pendingAt = hold.pendingAt else { return .checkHold }
            let begin = hold.due - Self.holdRounding
            return now >= begin && pendingAt < begin ? .checkHold : .cancelHold
        }
        if !leftovers.isEmpty { return .destroy(Self.distinct(leftovers)) }
        let time = end(of: hold.due + Self.holdCheckPause, since: hold.since ?? orderedAt, at: now)
        return time > now ? .wait(until: time) : .checkHold
    }

    /// Records that the server holds the mail.
    mutating func held(_ hold: Hold) {
        self.hold = hold
        (attempt, retry, lostUploads, failing) = (nil, nil, nil, nil)
        leftovers += included + (undecidedMails ?? []) + (saved.map { [$0.emailID] } ?? [])
        leftovers.removeAll { $0 == hold.emailID }
        (included, saved, undecidedMails) = ([], nil, nil)
    }

    /// Records that the server doesn't hold the mail. This device holds it then.
    ///
    /// - Parameter emailID: The id of a mail that was created and not submitted.
    mutating func holdWasRefused(_ emailID: String?) {
        remove(emailID)
        endRequest(hasChanged: emailID != nil)
        (handOverAt, retry) = (nil, nil)
    }

    /// Records that a request to hold the mail may have been carried out after a search that has found none.
    mutating func holdMayHaveArrived() { attempt?.isMissing = nil }

    /// Records that the account's mails aren't in the state of a request to hold the mail any more. It may have been
    /// carried out before, and won't be any more.
    mutating func holdWasOvertaken() {
        attempt?.isMissing = nil
        attempt?.isRefused = true
        attempt?.isRepeated = true
    }

    /// Records that the server refuses to create a mail that excludes a request to hold this one. Any other change of
    /// the account's mails excludes it, too. If there is none for a day, it may be sent.
    mutating func exclusionWasRefused(at now: Int, jitter: Double) {
        if let attempt, hasFailedForLong(at: now) { return reportUnknown(since: attempt.since) }
        holdMayHaveArrived()
        postpone(at: now, jitter: jitter)
    }

    /// Records that no request to hold the mail will be carried out: none was, and the account's mails are in another
    /// state now.
    ///
    /// - Parameter mails: The ids of mails that are left of this, and shown as drafts.
    mutating func holdWasExcluded(leaving mails: [String]) {
        (attempt, handOverAt, retry, failing) = (nil, nil, nil, nil)
        leftovers += mails
    }

    /// Takes in what was found on the server after a request to hold the mail whose answer was lost.
    ///
    /// - Parameters:
    ///   - submissions: The submissions of the mails.
    ///   - state: The state of the account's mails before the search.
    ///   - due: The time until which the server was asked to hold it.
    ///   - serverTime: The time by the server's clock; nil if it doesn't say.
    ///   - isExcluded: Whether the request was certainly not carried out, if there is no mail.
    mutating func foundHold(
        _ mails: [FoundMail],
        _ submissions: [Submission],
        in state: String? = nil,
        until due: Int,
        serverTime: Int? = nil,
        at now: Int,
        isExcluded: Bool
    ) {
        let own = mails.filter { $0.isForSending && !$0.isReceived && isOwn($0) }
        if let submission = Self.deciding(submissions, of: own.map(\.id)),
            let mail = own.first(where: { $0.id == submission.emailID })
        {
            let since = attempt?.since ?? now
            held(Hold(submissionID: submission.id, emailID: mail.id, due: due, isMoved: !mail.isDraft, since: since))
            note(sendAt: submission.sendAt, serverTime: serverTime, at: now)
            switch submission.status {
            case "final": holdWasSent(at: now)
            case "canceled": holdEnded(at: now, isRevoked: true)
            default: break
            }
            return
        }
        if let mail = own.first(where: { !$0.isDraft }), due - now > Self.holdRounding {
            // It was submitted, and the submission is gone before its time.
            held(Hold(submissionID: "", emailID: mail.id, due: due, isMoved: true))
            return holdVanished(at: now)
        }
        _ = found(mails, in: state, at: now, hasBcc: false, isExcluded: isExcluded)
    }

    /// Returns the submission that decides about mails: one that was sent, else one that may be; nil for none.
    static func deciding(_ submissions: [Submission], of emailIDs: [String]) -> Submission? {
        let own = submissions.filter { emailIDs.contains($0.emailID) }
        return own.last(where: { $0.status == "final" }) ?? own.last(where: { $0.status != "canceled" }) ?? own.last
    }

    /// Takes in what the server says of the mail that it holds.
    ///
    /// - Parameters:
    ///   - submission: The submission, or another one of the mail that another program has made in its place; nil if it
    ///     is gone.
    ///   - isAmongSent: Whether the mail of a submission that is gone is still one that was sent.
    ///   - serverTime: The time by the server's clock; nil if it doesn't say.
    mutating func sawHold(
        _ submission: Submission?,
        isAmongSent: Bool = false,
        serverTime: Int? = nil,
        at now: Int,
        jitter: Double
    ) {
        let isOther = submission?.id != hold?.submissionID
        let isRefused = (hold?.isToBeChecked ?? false) && !isOther
        hold?.isToBeChecked = nil
        // The answer to the request to hold it may have left it out.
        if !isOther, hold?.sendAt == nil { note(sendAt: submission?.sendAt, serverTime: serverTime, at: now) }
        adjustHold(submission, serverTime: serverTime, at: now)
        let mayHaveBegun = now >= (hold?.due ?? 0) - Self.holdRounding
        if let submission, isOther, submission.status != "canceled" {
            hold?.submissionID = submission.id
            hold?.mayBeCancelled = false
        }
        switch submission?.status {
        case "final": holdWasSent(at: now)
        case "canceled": holdEnded(at: now, isRevoked: !(hold?.mayBeCancelled ?? false))
        case nil: holdIsGone(isAmongSent: isAmongSent, at: now)
        // The server sends it, and can't be kept from it.
        case _ where isRefused || (mayHaveBegun && submission?.hasBegun ?? false): holdWasSent(at: now)
        default:
            hold?.pendingAt = now
            // Otherwise it is cancelled next, before its delivery can have begun.
            let isKept = isToBeSent && now - (hold?.due ?? now) < Self.holdPatience
            if isKept { postpone(at: now, jitter: jitter, first: 30_000, max: 300_000) }
        }
    }

    /// Records the time at which the server sends the mail by its own clock, if it is the one that it was asked for.
    ///
    /// - Parameter serverTime: The time by the server's clock; nil if it doesn't say.
    mutating func note(sendAt: Int?, serverTime: Int?, at now: Int) {
        guard let hold, let sendAt, let serverTime else { return }
        if abs(now + sendAt - serverTime - hold.due) <= Self.holdMargin { self.hold?.sendAt = sendAt }
    }

    /// Brings the time of the mail that the server holds to this device's clock, which may have been set since.
    ///
    /// - Parameters:
    ///   - submission: Its submission, or another one in its place; nil if it is gone.
    ///   - serverTime: The time by the server's clock; nil if it doesn't say.
    private mutating func adjustHold(_ submission: Submission?, serverTime: Int?, at now: Int) {
        guard var hold else { return }
        let isOther = submission.map { $0.id != hold.submissionID && $0.status != "canceled" } ?? false
        if isOther { hold.sendAt = nil }
        if let serverTime, let sendAt = hold.sendAt {
            let due = now + sendAt - serverTime
            if abs(due - hold.due) > Self.clockTolerance { hold.due = due }
            (hold.since, hold.clock) = (now, nil)
        } else {
            if hold.clock != nil { hold.clock = .unknown }
            // The clock may have been set right, which is that of the server.
            if isOther || now >= hold.due { hold.due = max(hold.due, submission?.sendAt ?? hold.due) }
        }
        self.hold = hold
    }

    /// Records that a request to cancel begins.
    mutating func beginCancelling(at now: Int) {
        hold?.mayBeCancelled = true
        // If there is no answer, its delivery may begin meanwhile.
        hold?.pendingAt = nil
        // The server was asked just now, so the time is right. A clock that is set back after this is found by it.
        hold?.since = now
    }

    /// Takes in the answer to a request to cancel.
    mutating func cancelled(_ answer: Cancellation, at now: Int, jitter: Double) {
        switch answer {
        case .cancelled: holdEnded(at: now, isRevoked: false)
        // So do servers also answer if it is cancelled already, by another program or a request whose answer was lost.
        case .tooLate, .gone: hold?.isToBeChecked = true
        case .refused: postpone(at: now, jitter: jitter, first: 30_000, max: 300_000)
        }
    }

    /// Records that the submission is gone. A server may remove one that it has sent, and one that was cancelled.
    ///
    /// - Parameter isAmongSent: Whether the mail is on the server, and no other program has made it a draft again.
    private mutating func holdIsGone(isAmongSent: Bool, at now: Int) {
        guard let hold else { return }
        if hold.mayBeCancelled {
            if hold.clock == nil, hold.due - now > Self.holdMargin {
                holdEnded(at: now, isRevoked: false)
            } else {
                holdVanished(at: now)
            }
        } else if now >= hold.due - Self.holdRounding, isAmongSent {
            holdWasSent(at: now)
        } else {
            holdVanished(at: now)
        }
    }

    /// Records that the server has sent the mail.
    private mutating func holdWasSent(at now: Int) {
        guard let hold else { return }
        (self.hold, handOverAt) = (nil, nil)
        markSent(hold.emailID, at: now, isMoved: hold.isMoved, needsCopy: false)
    }

    /// Records that the server won't send the mail.
    ///
    /// - Parameter isRevoked: Whether another program has cancelled it, so that the order has ended too.
    private mutating func holdEnded(at now: Int, isRevoked: Bool) {
        guard let hold else { return }
        release(Released(emailID: hold.emailID, isCancelled: true, since: now))
        // A mail with its mark isn't one that was sent.
        (attemptDates, attemptMarks) = ([], nil)
        if isRevoked, isToBeSent { order = nil }
    }

    /// Records that it can't be known whether the server has sent the mail.
    private mutating func holdVanished(at now: Int) {
        guard let hold else { return }
        release(Released(emailID: hold.emailID, isCancelled: false, since: now))
    }

    private mutating func release(_ released: Released) {
        self.released = released
        (hold, handOverAt, retry, failing) = (nil, nil, nil, nil)
    }

    /// Records that the mail is a draft again.
    mutating func wasReleased() {
        guard let released else { return }
        (self.released, retry, failing) = (nil, nil, nil)
        if released.isCancelled {
            // It may be the only mail that has the draft's files, so it stays until the server has the text elsewhere.
            included.append(released.emailID)
            unsubmitted = (unsubmitted ?? []) + [released.emailID]
            return
        }
        // It goes to the trash, where other devices see that it may have been sent.
        leftovers.append(released.emailID)
        reportedMails = (reportedMails ?? []) + [released.emailID]
        noteCheck(.submissionGone)
        reportUnknown(since: released.since)
    }

    /// Records that the server refuses to make the mail a draft again. It is tried again for a day: for other devices
    /// the mail was sent.
    mutating func releaseWasRefused(at now: Int, jitter: Double) {
        guard hasFailedForLong(at: now) else { return postpone(at: now, jitter: jitter) }
        abandonRelease()
    }

    /// Leaves a mail that the server doesn't make a draft again where it is: among the sent mails, which doesn't show
    /// that it was sent. The next order sends a new one.
    mutating func abandonRelease() {
        // Also of one that was taken back: it looks sent on all devices.
        let isUnsent = order != .discard && released?.isCancelled ?? false
        wasReleased()
        isSentElsewhere = true
        let text =
            "The server held this mail and hasn't sent it. It is among the sent mails all the same, since the server "
            + "doesn't make it a draft again. Send it again to send a new mail."
        if isUnsent { refuse(DraftRefusal(.other, text)) }
    }
}

extension DraftDocument {
    /// The holder of the mail; nil unless it waits to be sent.
    var holder: DraftHolder? {
        guard case .waiting = state else { return nil }
        return job.isAtServer && !(job.attempt?.isMissing ?? false) ? .server : .device
    }
}
