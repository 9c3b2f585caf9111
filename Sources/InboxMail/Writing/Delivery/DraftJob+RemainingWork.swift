/// The work that is left on the server for a mail that was sent.
extension DraftJob {
    /// Records that the sent mail is where sent mails are.
    mutating func moved() {
        aftermath?.isToBeMoved = false
        if aftermath?.needsCopy == false { aftermath = nil }
        (retry, failing, moveRefusal) = (nil, nil, nil)
    }

    /// Records that the server doesn't move the sent mail. Elsewhere it is a draft until it does, so it is tried for as
    /// long as it takes: once a day, and with a notice to the person, when it has failed for long.
    ///
    /// - Parameter words: The reason, in words.
    mutating func moveWasRefused(_ words: String, at now: Int, jitter: Double) {
        guard hasFailedForLong(at: now) else { return postpone(at: now, jitter: jitter) }
        moveFailedForLong(words, at: now, jitter: jitter)
    }

    /// Records that the sent mail couldn't be moved for a day.
    mutating func moveFailedForLong(_ words: String, at now: Int, jitter: Double) {
        let text = "It was sent, and is still among the drafts: the server doesn't move it. Don't send it from there."
        moveRefusal = DraftRefusal(.other, "\(text) \(words)")
        postpone(at: now, jitter: jitter, min: Self.maxPostponement)
    }

    /// The next step for the copy of a sent mail with hidden recipients.
    enum CopyStep: Hashable, Sendable {
        case create
        /// The copies on the server, of which all but one are to be destroyed.
        case keep(String, destroying: [String])
    }

    /// Returns what to do about the copy, given the mails that have the draft's `Message-ID`.
    ///
    /// - Parameter emailID: The id of the mail that was sent.
    static func copyStep(_ mails: [FoundMail], of emailID: String) -> CopyStep {
        // A mail that was received, by oneself or through a list, isn't the one that was sent, wherever it is.
        let own = mails.filter { !$0.isDraft && $0.isForSending && !$0.isReceived && !$0.isInTrash }
        let place = own.first { $0.id == emailID }?.mailboxIDs
        let named = own.filter { $0.hasBcc && ($0.isInSent || $0.mailboxIDs == place) }
        guard let copy = named.map(\.id).min() else { return .create }
        let others = own.filter { $0.id != copy && ($0.isInSent || $0.id == emailID) && $0.isReplaceable }
        return .keep(copy, destroying: others.map(\.id))
    }

    /// Records that the copy was created.
    mutating func createdCopy(_ emailID: String) {
        aftermath?.copyID = emailID
        (retry, failing) = (nil, nil)
    }

    /// Records that the copy has taken the place of the sent mail.
    mutating func copied(_ emailID: String) {
        if case .sent(_, let time) = outcome { outcome = .sent(emailID: emailID, at: time) }
        (aftermath, retry, failing) = (nil, nil, nil)
    }

    /// Records that the server refuses the copy. It is tried again for a day: nothing else names the hidden recipients.
    mutating func copyWasRefused(_ refusal: DraftRefusal, at now: Int, jitter: Double) {
        if hasFailedForLong(at: now) { return abandonCopy(refusal) }
        postpone(at: now, jitter: jitter, first: 60_000)
    }

    /// Abandons the copy. The mail itself was sent.
    mutating func abandonCopy(_ refusal: DraftRefusal) {
        (aftermath, retry, failing, copyRefusal) = (nil, nil, nil, refusal)
    }

    /// Whether the person has to see something about the sent mail.
    var hasSentNotice: Bool { isSent && (copyRefusal != nil || moveRefusal != nil) }

    /// Records that the person has seen that the sent mail doesn't name its hidden recipients, or is among the drafts.
    mutating func acknowledgeSentNotice() { (copyRefusal, moveRefusal) = (nil, nil) }
}
