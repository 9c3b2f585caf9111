import Foundation
import Groundwork
import MailComposing

/// A draft as a record of the type ``RecordType/draft``: its columns, and the draft as it is shown. Each property is in
/// ``json`` too.
struct DraftRow: Codable, Hashable, Sendable {
    struct Version: Codable, Hashable, Sendable {
        let id: String
        let savedAt: Int
        let subject: String
        let snippet: String
        /// Nil for no. Rows of earlier versions have none.
        var isUnremovable: Bool?
    }

    enum Basis: Codable, Hashable, Sendable {
        case document(revision: Int)
        case version(emailID: String)
    }

    /// The properties that lists don't filter by.
    struct Details: Codable, Hashable, Sendable {
        let text: DraftText
        let state: DraftState
        let basis: Basis
        let versions: [Version]
        let isComplete: Bool
        /// Rows of earlier versions have none.
        var copyRefusal: DraftRefusal?
        /// Rows of earlier versions have none.
        var holder: DraftHolder?
        /// Rows of earlier versions have none.
        var isBeingTakenBack: Bool?
        /// Rows of earlier versions have none.
        var moveRefusal: DraftRefusal?
    }

    let id: String
    let threadId: String?
    let updatedAt: String
    let subject: String
    let preview: String
    let hasAttachment: Bool
    let state: String
    let answeredId: String?
    let draft: Details

    init(id: String, updatedAt: Int, _ details: Details) {
        self.id = id
        threadId = details.text.threadID
        self.updatedAt = RFC3339.string(from: Date(milliseconds: updatedAt))
        subject = details.text.subject
        preview = MailDraft.snippet(of: details.text.text)
        hasAttachment = details.text.files.contains { $0.contentID == nil }
        state = details.state.name
        answeredId = details.text.answeredMessageID
        draft = details
    }
}

extension DraftRow.Version {
    init(_ replaced: DraftDocument.Replaced) {
        self.init(
            id: replaced.id,
            savedAt: replaced.editedAt,
            subject: replaced.text.subject,
            snippet: MailDraft.snippet(of: replaced.text.text)
        )
    }
}

extension DraftVersion {
    init(_ version: DraftRow.Version) {
        self.init(
            id: version.id,
            savedAt: Date(milliseconds: version.savedAt),
            subject: version.subject,
            snippet: version.snippet,
            isUnremovable: version.isUnremovable ?? false
        )
    }
}

extension MailDraft {
    /// - Parameter json: The record's JSON: a ``DraftRow``.
    init?(_ json: [UInt8], updatedAt: Date) {
        guard let row = try? JSONDecoder().decode(DraftRow.self, from: Data(json)) else { return nil }
        let basis: Basis =
            switch row.draft.basis {
            case .document(let revision): .document(revision: revision)
            case .version(let emailID): .version(emailID: emailID)
            }
        self.init(
            id: row.id,
            row.draft.text,
            updatedAt: updatedAt,
            state: row.draft.state,
            versions: row.draft.versions.map(DraftVersion.init),
            isComplete: row.draft.isComplete,
            basis: basis
        )
        (copyRefusal, moveRefusal) = (row.draft.copyRefusal, row.draft.moveRefusal)
        if case .waiting = state { holder = row.draft.holder ?? .device }
        isBeingTakenBack = row.draft.isBeingTakenBack ?? false
    }

    init(
        id: String,
        _ text: DraftText,
        updatedAt: Date,
        state: DraftState = .draft,
        versions: [DraftVersion] = [],
        isComplete: Bool = true,
        basis: Basis = .new
    ) {
        self.id = id
        threadID = text.threadID
        identityID = text.identityID
        from = text.from?.address
        (to, cc, bcc) = (text.to.map(\.address), text.cc.map(\.address), text.bcc.map(\.address))
        replyTo = text.replyTo.map(\.address)
        (subject, self.text, html) = (text.subject, text.text, text.html)
        origin = Origin(text: text.text, html: text.html)
        files = text.files
        self.updatedAt = updatedAt
        self.state = state
        otherVersions = versions
        self.isComplete = isComplete
        (answeredMessageID, forwardedMessageID) = (text.answeredMessageID, text.forwardedMessageID)
        self.basis = basis
        (inReplyTo, references) = (text.inReplyTo, text.references)
    }

    /// The text as it is stored.
    var stored: DraftText {
        let html = writtenHTML
        return DraftText(
            threadID: threadID,
            identityID: identityID,
            from: from.map(DraftText.Address.init),
            to: to.map(DraftText.Address.init),
            cc: cc.map(DraftText.Address.init),
            bcc: bcc.map(DraftText.Address.init),
            replyTo: replyTo.map(DraftText.Address.init),
            subject: subject,
            text: writtenText,
            html: html,
            files: writtenFiles(with: html),
            inReplyTo: inReplyTo,
            references: references,
            answeredMessageID: answeredMessageID,
            forwardedMessageID: forwardedMessageID
        )
    }
}
