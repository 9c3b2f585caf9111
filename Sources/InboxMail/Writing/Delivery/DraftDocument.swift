import Foundation
import Groundwork
import MailComposing
import Replica

/// A draft as this device stores it: its text, and its progress. Each property is in ``json()`` too.
struct DraftDocument: Codable, Hashable, Sendable {
    var id: String
    var text: DraftText
    var job: DraftJob
    /// Texts that another window of this device has replaced, the oldest first.
    var replacedTexts: [Replaced] = []

    struct Replaced: Codable, Hashable, Sendable {
        let id: String
        var text: DraftText
        let editedAt: Int
    }

    /// Whether another device has sent a mail of this draft, which isn't the text of this device.
    var isSentElsewhere: Bool {
        // When its token was replaced, there was no such mail. One that another device sends later is this text.
        (job.token != id && job.spentToken != id) || job.isSentElsewhere ?? false
    }

    /// Whether a mail whose token is the draft's id was sent, or may have been, and may be gone.
    var hasSpentToken: Bool {
        if job.isSent { return true }
        return isSentElsewhere || job.isTokenSpent ?? false || job.spentToken != nil
    }

    /// Whether there are texts on this device alone that the person may still want.
    private var hasReplacedTexts: Bool { !replacedTexts.isEmpty && !job.isDiscarded }

    /// Whether the server lacked the text of a draft that was discarded. One that this device hasn't written has none.
    var hasUnsavedText: Bool { (job.discardsUnsaved ?? false) && text != DraftText() }

    /// Whether that text is shown again, since the server refuses to remove the draft.
    private var showsUnsavedText: Bool { job.isDiscarded && job.discardRefusal?.isSeen ?? false && hasUnsavedText }

    /// Returns what to do next.
    func next(at now: Int) -> DraftStep {
        let step = job.next(at: now, lacksUploads: text.lacksUploads)
        guard job.isSent, !replacedTexts.isEmpty else { return step }
        // After a failure it waits as any other step.
        if job.retry != nil, case .wait = step { return step }
        return .separate
    }

    /// The texts of other windows that the draft's own doesn't continue.
    var textsToSeparate: [Replaced] { replacedTexts.filter { !text.continues($0.text) } }

    /// Returns a new draft of the texts that the sent one doesn't continue, the last of them as its own; nil if there
    /// is none.
    ///
    /// - Parameter id: The new draft's id.
    func draftOfReplacedTexts(id: String, at now: Int) -> DraftDocument? {
        var rest = textsToSeparate
        guard let last = rest.popLast() else { return nil }
        var job = DraftJob(token: id, editedAt: now)
        (job.isNew, job.createdAt) = (true, now)
        return DraftDocument(id: id, text: last.text, job: job, replacedTexts: rest)
    }

    /// Shows the last text that another window has replaced, which only this device has.
    ///
    /// - Returns: Whether there is one.
    mutating func showReplacedText(at now: Int) -> Bool {
        guard let last = replacedTexts.popLast() else { return false }
        text = last.text
        job.saved = nil
        job.edit(at: now)
        return true
    }

    /// The files of all texts.
    var files: [DraftText.File] { ([text] + replacedTexts.map(\.text)).flatMap(\.files) }

    /// The ids of the files on this device that belong to one of the texts.
    var filesOnDevice: Set<String> { Set(files.filter(\.isOnDevice).map(\.id)) }

    /// The ids of the mails on the server of which files of the texts are parts.
    var mailsOfFiles: Set<String> { Set(files.compactMap(\.mailID)) }

    /// The number of replaced texts that a draft may have.
    static let maxReplacedTexts = 20
}

/// The text of a draft, with its recipients and files. Each property is in ``json`` too.
struct DraftText: Codable, Hashable, Sendable {
    struct Address: Codable, Hashable, Sendable {
        var name: String?
        var email: String
    }

    struct File: Codable, Hashable, Sendable {
        let id: String
        var name: String
        var type: String
        var size: Int
        var contentID: String?
        /// The server's id of the bytes; nil until they are uploaded.
        var blobID: String?
        /// Whether the bytes are in a file of this device. Otherwise they belong to another mail on the server.
        var isOnDevice: Bool
        /// The SHA-256 of the bytes on this device.
        var digest: String?
        /// The mail on the server that the blob is a part of: it may end with that mail. Nil for an upload. Documents
        /// of earlier versions have none.
        var mailID: String?
        /// The character encoding of a text of another mail (``MailFile/charset``). Documents of earlier versions have
        /// none.
        var charset: String?
    }

    var threadID: String?
    var identityID: String?
    var from: Address?
    var to: [Address] = []
    var cc: [Address] = []
    var bcc: [Address] = []
    var replyTo: [Address] = []
    var subject = ""
    var text = ""
    var html: String?
    var files: [File] = []
    var inReplyTo: [String] = []
    var references: [String] = []
    var answeredMessageID: String?
    var forwardedMessageID: String?

    /// Whether the server lacks the bytes of a file.
    var lacksUploads: Bool { files.contains { $0.blobID == nil } }

    var recipients: [Address] { to + cc + bcc }

    /// Whether the text is another version's, wherever in the account they are.
    func isEqual(to other: DraftText) -> Bool {
        func plain(_ text: DraftText) -> DraftText {
            var text = text
            text.threadID = nil
            for index in text.files.indices { text.files[index].mailID = nil }
            return text
        }
        return plain(self) == plain(other)
    }
}

extension DraftText.Address {
    init(_ address: EmailAddress) { self.init(name: address.name, email: address.email) }

    var address: EmailAddress { EmailAddress(name: name, email: email) }
}

extension DraftDocument {
    /// Reads a stored document; nil if it isn't one.
    init?(_ record: DeviceRecord) {
        guard let document = try? JSONDecoder().decode(DraftDocument.self, from: Data(record.json.utf8)) else {
            return nil
        }
        self = document
    }

    /// The words about a draft whose document can't be read.
    static let unreadable =
        "This version of the app can't read how far the draft has come. It may have been sent. It is kept as it is."

    /// The number of the change that is shown of a draft whose document can't be read. No document has it.
    static let unreadableRevision = 0

    /// The words about a draft whose document can't be read, and whose mail can't be taken back.
    static let undiscardable =
        "This version of the app can't read how far the draft has come. The mail may have been sent, or the server may "
        + "hold it and send it later. A later version of the app can take it back, and discard the draft."

    /// Whether a stored document that can't be read as a whole has a request to send the mail, or to hold it, whose
    /// outcome isn't known to be an end.
    static func mayBeAtServer(_ record: DeviceRecord) -> Bool {
        guard let job = (try? JSON(parsing: Array(record.json.utf8)))?["job"] else { return false }
        return ["attempt", "hold", "released"].contains { name in job[name].map { $0 != .null } ?? false }
    }

    /// Makes a document out of a stored one that can't be read as a whole, by which the server is asked not to send the
    /// mail that it holds; nil if that can't be read either.
    init?(recalling record: DeviceRecord, at now: Int) {
        struct Part: Decodable {
            struct Job: Decodable {
                let token: String
                let hold: DraftJob.Hold
            }

            let job: Job
        }
        guard let stored = (try? JSONDecoder().decode(Part.self, from: Data(record.json.utf8)))?.job else { return nil }
        var job = DraftJob(token: stored.token, editedAt: now)
        job.hold = stored.hold
        self.init(
            id: record.id,
            text: Self.readableText(of: record) ?? DraftText(),
            job: job,
            replacedTexts: Self.readableReplacedTexts(of: record)
        )
    }

    /// Returns the text of a stored document that can't be read as a whole; nil if the text can't be read either.
    static func readableText(of record: DeviceRecord) -> DraftText? {
        struct Part: Decodable { let text: DraftText }
        return (try? JSONDecoder().decode(Part.self, from: Data(record.json.utf8)))?.text
    }

    /// Returns those texts of other windows that can be read, of a stored document that can't be read as a whole.
    static func readableReplacedTexts(of record: DeviceRecord) -> [Replaced] {
        struct Element: Decodable {
            let replaced: Replaced?

            init(from decoder: any Decoder) { replaced = try? Replaced(from: decoder) }
        }
        struct Part: Decodable { let replacedTexts: [Element] }
        let part = try? JSONDecoder().decode(Part.self, from: Data(record.json.utf8))
        return part?.replacedTexts.compactMap(\.replaced) ?? []
    }

    /// The document as it is stored.
    func record(at now: Int) throws -> DeviceRecord {
        DeviceRecord(
            id: id,
            json: String(decoding: try json(), as: UTF8.self),
            due: next(at: now).due(at: now),
            isUnsent: job.isUnsent || hasReplacedTexts || showsUnsavedText,
            recordedAt: job.latestTime
        )
    }
}

extension DeviceRecordKind {
    /// The drafts that this device has changed or has to send.
    static let draft = DeviceRecordKind("draft")
}
