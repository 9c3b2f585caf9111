public import Foundation
package import MailComposing
import Groundwork
import Replica

/// Writing drafts.
///
/// ``newDraft()``, ``reply(to:)``, ``replyAll(to:)`` and ``forward(_:)`` make drafts.
/// ``save(_:waitsForChanges:)`` keeps one on this device, durably, before it returns; it needs no network. Five seconds
/// after the last change it is saved on the server too. Nothing removes a draft but ``discard(_:)``, sending it, or
/// another device that does so.
extension Mail {
    /// Returns a new, empty draft. It is kept once it is saved.
    public func newDraft() -> MailDraft { newDraft(DraftText()) }

    private func newDraft(_ text: DraftText) -> MailDraft { newDraft(text, id: DraftToken.make(configuration.random)) }

    private func newDraft(_ text: DraftText, id: String) -> MailDraft {
        open.outbox.newDrafts.add(id)
        return MailDraft(id: id, text, updatedAt: configuration.clock.now)
    }

    /// Returns a draft that replies to a mail: to its authors, or to the addresses that they ask for replies at, with
    /// its text quoted, and the pictures that its HTML shows. It is kept once it is saved.
    ///
    /// If the mail's body isn't on this device and can't be fetched within ten seconds, the quotation is the beginning
    /// of its text (``MailMessage/snippet``) with `[…]` below it. So it ends if the server truncates the text.
    ///
    /// - Parameters:
    ///   - id: The id of the mail.
    ///   - locale: The language of the line above the quotation.
    /// - Throws: `MailError`: `invalidArgument` if there is no such mail on this device, `storage`, `closed`.
    @concurrent
    public func reply(to id: String, locale: Locale = .current) async throws -> MailDraft {
        try await answer(id, locale) { ReplyRecipients.reply(to: $0, me: $1) }
    }

    /// Returns a draft that replies to a mail and goes to its other recipients too, without the person, each once.
    ///
    /// - Throws: As ``reply(to:locale:)``.
    @concurrent
    public func replyAll(to id: String, locale: Locale = .current) async throws -> MailDraft {
        try await answer(id, locale) { ReplyRecipients.replyAll(to: $0, me: $1) }
    }

    /// Returns a draft that replies to a mail as ``replyAll(to:locale:)`` does, and goes to others too, as a copy.
    ///
    /// - Throws: As ``reply(to:locale:)``.
    @concurrent
    package func replyAll(
        to id: String,
        and others: [EmailAddress],
        locale: Locale = .current
    ) async throws -> MailDraft {
        try await answer(id, locale) { ReplyRecipients.replyAll(to: $0, me: $1).adding(others, to: $0, me: $1) }
    }

    private func answer(
        _ id: String,
        _ locale: Locale,
        _ recipients: @Sendable (QuotedMail, [EmailAddress]) -> ReplyRecipients
    ) async throws -> MailDraft {
        let (message, body, mail) = try await quoted(id)
        let identities = try await identities()
        let own = ownAddresses(identities)
        let chosen = recipients(mail, own)
        let headers = ThreadHeaders.reply(to: mail)
        let quotation = Quotation(of: mail, language: Self.language(locale), timeZone: .current)
        var text = DraftText(threadID: message.threadID, answeredMessageID: message.id)
        (text.identityID, text.from) = Self.sender(for: mail, identities, own)
        text.to = chosen.to.map(DraftText.Address.init)
        text.cc = chosen.cc.map(DraftText.Address.init)
        text.subject = SubjectPrefix.reply(to: message.subject)
        text.text = quotation.text.isEmpty ? "" : "\n\n\(quotation.text)"
        if let body, body.html != nil {
            text.html = "<div><br></div>\(quotation.html())"
            // Other pictures, such as photos below a text, are files of that mail, as its attachments are.
            text.add(body.shownFiles, ofMail: message.id) { _ in true }
        }
        (text.inReplyTo, text.references) = (headers.inReplyTo, headers.references)
        return newDraft(text)
    }

    /// Returns a draft that forwards a mail with its files. It is kept once it is saved.
    ///
    /// If the server truncates the text, the quoted part ends with `[…]`, and the mail itself is attached in place of
    /// its files, with a name that ends with `.eml`. Of a mail that names recipients of blind copies, such as a sent
    /// one, it is a copy on this device that doesn't name them.
    ///
    /// - Throws: As ``reply(to:locale:)``; and `notConnected` and others if the mail's whole body isn't on this device
    ///   and the server can't be reached; `diskFull` if there is no space for the copy.
    @concurrent
    public func forward(_ id: String, locale: Locale = .current) async throws -> MailDraft {
        let (message, body, mail) = try await quoted(id, isForwarded: true)
        // A reply may leave out the rest of a very long mail, which the other has.
        let quotation = Quotation(of: mail, language: Self.language(locale), timeZone: .current, maxLength: .max)
        var text = DraftText(forwardedMessageID: message.id)
        let identities = try await identities()
        (text.identityID, text.from) = Self.sender(for: mail, identities, ownAddresses(identities))
        text.subject = SubjectPrefix.forward(message.subject)
        text.text = "\n\n\(quotation.forwardedText)"
        if let body {
            if body.html != nil { text.html = "<div><br></div>\(quotation.forwardedHTML())" }
            let shown = body.shownFiles
            let files = body.isTruncated ? shown : body.inlineFiles + body.attachments
            let pictures = Set(shown)
            text.add(files, ofMail: message.id) { pictures.contains($0) }
        }
        text.references = ThreadHeaders.reply(to: mail).references
        let draftID = DraftToken.make(configuration.random)
        if body?.isTruncated ?? false {
            let file = try await original(of: message)
            if message.bcc.isEmpty {
                text.add([file], ofMail: message.id)
            } else {
                text.files.append(try await copyWithoutBlindCopies(of: file, forDraft: draftID))
            }
        }
        return newDraft(text, id: draftID)
    }

    /// Returns the mail by which a thread is answered or forwarded: the latest that isn't a draft. Mails that are only
    /// in trash or junk count where there are no others. Nil if the thread has only drafts.
    ///
    /// - Throws: `MailError`: `storage`, `closed`.
    @concurrent
    package func latestMessage(inThread id: String) async throws -> MailMessage? {
        let found = try await messages(inThread: id).filter { !$0.isDraft }
        let hidden = Set(try await read { db in try StoreQuery(roles: [.trash, .junk]).fetch(db).map(\.id) })
        return found.last { !$0.mailboxIDs.isSubset(of: hidden) } ?? found.last
    }

    /// Copies a mail to this device, as a file of a draft that doesn't name the recipients of blind copies.
    private func copyWithoutBlindCopies(of mail: MailFile, forDraft id: String) async throws -> DraftText.File {
        let location = try await download(mail)
        let fileID = configuration.random.token(length: 16)
        let copied: (digest: String, size: Int)
        do {
            let bytes = try Data(contentsOf: location)
            copied = try open.outbox.files.write(Data(BlindCopies.removed(from: [UInt8](bytes))), as: fileID, of: id)
        } catch {
            throw MailError(error.isFullDisk ? .diskFull : .storage, "The mail can't be copied.")
        }
        return DraftText.File(
            id: fileID,
            name: mail.name ?? "mail.eml",
            type: mail.type,
            size: copied.size,
            isOnDevice: true,
            digest: copied.digest
        )
    }

    /// Returns a mail as a file.
    private func original(of message: MailMessage) async throws -> MailFile {
        do {
            if let file = try await bodySource.original(message.id, subject: message.subject) { return file }
        } catch {
            throw MailError.wrapping(error)
        }
        throw MailError(.invalidArgument, "The server has no mail with the id \(message.id) any more.")
    }

    /// The mark after the beginning of a text that isn't whole.
    private static let ellipsis = "[…]"

    /// Returns a mail to be quoted. Without its body, and without a network, a reply quotes the beginning of its text:
    /// the snippet may be the whole, which isn't known.
    private func quoted(_ id: String, isForwarded: Bool = false) async throws -> (MailMessage, MailBody?, QuotedMail) {
        guard let message = try await message(id: id) else {
            throw MailError(.invalidArgument, "There is no mail with the id \(id) on this device.")
        }
        let body: MailBody? = try await isForwarded ? wholeBody(of: id) : bodyForReply(to: id)
        let isCut = body?.isTruncated ?? false
        let text = body?.text ?? message.snippet
        let sent = Set(try await read { db in try StoreQuery(roles: [.sent]).fetch(db).map(\.id) })
        let mail = QuotedMail(
            messageIDs: message.messageIDs,
            inReplyTo: message.inReplyTo,
            references: message.references,
            from: message.from,
            sender: body?.sender ?? [],
            replyTo: message.replyTo,
            to: message.to,
            cc: message.cc,
            bcc: message.bcc,
            deliveredTo: body?.deliveredTo ?? [],
            isSent: !message.mailboxIDs.isDisjoint(with: sent),
            date: message.sentAt ?? message.receivedAt,
            subject: message.subject,
            text: isCut || body == nil && !text.isEmpty ? "\(text)\n\(Self.ellipsis)" : text,
            html: isCut ? body?.html.map { "\($0)<div>\(Self.ellipsis)</div>" } : body?.html
        )
        return (message, body, mail)
    }

    /// The time for which a reply waits for the body of the mail, in seconds: less than a request may take.
    private static let replyPatience = 10.0

    /// Returns the whole body of a mail that is answered, or what this device has of it.
    private func bodyForReply(to id: String) async throws -> MailBody? {
        do {
            return try await withDeadline(seconds: Self.replyPatience, clock: configuration.clock) { [self] in
                try await wholeBody(of: id)
            }
        } catch let error as MailError where error.code == .closed || error.code == .storage {
            throw error
        } catch let error where error is MailError || error is TransportError {
            return try await storedBody(of: id)
        }
    }

    private func ownAddresses(_ identities: [MailIdentity]) -> [EmailAddress] {
        var addresses = identities.filter { !$0.email.isEmpty }.map { EmailAddress(name: $0.name, email: $0.email) }
        if let sender = configuration.sender { addresses.append(sender) }
        // Among the addresses of a domain, it is the only one that is known.
        if user.contains("@"), identities.contains(where: { $0.email.hasPrefix("*@") }) {
            addresses.append(EmailAddress(email: user))
        }
        return addresses
    }

    /// Returns the id of the identity that a mail was written to, and the address if it is for those of a whole domain.
    private static func sender(
        for mail: QuotedMail,
        _ identities: [MailIdentity],
        _ me: [EmailAddress]
    ) -> (identityID: String?, from: DraftText.Address?) {
        let addresses = identities.map { EmailAddress(name: $0.name, email: $0.email) }
        guard let index = ReplyRecipients.identityIndex(for: mail, among: addresses, me: me) else {
            return (nil, nil)
        }
        let own = ReplyRecipients.address(in: mail, of: addresses[index], me: me)
        let from = own.map { DraftText.Address(name: identities[index].name.nonEmpty, email: $0.email) }
        return (identities[index].id, from)
    }

    private static func language(_ locale: Locale) -> QuotationLanguage { QuotationLanguage(tag: locale.identifier) }

    // MARK: - Saving

    /// Stores a draft on this device, durably and at once. It is saved on the server after five seconds without a
    /// change.
    ///
    /// If another window or device has changed the draft since this value was read, both texts are kept: this one is
    /// shown, and the other one is among ``MailDraft/otherVersions``.
    ///
    /// - Parameters:
    ///   - draft: The draft.
    ///   - waitsForChanges: Whether the server gets the text only after five seconds without a further change. False
    ///     suits a window that is being closed.
    /// - Returns: The draft as it is stored, with the versions that others have saved until now. Base the next change
    ///   on it.
    /// - Throws: `MailError`: `invalidArgument` if the draft waits to be sent, is being sent or was sent, if its whole
    ///   text isn't on this device, if there are more than 10,000 unsent drafts, or if other windows have left 20 texts
    ///   of the draft already; `unreadableDraft` if this version can't read how far it has come, since a later one has
    ///   stored it; `diskFull`, `storage`, `closed`. If it throws, nothing has changed.
    @concurrent
    @discardableResult
    public func save(_ draft: MailDraft, waitsForChanges: Bool = true) async throws -> MailDraft {
        let isNew = open.outbox.newDrafts.take(draft.id)
        return try await write(records: 1) { writer in
            var document = try writer.document(for: draft, isNew: isNew)
            if !waitsForChanges { document.job.isFinished = true }
            try writer.put(document)
            return MailDraft(document, otherVersions: try writer.db.otherVersions(of: document))
        }
    }

    /// Saves a draft on the server without a pause, if the server lacks its text. It changes nothing of the draft.
    @concurrent
    func endChanges(of id: String) async throws {
        try await write(records: 1) { writer in
            guard var document = try writer.db.draftDocument(id), document.job.isEditable, document.job.isDirty else {
                return
            }
            document.job.isFinished = true
            try writer.put(document)
        }
    }

    /// Adds a file to a draft, and saves the draft. The file is copied: it may be changed or removed afterwards.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - draft: The draft.
    ///   - type: The media type; nil for one that follows from the file's name.
    ///   - contentID: For a picture within the HTML: the id to which `cid:` refers.
    /// - Throws: As ``save(_:waitsForChanges:)``; `invalidArgument` if the file can't be read or changes meanwhile, or
    ///   if it is a folder, a pipe or a device; `fileTooLarge` if the server doesn't take a file of its size. It isn't
    ///   read then.
    @concurrent
    public func attach(
        _ file: URL,
        to draft: MailDraft,
        type: String? = nil,
        contentID: String? = nil
    ) async throws -> MailDraft {
        try await add(try await copy(file, forDraft: draft.id, type: type, contentID: contentID), to: draft)
    }

    /// Copies a file for a draft, to which ``add(_:to:)`` adds it.
    ///
    /// - Throws: As ``attach(_:to:type:contentID:)-(URL,_,_,_)``, without the errors of saving.
    @concurrent
    func copy(_ file: URL, forDraft id: String, type: String?, contentID: String?) async throws -> DraftText.File {
        try Self.check(try await sizeProblem(of: file))
        let name = file.lastPathComponent
        return try copied(named: name, type: type, contentID: contentID) { files, fileID in
            do {
                return try files.copy(file, as: fileID, of: id)
            } catch let error as CocoaError where error.isFileError {
                throw MailError(.invalidArgument, "The file \(name) can't be read.")
            }
        }
    }

    /// Adds bytes to a draft as a file, and saves the draft.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - name: The file's name.
    ///   - draft: The draft.
    ///   - type: The media type; nil for one that follows from the name.
    ///   - contentID: For a picture within the HTML: the id to which `cid:` refers.
    /// - Throws: As ``save(_:waitsForChanges:)``; `fileTooLarge` if the server doesn't take as many.
    @concurrent
    public func attach(
        _ bytes: Data,
        named name: String,
        to draft: MailDraft,
        type: String? = nil,
        contentID: String? = nil
    ) async throws -> MailDraft {
        let file = try await copy(bytes, named: name, forDraft: draft.id, type: type, contentID: contentID)
        return try await add(file, to: draft)
    }

    /// Writes bytes as a file for a draft, to which ``add(_:to:)`` adds it.
    ///
    /// - Throws: As ``attach(_:named:to:type:contentID:)``, without the errors of saving.
    @concurrent
    func copy(
        _ bytes: Data,
        named name: String,
        forDraft id: String,
        type: String?,
        contentID: String?
    ) async throws -> DraftText.File {
        try Self.check(try await sizeProblem(ofFile: name, size: bytes.count))
        return try copied(named: name, type: type, contentID: contentID) { files, fileID in
            try files.write(bytes, as: fileID, of: id)
        }
    }

    private func copied(
        named name: String,
        type: String?,
        contentID: String?,
        _ copy: (DraftFiles, _ id: String) throws -> (digest: String, size: Int)
    ) throws -> DraftText.File {
        try wrapping { try checkOpen() }
        let id = configuration.random.token(length: 16)
        let copied: (digest: String, size: Int)
        do {
            copied = try copy(open.outbox.files, id)
        } catch {
            if error is MailError { throw error }
            throw MailError(error.isFullDisk ? .diskFull : .storage, "The file can't be copied.")
        }
        return DraftText.File(
            id: id,
            name: name,
            type: type ?? MediaType.ofFile(named: name),
            size: copied.size,
            contentID: contentID,
            isOnDevice: true,
            digest: copied.digest
        )
    }

    /// Adds a file that was copied for a draft, and saves the draft. If that fails, the copy is removed.
    ///
    /// - Throws: As ``save(_:waitsForChanges:)``.
    @concurrent
    func add(_ file: DraftText.File, to draft: MailDraft) async throws -> MailDraft {
        var draft = draft
        draft.files.append(file)
        do {
            return try await save(draft)
        } catch {
            // The copy would take its space, such as on a full disk, for as long as the draft exists.
            if let stored = try? await filesOnDevice(of: draft.id), !stored.contains(file.id) {
                open.outbox.files.remove([file.id], of: draft.id)
            }
            throw error
        }
    }

    /// Returns the ids of the files of all texts of a draft that are on this device.
    private func filesOnDevice(of id: String) async throws -> Set<String> {
        try await read { db in try db.draftDocument(id)?.filesOnDevice ?? [] }
    }

    /// Adds a file of another mail to a draft, and saves the draft. The server has its bytes already. A picture within
    /// that mail becomes an attachment, unless the draft's HTML shows it.
    ///
    /// - Throws: As ``save(_:waitsForChanges:)``.
    @concurrent
    public func attach(_ attachment: MailAttachment, to draft: MailDraft) async throws -> MailDraft {
        // If the text was changed alone, what is stored may lack the HTML.
        var (draft, text) = (draft.withWrittenTexts(), draft.stored)
        text.add([attachment.file], ofMail: attachment.messageID)
        draft.files = text.files
        let (added, shown) = (draft.files.count - 1, Set(draft.shownPictures.map(\.id)))
        if !shown.contains(draft.files[added].id) { draft.files[added].contentID = nil }
        return try await save(draft)
    }

    /// Removes a file from a draft, and saves the draft.
    ///
    /// - Throws: As ``save(_:waitsForChanges:)``.
    @concurrent
    public func removeAttachment(_ id: String, from draft: MailDraft) async throws -> MailDraft {
        let isOnDevice = draft.files.contains { $0.id == id && $0.isOnDevice }
        var draft = draft
        draft.files.removeAll { $0.id == id }
        let saved = try await save(draft)
        // The id of a file on the server is the server's, and names nothing here.
        guard isOnDevice else { return saved }
        let stored = try await filesOnDevice(of: draft.id)
        // Other windows may be about to add theirs.
        if !stored.contains(id) { open.outbox.files.remove([id], of: draft.id) }
        return saved
    }

    // MARK: - Versions

    /// Shows another version of a draft. The text that is shown now becomes one of the other versions.
    ///
    /// - Parameters:
    ///   - version: The id of the version (``MailDraft/otherVersions``).
    ///   - id: The id of the draft.
    /// - Throws: As ``save(_:waitsForChanges:)``; and `notConnected` and others if the version's text isn't on this
    ///   device and the server can't be reached.
    @concurrent
    @discardableResult
    public func useVersion(_ version: String, of id: String) async throws -> MailDraft {
        let kept = try await read { db in try db.draftDocument(id)?.replacedTexts.contains { $0.id == version } ?? false
        }
        if !kept { try await fetchDraftText(of: version) }
        return try await write { writer in
            var document = try writer.document(using: version, of: id)
            document.job.edit(at: writer.now)
            try writer.put(document)
            return MailDraft(document, otherVersions: try writer.db.otherVersions(of: document))
        }
    }

    /// Removes one of a draft's other versions, on all devices.
    ///
    /// - Throws: As ``save(_:waitsForChanges:)`` and ``draft(id:)``; `invalidArgument` for the version that is shown.
    @concurrent
    public func discardVersion(_ version: String, of id: String) async throws {
        // The text that stays has to be on this device.
        _ = try await draft(id: id)
        try await write { writer in try writer.discardVersion(version, of: id) }
    }

    private func wrapping<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch {
            throw MailError.wrapping(error)
        }
    }
}

extension MailDraft {
    init(_ document: DraftDocument, otherVersions: [DraftVersion]) {
        self.init(
            id: document.id,
            document.text,
            updatedAt: Date(milliseconds: document.job.editedAt),
            state: document.state,
            versions: otherVersions,
            basis: .document(revision: document.job.revision)
        )
        (holder, isBeingTakenBack) = (document.holder, document.job.isBeingTakenBack)
    }
}

extension Error {
    /// Whether a file couldn't be written because the disk is full.
    var isFullDisk: Bool {
        if let error = self as? CocoaError {
            return error.code == .fileWriteOutOfSpace || (error.underlying?.isFullDisk ?? false)
        }
        return [.ENOSPC, .EDQUOT].contains((self as? POSIXError)?.code)
    }
}

extension CocoaError {
    fileprivate var isFileError: Bool {
        [.fileNoSuchFile, .fileReadNoSuchFile, .fileReadNoPermission, .fileReadUnknown].contains(code)
    }
}
