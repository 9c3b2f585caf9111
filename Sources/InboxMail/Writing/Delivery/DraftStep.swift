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
    /// Find out whether the server holds the mail, after a request whose answer was lost.
    case findHold
    /// Keep a request to hold the mail, which may still be on its way, from being carried out.
    case excludeHold
    /// Find out whether the server has sent the mail that it holds.
    case checkHold
    /// Ask the server not to send the mail that it holds.
    case cancelHold
    /// Make the mail that the server doesn't hold any more a draft.
    case release
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
    /// Make the texts that other windows have left a draft of their own: this one was sent.
    case separate
    /// Remove the draft from this device.
    case forget
}

extension DraftJob {
    /// Returns what to do next.
    ///
    /// - Parameter lacksUploads: Whether the server lacks the bytes of a file.
    func next(at now: Int, lacksUploads: Bool) -> DraftStep {
        if let retry {
            let end = retry.since.map { self.end(of: retry.notBefore, since: $0, at: now) } ?? retry.notBefore
            if end > now { return .wait(until: end) }
        }
        if case .sent(let emailID, let time) = outcome {
            if let aftermath {
                if aftermath.isToBeMoved { return .move(emailID: emailID) }
                if aftermath.needsCopy { return lacksUploads ? .upload : .copy(emailID: emailID) }
            }
            if !leftovers.isEmpty { return .destroy(Self.distinct(leftovers)) }
            if hasSentNotice { return .none }
            let end = recorded(time, at: now) + Self.sentRetention
            return end > now ? .wait(until: end) : .forget
        }
        if let step = nextOfHold(at: now) { return step }
        switch order {
        case .discard:
            // A version that may have been created has to be known first.
            if let saving { return .findSaved(messageID: saving.messageID) }
            guard ownVersions.isEmpty else { return .trash(ownVersions) }
            if discardRefusal != nil { return .none }
            // Until a sync has brought it, the removed version would be shown as a draft.
            let end = removedAt.map { recorded($0, at: now) + Self.removedRetention } ?? now
            return end > now ? .wait(until: end) : .forget
        case .send:
            if let attempt, !(attempt.isMissing ?? false) { return .send }
            if let time = sendTime(at: now), time > now, holdTime(at: now) == nil {
                return .wait(until: handOverAt.map { $0 > now ? min($0, time) : time } ?? time)
            }
            if let saving { return .findSaved(messageID: saving.messageID) }
            return lacksUploads ? .upload : .send
        case nil:
            if let saving { return .findSaved(messageID: saving.messageID) }
            if isVanished { return .findVanished }
            if !leftovers.isEmpty { return .destroy(Self.distinct(leftovers)) }
            guard isDirty else { return nextOfSaved(at: now) }
            if unsavableRevision == revision {
                guard let saveRetryAt else { return .none }
                let time = end(of: saveRetryAt, since: saveRetryAt - Self.saveRetryPause, at: now)
                if time > now { return .wait(until: time) }
            }
            let time = recorded(editedAt, at: now) + (isFinished ?? false ? 0 : Self.savePause)
            if time > now { return .wait(until: time) }
            return lacksUploads ? .upload : .save
        }
    }

    private func nextOfSaved(at now: Int) -> DraftStep {
        // The one that is the draft's text stays until another version has taken its place.
        let undecided = Self.distinct(undecidedMails ?? []).filter { $0 != saved?.emailID }
        if !undecided.isEmpty, outcome == nil { return .trash(undecided) }
        guard outcome == nil, let saved, !saved.isSeen, !saved.isElsewhere else { return .none }
        let time = recorded(saved.at, at: now) + Self.arrivalPause
        return time > now ? .wait(until: time) : .findVanished
    }
}

extension DraftStep {
    /// The time at which the step is due; nil for never.
    func due(at now: Int) -> Int? {
        switch self {
        case .none: nil
        case .wait(let time): time
        default: now
        }
    }
}
