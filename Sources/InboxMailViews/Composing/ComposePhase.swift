public import Foundation
public import InboxMail
import Replica

/// The mail with which a ``ComposeModel`` begins.
public enum ComposeStart: Sendable {
    /// A new, empty mail.
    case new
    /// A draft, such as one with recipients, or one whose sending was undone. If it is a stored one, changes of the
    /// value that aren't stored are kept and saved as if they were typed.
    case draft(MailDraft)
    /// The stored draft with an id, such as one that was being written when the app ended.
    case stored(id: String)
    /// The draft that the mail with an id is, as a thread shows it.
    case edit(String)
    /// A reply to the authors of the mail with an id.
    case reply(to: String)
    /// A reply to the authors and recipients of the mail with an id.
    case replyAll(to: String)
    /// The mail with an id, forwarded.
    case forward(String)
}

/// The progress of a mail on a screen.
public enum ComposePhase: Hashable, Sendable {
    /// The draft is being read.
    case loading
    /// The draft can be written.
    case writing
    /// The mail is sent at that time. Until then sending can be undone. A time in the past means that it waits for the
    /// network.
    case waiting(until: Date)
    /// The server has been asked to send it, or its files are being uploaded.
    case sending
    /// The mail was sent, from here or elsewhere.
    case sent
    /// The draft was discarded here.
    case discarded
    /// There is no such draft or mail on this device.
    case gone
    /// The draft couldn't be read, for the given reason. ``ComposeModel/retry()`` tries it again.
    case failed(MailError)
    /// The account was closed, such as by a sign-out: nothing that is written is kept.
    case signedOut

    /// The phase of a draft that was read.
    init(_ state: DraftState) {
        self =
            switch state {
            case .unsaved(let reason) where reason.code == .unreadable:
                .failed(MailError(.unreadableDraft, reason.description))
            case .draft, .unsaved, .refused, .unknown: .writing
            case .waiting(let date): .waiting(until: date)
            case .uploading, .sending: .sending
            case .sent: .sent
            }
    }
}

/// The question before a mail is sent.
public struct ComposeReview: Hashable, Sendable {
    /// The problems: first those that block sending, then the questions.
    public let problems: [DraftProblem]
    /// The time at which the mail was to be sent; nil for at once.
    public let date: Date?

    /// Whether the mail can be sent as it is (``ComposeModel/sendAnyway()``).
    public var canSendAnyway: Bool { !problems.contains { $0.severity == .blocksSending } }
}

/// Something that the person should know about a mail that they are writing.
public enum ComposeNotice: Hashable, Sendable {
    /// The mail wasn't sent, for the given reason, or the server refuses to remove it
    /// (`DraftRefusal.Code.notDiscarded`).
    case refused(DraftRefusal)
    /// The draft is on this device alone, for the given reason.
    case unsaved(DraftRefusal)
    /// An attempt to send the mail at the given time has an unknown result, after what was tried
    /// (`DraftState.unknown`).
    case unknown(since: Date, attempts: SendingAttempts? = nil)
    /// Another device or window has changed the draft too. The screen shows one of the texts, and these are the others.
    case otherVersions([DraftVersion])
    /// Another device or window has changed the draft, and the screen shows the change.
    case updatedElsewhere
    /// The draft was discarded elsewhere. It is stored again if the person continues writing.
    case discardedElsewhere
    /// The draft has formatting that a change of its text loses.
    case losesFormatting
    /// The server can't be reached. The mail is kept, and sent later.
    case offline
    /// The person has to sign in again. The mail is kept, and sent later.
    case signInNeeded
}

/// An action that failed. Nothing was lost by it.
public enum ComposeFailure: Hashable, Sendable {
    /// The changes aren't kept.
    case saving(MailError)
    /// The mail isn't sent.
    case sending(MailError)
    /// Sending couldn't be undone: for the given reason, or because the server has already been asked to send the mail.
    case undoing(MailError?)
    /// The file with that name isn't attached.
    case attaching(name: String, MailError)
    /// A file isn't attached, since it is larger than the server takes.
    case fileTooLarge(DraftProblem)
    /// The draft isn't discarded.
    case discarding(MailError)
    /// The other version isn't shown or removed.
    case choosingVersion(MailError)
}
