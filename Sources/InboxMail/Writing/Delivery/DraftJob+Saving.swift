import JMAP

extension DraftJob {
    /// Hands versions that have to be removed over to another draft, which uses their files until it is saved.
    mutating func handOver(_ mails: Set<String>, to other: inout DraftJob) {
        let versions = leftovers.filter(mails.contains)
        guard !versions.isEmpty else { return }
        leftovers.removeAll(where: mails.contains)
        handedOver = versions
        other.included = versions
    }

    /// Records that a request to save begins.
    ///
    /// - Parameter date: The version's date.
    mutating func beginSaving(messageID: String, date: Int? = nil) {
        (saving, isNew) = (Saving(revision: revision, messageID: messageID, date: date), nil)
    }

    /// Records a version that the server has created, reported in an answer or found later.
    mutating func didSave(_ emailID: String, at now: Int) {
        guard let saving else { return }
        if let saved, saved.emailID != emailID { leftovers.append(saved.emailID) }
        leftovers += included.filter { $0 != emailID }
        (included, self.saving, retry, lostUploads) = ([], nil, nil, nil)
        (unsavableRevision, saveRefusal, saveRetryAt, failing) = (nil, nil, nil, nil)
        saved = Saved(revision: saving.revision, emailID: emailID, at: now)
    }

    /// Takes another device's version in place of this device's text.
    ///
    /// - Parameter isForSending: Whether it is the mail of an attempt. It isn't known whether that was sent.
    mutating func adopt(_ emailID: String, receivedAt: Int, isForSending: Bool, at now: Int) {
        (revision, editedAt) = (max(now, revision + 1), receivedAt)
        saved = Saved(revision: revision, emailID: emailID, at: now, isSeen: true, receivedAt: receivedAt)
        if isForSending { undecidedMails = (undecidedMails ?? []) + [emailID] }
        // A mail of an earlier attempt doesn't have this text.
        (attemptDates, attemptMarks, isVanished, retry) = ([], nil, false, nil)
    }

    /// Records that a version wasn't created: the search found none.
    mutating func didNotSave() {
        if let saving { lostSavings = ((lostSavings ?? []) + [saving]).suffix(Self.maxLostSavings) }
        saving = nil
    }

    /// Records versions that were created late, with a text that was replaced since.
    mutating func replace(late versions: [String]) {
        if saved == nil, !isSent, order != .discard {
            included += versions
        } else {
            leftovers += versions
        }
    }

    /// Records that the server refuses the version. What doesn't depend on the text is tried again after a while, such
    /// as when the person has made space.
    mutating func saveWasRefused(_ refusal: DraftRefusal, at now: Int) {
        let retryAt = refusal.code == .tooLarge ? nil : now + Self.saveRetryPause
        saveWasRefused(refusal, saving?.revision ?? revision, retryAt: retryAt)
        (saving, retry) = (nil, nil)
    }

    /// Records a temporary refusal of the version. One that lasts for a day is reported.
    mutating func saveWasPostponed(_ refusal: DraftRefusal, at now: Int, jitter: Double) {
        if hasFailedForLong(at: now) { saveWasRefused(refusal, saving?.revision ?? revision, retryAt: now) }
        saving = nil
        postpone(at: now, jitter: jitter)
    }

    /// Records that a change of the text can't be saved.
    ///
    /// - Parameter retryAt: The time at which it is tried again; nil if the text has to be changed first.
    mutating func saveWasRefused(_ refusal: DraftRefusal, _ revision: Int, retryAt: Int?) {
        (unsavableRevision, saveRefusal, saveRetryAt) = (revision, refusal, retryAt)
    }

    /// Records that a file can't be read now, such as on a locked phone. It is tried again; after a day, sending is
    /// refused, and a draft that was only to be saved is marked as unsaved.
    mutating func cannotRead(_ refusal: DraftRefusal, at now: Int, jitter: Double) {
        if hasFailedForLong(at: now) {
            if case .send = order { return cannotUpload(refusal) }
            saveWasRefused(refusal, revision, retryAt: now)
        }
        postpone(at: now, jitter: jitter, first: 5_000)
    }

    /// The reason for which the server doesn't have the text; nil if it has it, or is asked next.
    var unsavedReason: DraftRefusal? {
        guard isDirty, unsavableRevision == revision else { return nil }
        return saveRefusal ?? DraftRefusal(.other, "The server refuses to save the draft. Change it, or send it.")
    }

    /// Applies the result of the search for a draft whose saved version is gone.
    ///
    /// A draft that was sent, changed or put into the trash elsewhere has left a mail. One that has left none was lost,
    /// such as with the whole mailbox, and is saved again. It may also have been sent, and the sent mail have
    /// been removed for good: so it is sent with a new token.
    ///
    /// - Returns: Whether this device keeps the draft.
    mutating func foundVanished(_ mails: [FoundMail]) -> Bool {
        (isVanished, retry) = (false, nil)
        // Not one that was in the trash before: the mail of an attempt that may have been sent, or a version of a draft
        // that was discarded and written again. Nor an earlier version that the server or another program has kept.
        let mails = mails.filter { mail in
            let isOlder = (mail.receivedAt ?? .max) < (saved?.receivedAt ?? 0)
            return !isRemovedHere(mail) && !(unremovable ?? []).contains(mail.id) && !(mail.isInTrash && isOlder)
        }
        if let saved, mails.contains(where: { $0.id == saved.emailID && $0.isDraft && !$0.isInTrash }) {
            // The server has it; it isn't part of the slices on this device.
            self.saved?.isSeen = false
            self.saved?.isElsewhere = true
            return true
        }
        guard mails.isEmpty else { return false }
        (saved, isTokenSpent) = (nil, true)
        return true
    }

    /// Keeps versions that were to be removed until the server has another version of the text.
    mutating func keep(_ versions: [String]) {
        leftovers.removeAll(where: versions.contains)
        included += versions.filter { !included.contains($0) }
    }

    /// Records that versions are gone from the server, or that it refuses to remove them.
    mutating func didDestroy(_ ids: [String], refused: [String], at now: Int) {
        let gone = Set(ids + refused)
        if !ids.isEmpty { (removed, removedAt) = (((removed ?? []) + ids).suffix(Self.maxRemoved), now) }
        if !refused.isEmpty { unremovable = ((unremovable ?? []) + refused).suffix(Self.maxRemoved) }
        leftovers.removeAll(where: gone.contains)
        included.removeAll(where: gone.contains)
        undecidedMails?.removeAll(where: gone.contains)
        if undecidedMails?.isEmpty ?? false { undecidedMails = nil }
        unsubmitted?.removeAll(where: ids.contains)
        if unsubmitted?.isEmpty ?? false { unsubmitted = nil }
        if let saved, gone.contains(saved.emailID) { self.saved = nil }
        // The wait of an order to send isn't about these.
        if case .send = order { return }
        retry = nil
    }

    /// Records the answer to a request to remove versions. Of a draft that was discarded or sent, those that the server
    /// refuses to remove for now are tried again for a day. Otherwise they stay, and a discarded draft with them. Those
    /// of a sent one are reported: they would be shown as a draft like others.
    mutating func didRemove(_ ids: [String], refused: [String: SetError], at now: Int, jitter: Double) {
        var lasting = refused.filter { !$0.value.isRetryable }
        let earlier = retry
        if lasting.count < refused.count, order == .discard || isSent, !hasFailedForLong(at: now) {
            didDestroy(ids, refused: lasting.keys.sorted(), at: now)
            retry = earlier
            postpone(at: now, jitter: jitter)
        } else {
            lasting = refused
            didDestroy(ids, refused: refused.keys.sorted(), at: now)
        }
        guard let error = lasting.sorted(by: { $0.key < $1.key }).first?.value else { return }
        let words = error.description.flatMap(\.nonEmpty).map { " The server says: \($0)" } ?? ""
        if isSent {
            let text =
                "It was sent, and a text of it is still among the drafts: the server doesn't remove it "
                + "(\(error.type)). Don't send it from there.\(words)"
            moveRefusal = DraftRefusal(.other, text)
        }
        guard order == .discard else { return }
        let text = "The server refuses to remove it (\(error.type)).\(words)"
        discardRefusal = DiscardRefusal(reason: DraftRefusal(.notDiscarded, text), isSeen: false)
    }

    /// Records that the server doesn't remove a draft that was discarded: it stays, with what is left of it.
    mutating func discardWasRefused(_ text: String, at now: Int) {
        didNotSave()
        didDestroy([], refused: ownVersions, at: now)
        failing = nil
        discardRefusal = DiscardRefusal(reason: DraftRefusal(.notDiscarded, text), isSeen: false)
    }
}

extension SetError {
    /// Whether the server may remove the record later.
    fileprivate var isRetryable: Bool {
        ["rateLimit", "serverUnavailable", "serverFail", "serverPartialFail"].contains(type)
    }
}
