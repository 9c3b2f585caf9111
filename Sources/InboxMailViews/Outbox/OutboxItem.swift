public import Foundation
public import InboxMail

/// A mail on its way to the recipients, one that wasn't sent, a draft that the server doesn't have or remove, or a sent
/// mail whose copy lacks the hidden recipients, or that is still among the drafts.
public struct OutboxItem: Hashable, Identifiable, Sendable {
    /// The progress of the mail.
    public enum Status: Hashable, Sendable {
        /// The mail is sent at that time, by this device or the server (`MailDraft.holder`).
        case waiting(until: Date)
        /// The mail is sent as soon as there is a network and a sign-in.
        case queued
        /// Its files are being uploaded: the fraction of their bytes that is sent, from 0 to 1.
        case uploading(Double)
        /// The server has been asked to send it.
        case sending
        /// The mail wasn't sent, for the given reason, or the server refuses to remove it
        /// (`DraftRefusal.Code.notDiscarded`).
        case refused(DraftRefusal)
        /// The draft is on this device alone, for the given reason.
        case unsaved(DraftRefusal)
        /// An attempt to send the mail at the given time has an unknown result, after what was tried
        /// (`DraftState.unknown`).
        case unknown(since: Date, attempts: SendingAttempts? = nil)
        /// The mail was sent. The copy among the sent mails doesn't name its hidden recipients, for the given reason
        /// (`MailDraft.copyRefusal`).
        case sentUnnamed(DraftRefusal)
        /// The mail was sent. It is still among the drafts, for the given reason (`MailDraft.moveRefusal`).
        case sentUnmoved(DraftRefusal)
    }

    /// The draft's id.
    public let id: String
    /// The recipients, with those of copies.
    public let recipients: [EmailAddress]
    /// The recipients of a blind copy that nothing else names (``Status/sentUnnamed(_:)``); empty for other mails.
    public let hiddenRecipients: [EmailAddress]
    /// The subject.
    public let subject: String
    /// The beginning of the text.
    public let snippet: String
    /// Whether it has attachments.
    public let hasAttachments: Bool
    /// The progress of the mail.
    public let status: Status

    /// Whether sending can be cancelled: the server hasn't been asked to send the mail.
    public var canBeTakenBack: Bool {
        switch status {
        case .waiting, .queued, .uploading: true
        case .sending, .refused, .unsaved, .unknown, .sentUnnamed, .sentUnmoved: false
        }
    }

    /// Whether it needs the person: it isn't sent, or saved, unless they do something, or they have to see who has it.
    public var needsPerson: Bool {
        switch status {
        case .refused, .unsaved, .unknown, .sentUnnamed, .sentUnmoved: true
        case .waiting, .queued, .uploading, .sending: false
        }
    }

    /// - Parameters:
    ///   - progress: The fractions of the files that are being uploaded, by their ids.
    ///   - now: The time.
    /// - Returns: Nil for a draft that is being written and can be saved, or that was sent and has a whole copy in its
    ///   place.
    init?(_ draft: MailDraft, progress: [String: Double], now: Date) {
        switch draft.state {
        case .draft: return nil
        case .sent:
            if let refusal = draft.copyRefusal {
                status = .sentUnnamed(refusal)
            } else if let refusal = draft.moveRefusal {
                status = .sentUnmoved(refusal)
            } else {
                return nil
            }
        case .waiting(let date): status = date > now ? .waiting(until: date) : .queued
        case .uploading(let fraction):
            status = .uploading(max(fraction, Self.fraction(of: draft.attachments, progress)))
        case .sending: status = .sending
        case .refused(let refusal): status = .refused(refusal)
        case .unsaved(let reason): status = .unsaved(reason)
        case .unknown(let since, let attempts): status = .unknown(since: since, attempts: attempts)
        }
        (id, subject, snippet) = (draft.id, draft.subject, draft.snippet)
        recipients = draft.to + draft.cc + draft.bcc
        hiddenRecipients = draft.state == .sent && draft.copyRefusal != nil ? draft.bcc : []
        hasAttachments = draft.hasAttachments
    }

    private static func fraction(of files: [DraftAttachment], _ progress: [String: Double]) -> Double {
        let total = files.reduce(0) { $0 + Double($1.size) }
        let sent = files.reduce(0) { $0 + Double($1.size) * ($1.isUploaded ? 1 : progress[$1.id] ?? 0) }
        return total > 0 ? min(1, sent / total) : 0
    }
}
