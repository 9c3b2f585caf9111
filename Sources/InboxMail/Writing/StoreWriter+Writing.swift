import Foundation
import Replica

extension StoreWriter {
    private static var maxDrafts: Int { 10_000 }

    /// Returns a draft's document with the text of a value, and with the change counted.
    ///
    /// - Parameters:
    ///   - isNew: Whether it was never saved (``NewDrafts``).
    ///   - keepsRevision: Whether the text may be the stored one, which is no change then.
    /// - Throws: `MailError` `invalidArgument` if the draft can't be changed, or has too many other texts.
    func document(for draft: MailDraft, isNew: Bool, keepsRevision: Bool = false) throws -> DraftDocument {
        guard draft.isComplete else {
            throw MailError(.invalidArgument, "The draft's whole text isn't on this device. Read it with draft(id:).")
        }
        let stored = try db.replaceableDraftDocument(draft.id)
        guard var document = stored, !document.isReplaced(by: draft.basis) else {
            guard try !db.hasDeviceRecords(.draft, atLeast: Self.maxDrafts) else {
                throw MailError(.invalidArgument, "There are more than \(Self.maxDrafts) drafts. Discard some.")
            }
            var document = DraftDocument(
                id: draft.id,
                text: draft.stored,
                job: DraftJob(token: draft.id, editedAt: now)
            )
            if isNew { (document.job.isNew, document.job.createdAt) = (true, now) }
            if stored?.hasSpentToken ?? false { document.job.isTokenSpent = true }
            if case .version(let emailID) = draft.basis { try include(emailID, in: &document) }
            // Those that aren't drafts of their own yet.
            document.replacedTexts = stored?.textsToSeparate ?? []
            return document
        }
        if document.job.isDiscarded {
            document.job.resume()
            if case .version(let emailID) = draft.basis, !document.job.included.contains(emailID) {
                let included = document.job.included
                try include(emailID, in: &document)
                document.job.included += included.filter { !document.job.included.contains($0) }
            }
            document.text = document.current(draft.stored)
            document.job.edit(at: now)
            return document
        }
        guard document.job.isEditable else {
            throw MailError(
                .invalidArgument,
                document.job.isRevocable || document.job.isAtServer
                    ? "The draft waits to be sent. Take it back first, with undoSend(_:)."
                    : "The draft is being sent or was sent. It can't be changed any more."
            )
        }
        let text = document.current(draft.stored)
        switch draft.basis {
        case .document(let revision) where revision == document.job.revision:
            if keepsRevision, document.text == text { return document }
        case .version(let emailID):
            // The changes of another window since then would be on no device.
            if document.job.isDirty || document.job.isVanished, document.text != text {
                try document.keep(document.text)
            }
            // The version is replaced. The text that this device has on the server remains as another version.
            if let saved = document.job.saved, saved.emailID != emailID { document.job.saved = nil }
            try include(emailID, in: &document)
        case .document, .new:
            if document.text != text { try document.keep(document.text) }
        }
        document.text = text
        document.job.edit(at: now)
        return document
    }

    /// Makes a version part of a draft. One that may have been sent isn't removed like others.
    private func include(_ version: String, in document: inout DraftDocument) throws {
        let isForSending = try db.mail(version)?.isForSending ?? false
        document.job.isNew = nil
        // A mail that the server held, and that was taken back, is removed once there is a version in any case.
        let unsubmitted = document.job.unsubmitted ?? []
        document.job.included.removeAll { !unsubmitted.contains($0) }
        if isForSending {
            document.job.undecidedMails = (document.job.undecidedMails ?? []) + [version]
        } else {
            document.job.included.append(version)
        }
    }

    /// Returns a draft's document with the text of one of its other versions.
    ///
    /// - Throws: `MailError` `invalidArgument` if there is no such version, or the draft can't be changed.
    func document(using version: String, of id: String) throws -> DraftDocument {
        let stored = try db.replaceableDraftDocument(id)
        if let stored, !stored.job.isEditable {
            throw MailError(.invalidArgument, "The draft waits to be sent, or was sent. It can't be changed.")
        }
        if var current = stored, let index = current.replacedTexts.firstIndex(where: { $0.id == version }) {
            let versions = try db.draftVersions(id, current)
            let others = versions.filter { [own = current.job.ownVersions] in !own.contains($0.id) }
            let replaced = current.replacedTexts.remove(at: index)
            // A text that another device has replaced isn't the one that is shown.
            if current.isShown(over: others, all: versions) {
                try current.keep(current.text)
            } else if let saved = current.job.saved, !versions.contains(where: { $0.id == saved.emailID }) {
                current.job.saved = nil
            }
            current.text = current.current(replaced.text)
            return current
        }
        guard try db.draftVersions(id, stored).contains(where: { $0.id == version }), let mail = try db.mail(version),
            let text = try db.draftText(of: mail)
        else { throw MailError(.invalidArgument, "The draft has no version \(version).") }
        var document = stored ?? DraftDocument(id: id, text: text, job: DraftJob(token: id, editedAt: now))
        if document.job.isDiscarded {
            if !document.hasUnsavedText { document.text = text }
            document.job.resume()
        }
        // A text that the server lacks would be lost.
        if document.job.isDirty || document.job.isVanished, document.text != text { try document.keep(document.text) }
        document.job.saved = nil
        try include(version, in: &document)
        document.text = text
        return document
    }

    func discardVersion(_ version: String, of id: String) throws {
        var document = try db.replaceableDraftDocument(id)
        let versions = try db.draftVersions(id, document)
        if document?.replacedTexts.contains(where: { $0.id == version }) ?? false {
            document?.replacedTexts.removeAll { $0.id == version }
        } else if versions.contains(where: { $0.id == version }) {
            if document.map({ $0.job.isIdle && $0.job.saved?.emailID == version }) ?? true {
                // The shown version stays: the latest of the others. This device's own text, if it is the one to be
                // removed, would be saved again.
                let others = versions.filter { !(document?.job.ownVersions.contains($0.id) ?? false) }
                guard let shown = others.first, shown.id != version,
                    !(document?.isShown(over: others, all: versions) ?? false),
                    let text = try db.draftText(of: shown)
                else { throw MailError(.invalidArgument, "The version \(version) is the one that is shown.") }
                var job = document?.job ?? DraftJob(token: id, editedAt: now)
                let time = shown.receivedAt.milliseconds
                job.adopt(shown.id, receivedAt: time, isForSending: shown.isForSending, at: now)
                var shownDocument = DraftDocument(id: id, text: text, job: job)
                shownDocument.replacedTexts = document?.replacedTexts ?? []
                document = shownDocument
            }
            document?.job.leftovers.append(version)
        } else {
            throw MailError(.invalidArgument, "The draft has no version \(version).")
        }
        if let document { try put(document) }
    }

    /// Returns a draft's document, with all its other versions on the server as those to remove
    /// (``DraftDocument/settleDiscarding()``); nil if there is no draft.
    ///
    /// - Throws: `MailError`: `invalidArgument` if sending has begun, unless another device has written the draft
    ///   since; `unreadableDraft` if the server may have been asked to send the mail, and can't be asked not to.
    func document(forDiscarding id: String) throws -> DraftDocument? {
        let stored = try db.draftDocument(id) ?? recallingDocument(id)
        let versions = try db.draftVersions(id, stored).map(\.id)
        guard stored != nil || !versions.isEmpty else { return nil }
        var document = stored ?? DraftDocument(id: id, text: DraftText(), job: DraftJob(token: id, editedAt: now))
        let known = Set(document.job.ownVersions)
        let others = versions.filter { !known.contains($0) }
        guard document.job.attempt == nil || document.job.isAtServer else {
            throw MailError(.invalidArgument, "The draft is being sent. It can't be discarded any more.")
        }
        // Pending work on a sent mail, such as naming its hidden recipients, would be lost, and so would texts of other
        // windows that aren't a draft of their own yet.
        let isPending = document.job.aftermath != nil || !document.textsToSeparate.isEmpty
        if document.job.isSent, isPending || others.isEmpty {
            throw MailError(.invalidArgument, "The draft was sent. It can't be discarded any more.")
        }
        document.job.toBeDiscarded = others
        return document
    }

    /// Returns a document in place of one that can't be read and whose mail may be at the server; nil if there is none.
    ///
    /// - Throws: `MailError` `unreadableDraft` if that document doesn't show how to take the mail back.
    private func recallingDocument(_ id: String) throws -> DraftDocument? {
        guard let record = try db.deviceRecord(.draft, id), DraftDocument.mayBeAtServer(record) else { return nil }
        guard let document = DraftDocument(recalling: record, at: now) else {
            throw MailError(.unreadableDraft, DraftDocument.undiscardable)
        }
        return document
    }
}

extension DraftDocument {
    /// Removes what an order to discard removes besides the draft's own versions, unless the server may have sent the
    /// mail that it held: then all of it is kept until that is known.
    mutating func settleDiscarding() {
        if job.order == .discard, job.mayBeSentByServer { return }
        if job.isDiscarded {
            job.leftovers += job.toBeDiscarded ?? []
            replacedTexts = []
        }
        job.toBeDiscarded = nil
    }

    /// Whether the document has no part in a draft that is to be changed: it was sent, and another device has written
    /// the draft since.
    fileprivate func isReplaced(by basis: MailDraft.Basis) -> Bool {
        guard job.isSent, case .version = basis else { return false }
        return job.aftermath == nil && job.copyRefusal == nil && job.leftovers.isEmpty
    }

    /// Returns the id of a replaced text, by the number of its change.
    static func replacedID(of id: String, revision: Int) -> String { "\(id)-\(revision)" }

    /// Keeps a text that is about to be replaced as another version, in place of those that it only continues.
    ///
    /// - Throws: `MailError` `invalidArgument` if there are as many as a draft may have.
    mutating func keep(_ text: DraftText) throws {
        replacedTexts.removeAll { text.continues($0.text) }
        guard replacedTexts.count < Self.maxReplacedTexts else {
            throw MailError(
                .invalidArgument,
                "Several windows have left \(Self.maxReplacedTexts) other texts of the draft. Discard some of them."
            )
        }
        replacedTexts.append(
            Replaced(id: Self.replacedID(of: id, revision: job.revision), text: text, editedAt: job.editedAt)
        )
    }
}

extension MailMessage {
    /// Whether its `Message-ID` is that of a draft's mail to send, and not that of a saved version.
    var isForSending: Bool { messageIDs.first.flatMap(DraftToken.read)?.isForSending ?? false }
}
