import Foundation

/// The parts of a draft that are checked before it is sent.
package struct DraftCheck: Hashable, Sendable {
    /// The sender; nil if it is an identity's.
    package var from: EmailAddress?
    /// The addresses for replies.
    package var replyTo: [EmailAddress]
    /// The recipients.
    package var to: [EmailAddress]
    /// The recipients of a copy.
    package var cc: [EmailAddress]
    /// The recipients of a blind copy.
    package var bcc: [EmailAddress]
    /// The subject.
    package var subject: String
    /// The text, with quotations.
    package var text: String
    /// The HTML; nil for a mail of text alone.
    package var html: String?
    /// The files: attachments, and pictures within the HTML.
    package var files: [File]
    /// The server's limits.
    package var limits: Limits

    /// A file of a draft.
    package struct File: Hashable, Sendable {
        /// The file name.
        package var name: String
        /// The size in bytes.
        package var size: Int
        /// The content id to which `cid:` in the HTML refers; nil for an attachment.
        package var contentID: String?
        /// Whether the server has its bytes.
        package var isUploaded: Bool

        /// Creates a file.
        package init(name: String, size: Int, contentID: String? = nil, isUploaded: Bool = false) {
            (self.name, self.size, self.contentID, self.isUploaded) = (name, size, contentID, isUploaded)
        }
    }

    /// A server's limits. One that it doesn't state isn't checked.
    package struct Limits: Hashable, Sendable {
        /// The maximum size of a file that is uploaded in bytes (`maxSizeUpload`, RFC 8620, section 2).
        /// `maxSizeAttachmentsPerEmail` isn't one: Cyrus states less there than it takes.
        package var fileSize: Int?
        /// The maximum size of a mail in bytes, as it is sent (`SIZE`, RFC 1870); 0 for none, as section 3 says.
        package var mailSize: Int?
        /// Whether addresses whose local part isn't ASCII are supported (`SMTPUTF8`, RFC 6531).
        package var supportsInternationalMail: Bool?

        /// Creates limits.
        package init(fileSize: Int? = nil, mailSize: Int? = nil, supportsInternationalMail: Bool? = nil) {
            (self.fileSize, self.mailSize) = (fileSize, mailSize)
            self.supportsInternationalMail = supportsInternationalMail
        }
    }

    /// Creates a draft to be checked.
    package init(
        from: EmailAddress? = nil,
        replyTo: [EmailAddress] = [],
        to: [EmailAddress] = [],
        cc: [EmailAddress] = [],
        bcc: [EmailAddress] = [],
        subject: String = "",
        text: String = "",
        html: String? = nil,
        files: [File] = [],
        limits: Limits = Limits()
    ) {
        (self.from, self.replyTo, self.to, self.cc, self.bcc) = (from, replyTo, to, cc, bcc)
        (self.subject, self.text, self.html) = (subject, text, html)
        (self.files, self.limits) = (files, limits)
    }

    /// The problems: first those that block sending, in the order of the draft's parts, then the questions.
    ///
    /// Time is linear in the size of the draft.
    package var problems: [DraftProblem] {
        var problems: [DraftProblem] = []
        if to.isEmpty, cc.isEmpty, bcc.isEmpty { problems.append(.noRecipient) }
        for (field, addresses) in fields {
            for (index, address) in addresses.enumerated() {
                if let problem = address.problem {
                    problems.append(.address(field, index: index, address, problem))
                } else if limits.supportsInternationalMail == false, address.needsInternationalMail {
                    problems.append(.internationalAddress(field, index: index, address))
                }
            }
        }
        problems += sizeProblems
        let hasText = !isBlank(text) || html.map { !isBlank(HTMLPlainText.text(of: $0)) } ?? false
        if isBlank(subject) {
            problems.append(hasText || !files.isEmpty ? .missingSubject : .empty)
        } else if subjectLength > SubjectPrefix.maxSubjectLength {
            problems.append(.subjectTooLong(limit: SubjectPrefix.maxSubjectLength))
        }
        if let word = missingAttachment { problems.append(.missingAttachment(word: word)) }
        return problems.filter { $0.severity == .blocksSending } + problems.filter { $0.severity != .blocksSending }
    }

    /// The length of the subject in bytes, as it is sent.
    private var subjectLength: Int {
        PlainCharacters.line(subject, maxLength: subject.utf8.count + 1).utf8.count
    }

    private var fields: [(DraftProblem.Field, [EmailAddress])] {
        [(.from, from.map { [$0] } ?? []), (.replyTo, replyTo), (.to, to), (.cc, cc), (.bcc, bcc)]
    }

    private func isBlank(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.properties.isWhitespace || $0.properties.generalCategory == .format }
    }

    // MARK: Size

    private var sizeProblems: [DraftProblem] {
        if let limit = limits.fileSize, let file = files.first(where: { !$0.isUploaded && $0.size > limit }) {
            return [.fileTooLarge(name: file.name, size: file.size, limit: limit)]
        }
        guard let limit = limits.mailSize, limit > 0, encodedSize > limit else { return [] }
        return [.mailTooLarge(size: encodedSize, limit: limit)]
    }

    /// The estimated size of the mail as it is sent.
    package var encodedSize: Int {
        let recipients = fields.reduce(0) { size, field in
            field.1.reduce(size) { $0 + $1.typedText.utf8.count * 4 / 3 + 16 }
        }
        let fileSizes = files.reduce(0) { $0 + Self.base64Size($1.size) + $1.name.utf8.count * 3 + Self.partSize }
        return Self.headerSize + recipients + subject.utf8.count * 4 / 3 + fileSizes + Self.textSize(text)
            + (html.map { Self.textSize($0) + Self.partSize } ?? 0)
    }

    /// The sizes of the header of a mail and of that of a part, about.
    private static let (headerSize, partSize) = (1_024, 256)

    /// Lines of 57 bytes become lines of 76 and their end. A server may state any size: sums don't overflow.
    private static func base64Size(_ size: Int) -> Int { (min(max(0, size), 1 << 48) + 56) / 57 * 78 }

    /// The size of a text in quoted-printable: three bytes for each one that isn't ASCII.
    private static func textSize(_ text: String) -> Int {
        let ascii = text.utf8.count { $0 < 0x80 }
        let size = ascii + (text.utf8.count - ascii) * 3
        return size + size / 25
    }

    // MARK: Attachments

    /// The word by which the text mentions an attachment, if the draft has none.
    private var missingAttachment: String? {
        // The pictures of a quoted mail aren't attachments of the person.
        let ownHTML = html.map(Self.beforeQuotation)
        let isAttached = files.contains { file in
            guard let id = file.contentID, let ownHTML else { return true }
            return ownHTML.contains("cid:\(id)")
        }
        guard !isAttached else { return nil }
        if let word = AttachmentWords.first(in: OwnText.own(PlainCharacters.lines(text))) { return word }
        guard let ownHTML else { return nil }
        let lines = HTMLPlainText.text(of: ownHTML).split(separator: "\n", omittingEmptySubsequences: false)
        // Spaces at the ends of lines aren't part of the text of HTML.
        let written = lines.map { $0 == "--" ? "-- " : $0 }.joined(separator: "\n")
        return AttachmentWords.first(in: OwnText.own(written))
    }

    /// Returns the part of HTML before the first quotation.
    private static func beforeQuotation(_ html: String) -> String {
        guard let range = html.range(of: "<blockquote", options: .caseInsensitive) else { return html }
        return String(html[..<range.lowerBound])
    }
}
