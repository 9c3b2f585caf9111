public import Foundation

/// A change that a person makes to messages, and that can be undone.
public enum MessageChange: Hashable, Sendable {
    case markRead
    case markUnread
    case archive
    /// Moves messages from the archive to the inbox.
    case unarchive
    /// Hides messages until a time.
    case snooze(until: Date)
    /// Returns snoozed messages to the inbox.
    case unsnooze
    case delete
    /// Restores deleted messages.
    case undelete

    /// The date that the change sets or removes.
    package var field: MessageField {
        switch self {
        case .markRead, .markUnread: .readAt
        case .archive, .unarchive: .archivedAt
        case .snooze, .unsnooze: .snoozedUntil
        case .delete, .undelete: .deletedAt
        }
    }

    /// Returns the date of ``field`` after the change, or nil for none. A repeated change keeps the date of the first.
    package func date(after date: Date?, at now: Date) -> Date? {
        switch self {
        case .markRead, .archive, .delete: date ?? now
        case .markUnread, .unarchive, .unsnooze, .undelete: nil
        case .snooze(let time): time
        }
    }

    /// Whether the messages of a tab are no longer in it after the change. Read messages stay where they were read.
    package func leaves(_ tab: InboxTab) -> Bool {
        switch self {
        case .markRead, .markUnread: false
        case .archive: tab != .archived
        case .snooze: tab == .inbox || tab == .unread
        case .unarchive: tab == .archived
        case .unsnooze: tab == .snoozed
        case .delete, .undelete: true
        }
    }

    /// The change that takes messages out of a tab other than by deletion: the first one that a screen offers.
    package static func main(in tab: InboxTab) -> MessageChange {
        switch tab {
        case .inbox, .unread: .archive
        case .archived: .unarchive
        case .snoozed: .unsnooze
        }
    }
}
