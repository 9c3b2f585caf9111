public import InboxModel

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
