/// Versions that another device or program has removed from the server. It may have sent one of them, with the draft's
/// `Message-ID`, and its mail may be gone for good.
extension DraftJob {
    /// The ids of the versions on the server that are part of the draft. This device hasn't asked to remove them.
    var keptVersions: [String] {
        let other = Set(leftovers + (handedOver ?? []) + (removed ?? []))
        let versions = included + (undecidedMails ?? []) + (saved.map { [$0.emailID] } ?? [])
        return Self.distinct(versions).filter { !other.contains($0) }
    }

    /// The ids of the versions to look for before the draft is sent: those that another device or program may have
    /// removed. A new draft has none, but it may have those of the draft that it was separated from.
    var versionsToLookFor: [String] { isNew ?? false ? [] : keptVersions }

    /// Whether this device has a hand in a version on the server, or had: the server refuses to remove it.
    func hasHandled(_ version: String) -> Bool {
        ownVersions.contains(version) || (unremovable ?? []).contains(version)
    }

    /// Whether a version is one whose creation wasn't confirmed. Another program may store its text under the same
    /// `Message-ID`, with another date.
    func isLostSaving(_ messageID: String?, date: Int?) -> Bool {
        guard let messageID, let date else { return false }
        return (lostSavings ?? []).contains { lost in
            lost.messageID == messageID && lost.date.map { $0 / 1_000 } == date / 1_000
        }
    }

    /// Whether a draft on the server shows nothing of what other devices have done: this device has put it into the
    /// trash, is about to remove it, or couldn't, or has created it late.
    func isRemovedHere(_ mail: FoundMail) -> Bool {
        guard mail.isDraft else { return false }
        if isLostSaving(mail.messageID, date: mail.sentAt) { return true }
        return leftovers.contains(mail.id) || (unremovable ?? []).contains(mail.id)
            || mail.isInTrash && (removed ?? []).contains(mail.id)
    }

    /// Whether the draft was removed elsewhere: the server has no mail with its token but those that this device
    /// removes, and none of the versions that it knows.
    ///
    /// - Parameter missing: The ids of versions that the server doesn't have.
    func isRemovedElsewhere(_ mails: [FoundMail], missing: [String]) -> Bool {
        let versions = versionsToLookFor
        return mails.allSatisfy(isRemovedHere) && !versions.isEmpty && versions.allSatisfy(missing.contains)
    }

    /// Refuses to send a draft that was removed elsewhere, and may have been sent there. The next order sends it with a
    /// new token.
    mutating func refuseRemoved(at now: Int) {
        let versions = versionsToLookFor
        isSentElsewhere = true
        let text =
            "Another device or program has removed this draft from the server, and may have sent it. "
            + "Send it again to send a new mail with this text."
        refuse(DraftRefusal(.alreadySent, text))
        // They aren't looked for again. One that a server has all the same, such as one that it found late, is removed
        // once there is another version.
        (removed, removedAt) = (((removed ?? []) + versions).suffix(Self.maxRemoved), now)
        guard let saved, versions.contains(saved.emailID) else { return }
        included.append(saved.emailID)
        self.saved = nil
    }

    /// Takes a new token if a mail with the present one may have been sent, and removed for good. There is none at
    /// present. If one is found later, another device has sent it.
    mutating func replaceSpentToken(by newToken: String?) {
        guard isTokenSpent ?? false, let newToken else { return }
        (spentToken, token, isTokenSpent) = (spentToken ?? token, newToken, nil)
    }

    /// Whether the present token counts as unused while the text is written: a version of it that another device or
    /// program has removed may show that it isn't.
    var isTokenInQuestion: Bool {
        guard order == nil, hold == nil, released == nil else { return false }
        if isSent { return false }
        return !(isSentElsewhere ?? false) && !(isTokenSpent ?? false)
    }
}
