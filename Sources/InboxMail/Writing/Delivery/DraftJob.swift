import Replica

/// The progress of a draft: its versions on the server, the person's orders, and the attempts.
///
/// A state machine without I/O, stored with the draft's text (``json`` has each property). Each request that changes
/// something on the server is recorded here, durably, before it is sent: a process that dies, or an answer that is
/// lost, leaves a record of what may have happened, and ``next(at:lacksUploads:)`` begins with finding out.
///
/// **A mail is sent once.** Every attempt, by whichever device, has the same `Message-ID`. An attempt creates the mail
/// and submits it in one request, under the condition that the account's state of mails is one at which no mail with
/// that `Message-ID` was there (`ifInState`, RFC 8620, section 5.3). So of two attempts, one of which may have been
/// delayed or belong to another device, only one creates a mail, and only a created mail is submitted. A request that
/// found another state may itself be the reason: the network may deliver it twice, and the server answers the second
/// copy. So its mail is looked for before another request is made.
///
/// Times are in milliseconds since 1970. Documents of earlier versions lack many of the optional properties.
struct DraftJob: Codable, Hashable, Sendable {
    /// The person's order.
    enum Order: Codable, Hashable, Sendable {
        /// To send it, not before a time.
        case send(at: Int)
        /// To remove it from all devices.
        case discard
    }

    /// An attempt to send whose outcome isn't known yet.
    struct Attempt: Codable, Hashable, Sendable {
        /// The time at which it began.
        var since: Int
        /// The number of searches for its outcome that found none.
        var checks = 0
        /// The account's states before the request. Documents of earlier versions have none.
        var states: AccountStates?
        /// The time until which the server is asked to hold the mail, by this device's clock; nil if it isn't.
        var heldUntil: Int?
        /// Whether the last request is to send it at once, after one to hold it that may still be on its way. Nil for
        /// no.
        var isAtOnce: Bool?
        /// Whether an earlier request in the same state of the mails had no answer: it may have been carried out, or
        /// still be on its way. Nil for no.
        var isRepeated: Bool?
        /// Whether no request was carried out so far, and one that had no answer may still be: the account's mails are
        /// in its state. Nil for no.
        var isMissing: Bool?
        /// Whether the last request was refused since the account's mails were in another state. So none will be
        /// carried out any more. A copy of it, or an earlier one, may have been. Nil for no.
        var isRefused: Bool?
        /// The `Message-ID` of the mail that keeps the request from being carried out (``DraftStep/excludeHold``); nil
        /// if none was asked for.
        var exclusion: String?
    }

    /// The states of an account at which no mail of a draft was sent.
    struct AccountStates: Codable, Hashable, Sendable {
        /// The state of the mails: a request to send is processed in this one, and in no other.
        var mails: String
        /// The state of the submissions; nil if the server doesn't report it.
        var submissions: String?
        /// Whether the server was seen to change the latter with a submission.
        var countsSubmissions = false
    }

    /// A request to send whose answer was that nothing was done. A copy of it may have been carried out, so what was
    /// created since is looked through before the next one.
    struct RefusedRequest: Codable, Hashable, Sendable {
        /// The state of the account's mails before it.
        var mails: String
        /// The time at which it was made.
        var since: Int
    }

    /// A version that this device has created on the server.
    struct Saved: Codable, Hashable, Sendable {
        /// The number of the text's change.
        var revision: Int
        var emailID: String
        /// The time of its creation.
        var at: Int
        /// Whether a sync has brought it to this device.
        var isSeen = false
        /// Whether the server has it and it isn't part of the slices on this device.
        var isElsewhere = false
        /// The time of its creation by the server's clock; nil before a sync has brought it. Documents of earlier
        /// versions have none.
        var receivedAt: Int?
    }

    /// A version whose creation isn't confirmed yet.
    struct Saving: Codable, Hashable, Sendable {
        var revision: Int
        /// The `Message-ID` of the version, by which it is found.
        var messageID: String
        /// The date (the header field `Date`) of the version. Documents of earlier versions have none.
        var date: Int?
    }

    /// The outcome of sending.
    enum Outcome: Codable, Hashable, Sendable {
        case refused(DraftRefusal)
        case unknown(since: Int)
        case sent(emailID: String, at: Int)
    }

    /// The work that is left on the server for a mail that was sent.
    struct RemainingWork: Codable, Hashable, Sendable {
        /// Whether it is still where drafts are.
        var isToBeMoved: Bool
        /// Whether it has to be replaced by a copy that names the hidden recipients.
        var needsCopy: Bool
        /// The copy, once it was created. Documents of earlier versions have none.
        var copyID: String?
    }

    /// A refusal to remove a draft that was discarded.
    struct DiscardRefusal: Codable, Hashable, Sendable {
        var reason: DraftRefusal
        /// Whether a version that stays was on this device. Once none is, the draft is gone.
        var isSeen: Bool
    }

    /// A retryable failure: the number of them in a row, and the time before which there is no attempt.
    struct Retry: Codable, Hashable, Sendable {
        var failures: Int
        var notBefore: Int
        /// The time at which it was recorded. Documents of earlier versions have none.
        var since: Int?
    }

    /// The wait from the last change of the text to its upload, in milliseconds.
    static let savePause = 5_000
    /// The time within which a sync brings a saved version to this device, in milliseconds. Otherwise the server is
    /// searched for it.
    static let arrivalPause = 60_000
    /// The time for the server to complete an attempt that has created the mail and not yet submitted it, in
    /// milliseconds.
    static let attemptPatience = 120_000
    /// The time after which a search knows the mail of each copy of a refused request, in milliseconds.
    static let searchLag = 86_400_000
    /// The wait after a refusal to save the text that a change of it doesn't remedy, in milliseconds.
    static let saveRetryPause = 3_600_000
    /// The time for which a sent draft is kept, so that the app can show it, in milliseconds.
    static let sentRetention = 86_400_000
    /// The longest wait after a retryable failure for which the server doesn't ask, in milliseconds. More time between
    /// two of them doesn't count: the clock was set, or the device was off or had no network.
    static let maxRetryWait = 3_600_000
    /// The longest wait after an error status, or a request without an answer, in milliseconds.
    static let maxConnectionWait = 300_000
    /// The time for which a discarded draft is kept while a removed version is on this device, in milliseconds.
    static let removedRetention = 86_400_000
    /// The number of versions that are known whose creation wasn't confirmed, the last ones.
    static let maxLostSavings = 20
    /// The number of removed versions that are known, the last ones.
    static let maxRemoved = 100
    /// The number of uploads of a file that the server may lose, one after the other, before it counts as refused.
    static let maxLostUploads = 5
    /// The number of attempts whose dates and marks are kept, the last ones.
    static let maxAttemptDates = 100

    // MARK: - The text

    /// The number of the text's last change. The server has the text if ``saved`` has the same number. It begins with
    /// the time, so that a draft that was removed from this device and came back has none of its earlier numbers.
    var revision: Int
    /// The time of the text's last change.
    var editedAt: Int
    /// Whether the text is uploaded without a wait for further changes.
    var isFinished: Bool?

    // MARK: - The order

    var order: Order?
    /// The time at which the person gave the order.
    var orderedAt = 0
    /// Whether the order's time is one that the person gave.
    var isForLater: Bool?
    /// The time from which on the server is asked to hold the mail until the order's time; nil if this device holds it.
    var handOverAt: Int?
    /// Whether files are being uploaded so that the draft can be sent.
    var isUploading = false
    var outcome: Outcome?

    // MARK: - The token

    /// The token of the mail's `Message-ID` (``DraftToken``): the draft's id, until another device has sent a mail with
    /// it.
    var token: String
    /// Whether another device has sent a mail with the present token.
    var isSentElsewhere: Bool?
    /// Whether a mail with the present token may have been sent, from another device or by an earlier document of this
    /// one, and removed for good. If the search finds none, the draft is sent with a new token. Nil for no.
    var isTokenSpent: Bool?
    /// The token in whose place the present one was taken for that reason. Other devices may still send with it. Nil
    /// for none.
    var spentToken: String?
    /// Whether no server was ever asked to keep or send anything of it, by this device or another one: it is sent
    /// without a search.
    var isNew: Bool?
    /// The time at which the draft was first kept on this device, if it was new then: no mail from before is its. Nil
    /// for one that another device may have sent at any time.
    var createdAt: Int?

    // MARK: - Requests to send

    var attempt: Attempt?
    /// The last request to send, if its answer was that nothing was done; nil for none.
    var refused: RefusedRequest?
    /// The requests to send it since the last order; nil if there was none, or if a document of an earlier version
    /// began with one. They are kept with an outcome that isn't known.
    var tried: SendingAttempts?
    /// The dates (the header field `Date`) of the mails of all attempts, by which this device recognizes its own mails
    /// if the server doesn't show the marks.
    var attemptDates: [Int] = []
    /// The marks of the mails of all attempts, by which this device recognizes its own mails.
    var attemptMarks: [String]?
    /// The mails of attempts of which it isn't known whether they were sent. They show that to other devices, so once
    /// the server has the text they go to the trash, and aren't destroyed.
    var undecidedMails: [String]?
    /// The mails of attempts that were reported as unknown: the next order sends all the same.
    var reportedMails: [String]?
    /// Mails of attempts which certainly weren't submitted: those of ``leftovers`` and ``included``, and those that
    /// other programs have moved before they were removed.
    var unsubmitted: [String]?

    // MARK: - What the server holds, or has sent

    /// The mail that the server holds; nil for none.
    var hold: Hold?
    /// The mail that the server held and holds no longer, before it is made a draft again; nil for none.
    var released: Released?
    var aftermath: RemainingWork?
    /// The reason for which the sent mail doesn't name its hidden recipients, and won't: the copy that does can't be
    /// made. The draft is kept until the person has seen it.
    var copyRefusal: DraftRefusal?

    /// The reason for which the sent mail is still among the drafts, after a day of tries, or a version of its draft,
    /// which the server refuses to remove. Nil for none, or once the person has seen it: the next try reports it again.
    var moveRefusal: DraftRefusal?

    // MARK: - Versions on the server

    var saved: Saved?
    var saving: Saving?
    /// The versions whose creation wasn't confirmed and that no search has found, the last ones. A request that arrives
    /// late creates one with a text that was replaced since. Nil for none.
    var lostSavings: [Saving]?
    /// Whether the saved version is gone from the server, and it isn't known why.
    var isVanished = false
    /// The versions on the server, by their ids, that the text includes or replaces. They are removed once the server
    /// has the text.
    var included: [String] = []
    /// The versions that another draft removes, once it is saved without their files. Nil for none.
    var handedOver: [String]?
    /// The versions on the server to be removed now.
    var leftovers: [String] = []
    /// The versions that the order to discard removes, with the texts that other windows have replaced, once the server
    /// doesn't hold the mail any more: it may have sent it. Nil for none, or another order.
    var toBeDiscarded: [String]?
    /// The versions that the server has removed, the last ones. Until a sync has removed them from this device too,
    /// they are no part of the draft.
    var removed: [String]?
    /// The time at which the last of them was removed; nil once none of them is on this device.
    var removedAt: Int?
    /// Whether the server lacked the text when the person discarded the draft. Nil for no, or another order.
    var discardsUnsaved: Bool?
    /// The server's refusal to remove the draft, which the person has discarded: it is shown again. Nil for none.
    var discardRefusal: DiscardRefusal?
    /// The versions that the server refuses to remove, or that other programs have sent, the last ones: they aren't
    /// removed again by themselves.
    var unremovable: [String]?

    // MARK: - Failures and waits

    var retry: Retry?
    /// The retryable failures since the order to send, the last change, or the last success; nil without one.
    var failing: FailureSeries?
    /// The requests to send that had no answer since the order to send, or since one that had; nil without one. After a
    /// day of other failures, the outcome of the first one is still looked up.
    var unanswered: FailureSeries?
    /// The change whose text the server refused to save. It isn't tried again until the text is changed, or until
    /// ``saveRetryAt``.
    var unsavableRevision: Int?
    /// The reason of that.
    var saveRefusal: DraftRefusal?
    /// The time at which it is tried again; nil for never.
    var saveRetryAt: Int?
    /// The number of uploads of a file that the server has lost since the last change, order or success, by the file's
    /// id.
    var lostUploads: [String: Int]?
    /// The time at which the device's clock was found to be behind the times recorded here; nil if it isn't.
    var clockSetBackAt: Int?

    // MARK: -

    init(token: String, editedAt: Int) {
        (self.token, self.editedAt, revision) = (token, editedAt, editedAt)
    }

    /// Whether the server lacks the text.
    var isDirty: Bool { saved?.revision != revision }

    /// Whether something would be lost with this device's store.
    var isUnsent: Bool {
        // Only this device asks the server not to send it, and makes it a draft again.
        if isBeingTakenBack || released != nil { return true }
        return switch outcome {
        // Such as the hidden recipients, which the server's mail doesn't name yet.
        case .sent: aftermath != nil || copyRefusal != nil || !leftovers.isEmpty
        case .refused, .unknown: true
        // The server sends it, whether this device has a store or not.
        case nil where hold != nil && order != nil && order != .discard: !leftovers.isEmpty
        case nil: order.map { $0 != .discard || !isGone } ?? (isDirty || isVanished)
        }
    }

    /// Whether the mail was sent.
    var isSent: Bool { if case .sent = outcome { true } else { false } }

    /// Whether there is no work left, and the server has the text.
    var isIdle: Bool {
        order == nil && attempt == nil && outcome == nil && saving == nil && !isDirty && !mayBeSentByServer
    }

    /// Whether the server has nothing of the draft.
    private var isGone: Bool { saving == nil && ownVersions.isEmpty }

    /// Whether the person's order can still be cancelled.
    var isRevocable: Bool {
        if case .send = order { (attempt == nil || isAtServer) && outcome == nil } else { false }
    }

    /// Whether the text can be changed.
    var isEditable: Bool {
        if isSent { return false }
        return (order == nil || discardRefusal != nil) && attempt == nil && hold == nil
    }

    /// Whether the person has discarded the draft, and the server holds no mail of it. No list shows it.
    var isDiscarded: Bool { order == .discard && !mayBeSentByServer }

    /// The ids of all versions on the server that this device has a hand in, each once.
    var ownVersions: [String] {
        Self.distinct(
            included + leftovers + (handedOver ?? []) + (undecidedMails ?? []) + (saved.map { [$0.emailID] } ?? [])
        )
    }

    /// A version may have become part of the draft, and one to remove, more than once.
    static func distinct(_ ids: [String]) -> [String] {
        var known: Set<String> = []
        return ids.filter { known.insert($0).inserted }
    }
}

extension DraftJob {
    /// Records that the person has changed the text.
    mutating func edit(at now: Int) {
        revision += 1
        editedAt = now
        // A mail of an earlier attempt doesn't have this text.
        (attemptDates, attemptMarks) = ([], nil)
        (outcome, retry, isVanished, isFinished, lostUploads) = (nil, nil, false, nil, nil)
        failing = nil
    }

    /// Records the order to send.
    ///
    /// - Parameters:
    ///   - isForLater: Whether the time is one that the person gave.
    ///   - newToken: The token to use if another device has sent a mail with the present one.
    mutating func orderSending(at time: Int, isForLater: Bool = false, now: Int, newToken: String) {
        if isSentElsewhere ?? false || isRefusedAsSent {
            (token, isSentElsewhere, isTokenSpent, spentToken) = (newToken, nil, nil, nil)
        }
        (order, orderedAt, outcome, retry, lostUploads) = (.send(at: time), now, nil, nil, nil)
        (isUploading, failing, unanswered, handOverAt, tried) = (false, nil, nil, nil, nil)
        self.isForLater = isForLater
    }

    private var isRefusedAsSent: Bool {
        if case .refused(let refusal) = outcome { refusal.code == .alreadySent } else { false }
    }

    /// Takes the order to send back.
    mutating func revoke() {
        (order, retry, failing) = (nil, nil, nil)
        hold?.pendingAt = nil
    }

    /// Goes on with a draft that was discarded, since it is written again. What isn't removed yet is removed once the
    /// server has the text.
    mutating func resume() {
        included = Self.distinct(included + leftovers + (saved.map { [$0.emailID] } ?? []))
        (order, saved, leftovers, discardsUnsaved, discardRefusal) = (nil, nil, [], nil, nil)
    }

    /// Records the order to remove the draft.
    mutating func discard(at now: Int) {
        // Of one that was discarded before, the saved version isn't known any more.
        if order != .discard { discardsUnsaved = isDirty ? true : nil }
        (order, orderedAt, outcome, retry, failing, discardRefusal) = (.discard, now, nil, nil, nil, nil)
        hold?.pendingAt = nil
    }
}
