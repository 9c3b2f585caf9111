public import Foundation
import InboxMail

/// Sending, undoing it, discarding and closing.
extension ComposeModel {
    /// Checks the mail, and sends it unless it has problems or questions (``review``). Until then sending can be undone
    /// (``undoSend()``), for the interval of the account's settings.
    ///
    /// - Parameter date: When to send it; nil for at once. The device has to be on then.
    public func send(later date: Date? = nil) async { await send(later: date, asks: true) }

    /// Sends the mail in spite of the questions of ``review``. Problems that block sending still do.
    public func sendAnyway() async {
        guard let review, review.canSendAnyway else { return }
        await send(later: review.date, asks: false)
    }

    /// Goes on writing after ``review``.
    public func keepWriting() { (review, isAskingToDiscard) = (nil, false) }

    private func send(later date: Date?, asks: Bool) async {
        guard let editor, phase == .writing, !isSending else { return }
        isSending = true
        defer { isSending = false }
        for field in fields { field.commit() }
        do {
            let problems = try await mail.problems(of: editor.draft)
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

    /// Takes the mail back that waits to be sent. It can then be written again.
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
        guard let editor, phase == .writing else { return true }
        for field in fields { field.commit() }
        guard !isClosed, !isDiscardedElsewhere else { return true }
        do {
            if isNewAndEmpty {
                try await editor.discard()
                phase = .discarded
            } else {
                let draft = editor.draft
                try await editor.close()
                isClosed = editor.draft == draft
            }
            failure = nil
            return true
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
        if isNewAndEmpty || isUnwritten { await discard() } else { isAskingToDiscard = true }
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
        guard isNew, let draft = editor?.draft else { return false }
        return (draft.to + draft.cc + draft.bcc).isEmpty && draft.attachments.isEmpty
            && draft.subject.isBlank && draft.text.isBlank
    }
}

/// Files.
extension ComposeModel {
    /// Attaches a file, which is copied. Its upload begins when the draft is saved on the server.
    ///
    /// - Parameters:
    ///   - url: The file. On Apple's systems it may be outside of the app's container, as a file importer returns it.
    ///   - type: The media type; nil for one that follows from the file's name.
    public func attach(_ url: URL, type: String? = nil) async {
        await attach(named: url.lastPathComponent) { [mail] editor in
            #if canImport(Darwin)
                let isScoped = url.startAccessingSecurityScopedResource()
                defer { if isScoped { url.stopAccessingSecurityScopedResource() } }
            #endif
            if let problem = try await mail.sizeProblem(of: url) { return problem }
            try await editor.attach(url, type: type)
            return nil
        }
    }

    /// Attaches bytes as a file.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - name: The file's name.
    ///   - type: The media type; nil for one that follows from the name.
    public func attach(_ bytes: Data, named name: String, type: String? = nil) async {
        await attach(named: name) { [mail] editor in
            if let problem = try await mail.sizeProblem(ofFile: name, size: bytes.count) { return problem }
            try await editor.attach(bytes, named: name, type: type)
            return nil
        }
    }

    private func attach(named name: String, _ body: (DraftEditor) async throws -> DraftProblem?) async {
        guard let editor, phase == .writing else { return }
        attachingCount += 1
        defer { attachingCount -= 1 }
        do {
            if let problem = try await body(editor) {
                failure = .fileTooLarge(problem)
                return
            }
            (isTouched, isClosed, failure) = (true, false, nil)
        } catch {
            failure = .attaching(name: name, MailError(error))
        }
    }

    /// Removes a file.
    public func remove(_ attachment: ComposeAttachment) async {
        guard let editor, phase == .writing else { return }
        do {
            try await editor.removeAttachment(attachment.id)
            failure = nil
        } catch {
            failure = .saving(MailError(error))
        }
    }
}
