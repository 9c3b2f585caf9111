import Foundation
import InboxMail

extension MailDraft: Referenceable {
    static let noun = "draft"
    static let listCommand = "inbox mail drafts"

    /// The subject, or otherwise the beginning of the text.
    var headline: String { Self.headline(subject, snippet, ifEmpty: "(empty)") }

    /// Sentences about the other texts of the draft, and how to see them.
    var versionNotes: [String] {
        otherVersions.enumerated().map { index, version in
            let (snippet, subject) = (version.snippet.plainLine, version.subject.plainLine)
            let text = snippet.isEmpty ? subject.isEmpty ? "(empty)" : subject : snippet
            return "Another device or window has saved another text at \(ShortTime.exact(version.savedAt)): "
                + "\"\(text.cut(to: 60))\". \(version.isUnremovable ? "The server refuses to remove it. " : "")"
                + "To see it: inbox mail edit \(shortID) --version \(index + 1)"
        }
    }

    /// The reason why the draft can't be changed; nil if it can.
    var lockReason: String? {
        switch state {
        case .unsaved(let reason) where reason.code == .unreadable: reason.description.plainLine
        case .draft, .unsaved, .refused, .unknown: nil
        case .waiting, .uploading: "The draft waits to be sent. Take it back first: inbox mail cancel \(shortID)"
        case .sending: "The draft is being sent. It can't be changed any more."
        case .sent: "The draft was sent. It can't be changed any more."
        }
    }
}

/// A draft that a command doesn't change.
struct UnchangedDraft: Hashable, Sendable {
    /// The draft's id, or the argument that stands for one.
    let reference: String
    let reason: String
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
            let outcome = try await SyncOutcome.attempt(mail, offline: false)
            return (outcome, outcome.mailReason(mail))
        }
    }

    /// Returns those of the referenced drafts that this device knows, each once, and the references that match none or
    /// several. It needs no network.
    static func known(
        _ references: [String],
        in mail: Mail
    ) async throws -> (drafts: [MailDraft], unknown: [UnchangedDraft]) {
        let (drafts, failed) = References(known: try await mail.drafts()).resolveEach(references)
        return (drafts, failed.map { UnchangedDraft(reference: $0.reference, reason: $0.failure.description) })
    }

    /// Returns the subject of a sent mail by the id of its draft, or by an ending of it; nil if this device has none.
    /// By an ending, the last 500 mails are searched.
    static func sent(_ reference: String, in mail: Mail) async throws -> String? {
        guard !reference.isEmpty else { return nil }
        let recent = try await mail.messages(Query(limit: 500))
        for message in recent {
            // Its Message-ID begins with the id of the draft.
            let id = String(message.messageIDs.first?.prefix { $0 != "@" } ?? "")
            guard id.hasSuffix(reference), case .sent? = try await mail.outcome(ofDraft: id) else { continue }
            let subject = message.subject.plainLine
            return subject.isEmpty ? "The mail" : subject
        }
        if case .sent? = try await mail.outcome(ofDraft: reference) { return "The mail" }
        return nil
    }

    /// Returns those of some discarded drafts that are drafts again after a sync.
    static func kept(of ids: [String], in mail: Mail) async throws -> [MailDraft] {
        try await mail.drafts().filter { ids.contains($0.id) && $0.state != .sent }
    }

    /// Returns the reason why a discarded draft is one again.
    static func reason(keeping draft: MailDraft) -> String {
        if case .refused(let refusal) = draft.state, refusal.code == .notDiscarded {
            return refusal.description.plainLine
        }
        return "Another device has changed it meanwhile. It is kept."
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
