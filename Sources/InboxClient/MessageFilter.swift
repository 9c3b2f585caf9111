/// Which of a person's messages to show. Expired ones never are; snoozed ones return to the inbox by themselves.
public enum MessageFilter: String, Hashable, Sendable, CaseIterable {
    /// What awaits the person: not archived, not snoozed, not deleted.
    case inbox
    /// Those of the inbox that aren't read.
    case unread
    /// Those of the inbox that are read.
    case read
    /// Put off until later.
    case snoozed
    /// Put into the archive.
    case archived
    /// All but the deleted ones: inbox, snoozed and archived.
    case active
    /// Deleted, and not yet gone for good: they can be brought back.
    case deleted
}
