public import Foundation
import HTMLCleaning
public import MailComposing

/// A mail that isn't sent yet.
///
/// A draft is a record like others: it is queried, observed and counted (``Mail/drafts(_:)``), and belongs to a thread.
/// It is a value: change its properties, and store them with ``Mail/save(_:waitsForChanges:)``, which keeps them on
/// this device at once. Some seconds after the last change it is saved on the server, so that other devices have it
/// too.
public struct MailDraft: Hashable, Identifiable, Sendable {
    /// The id: the same on all devices, in all versions.
    public let id: String
    /// The id of the thread that the draft belongs to: that of the answered mail, or of the saved draft. Nil for a new
    /// conversation that the server doesn't have yet.
    public let threadID: String?
    /// The id of the identity to send with (``Mail/identities()``); nil for the one whose address ``from`` is, or for
    /// the default one. If the account no longer has it, the mail isn't sent (`DraftRefusal.Code.sender`).
    public var identityID: String? { didSet { change.note(identityID, over: oldValue) } }
    /// The sender: an address of one of the identities, with any name. It takes precedence over ``identityID``. Nil for
    /// the identity's name and address.
    public var from: EmailAddress? { didSet { change.note(from, over: oldValue) } }
    /// The recipients.
    public var to: [EmailAddress] { didSet { change.note(to, over: oldValue) } }
    /// The recipients of a copy.
    public var cc: [EmailAddress] { didSet { change.note(cc, over: oldValue) } }
    /// The recipients of a blind copy, hidden from all other recipients.
    public var bcc: [EmailAddress] { didSet { change.note(bcc, over: oldValue) } }
    /// The addresses for replies; empty for those of the identity (``MailIdentity/replyTo``), or else the sender's.
    public var replyTo: [EmailAddress] { didSet { change.note(replyTo, over: oldValue) } }
    /// The subject.
    public var subject: String { didSet { change.note(subject, over: oldValue) } }
    /// The plain text. If there is ``html``, it is sent as its alternative.
    ///
    /// If the text of a reply or forward is changed alone, the HTML follows once it is saved or sent: it has the words
    /// above the quoted mail, too. Without the quoted mail, and over any other HTML, such as that of another program or
    /// of the app, it is a mail of plain text. An app that has HTML of its own sets ``html`` as well, be it the same.
    public var text: String
    /// The HTML; nil for a mail of plain text only. It is cleaned before it is sent, and isn't sent if it shows nothing
    /// and the text has words. If it alone is replaced by other HTML, the text is that of the HTML once the draft is
    /// saved or sent.
    public var html: String? { didSet { change.isHTMLSet = true } }
    /// The files, in order: attachments, and pictures within the HTML.
    public var attachments: [DraftAttachment] { files.map(DraftAttachment.init) }
    /// The date of the last change.
    public let updatedAt: Date
    /// The progress of the draft on its way to the recipients.
    public internal(set) var state: DraftState
    /// The holder of the mail until its time; nil unless the state is ``DraftState/waiting(until:)``.
    public internal(set) var holder: DraftHolder?
    /// Whether the server, which holds the mail, is still to be asked not to send it, because the person has taken it
    /// back or discarded it. The mail may be sent meanwhile.
    public internal(set) var isBeingTakenBack = false
    /// The reason for which the sent mail doesn't name the recipients of blind copies, and won't; nil otherwise. They
    /// have the mail. The draft stays, as ``DraftState/sent``, until ``Mail/discard(_:)`` is called after the person
    /// has seen it: nothing else has their addresses.
    public internal(set) var copyRefusal: DraftRefusal?
    /// The reason for which the sent mail is still among the drafts after a day of tries, where other devices and
    /// programs show it, or for which the server doesn't remove a version of its draft; nil otherwise. The mail was
    /// sent: the state is ``DraftState/sent``. ``Mail/discard(_:)`` removes the notice. Moving the mail is tried again
    /// once a day: if that fails, the notice is there again, and if it succeeds, the notice ends.
    public internal(set) var moveRefusal: DraftRefusal?
    /// The earlier or other texts that other devices, or other windows on this one, have saved. The draft shows the
    /// latest.
    public let otherVersions: [DraftVersion]
    /// Whether the whole text is on this device. If not, the draft was written elsewhere and its text isn't fetched
    /// yet: ``Mail/draft(id:)`` fetches it. Until then it can't be changed or sent.
    public let isComplete: Bool
    /// The id of the mail that the draft answers; nil if it isn't an answer.
    public let answeredMessageID: String?
    /// The id of the mail that the draft forwards; nil if it forwards none.
    public let forwardedMessageID: String?
    /// The source of the value's text.
    var basis: Basis
    private var change = Change()
    /// The text and the HTML that the value was made with.
    let origin: Origin
    let inReplyTo, references: [String]
    var files: [DraftText.File]

    /// The source of a draft's text, so that a later change of it by another device or window isn't overwritten.
    enum Basis: Hashable, Sendable {
        /// A draft that isn't stored yet.
        case new
        /// The text that this device has stored, by the number of its change.
        case document(revision: Int)
        /// A version on the server.
        case version(emailID: String)
    }

    /// The changes of a value after it was read or stored. They make no difference between two values.
    private struct Change: Hashable {
        /// Whether a property other than the text and the HTML was set to another value.
        private(set) var isMade = false
        /// Whether the HTML was set, to the same or to another one.
        var isHTMLSet = false

        /// Records that a property was set.
        mutating func note<Value: Equatable>(_ value: Value, over old: Value) {
            if !isMade, value != old { isMade = true }
        }

        static func == (one: Change, other: Change) -> Bool { true }

        func hash(into hasher: inout Hasher) {}
    }

    /// The text and the HTML of a value as it was made, read or stored. It makes no difference between two values. They
    /// may have megabytes, so they are compared only when that is asked for: with an observer that reads the old value,
    /// each key would copy them.
    struct Origin: Hashable {
        let text: String
        let html: String?

        static func == (one: Origin, other: Origin) -> Bool { true }

        func hash(into hasher: inout Hasher) {}
    }

    /// The HTML with the words of the text, if the text alone was changed.
    var writtenHTML: String? {
        guard html != nil, html == origin.html, text != origin.text else { return html }
        let before = ComposeText(origin.text, html: origin.html)
        // It is the app's for this text.
        if change.isHTMLSet, !before.hasQuotedHTML { return html }
        return before.html(for: text)
    }

    /// The files, without the pictures of the answered mail if its HTML was left out: they would be attachments.
    ///
    /// - Parameter html: The HTML that is stored.
    func writtenFiles(with html: String?) -> [DraftText.File] {
        guard html == nil, let before = origin.html, answeredMessageID != nil, forwardedMessageID == nil,
            files.contains(where: { $0.contentID != nil && !$0.isOnDevice }),
            ComposeText(origin.text, html: before).hasQuotedHTML
        else { return files }
        var read = self
        read.html = before
        let shown = Set(read.shownPictures.map(\.id))
        return files.filter { $0.isOnDevice || !shown.contains($0.id) }
    }

    /// The text with the words of the HTML, if the HTML alone was changed.
    var writtenText: String {
        guard let html, let before = origin.html, html != before, text == origin.text else { return text }
        return HTMLPlainText.text(of: html, marksQuotations: true)
    }

    /// Returns the draft with the text and the HTML that are stored, where one of them was changed alone.
    package func withWrittenTexts() -> MailDraft {
        let (text, html) = (writtenText, writtenHTML)
        guard text != self.text || html != self.html else { return self }
        var draft = self
        (draft.text, draft.html) = (text, html)
        return draft
    }

    /// Whether the value is that of a stored draft, and was changed since it was read or stored.
    package var isChanged: Bool {
        basis != .new && (change.isMade || text != origin.text || html != origin.html)
    }

    /// The beginning of the text, in one line of at most 256 characters.
    public var snippet: String { Self.snippet(of: text) }

    /// Returns the beginning of a text as one line of at most 256 characters, from its first 1,024.
    static func snippet(of text: String) -> String {
        var (snippet, count, isAfterSpace) = ("", 0, false)
        for character in text.prefix(1_024) {
            guard !character.isWhitespace else {
                isAfterSpace = count > 0
                continue
            }
            guard count + (isAfterSpace ? 1 : 0) < 256 else { break }
            if isAfterSpace {
                snippet.append(" ")
                count += 1
            }
            snippet.append(character)
            (count, isAfterSpace) = (count + 1, false)
        }
        return snippet
    }

    /// Whether the draft has files other than pictures within its text.
    public var hasAttachments: Bool { attachments.contains { !$0.isInline } }

    /// Whether the draft can be changed: it isn't about to be sent, being sent, or sent, and this version of the app
    /// can read it.
    public var isEditable: Bool {
        switch state {
        case .unsaved(let reason): reason.code != .unreadable
        case .draft, .refused, .unknown: true
        case .waiting, .uploading, .sending, .sent: false
        }
    }

    /// Whether another value of the same draft was stored by this device after this one.
    package func isOlder(than other: MailDraft) -> Bool {
        guard case .document(let revision) = basis, case .document(let later) = other.basis else { return false }
        return revision < later
    }

    /// Whether another value has the same stored text, without a change in between.
    package func isSameStored(as other: MailDraft) -> Bool { basis != .new && basis == other.basis }

    /// The id of the text among ``otherVersions`` once another window's has replaced it; nil if this device hasn't
    /// stored it.
    package var replacedID: String? {
        guard case .document(let revision) = basis else { return nil }
        return DraftDocument.replacedID(of: id, revision: revision)
    }
}

/// A file of a draft.
public struct DraftAttachment: Hashable, Identifiable, Sendable {
    /// The id within the draft.
    public let id: String
    /// The file's name.
    public let name: String
    /// The media type, such as `image/png`.
    public let type: String
    /// The size in bytes.
    public let size: Int
    /// The content id, to which `cid:` in the HTML refers; nil for an attachment.
    public let contentID: String?
    /// Whether the server has the bytes.
    public let isUploaded: Bool

    /// Whether it is a picture within the HTML.
    public var isInline: Bool { contentID != nil }
}

/// A text of a draft that another device or window has saved.
public struct DraftVersion: Hashable, Identifiable, Sendable {
    /// The id, for ``Mail/useVersion(_:of:)`` and ``Mail/discardVersion(_:of:)``.
    public let id: String
    /// The time at which it was saved.
    public let savedAt: Date
    /// The subject.
    public let subject: String
    /// The beginning of the text.
    public let snippet: String
    /// Whether the server has refused to remove it, such as after ``Mail/discardVersion(_:of:)``, which tries it again.
    public let isUnremovable: Bool
}

extension DraftAttachment {
    init(_ file: DraftText.File) {
        (id, name, type, size) = (file.id, file.name, file.type, MailFile.bounded(file.size))
        (contentID, isUploaded) = (file.contentID, file.blobID != nil)
    }
}

extension MailDraft {
    /// The pictures that the HTML shows, in order. Other files with a content id are attachments.
    package var shownPictures: [DraftAttachment] {
        guard let html, attachments.contains(where: \.isInline) else { return [] }
        let cleaned = HTMLCleaner(HTMLCleaner.Options(allowsDataPictures: true)).clean(html)
        let shown = Set(cleaned.pictures.compactMap { MailBody.contentID(in: $0.url) })
        return attachments.filter { file in
            file.contentID.map { shown.contains(MailBody.plainContentID($0[...])) } ?? false
        }
    }
}
