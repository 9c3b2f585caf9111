/// The numbers of messages in the whole inbox, whether or not this device holds them.
///
/// Counts are updated in the transactions that change messages, and read in the transaction that reads a list, so they
/// always agree with it. Two devices at the same state have the same counts, apart from pending writes.
public struct MessageCounts: Hashable, Sendable {
    /// The messages in the inbox.
    public var total: Int
    /// The unread messages in the inbox.
    public var unread: Int
    /// The messages in the inbox that the person hasn't had on screen.
    public var unseen: Int
    /// The snoozed messages.
    public var snoozed: Int
    /// The messages in the archive.
    public var archived: Int
    /// Whether this device knows all messages of the inbox and counts them itself, even without a network.
    ///
    /// Until then, which takes some seconds on a new device with very many messages, the counts are the server's latest
    /// counts with the pending writes applied. Before the first sync they count the messages on the device.
    public var isExact: Bool

    /// Creates counts, for previews and tests.
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

    /// The read messages in the inbox.
    public var read: Int { total - unread }
}
