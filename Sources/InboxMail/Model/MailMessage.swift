public import Foundation
import Groundwork
import Replica

/// A mail, without its body: what lists and headers show (RFC 8621 §4.1). InboxKit's message.
public struct MailMessage: Hashable, Identifiable, Sendable {
    /// The server's id.
    public let id: String
    /// The thread that it belongs to.
    public let threadID: String
    /// When the server got it.
    public let receivedAt: Date
    /// When it says that it was sent; nil where it doesn't.
    public let sentAt: Date?
    /// Empty where it has none.
    public let subject: String
    /// The beginning of its text, one line, at most 256 characters.
    public let snippet: String
    /// In bytes.
    public let size: Int
    /// Whether it has files, other than pictures that stand within its text.
    public let hasAttachments: Bool
    /// Such as `$seen` and `$flagged` (RFC 8621 §4.1.1), in lower case.
    public var keywords: Set<String>
    /// The ids of the mailboxes in which it is.
    public var mailboxIDs: Set<String>
    let details: MailDetails.Source

    /// Who wrote it.
    public var from: [EmailAddress] { details.value.from }
    /// The recipients.
    public var to: [EmailAddress] { details.value.to }
    /// Who gets a copy.
    public var cc: [EmailAddress] { details.value.cc }
    /// Who gets a copy without the others knowing.
    public var bcc: [EmailAddress] { details.value.bcc }
    /// Where answers go; empty for to ``from``.
    public var replyTo: [EmailAddress] { details.value.replyTo }
    /// The mail as a whole, for a download; nil where the server gave none.
    public var blobID: String? { details.value.blobID }
    /// Its `Message-ID`s, without angle brackets.
    public var messageIDs: [String] { details.value.messageIDs }
    /// Those of the mails that it answers.
    public var inReplyTo: [String] { details.value.inReplyTo }
    /// Those of the mails before it in the conversation.
    public var references: [String] { details.value.references }

    /// Whether it hasn't been read.
    public var isUnread: Bool { !keywords.contains(Keyword.seen) }
    /// Whether it is starred.
    public var isStarred: Bool { keywords.contains(Keyword.flagged) }
    /// Whether it is a draft.
    public var isDraft: Bool { keywords.contains(Keyword.draft) }
    /// Whether it was answered.
    public var isAnswered: Bool { keywords.contains(Keyword.answered) }
}

/// The keywords with a meaning (RFC 8621 §4.1.1).
enum Keyword {
    static let seen = "$seen", flagged = "$flagged", draft = "$draft", answered = "$answered"
    /// One of our own: the person has seen in a list that the mail is there, without reading it. (`$seen` means that it
    /// was read.)
    static let noticed = "swift-inbox-noticed"
}

/// The properties of a mail that lists seldom look at.
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

    /// The mail's JSON text, read when asked for.
    struct Source: Hashable, Sendable {
        let text: [UInt8]

        var value: MailDetails { MailDetails((try? JSON(parsing: text)) ?? .null) }

        /// By what it says: a server may write the same members in another order each time, as Cyrus does with
        /// keywords.
        static func == (one: Source, other: Source) -> Bool { one.text == other.text || one.value == other.value }

        /// Hashes nothing: mails are distinguished by their ids and by what lists show.
        func hash(into hasher: inout Hasher) {}
    }
}
