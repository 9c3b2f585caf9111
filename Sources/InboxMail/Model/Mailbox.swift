/// A folder or label of an account (RFC 8621, section 2).
public struct Mailbox: Hashable, Identifiable, Sendable {
    /// The purpose of a mailbox: the attributes of RFC 6154 and RFC 8621, section 2, in lower case.
    public enum Role: Hashable, Sendable {
        case inbox, archive, drafts, sent, trash, junk, all, flagged, important
        /// A role that this version doesn't know.
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

        /// The name in JSON.
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
    /// The name, without those of the parents.
    public var name: String
    /// The id of the parent mailbox; nil at the top level.
    public var parentID: String?
    /// The role; nil for the person's own mailboxes.
    public var role: Role?
    /// The position among its siblings; lower values come first.
    public var sortOrder: Int
    /// The number of mails on the server.
    public var totalEmails: Int
    /// The number of mails on the server that are neither read nor drafts.
    public var unreadEmails: Int
    /// The number of threads on the server.
    public var totalThreads: Int
    /// The number of threads on the server with an unread mail.
    public var unreadThreads: Int
    /// Whether the person has subscribed to the mailbox.
    public var isSubscribed: Bool
}

/// A role is encoded as its name. Predicates can capture only `Codable` values.
extension Mailbox.Role: Codable {
    /// Reads the name.
    ///
    /// - Throws: `DecodingError` if the value isn't a string.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the name.
    ///
    /// - Throws: The encoder's errors.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}
