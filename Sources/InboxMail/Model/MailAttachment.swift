public import Foundation

/// A file of one mail, as lists of files show it: what it is and where it came from, without its bytes. InboxKit's
/// file.
///
/// All files of the mails on this device that say they have some (``MailMessage/hasAttachments``) are listed, a moment
/// after their mail came, and gone in the moment in which it goes. The same bytes in two mails are two of these, with
/// the same ``MailFile/blobID``. Pictures within the text of a mail that has nothing else aren't listed:
/// ``MailBody/inlineFiles`` has them.
public struct MailAttachment: Hashable, Identifiable, Sendable {
    /// Names the part of the mail: on every device the same.
    public let id: String
    /// The mail's id.
    public let messageID: String
    /// That of the mail's thread.
    public let threadID: String
    /// When the server got the mail.
    public let receivedAt: Date
    /// Which of the mail's files it is, from 0 on.
    public let position: Int
    /// For ``Mail/download(_:progress:)``.
    public let file: MailFile

    /// Its name, without folders or control characters; nil where it has none.
    public var name: String? { file.name }
    /// Its media type, such as `image/png`, as the mail says it, in lower case.
    public var type: String { file.type }
    /// In bytes.
    public var size: Int { file.size }
    /// Whether it is a picture that stands within the text.
    public var isInline: Bool { file.isInline }
    /// The server's id of its bytes.
    public var blobID: String { file.blobID }
}

extension MailAttachment {
    /// The id of a part: its mail's, which has no slash (RFC 8620 §1.2), and its own.
    static func id(ofPart name: String, in mail: String) -> String { "\(mail)/\(name)" }

    /// The mail in an id of ``id(ofPart:in:)``.
    static func messageID(of id: String) -> String { String(id.prefix { $0 != "/" }) }
}
