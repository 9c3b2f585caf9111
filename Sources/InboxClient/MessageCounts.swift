/// How many messages there are in the whole inbox, whatever of it this device holds.
///
/// Kept in the transactions that change messages, and read in the one that reads a list: they always agree with it. Two
/// devices at the same state have the same counts, but for what the person did and the server doesn't know yet.
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
    /// Whether this device knows all messages of the inbox and counts them itself, also without a network.
    ///
    /// Until then, which takes some seconds on a new device with very many messages, the counts are the server's latest
    /// ones, with the person's pending writes applied. Before the first sync they count the messages on the device.
    public var isExact: Bool

    /// Makes counts, for previews and tests.
    public init(
        total: Int = 0,
        unread: Int = 0,
        unseen: Int = 0,
        snoozed: Int = 0,
        archived: Int = 0,
        isExact: Bool = true
    ) {
        self.total = total
        self.unread = unread
        self.unseen = unseen
        self.snoozed = snoozed
        self.archived = archived
        self.isExact = isExact
    }

    /// Those in the inbox that are read.
    public var read: Int { total - unread }
}
