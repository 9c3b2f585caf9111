/// What a person did with a message, in the three steps that Zeta's App Inbox knows.
public enum MessageStatus: String, Codable, Hashable, Sendable, CaseIterable {
    /// Neither read nor deleted.
    case unread = "UNREAD"
    /// Read, and not deleted.
    case read = "READ"
    /// Deleted, whether it had been read or not.
    case deleted = "DELETED"
}
