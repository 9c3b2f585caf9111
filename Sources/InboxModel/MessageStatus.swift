/// What a person did with a message, in the three steps that Zeta's App Inbox knows.
public enum MessageStatus: String, Hashable, Sendable, CaseIterable {
    case unread = "UNREAD"
    case read = "READ"
    case deleted = "DELETED"
}
