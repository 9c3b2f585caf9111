public import Foundation
import Groundwork
import Replica

/// Sending drafts.
///
/// Each mail is sent once, whatever is lost, repeated or dies in between, and also if several devices send the same
/// draft. Where it can't be known whether the server has sent a mail, its state is
/// (``DraftState/unknown(since:attempts:)``), and it isn't sent again by itself.
extension Mail {
    /// Sends a draft, with the text of the value. It waits for ``MailConfiguration/undoSendInterval``, and for the
    /// network.
    ///
    /// - Parameters:
    ///   - draft: The draft. Its changes are saved in the same transaction.
    ///   - date: When to send it; nil for at once. Where ``verifyHeldSending(after:)`` has verified that the server
    ///     sends what it holds, the server gets the mail once ``MailConfiguration/undoSendInterval`` is over, and sends
    ///     it, whether this device is on or not. Otherwise it waits on this device, which has to be on then. So does
    ///     one with recipients of blind copies, one whose time is further away than the server allows, until it isn't,
    ///     and one that the server refuses to hold. ``MailDraft/holder`` says which.
    /// - Returns: The draft, whose state is ``DraftState/waiting(until:)``.
    /// - Throws: As ``save(_:waitsForChanges:)``; and `invalidArgument` if one of its ``problems(of:)`` blocks sending,
    ///   such as a missing recipient. The questions among them are for the app to ask before.
    @concurrent
    @discardableResult
    public func send(_ draft: MailDraft, later date: Date? = nil) async throws -> MailDraft {
        if let problem = try await problems(of: draft).first, problem.severity == .blocksSending {
            throw MailError(.invalidArgument, problem.message)
        }
        // At most a year.
        let interval = min(max(0, configuration.undoSendInterval), 365 * 86_400)
        let random = configuration.random
        let isNew = open.outbox.newDrafts.take(draft.id)
        return try await write(records: 1) { writer in
            var document = try writer.document(for: draft, isNew: isNew, keepsRevision: true)
            let earliest = writer.now + Int(interval * 1_000)
            let time = max(date?.milliseconds ?? earliest, earliest)
            document.job.orderSending(
                at: time,
                isForLater: time > earliest,
                now: writer.now,
                newToken: DraftToken.make(random)
            )
            // A copy that names the hidden recipients would have to be made once it is sent, by this device.
            if time > earliest, document.text.bcc.isEmpty, let check = try writer.db.heldSendingCheck(),
                check.isVerified
            {
                document.job.handOverAt = max(earliest, time - Int(check.longest) * 1_000)
            }
            try writer.put(document)
            return MailDraft(document, otherVersions: try writer.db.otherVersions(of: document))
        }
    }

    /// Cancels the sending of a draft that waits to be sent. The draft can be changed again.
    ///
    /// If the server holds it (``DraftHolder/server``), the server is asked not to send it.
    ///
    /// - Returns: The draft; nil if sending can't be cancelled: the server has been asked to send it, or has sent it.
    /// - Throws: `MailError`: `invalidArgument` if there is no such draft, `unreadableDraft`, `storage`, `closed`;
    ///   `notConnected` and others if the server that holds it can't be asked. Then it is asked as soon as it can be
    ///   (``MailDraft/isBeingTakenBack``), and the draft's state has the outcome: a draft, or sent.
    @concurrent
    @discardableResult
    public func undoSend(_ id: String) async throws -> MailDraft? {
        if let draft = try await revoke(id) { return draft }
        try await takeBackFromServer(id)
        return try await read { db in
            guard let document = try db.draftDocument(id), document.job.isEditable else { return nil }
            return MailDraft(document, otherVersions: try db.otherVersions(of: document))
        }
    }

    /// Takes the order to send back.
    ///
    /// - Returns: The draft; nil if it is on the server, or can't be taken back.
    private func revoke(_ id: String) async throws -> MailDraft? {
        try await write(records: 1) { writer in
            guard var document = try writer.db.replaceableDraftDocument(id), !document.job.isDiscarded else {
                throw MailError(.invalidArgument, "There is no draft with the id \(id).")
            }
            if document.job.isRevocable {
                document.job.revoke()
                try writer.put(document)
                if document.job.isAtServer { return nil }
            } else if !document.job.isEditable {
                return nil
            }
            return MailDraft(document, otherVersions: try writer.db.otherVersions(of: document))
        }
    }

    /// Cancels the sending of a draft that waits to be sent, however long it would wait.
    ///
    /// - Returns: Whether sending was cancelled. If not, the server has been asked to send the draft, or has sent it,
    ///   or it can't be known whether it has (``DraftState/unknown(since:attempts:)``).
    /// - Throws: As ``undoSend(_:)``.
    @concurrent
    @discardableResult
    public func cancel(_ id: String) async throws -> Bool {
        guard let draft = try await undoSend(id) else { return false }
        if case .unknown = draft.state { return false }
        return true
    }

    /// Removes a draft from all devices, and cancels its sending. For a sent draft with a ``MailDraft/copyRefusal`` or
    /// ``MailDraft/moveRefusal``, it removes only that notice.
    ///
    /// It returns before the server is asked. If the server refuses to remove the draft, or fails to for a day, the
    /// draft is there again, as ``DraftState/refused(_:)`` with the code `DraftRefusal.Code.notDiscarded`. It can be
    /// changed, sent, or discarded again.
    ///
    /// A mail that the server holds (``DraftHolder/server``) is taken back first, also that of a draft of which this
    /// version of the app can't read more. If it is too late for that, the draft's other versions are kept.
    ///
    /// - Throws: `MailError`: `invalidArgument` if there is no such draft, or if the server has been asked to send it;
    ///   `unreadableDraft` if this version can't read how to take the mail back, which may be sent; `storage`,
    ///   `closed`. If it throws one of these, nothing has changed. `invalidArgument` too if the server that held it has
    ///   sent it, or if it can't be known whether it has: then the draft is kept, as
    ///   ``DraftState/unknown(since:attempts:)``, and can be discarded again. `notConnected` and others if the server
    ///   that holds it can't be asked: then it is asked as soon as it can be (``MailDraft/isBeingTakenBack``), and the
    ///   draft is gone after that, or sent.
    @concurrent
    public func discard(_ id: String) async throws {
        let mayBeSent = try await write(records: 1) { writer -> Bool in
            if var sent = try writer.db.draftDocument(id), sent.job.hasSentNotice {
                sent.job.acknowledgeSentNotice()
                try writer.put(sent)
                return false
            }
            guard var document = try writer.document(forDiscarding: id) else {
                guard try writer.db.deviceRecord(.draft, id) != nil else {
                    throw MailError(.invalidArgument, "There is no draft with the id \(id).")
                }
                // It can't be read, and the server has nothing of it.
                try writer.remove(DeviceRecordKind.draft, [id])
                return false
            }
            document.job.discard(at: writer.now)
            try writer.put(document)
            return document.job.mayBeSentByServer
        }
        guard mayBeSent else { return }
        try await takeBackFromServer(id)
        switch try await read({ db in try db.draftDocument(id)?.job.outcome }) {
        case .sent: throw MailError(.invalidArgument, "The server has sent the mail. It can't be discarded any more.")
        case .unknown:
            throw MailError(
                .invalidArgument,
                "The server may have sent the mail, which it held. The draft is kept. Discard it again to remove it."
            )
        case .refused, nil: break
        }
    }
}
