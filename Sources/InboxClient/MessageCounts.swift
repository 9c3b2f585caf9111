/// How many messages there are on this device.
///
/// Kept in the transactions that change messages, and read in the one that reads a list: they always agree with it.
public struct MessageCounts: Hashable, Sendable {
    /// Messages in the inbox.
    public var total: Int
    /// Those of them that aren't read.
    public var unread: Int
    /// Those of them that the person hasn't had on screen.
    public var unseen: Int
    /// Messages put off until later.
    public var snoozed: Int
    /// Messages in the archive.
    public var archived: Int

    /// Makes counts, for previews and tests.
    public init(total: Int = 0, unread: Int = 0, unseen: Int = 0, snoozed: Int = 0, archived: Int = 0) {
        self.total = total
        self.unread = unread
        self.unseen = unseen
        self.snoozed = snoozed
        self.archived = archived
    }

    /// Those in the inbox that are read.
    public var read: Int { total - unread }
}
