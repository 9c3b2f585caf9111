import Foundation
import InboxMail

/// The changes to a draft.
struct DraftEdit: Hashable, Sendable {
    var from: EmailAddress?
    /// The recipients to set; nil for those that the draft has.
    var to, cc, bcc, replyTo: [EmailAddress]?
    var subject: String?
    /// The text to set. A new reply has its quotation below it.
    var ownText: String?
    /// The whole text to set, with its quotation.
    var wholeText: String?
    /// The HTML to set.
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
        func addresses(_ field: DraftPage.Field) -> [EmailAddress] { Self.addresses(page.values[field] ?? []) }
        guard addresses(.from).count <= 1 else {
            throw DraftPage.Problem(line: 0, description: "From: has to be one address.")
        }
        from = addresses(.from).first
        (to, cc, bcc, replyTo) = (addresses(.to), addresses(.cc), addresses(.bcc), addresses(.replyTo))
        subject = (page.values[.subject] ?? []).joined(separator: " ")
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
        removedFiles = draft.attachments.filter { !$0.isInline && !kept.contains($0.id) }.map(\.id)
    }

    init() {}

    /// Leaves what a page has no header for as it is in the draft.
    mutating func keepWhatIsMissing(in page: DraftPage) {
        if page.values[.to] == nil { to = nil }
        if page.values[.cc] == nil { cc = nil }
        if page.values[.bcc] == nil { bcc = nil }
        if page.values[.replyTo] == nil { replyTo = nil }
        if page.values[.subject] == nil { subject = nil }
        if page.values[.file] == nil { removedFiles = [] }
        if page.text.isEmpty { wholeText = nil }
    }

    /// Reads addresses as they are typed. What isn't one is kept as it is, so that it can be corrected: the draft's
    /// problems name it.
    static func addresses(_ values: [String]) -> [EmailAddress] {
        values.flatMap { value in
            let typed = EmailAddress.read(value)
            return typed.addresses + typed.unreadable.map { EmailAddress(email: $0.text) }
        }
    }

    static func file(_ path: String, in folder: URL) -> URL {
        let path = NSString(string: path).expandingTildeInPath
        return path.hasPrefix("/") ? URL(fileURLWithPath: path) : folder.appendingPathComponent(path)
    }

    /// Changes a draft. Files are for ``save(_:in:)``.
    func apply(to draft: inout MailDraft) {
        if let from { draft.from = from }
        if let to { draft.to = to }
        if let cc { draft.cc = cc }
        if let bcc { draft.bcc = bcc }
        if let replyTo { draft.replyTo = replyTo }
        if let subject { draft.subject = subject }
        if let ownText {
            setText(draft.text.first?.isNewline ?? false ? ownText + draft.text : ownText, of: &draft)
        } else if let wholeText {
            setText(wholeText, of: &draft)
        }
        guard let html else { return }
        draft.html = html
        // Readers of text have to get what the HTML says, and not a text from before.
        if ownText == nil, wholeText == nil { draft.text = HTMLPlainText.text(of: html, marksQuotations: true) }
    }

    /// Sets the text. The HTML of a quotation below it is kept, if the quotation is still the end of the text.
    private func setText(_ text: String, of draft: inout MailDraft) {
        let isSame = Self.withoutLastBreaks(text) == Self.withoutLastBreaks(draft.text)
        defer { draft.text = text }
        guard !isSame, let html = draft.html else { return }
        let quotation = draft.text.trimmingCharacters(in: .newlines)
        guard !quotation.isEmpty, draft.text.first?.isNewline ?? false, text.hasSuffix(quotation) else {
            draft.html = nil
            return
        }
        let own = text.dropLast(quotation.count)
        let kept = html.trimmingPrefix("<div><br></div>")
        draft.html = own.allSatisfy(\.isWhitespace) ? html : TextMarkup.html(of: String(own)) + kept
    }

    /// An editor ends the last line, also where it had no end.
    static func withoutLastBreaks(_ text: String) -> Substring {
        var text = text[...]
        while text.last?.isNewline ?? false { text.removeLast() }
        return text
    }

    /// Saves a draft on this device, with its files.
    ///
    /// - Throws: `MailError`: `fileTooLarge` if the server doesn't take one of the files, and nothing was saved.
    func save(_ draft: MailDraft, in mail: Mail) async throws -> MailDraft {
        for file in attachments { try Mail.check(try await mail.sizeProblem(of: file)) }
        var saved = try await mail.save(draft, waitsForChanges: false)
        // Without HTML, its pictures would become attachments.
        let inline = saved.html == nil ? saved.attachments.filter(\.isInline).map(\.id) : []
        for id in removedFiles + inline { saved = try await mail.removeAttachment(id, from: saved) }
        for file in attachments { saved = try await mail.attach(file, to: saved) }
        if inline.isEmpty, removedFiles.isEmpty, attachments.isEmpty { return saved }
        return try await mail.save(saved, waitsForChanges: false)
    }
}
