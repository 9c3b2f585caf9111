/// The state of a message: unread, read or deleted.
public enum MessageStatus: String, Codable, Hashable, Sendable, CaseIterable {
    /// Neither read nor deleted.
    case unread = "UNREAD"
    /// Read and not deleted.
    case read = "READ"
    /// Deleted, whether or not it was read.
    case deleted = "DELETED"
}
