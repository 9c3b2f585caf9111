extension DraftJob {
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
