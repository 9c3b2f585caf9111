public import InboxModel

/// A part of a person's messages. Expired messages are never included. Snoozed messages return to the inbox
/// automatically.
public enum MessageFilter: String, Hashable, Sendable, CaseIterable {
    /// The messages that aren't archived, snoozed or deleted.
    case inbox
    /// The unread messages of the inbox.
    case unread
    /// The read messages of the inbox.
    case read
    /// The snoozed messages.
    case snoozed
    /// The archived messages.
    case archived
    /// All messages that aren't deleted: inbox, snoozed and archived.
    case active
    /// The deleted messages that haven't been removed permanently. They can be restored.
    case deleted
}

extension InboxTab {
    /// The messages of the tab.
    public var filter: MessageFilter {
        switch self {
        case .inbox: .inbox
        case .unread: .unread
        case .archived: .archived
        case .snoozed: .snoozed
        }
    }
}

extension MessageCounts {
    /// Returns the number beside a tab: of the unread messages for the inbox, of all for the others. Nil for none.
    public func badge(of tab: InboxTab) -> Int? {
        tab.badge(unread: unread, archived: archived, snoozed: snoozed)
    }
}
