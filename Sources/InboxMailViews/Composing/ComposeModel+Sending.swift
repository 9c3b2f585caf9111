public import Foundation
import InboxMail

/// Sending, undoing it, discarding and closing.
extension ComposeModel {
    /// Checks the mail, and sends it unless it has problems or questions (``review``). Until then sending can be undone
    /// (``undoSend()``), for the interval of the account's settings. It waits for files that are being attached; if
    /// one can't be, the mail isn't sent.
    ///
    /// - Parameter date: When to send it; nil for at once. The device has to be on then, unless the server holds the
    ///   mail (`Mail.send(_:later:)`).
    public func send(later date: Date? = nil) async { await send(later: date, asks: true) }

    /// Sends the mail in spite of the questions of ``review``. Problems that block sending still do.
    public func sendAnyway() async {
        guard let review, review.canSendAnyway else { return }
        await send(later: review.date, asks: false)
    }

    /// Dismisses ``review`` and the question about discarding, so that the person can continue writing.
    public func keepWriting() { (review, isAskingToDiscard) = (nil, false) }

    private func send(later date: Date?, asks: Bool) async {
        guard phase == .writing, !isSending else { return }
        isSending = true
        defer { isSending = false }
        for field in fields { field.commit() }
        do {
            guard let (editor, problems) = try await checked() else { return }
            let review = ComposeReview(problems: problems, date: date)
            guard review.canSendAnyway, !asks || problems.isEmpty else {
                (self.review, failure) = (review, nil)
                return
            }
            try await editor.send(later: date)
            (self.review, failure, refusal, maybeSent) = (nil, nil, nil, nil)
            phase = ComposePhase(editor.draft.state)
            observe(editor.draft.id)
        } catch {
            (review, failure) = (nil, .sending(MailError(error)))
        }
    }

    /// Returns the problems of the mail with all files that are being attached; nil if one of them can't be, or if the
    /// mail was discarded meanwhile.
    private func checked() async throws -> (DraftEditor, [DraftProblem])? {
        while await endAttaching(), let editor, phase == .writing {
            let begun = attaching
            let problems = try await mail.problems(of: editor.written)
            // Meanwhile another file may have been chosen, or the mail discarded.
            if attaching == begun, phase == .writing { return (editor, problems) }
            guard attachingCount > 0 || attachingFailure == nil else { break }
        }
        return nil
    }

    /// Takes back the mail that waits to be sent. It can then be changed.
    public func undoSend() async {
        guard let editor, case .waiting = phase else { return }
        do {
            guard try await editor.undoSend() else {
                (phase, failure) = (.sending, .undoing(nil))
                return
            }
            (phase, failure) = (.writing, nil)
            observe(editor.draft.id)
        } catch {
            failure = .undoing(MailError(error))
        }
    }

    /// Keeps all that was written, and saves it on the server without a pause. Call it when the screen disappears.
    ///
    /// A draft that was never changed isn't stored, and neither is a new one that is empty again.
    ///
    /// - Returns: Whether it is kept. If not, ``failure`` has the reason, and the screen should stay.
    @discardableResult
    public func close() async -> Bool {
        guard phase == .writing else { return true }
        for field in fields { field.commit() }
        let isAttached = await endAttaching()
        guard let editor, phase == .writing, !isClosed, !isDiscardedElsewhere else { return isAttached }
        do {
            if isNewAndEmpty {
                guard isAttached else { return false }
                try await editor.discard()
                phase = .discarded
            } else {
                let draft = editor.written
                try await editor.close()
                isClosed = editor.written == draft
            }
            if isAttached { failure = nil }
            return isAttached
        } catch {
            failure = .saving(MailError(error))
            return false
        }
    }

    /// Stores all changes on this device now. Call it when the app moves to the background.
    public func keep() async {
        guard let editor, phase == .writing, isTouched, !editor.isSaved else { return }
        do {
            try await editor.save()
        } catch {
            failure = .saving(MailError(error))
        }
    }

    /// Asks the person about discarding the draft, or discards it at once if nothing was written.
    public func askToDiscard() async {
        guard phase == .writing else { return }
        if attachingCount == 0, isNewAndEmpty || isUnwritten { await discard() } else { isAskingToDiscard = true }
    }

    /// Removes the draft from all devices.
    public func discard() async {
        guard let editor, phase == .writing else { return }
        isAskingToDiscard = false
        do {
            try await editor.discard()
            (phase, failure) = (.discarded, nil)
        } catch {
            failure = .discarding(MailError(error))
        }
    }

    /// Whether nothing was written, and nothing was stored before.
    private var isUnwritten: Bool { !isTouched && !isStored && !beginsStored }

    /// Whether the draft is a new one that has nothing in it.
    private var isNewAndEmpty: Bool {
        guard isNew, let draft = editor?.written else { return false }
        return (draft.to + draft.cc + draft.bcc).isEmpty && draft.attachments.isEmpty
            && draft.subject.isBlank && draft.text.isBlank
    }
}
