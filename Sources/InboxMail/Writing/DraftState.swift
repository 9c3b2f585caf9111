public import Foundation

/// The progress of a draft on its way to the recipients.
public enum DraftState: Hashable, Sendable, Codable {
    /// The draft is being written.
    case draft
    /// The draft is on this device alone, for the given reason: the server refuses to save it, or one of its files
    /// can't be uploaded. It is saved once the person has remedied that. It can be changed, and sent.
    /// With the reason ``DraftRefusal/Code/unreadable`` it can't: it is kept as it is, or discarded.
    case unsaved(DraftRefusal)
    /// The draft waits to be sent at that time, on this device or on the server (``MailDraft/holder``): until then
    /// ``Mail/undoSend(_:)`` and ``Mail/cancel(_:)`` stop it. A time in the past means that it waits for the network,
    /// or for the next attempt after a retryable failure; on the server, that this device doesn't know yet whether it
    /// was sent.
    case waiting(until: Date)
    /// Its files are being uploaded: the fraction of bytes that the server has.
    case uploading(Double)
    /// The server has been asked to send it.
    case sending
    /// The server has accepted it for delivery.
    case sent
    /// The server, or this device, refused to send it. The draft can be changed and sent again. Or the server refused
    /// to remove it, after ``Mail/discard(_:)`` (`DraftRefusal.Code.notDiscarded`).
    case refused(DraftRefusal)
    /// The server was asked to send it, and its answer was lost. It can't be known whether it did. It
    /// isn't sent again unless the person asks for it. If a later sync brings the sent mail, the draft counts as sent.
    /// `since` is the time of the attempt. `attempts` says what was tried; it is nil if another device, or an earlier
    /// version of this package, began to send it.
    case unknown(since: Date, attempts: SendingAttempts? = nil)

    /// The name of the state, as queries see it: `draft`, `unsaved`, `waiting`, `uploading`, `sending`, `sent`,
    /// `refused` or `unknown`.
    public var name: String {
        switch self {
        case .draft: "draft"
        case .unsaved: "unsaved"
        case .waiting: "waiting"
        case .uploading: "uploading"
        case .sending: "sending"
        case .sent: "sent"
        case .refused: "refused"
        case .unknown: "unknown"
        }
    }
}

/// The holder of a mail that is to be sent later.
public enum DraftHolder: String, Hashable, Sendable, Codable {
    /// This device sends it, and has to be on at that time, or is late.
    case device
    /// The mail server sends it, whether this device is on or not. To take it back needs the network.
    case server
}

/// The outcome of a draft: sent, discarded, or still pending.
public enum DraftOutcome: Hashable, Sendable {
    /// The draft exists, with its state: it is being written, or on its way.
    case pending(DraftState)
    /// The server has accepted it for delivery, from this device or another one. `messageID` is the id of the sent
    /// mail.
    case sent(messageID: String)
    /// The draft was discarded, on this device or another one. It wasn't sent.
    case discarded
}

/// The reason for which a draft wasn't sent, isn't saved on the server, or wasn't removed from it.
public struct DraftRefusal: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The kind of refusal. Later versions may add kinds.
    public struct Code: Hashable, Sendable, Codable, CustomStringConvertible {
        /// The kinds that this version knows.
        package enum Kind: String {
            case recipients, tooManyRecipients, noRecipients, tooLarge, overQuota, sender, forbidden, attachment
            case alreadySent, notSupported, notDiscarded, unreadable, other
        }

        let name: String

        private init(_ kind: Kind) {
            name = kind.rawValue
        }

        /// The kind; nil for one of a later version.
        package var kind: Kind? { Kind(rawValue: name) }

        /// The server refuses one or all of the recipients.
        public static let recipients = Code(.recipients)
        /// There are more recipients than the server allows.
        public static let tooManyRecipients = Code(.tooManyRecipients)
        /// There is no recipient.
        public static let noRecipients = Code(.noRecipients)
        /// The mail is larger than the server allows.
        public static let tooLarge = Code(.tooLarge)
        /// The account has no space left.
        public static let overQuota = Code(.overQuota)
        /// The person may not send with this sender.
        public static let sender = Code(.sender)
        /// The person may not send at the moment, or not at all.
        public static let forbidden = Code(.forbidden)
        /// A file of the draft is missing or was changed, or the server doesn't keep it.
        public static let attachment = Code(.attachment)
        /// A mail of this draft was sent already: by another device, or with an earlier text by an attempt whose
        /// outcome wasn't known. Or another program has moved a text of it out of the drafts, or another device or
        /// program has removed the draft from the server, and may have sent it. This device's text is kept; sending it
        /// again sends a new mail.
        public static let alreadySent = Code(.alreadySent)
        /// The account can't send mail.
        public static let notSupported = Code(.notSupported)
        /// The person has discarded the draft, and the server refuses to remove it. It can be discarded again.
        public static let notDiscarded = Code(.notDiscarded)
        /// This version of the app can't read how far the draft has come, such as one that a later version has stored.
        /// It may have been sent. It can't be changed or sent, and is kept as it is.
        public static let unreadable = Code(.unreadable)
        /// The server refuses it for another reason.
        public static let other = Code(.other)

        /// The code's name.
        public var description: String { name }
    }

    /// The kind of refusal.
    public let code: Code
    /// The refusal in words, and how to fix it. It may contain the server's own words.
    public let description: String
    /// The addresses that the server refuses, if it names them.
    public let addresses: [String]

    init(_ code: Code, _ description: String, addresses: [String] = []) {
        (self.code, self.description, self.addresses) = (code, description, addresses)
    }
}
