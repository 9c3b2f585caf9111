public import Foundation

/// A part of an inbox with a tab of its own, on every screen: in apps, on the page and in the terminal.
public enum InboxTab: String, Hashable, Sendable, CaseIterable, Identifiable {
    /// The messages that aren't archived, snoozed or deleted.
    case inbox
    /// The unread messages of the inbox.
    case unread
    /// The archived messages, whether or not they are snoozed.
    case archived
    /// The messages whose snooze hasn't ended and that aren't archived.
    case snoozed

    /// The tab itself.
    public var id: InboxTab { self }

    /// Returns whether a message is in the tab at a time. Deleted and expired messages are in none.
    public func contains(_ message: Message, at now: Date) -> Bool {
        guard message.deletedAt == nil, !message.isExpired(at: now) else { return false }
        let isArchived = message.archivedAt != nil
        let isSnoozed = !isArchived && message.isSnoozed(at: now)
        return switch self {
        case .inbox: !isArchived && !isSnoozed
        case .unread: !isArchived && !isSnoozed && message.isUnread
        case .archived: isArchived
        case .snoozed: isSnoozed
        }
    }

    /// Whether pinned messages come first.
    package var hasPinnedFirst: Bool { self == .inbox || self == .unread }

    /// Returns the number beside the tab's name: of the unread messages for the inbox, of all for the others. Nil for
    /// none.
    package func badge(unread: Int, archived: Int, snoozed: Int) -> Int? {
        let count =
            switch self {
            case .inbox, .unread: unread
            case .archived: archived
            case .snoozed: snoozed
            }
        return count > 0 ? count : nil
    }
}
