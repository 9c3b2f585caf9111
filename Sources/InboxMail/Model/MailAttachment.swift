public import Foundation

/// A file of a mail, as shown in lists of files: its metadata and its origin, without its bytes.
///
/// Files are listed for all mails on this device that have some (``MailMessage/hasAttachments``), shortly after the
/// mail arrives, and are removed with it. The same bytes in two mails are two attachments with the same
/// ``MailFile/blobID``. The inline images of a mail that has no other files aren't listed; ``MailBody/inlineFiles`` has
/// them.
public struct MailAttachment: Hashable, Identifiable, Sendable {
    /// The id of the mail's part, the same on every device.
    public let id: String
    /// The mail's id.
    public let messageID: String
    /// The id of the mail's thread.
    public let threadID: String
    /// The time at which the server received the mail.
    public let receivedAt: Date
    /// The position among the mail's files, from 0.
    public let position: Int
    /// The file, for ``Mail/download(_:progress:)``.
    public let file: MailFile

    /// The name, without folders or control characters; nil if there is none.
    public var name: String? { file.name }
    /// The media type, such as `image/png`, as the mail states it, in lower case.
    public var type: String { file.type }
    /// The size in bytes.
    public var size: Int { file.size }
    /// Whether it is an image within the text.
    public var isInline: Bool { file.isInline }
    /// The server's id of the bytes.
    public var blobID: String { file.blobID }
}

extension MailAttachment {
    /// Returns the id of a part: the id of its mail, which contains no slash (RFC 8620, section 1.2), and its own.
    static func id(ofPart name: String, in mail: String) -> String { "\(mail)/\(name)" }

    /// Returns the mail's id from an id of ``id(ofPart:in:)``.
    static func messageID(of id: String) -> String { String(id.prefix { $0 != "/" }) }
}
