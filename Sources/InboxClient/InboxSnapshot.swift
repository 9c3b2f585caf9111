public import InboxModel
public import Replica

/// What there was to see at one moment: list, counts and pending writes out of one transaction.
public struct InboxSnapshot: Hashable, Sendable {
    /// The messages that were asked for, newest delivery first.
    public var messages: [Message]
    /// What makes these messages out of those of the snapshot before; of the first one, out of none.
    public var changes: ListChanges
    /// The counts of the surface that was asked for, or of all.
    public var counts: MessageCounts
    /// How many messages have changes of the person's that the server hasn't confirmed.
    public var pendingWrites: Int
    /// Whether these are all messages that there are for what was asked: none of the whole inbox is missing that this
    /// device doesn't hold.
    ///
    /// Where some are, an inbox that is live asks the server for them, and another snapshot brings them: of a list with
    /// a limit as many as that, of one with a predicate, a filter or a surface until there are 200. The whole inbox
    /// without a limit shows what this device holds; ``Inbox/loadOlder(limit:in:surface:)`` goes further back in it,
    /// and in the list of any filter or surface.
    public var isComplete: Bool
    /// Whether this device has synced the inbox since it was made or cleared. While it hasn't, an empty list means that
    /// nothing is known yet: a screen shows that it loads, not that there is nothing.
    public var hasSynced: Bool
    /// The repair of a damaged file when this inbox was opened, or nil: ``Inbox/repair``. A user interface informs the
    /// person if ``InboxRepair/isComplete`` is false, because some of their changes may be lost.
    public var repair: InboxRepair?

    /// Makes a snapshot, for previews and tests.
    public init(
        messages: [Message] = [],
        changes: ListChanges = ListChanges(),
        counts: MessageCounts = MessageCounts(),
        pendingWrites: Int = 0,
        isComplete: Bool = true,
        hasSynced: Bool = true,
        repair: InboxRepair? = nil
    ) {
        self.messages = messages
        self.changes = changes
        self.counts = counts
        self.pendingWrites = pendingWrites
        self.isComplete = isComplete
        self.hasSynced = hasSynced
        self.repair = repair
    }
}
