/// A folder or label of an account (RFC 8621 §2). InboxKit's tag.
public struct Mailbox: Hashable, Identifiable, Sendable {
    /// What a mailbox is for (the attributes of RFC 6154 and RFC 8621 §2, in lower case).
    public enum Role: Hashable, Sendable {
        case inbox, archive, drafts, sent, trash, junk, all, flagged, important
        /// One that this version doesn't know.
        case other(String)

        init(_ name: String) {
            self =
                switch name {
                case "inbox": .inbox
                case "archive": .archive
                case "drafts": .drafts
                case "sent": .sent
                case "trash": .trash
                case "junk": .junk
                case "all": .all
                case "flagged": .flagged
                case "important": .important
                default: .other(name)
                }
        }

        /// As it travels.
        public var name: String {
            switch self {
            case .inbox: "inbox"
            case .archive: "archive"
            case .drafts: "drafts"
            case .sent: "sent"
            case .trash: "trash"
            case .junk: "junk"
            case .all: "all"
            case .flagged: "flagged"
            case .important: "important"
            case .other(let name): name
            }
        }
    }

    /// The server's id.
    public let id: String
    /// Its own name, without those of its parents.
    public var name: String
    /// The mailbox in which it is; nil at the top.
    public var parentID: String?
    /// What it is for; nil for one of the person's own.
    public var role: Role?
    /// Where it stands among its siblings; lower comes first.
    public var sortOrder: Int
    /// How many mails the server has in it.
    public var totalEmails: Int
    /// How many of them are neither read nor drafts.
    public var unreadEmails: Int
    /// How many threads the server has in it.
    public var totalThreads: Int
    /// How many of them have an unread mail.
    public var unreadThreads: Int
    /// Whether the person wants to see it.
    public var isSubscribed: Bool
}
