/// The next step for a draft.
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

    /// Takes into account that the device's clock was set back: what was recorded at a time that is still to come
    /// counts as recorded now, and waits as long as it was to wait.
    ///
    /// - Returns: Whether something was recorded at a time that is still to come.
    mutating func adjust(toClock now: Int) -> Bool {
        let before = self
        if case .send(let time) = order, orderedAt > now { order = .send(at: time - (orderedAt - now)) }
        if let retry, let since = retry.since, since > now {
            self.retry = Retry(failures: retry.failures, notBefore: retry.notBefore - (since - now), since: now)
        }
        if case .sent(let emailID, let time) = outcome { outcome = .sent(emailID: emailID, at: min(time, now)) }
        (editedAt, orderedAt) = (min(editedAt, now), min(orderedAt, now))
        if let attempt { self.attempt?.since = min(attempt.since, now) }
        if let saved { self.saved?.at = min(saved.at, now) }
        removedAt = removedAt.map { min($0, now) }
        return self != before
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
