public import Foundation
import Groundwork

/// A conversation: what its mails on this device make together (RFC 8621 §3). InboxKit's thread.
///
/// Where a thread has other mails too, those that are only in the trash or among the junk count for nothing.
public struct MailThread: Hashable, Identifiable, Sendable {
    /// The server's id.
    public let id: String
    /// That of the first mail; empty where it has none.
    public let subject: String
    /// The beginning of the latest mail's text.
    public let snippet: String
    /// When the latest mail came.
    public let lastMessageDate: Date
    /// When the first one came.
    public let firstMessageDate: Date
    /// How many mails there are.
    public let messageCount: Int
    /// How many of them are unread, drafts not counted.
    public let unreadCount: Int
    /// How many of the unread ones the person hasn't even seen in a list (``Mail/markSeen(threads:)``). InboxKit's
    /// "unseen".
    public let unseenCount: Int
    /// Whether one of the mails is starred.
    public let isStarred: Bool
    /// Whether one of the mails has files.
    public let hasAttachments: Bool
    /// Whether one of the mails is a draft.
    public let hasDrafts: Bool
    /// Whether one of the mails is in the inbox.
    public let isInInbox: Bool
    /// The ids of all mailboxes in which one of its mails is. InboxKit's tags.
    public let mailboxIDs: Set<String>
    let details: Details

    /// Whether one of the mails is unread.
    public var isUnread: Bool { unreadCount > 0 }
    /// Whether one of the mails is new to the person.
    public var isUnseen: Bool { unseenCount > 0 }
    /// Who wrote and who got the mails: first the authors, in the order in which they came in, then the others; each
    /// once, at most 100.
    public var participants: [EmailAddress] { details.participants }
    /// Those of them who wrote a mail, in the order in which they came in.
    public var authors: [EmailAddress] { Array(participants.prefix(details.authorCount)) }
    /// The ids of its mails, the oldest first, those in the trash too.
    public var messageIDs: [String] { details.messageIDs }

    /// The JSON text, read when asked for.
    struct Details: Hashable, Sendable {
        let text: [UInt8]

        var participants: [EmailAddress] { EmailAddress.list(json["participants"]) }
        var authorCount: Int { max(0, json["authorCount"]?.intValue ?? 0) }
        var messageIDs: [String] { json["emailIds"]?.arrayValue?.compactMap(\.stringValue) ?? [] }

        private var json: JSON { (try? JSON(parsing: text)) ?? .null }
    }
}
