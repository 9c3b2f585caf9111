/// A problem of a draft, which blocks sending it or is a question to the person.
public enum DraftProblem: Hashable, Sendable {
    /// The draft has no recipient.
    case noRecipient
    /// No mail can be sent to an address, or from it.
    ///
    /// `index` is its place in the field, from 0.
    case address(Field, index: Int, EmailAddress, AddressProblem)
    /// The part of an address before the `@` isn't ASCII, and the server doesn't support that (RFC 6531).
    ///
    /// `index` is its place in the field, from 0.
    case internationalAddress(Field, index: Int, EmailAddress)
    /// The draft has no subject, no text and no file.
    case empty
    /// The draft has text or files, and no subject.
    case missingSubject
    /// The subject is longer than a mail's may be, in bytes.
    case subjectTooLong(limit: Int)
    /// The text refers to a file, and there is none. `word` is the referring word of the text.
    case missingAttachment(word: String)
    /// A file is larger than the server takes, in bytes.
    case fileTooLarge(name: String, size: Int, limit: Int)
    /// The mail is larger, as it is sent, than the server allows, in bytes. The size is an estimate.
    case mailTooLarge(size: Int, limit: Int)

    /// A part of a draft with addresses.
    public enum Field: String, CaseIterable, Hashable, Sendable {
        /// The sender.
        case from
        /// The addresses for replies.
        case replyTo
        /// The recipients.
        case to
        /// The recipients of a copy.
        case cc
        /// The recipients of a blind copy.
        case bcc

        /// The field's name in English, such as `Reply-To`.
        public var name: String {
            switch self {
            case .from: "From"
            case .replyTo: "Reply-To"
            case .to: "To"
            case .cc: "Cc"
            case .bcc: "Bcc"
            }
        }
    }

    /// The consequence of a problem.
    public enum Severity: Hashable, Sendable {
        /// The draft can't be sent.
        case blocksSending
        /// The draft can be sent if the person confirms it.
        case question
    }

    /// The consequence of the problem.
    public var severity: Severity {
        switch self {
        case .noRecipient, .address, .subjectTooLong, .fileTooLarge, .mailTooLarge: .blocksSending
        // Not every server declares everything that it supports.
        case .internationalAddress, .empty, .missingSubject, .missingAttachment: .question
        }
    }

    /// A text for the person, in English: the part, the problem, and how to fix it.
    public var message: String {
        switch self {
        case .noRecipient: "The mail has no recipient. Enter an address in To, Cc or Bcc."
        case .address(let field, let index, let address, let problem):
            "\(Self.place(field, index, address)): \(problem.message)"
        case .internationalAddress(let field, let index, let address):
            "\(Self.place(field, index, address)): The mail server may not support letters such as these before the @. "
                + "Ask for an address without them, or try it."
        case .empty: "The mail has no subject, no text and no attachment. Write something, or send it as it is."
        case .missingSubject: "The mail has no subject. Enter one, or send it without."
        case .subjectTooLong(let limit): "The subject has more than \(limit) bytes. Shorten it."
        case .missingAttachment(let word):
            "The text says “\(word)”, but there is no attachment. Attach the file, or send the mail without."
        case .fileTooLarge(let name, let size, let limit):
            "The file \(PlainCharacters.line(name, maxLength: Self.maxAddressLength)) has \(Self.size(size, .up)), and "
                + "the mail server allows \(Self.size(limit, .down)) for one. Remove it, or send a link to it."
        case .mailTooLarge(let size, let limit):
            "The mail has about \(Self.size(size, .up)), and the mail server allows \(Self.size(limit, .down)). "
                + "Remove a file or a picture, or shorten the text."
        }
    }

    private static func place(_ field: Field, _ index: Int, _ address: EmailAddress) -> String {
        let text = PlainCharacters.line(address.typedText, maxLength: maxAddressLength)
        let number = field == .from ? "" : " \(index + 1)"
        return text.isEmpty ? "\(field.name)\(number)" : "\(field.name)\(number) (\(text))"
    }

    private static let maxAddressLength = 200

    /// Returns a size such as `12.3 MB`, in powers of 1,000.
    private static func size(_ bytes: Int, _ rounding: FloatingPointRoundingRule) -> String {
        guard bytes >= 1_000 else { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
        var (value, unit) = (Double(bytes) / 1_000, "kB")
        for larger in ["MB", "GB", "TB"] where value >= 1_000 { (value, unit) = (value / 1_000, larger) }
        let tenths = Int((value * 10).rounded(rounding))
        return tenths % 10 == 0 ? "\(tenths / 10) \(unit)" : "\(tenths / 10).\(tenths % 10) \(unit)"
    }
}
