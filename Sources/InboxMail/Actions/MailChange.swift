/// A change of threads that a person makes, and can undo (``Mail/perform(_:threads:)``).
public enum MailChange: Hashable, Sendable {
    /// All mails are read.
    case markRead
    /// The latest received mail is unread.
    case markUnread
    /// The latest received mail is starred.
    case star
    /// No mail is starred.
    case unstar
    /// The mails of the inbox are in the archive.
    case archive
    /// The mails of the archive are in the inbox.
    case unarchive
    /// All mails are in the trash, and nowhere else.
    case trash
    /// All mails are in a mailbox, by its id, and nowhere else; sent mails and drafts stay where they are.
    case move(to: String)
}

/// A change that was made, with the data to undo it (``Mail/undo(_:)``).
public struct PerformedMailChange: Hashable, Sendable {
    /// The change of one mail.
    struct Edit: Hashable, Sendable {
        enum Property: Hashable, Sendable {
            case keywords, mailboxes
        }

        let message: String
        let property: Property
        /// The keywords or mailboxes that were added (true) and removed (false).
        let members: [String: Bool]
    }

    /// The change.
    public let change: MailChange
    /// The ids of the threads with a changed mail, in the given order. Threads that the change left as they were aren't
    /// among them.
    public let threadIDs: [String]
    let edits: [Edit]

    /// The ids of the changed mails: thread by thread, oldest first.
    public var messageIDs: [String] { edits.map(\.message) }
}
