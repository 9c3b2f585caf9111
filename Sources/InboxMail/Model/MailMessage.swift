public import Foundation
import Groundwork
import Replica

/// A mail without its body, as lists and headers show it (RFC 8621, section 4.1).
public struct MailMessage: Hashable, Identifiable, Sendable {
    /// The server's id.
    public let id: String
    /// The id of the mail's thread.
    public let threadID: String
    /// The time at which the server received the mail.
    public let receivedAt: Date
    /// The time at which the mail was sent, according to its header; nil if it has no date.
    public let sentAt: Date?
    /// The subject; empty if there is none.
    public let subject: String
    /// The beginning of the text, in one line of at most 256 characters.
    public let snippet: String
    /// The size in bytes.
    public let size: Int
    /// Whether the mail has files other than images within its text.
    public let hasAttachments: Bool
    /// The keywords, such as `$seen` and `$flagged` (RFC 8621, section 4.1.1), in lower case.
    public var keywords: Set<String>
    /// The ids of the mailboxes that contain the mail.
    public var mailboxIDs: Set<String>
    let details: MailDetails.Source

    /// The authors.
    public var from: [EmailAddress] { details.value.from }
    /// The recipients.
    public var to: [EmailAddress] { details.value.to }
    /// The recipients of a copy (Cc).
    public var cc: [EmailAddress] { details.value.cc }
    /// The recipients of a blind copy (Bcc), hidden from the others.
    public var bcc: [EmailAddress] { details.value.bcc }
    /// The addresses for replies. If they are empty, replies go to ``from``.
    public var replyTo: [EmailAddress] { details.value.replyTo }
    /// The blob of the complete mail, for a download; nil if the server provides none.
    public var blobID: String? { details.value.blobID }
    /// The `Message-ID`s, without angle brackets.
    public var messageIDs: [String] { details.value.messageIDs }
    /// The `Message-ID`s of the mails that it replies to.
    public var inReplyTo: [String] { details.value.inReplyTo }
    /// The `Message-ID`s of the earlier mails in the conversation.
    public var references: [String] { details.value.references }

    /// Whether the mail is unread.
    public var isUnread: Bool { !keywords.contains(Keyword.seen) }
    /// Whether the mail is starred.
    public var isStarred: Bool { keywords.contains(Keyword.flagged) }
    /// Whether the mail is a draft.
    public var isDraft: Bool { keywords.contains(Keyword.draft) }
    /// Whether the mail was answered.
    public var isAnswered: Bool { keywords.contains(Keyword.answered) }
}

/// The keywords that this package interprets (RFC 8621, section 4.1.1).
enum Keyword {
    static let seen = "$seen", flagged = "$flagged", draft = "$draft", answered = "$answered", junk = "$junk"
    static let forwarded = "$forwarded"
    /// A custom keyword: the person has seen the mail in a list, without reading it. (`$seen` means that it was read.)
    static let seenInList = "swift-inbox-noticed"
}

/// The properties of a mail that lists rarely use.
struct MailDetails: Hashable, Sendable {
    let from, to, cc, bcc, replyTo: [EmailAddress]
    let messageIDs, inReplyTo, references: [String]
    let blobID: String?

    init(_ json: JSON) {
        func names(_ name: String) -> [String] { json[name]?.arrayValue?.compactMap(\.stringValue) ?? [] }
        from = EmailAddress.list(json["from"])
        to = EmailAddress.list(json["to"])
        cc = EmailAddress.list(json["cc"])
        bcc = EmailAddress.list(json["bcc"])
        replyTo = EmailAddress.list(json["replyTo"])
        messageIDs = names("messageId")
        inReplyTo = names("inReplyTo")
        references = names("references")
        blobID = json["blobId"]?.stringValue
    }

    /// The mail's JSON text, parsed on access.
    struct Source: Hashable, Sendable {
        let text: [UInt8]

        var value: MailDetails { MailDetails((try? JSON(parsing: text)) ?? .null) }

        /// Compares the values if the texts differ: a server may write the same members in a different order each time,
        /// as Cyrus does with keywords.
        static func == (one: Source, other: Source) -> Bool { one.text == other.text || one.value == other.value }

        /// Hashes nothing: mails are distinguished by their ids and by the properties that lists show.
        func hash(into hasher: inout Hasher) {}
    }
}
