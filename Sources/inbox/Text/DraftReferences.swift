import Foundation
import InboxMail

extension MailDraft: Referenceable {
    static let noun = "draft"
    static let listCommand = "inbox mail drafts"

    /// The subject, or otherwise the beginning of the text.
    var headline: String {
        let subject = subject.plainLine
        if !subject.isEmpty { return subject }
        let snippet = snippet.plainLine
        return snippet.isEmpty ? "(empty)" : snippet
    }
}

/// Resolves draft ids on the command line.
enum DraftReferences {
    /// Returns the referenced drafts. If this device doesn't know a draft, it syncs once.
    ///
    /// - Throws: ``Failure`` for an ending that matches no draft or several; `InboxError`.
    static func find(_ references: [String], in mail: Mail, offline: Bool) async throws -> [MailDraft] {
        var known = References(known: try await mail.drafts())
        if !known.containsAll(references), !offline {
            let outcome = try await SyncOutcome.attempt(mail, offline: false)
            if let reason = outcome.mailReason { Output.note("inbox: Not up to date: \(reason).") }
            known = References(known: try await mail.drafts())
        }
        return try known.resolve(references)
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
