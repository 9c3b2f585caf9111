public import InboxModel

// The names of tabs, changes and other choices, on every screen.

extension CardTexts {
    /// Returns the name of a tab.
    public func name(of tab: InboxTab) -> String {
        switch tab {
        case .inbox: self[.inbox]
        case .unread: self[.unreadList]
        case .archived: self[.archivedList]
        case .snoozed: self[.snoozedList]
        }
    }

    /// Returns the text of a tab without messages: a title, and a text below it for the inbox.
    public func emptyTexts(of tab: InboxTab) -> (title: String, message: String?) {
        switch tab {
        case .inbox: (self[.emptyTitle], self[.emptyMessage])
        case .unread: (unreadCount(0), nil)
        case .archived: (self[.emptyArchive], nil)
        case .snoozed: (self[.emptySnoozed], nil)
        }
    }

    /// Returns the label of a change.
    public func name(of change: MessageChange) -> String {
        switch change {
        case .markRead: self[.markAsRead]
        case .markUnread: self[.markAsUnread]
        case .archive: self[.archive]
        case .unarchive, .unsnooze, .undelete: self[.moveToInbox]
        case .snooze: self[.remindLater]
        case .delete: self[.delete]
        }
    }

    /// Returns the past form of a change, shown beside the undo button.
    public func pastName(of change: MessageChange) -> String {
        switch change {
        case .markRead: self[.markedAsRead]
        case .markUnread: self[.markedAsUnread]
        case .archive: self[.archived]
        case .unarchive, .unsnooze, .undelete: self[.movedToInbox]
        case .snooze: self[.snoozed]
        case .delete: self[.deleted]
        }
    }

    /// Returns the past form of a change with the number of messages, shown beside the undo button: "Archived · 3
    /// messages".
    public func pastName(of change: MessageChange, count: Int) -> String {
        "\(count == 1 ? pastName(of: change) : severalPastName(of: change)) · \(messageCount(count))"
    }

    private func severalPastName(of change: MessageChange) -> String {
        switch change {
        case .markRead: self[.severalMarkedAsRead]
        case .markUnread: self[.severalMarkedAsUnread]
        case .archive: self[.archivedList]
        case .unarchive, .unsnooze, .undelete: self[.severalMovedToInbox]
        case .snooze: self[.snoozedList]
        case .delete: self[.severalDeleted]
        }
    }

    /// Returns the name of a snooze option.
    public func name(of option: SnoozeOption) -> String {
        switch option {
        case .laterToday: self[.laterToday]
        case .tomorrow: self[.tomorrow]
        case .thisWeekend: self[.thisWeekend]
        case .nextWeek: self[.nextWeek]
        }
    }
}
