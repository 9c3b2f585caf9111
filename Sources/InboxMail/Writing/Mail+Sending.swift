public import Foundation
import Groundwork
import Replica

/// Sending drafts.
///
/// Each mail is sent once, whatever is lost, repeated or dies in between, and also if several devices send the same
/// draft. Where it can't be known whether the server has sent a mail, its state says so
/// (``DraftState/unknown(since:)``), and it isn't sent again by itself.
extension Mail {
    /// Sends a draft, with the text of the value. It waits for ``MailConfiguration/undoSendInterval``, and for the
    /// network.
    ///
    /// - Parameters:
    ///   - draft: The draft. Its changes are saved in the same transaction.
    ///   - date: When to send it. It waits on this device, which has to be on then; nil for at once.
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
        return try await write { writer in
            var document = try writer.document(for: draft, isNew: isNew, keepsRevision: true)
            let earliest = writer.now + Int(interval * 1_000)
            let time = max(date?.milliseconds ?? earliest, earliest)
            document.job.orderSending(
                at: time,
                isForLater: time > earliest,
                now: writer.now,
                newToken: DraftToken.make(random)
            )
            try writer.put(document)
            return MailDraft(document, otherVersions: try writer.db.otherVersions(of: document))
        }
    }

    /// Cancels the sending of a draft that waits to be sent. The draft can be changed again.
    ///
    /// - Returns: The draft; nil if the server has already been asked to send it.
    /// - Throws: `MailError`: `invalidArgument` if there is no such draft, `storage`, `closed`.
    @concurrent
    @discardableResult
    public func undoSend(_ id: String) async throws -> MailDraft? {
        try await write { writer in
            guard var document = try writer.db.draftDocument(id), !document.job.isDiscarded else {
                throw MailError(.invalidArgument, "There is no draft with the id \(id).")
            }
            if document.job.isRevocable {
                document.job.revoke()
                try writer.put(document)
            } else if !document.job.isEditable {
                return nil
            }
            return MailDraft(document, otherVersions: try writer.db.otherVersions(of: document))
        }
    }

    /// Cancels the sending of a draft that waits to be sent, however long it would wait.
    ///
    /// - Returns: Whether sending was cancelled. False if the server has already been asked to send the draft.
    /// - Throws: As ``undoSend(_:)``.
    @concurrent
    @discardableResult
    public func cancel(_ id: String) async throws -> Bool { try await undoSend(id) != nil }

    /// Removes a draft from all devices, and cancels its sending. For a sent draft with a ``MailDraft/copyRefusal``, it
    /// removes only that notice.
    ///
    /// - Throws: `MailError`: `invalidArgument` if there is no such draft, or if the server has been asked to send it;
    ///   `storage`, `closed`. If it throws, nothing has changed.
    @concurrent
    public func discard(_ id: String) async throws {
        try await write { writer in
            if var sent = try writer.db.draftDocument(id), sent.job.copyRefusal != nil {
                sent.job.acknowledgeCopyRefusal()
                return try writer.put(sent)
            }
            guard var document = try writer.document(forDiscarding: id) else {
                throw MailError(.invalidArgument, "There is no draft with the id \(id).")
            }
            document.job.discard(at: writer.now)
            document.replacedTexts = []
            try writer.put(document)
        }
    }
}
