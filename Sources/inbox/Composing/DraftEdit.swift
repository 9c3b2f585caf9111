import Foundation
import InboxMail

/// The changes to a draft.
struct DraftEdit: Hashable, Sendable {
    /// The sender to set; nil for the one that the draft has, or for none (``clearsFrom``).
    var from: EmailAddress?
    /// Whether the draft gets the account's sender, if ``from`` is nil.
    var clearsFrom = false
    /// The recipients to set; nil for those that the draft has.
    var to, cc, bcc, replyTo: [EmailAddress]?
    var subject: String?
    /// The text to set above the quotation, if there is one.
    var ownText: String?
    /// The whole text to set, with its quotation.
    var wholeText: String?
    /// The HTML to set above the quotation, if there is one.
    var html: String?
    /// The files to attach.
    var attachments: [URL] = []
    /// The ids of the draft's files to remove.
    var removedFiles: [String] = []

    /// Returns the change that a page describes.
    ///
    /// - Parameters:
    ///   - draft: The draft of which the page was made.
    ///   - folder: The folder to which paths are relative.
    /// - Throws: ``DraftPage/Problem``
    init(_ page: DraftPage, of draft: MailDraft, folder: URL) throws(DraftPage.Problem) {
        func addresses(_ field: DraftPage.Field) -> [EmailAddress] {
            Self.addresses(page.values[field] ?? [], isForBlindCopies: field == .bcc)
        }
        guard addresses(.from).count <= 1 else {
            throw DraftPage.Problem(line: 0, description: "From: has to be one address.")
        }
        from = addresses(.from).first
        clearsFrom = true
        (to, cc, bcc, replyTo) = (addresses(.to), addresses(.cc), addresses(.bcc), addresses(.replyTo))
        let subjects = page.values[.subject] ?? []
        guard subjects.count <= 1 else {
            let text = "Subject: has to be given once. A line that continues it begins with a space."
            throw DraftPage.Problem(line: 0, description: text)
        }
        subject = subjects.first ?? ""
        wholeText = page.text
        attachments = (page.values[.attach] ?? []).map { Self.file($0, in: folder) }
        var kept: Set<String> = []
        for value in page.values[.file] ?? [] {
            let number = Int(value.prefix { $0.isASCII && $0.isNumber }) ?? 0
            guard draft.attachments.indices.contains(number - 1) else {
                let shown = value.plainLine.cut(to: 40)
                let text = "File: \(shown) isn't a file of this draft. Attach another one with Attach: PATH"
                throw DraftPage.Problem(line: 0, description: text)
            }
            kept.insert(draft.attachments[number - 1].id)
        }
        removedFiles = draft.numberedFiles.map { $0.file.id }.filter { !kept.contains($0) }
    }

    init() {}

    /// Keeps the draft's values for which a page has no header.
    mutating func keepWhatIsMissing(in page: DraftPage) {
        if page.values[.from] == nil { clearsFrom = false }
        if page.values[.to] == nil { to = nil }
        if page.values[.cc] == nil { cc = nil }
        if page.values[.bcc] == nil { bcc = nil }
        if page.values[.replyTo] == nil { replyTo = nil }
        if page.values[.subject] == nil { subject = nil }
        if page.values[.file] == nil { removedFiles = [] }
        if page.text.isEmpty { wholeText = nil }
    }

    /// Reads addresses as they are typed, each once. Invalid ones are kept unchanged, so that they can be corrected:
    /// the draft's problems name them.
    static func addresses(_ values: [String], isForBlindCopies: Bool = false) -> [EmailAddress] {
        var known: Set<String> = []
        return values.flatMap { value -> [EmailAddress] in
            let typed = EmailAddress.read(value, isForBlindCopies: isForBlindCopies)
            return typed.addresses + typed.unreadable.map { EmailAddress(email: $0.text) }
        }
        .filter { known.insert($0.key).inserted }
    }

    static func file(_ path: String, in folder: URL) -> URL {
        let path = NSString(string: path).expandingTildeInPath
        return path.hasPrefix("/") ? URL(fileURLWithPath: path) : folder.appendingPathComponent(path)
    }

    /// Changes a draft. Files are for ``save(_:over:in:)``: if the draft loses its HTML, the pictures that it showed
    /// are removed then.
    ///
    /// - Parameter quotation: The quotation in the draft; nil if there is none, or if it can't be found.
    mutating func apply(to draft: inout MailDraft, above quotation: DraftQuotation?) {
        let shown = draft.shownPictures
        if from != nil || clearsFrom { draft.from = from }
        if let to { draft.to = to }
        if let cc { draft.cc = cc }
        if let bcc { draft.bcc = bcc }
        if let replyTo { draft.replyTo = replyTo }
        if let subject { draft.subject = subject }
        if let ownText {
            setText(quotation?.text(below: ownText) ?? ownText, of: &draft, above: quotation)
        } else if let wholeText {
            setText(wholeText, of: &draft, above: quotation)
        }
        if let html {
            draft.html = quotation?.html(below: html) ?? html
            // The text has to follow the HTML, and not to stay an earlier one.
            if ownText == nil, wholeText == nil {
                let own = HTMLPlainText.text(of: html, marksQuotations: true)
                draft.text = quotation?.text(below: own) ?? own
            }
        }
        if draft.html == nil { removedFiles += shown.map(\.id) }
    }

    /// Sets the text. The HTML of a quotation below it is kept, if the quotation is still the end of the text.
    private func setText(_ text: String, of draft: inout MailDraft, above quotation: DraftQuotation?) {
        let isSame = Self.withoutLastBreaks(text) == Self.withoutLastBreaks(draft.text)
        defer { draft.text = text }
        guard !isSame, draft.html != nil else { return }
        draft.html = quotation?.html(of: text)
    }

    /// An editor ends the last line, also where it had no end.
    static func withoutLastBreaks(_ text: String) -> Substring {
        var text = text[...]
        while text.last?.isNewline ?? false { text.removeLast() }
        return text
    }

    /// Saves a draft on this device, with its files: all of it, or nothing. A file that is attached replaces one of the
    /// same name whose bytes are lost.
    ///
    /// - Parameters:
    ///   - draft: The draft with the changes.
    ///   - stored: The draft as it is stored; nil for a new one.
    /// - Throws: `MailError`: `fileTooLarge` if the server doesn't take one of the files, `invalidArgument` if one
    ///   can't be read or changes meanwhile; ``Failure`` if the draft couldn't be restored then.
    func save(_ draft: MailDraft, over stored: MailDraft?, in mail: Mail) async throws -> MailDraft {
        for file in attachments { try Mail.check(try await mail.sizeProblem(of: file)) }
        var saved = try await mail.save(draft, waitsForChanges: false)
        do {
            let removed = try await filesToRemove(from: saved, in: mail)
            if attachments.isEmpty, removed.isEmpty { return saved }
            // Files are removed last: their copies can't be brought back.
            for file in attachments { saved = try await mail.attach(file, to: saved) }
            for id in removed { saved = try await mail.removeAttachment(id, from: saved) }
            return try await mail.save(saved, waitsForChanges: false)
        } catch {
            guard await restore(stored, from: saved, in: mail) else {
                let reason = Failure(from: error)?.description ?? "\(error)"
                throw Failure(
                    "\(reason) The draft \(saved.shortID) has a part of the changes. "
                        + "To see it: inbox mail drafts \(saved.shortID)"
                )
            }
            throw error
        }
    }

    /// Returns the ids of the files to remove, each once. A picture that the HTML shows stays.
    private func filesToRemove(from draft: MailDraft, in mail: Mail) async throws -> [String] {
        let names = Set(attachments.map(\.lastPathComponent))
        let shown = Set(draft.shownPictures.map(\.id))
        var ids: [String] = []
        for file in draft.attachments where !shown.contains(file.id) {
            let isRemoved = removedFiles.contains(file.id)
            let isReplaced = names.contains(file.name) ? try await Self.isLost(file, of: draft, in: mail) : false
            if isRemoved || isReplaced { ids.append(file.id) }
        }
        return ids
    }

    /// Whether neither this device nor the server has a file's bytes.
    private static func isLost(_ file: DraftAttachment, of draft: MailDraft, in mail: Mail) async throws -> Bool {
        guard !file.isUploaded else { return false }
        do {
            _ = try await mail.contents(of: file, inDraft: draft.id)
            return false
        } catch let error as MailError where error.code == .storage {
            return true
        }
    }

    /// Restores a draft, or removes a new one.
    ///
    /// - Parameters:
    ///   - stored: The draft as it was; nil for a new one.
    ///   - saved: The draft as it was stored last.
    /// - Returns: Whether that succeeded.
    private func restore(_ stored: MailDraft?, from saved: MailDraft, in mail: Mail) async -> Bool {
        do {
            if let stored {
                try await DraftUndo(of: stored).run(saved, in: mail)
            } else {
                try await mail.discard(saved.id)
            }
            return true
        } catch {
            return false
        }
    }
}
