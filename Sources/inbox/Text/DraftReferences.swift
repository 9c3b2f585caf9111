import Foundation
import InboxMail

extension MailDraft: Referenceable {
    static let noun = "draft"
    static let listCommand = "inbox mail drafts"

    /// The subject, or otherwise the beginning of the text.
    var headline: String { Self.headline(subject, snippet, ifEmpty: "(empty)") }
}

/// Resolves draft ids on the command line.
enum DraftReferences {
    /// Returns the referenced drafts. If this device doesn't know a draft, it syncs once.
    ///
    /// - Throws: ``Failure`` for an ending that matches no draft or several; `InboxError`.
    static func find(_ references: [String], in mail: Mail, offline: Bool) async throws -> [MailDraft] {
        try await References.find(references, offline: offline) {
            try await mail.drafts()
        } sync: {
            try await SyncOutcome.attempt(mail, offline: false).mailReason
        }
    }

    /// Returns a draft with its text, which another device may have written.
    ///
    /// - Throws: ``Failure`` if the draft is gone; `InboxError`.
    static func whole(_ draft: MailDraft, in mail: Mail) async throws -> MailDraft {
        guard let whole = try await mail.draft(id: draft.id) else {
            throw Failure("The draft \(draft.shortID) is gone: another device has sent or discarded it.")
        }
        return whole
    }
}
