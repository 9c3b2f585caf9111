public import Foundation
import Groundwork

/// A conversation, derived from its mails on this device (RFC 8621, section 3).
///
/// Mails that are only in trash or junk aren't counted, unless the thread has no others.
public struct MailThread: Hashable, Identifiable, Sendable {
    /// The server's id.
    public let id: String
    /// The subject of the first mail; empty if it has none.
    public let subject: String
    /// The beginning of the latest mail's text.
    public let snippet: String
    /// The time at which the latest mail was received.
    public let lastMessageDate: Date
    /// The time at which the first mail was received.
    public let firstMessageDate: Date
    /// The number of mails.
    public let messageCount: Int
    /// The number of unread mails, drafts excluded.
    public let unreadCount: Int
    /// The number of unread mails that the person hasn't seen in a list either (``Mail/markSeen(threads:)``).
    public let unseenCount: Int
    /// Whether one of the mails is starred.
    public let isStarred: Bool
    /// Whether one of the mails has files.
    public let hasAttachments: Bool
    /// Whether one of the mails is a draft.
    public let hasDrafts: Bool
    /// Whether one of the mails is in the inbox.
    public let isInInbox: Bool
    /// The ids of all mailboxes that contain one of the mails.
    public let mailboxIDs: Set<String>
    let details: Details

    /// Whether one of the mails is unread.
    public var isUnread: Bool { unreadCount > 0 }
    /// Whether one of the mails is unseen.
    public var isUnseen: Bool { unseenCount > 0 }
    /// The authors, in the order of their first mails, followed by the other recipients. Each address appears once; at
    /// most 100.
    public var participants: [EmailAddress] { details.participants }
    /// The participants who wrote a mail, in the order of their first mails.
    public var authors: [EmailAddress] { Array(participants.prefix(details.authorCount)) }
    /// The ids of all mails, oldest first, including those in the trash.
    public var messageIDs: [String] { details.messageIDs }

    /// The JSON text, parsed on access.
    struct Details: Hashable, Sendable {
        let text: [UInt8]

        var participants: [EmailAddress] { EmailAddress.list(json["participants"]) }
        var authorCount: Int { max(0, json["authorCount"]?.intValue ?? 0) }
        var messageIDs: [String] { json["emailIds"]?.arrayValue?.compactMap(\.stringValue) ?? [] }

        private var json: JSON { (try? JSON(parsing: text)) ?? .null }
    }
}
