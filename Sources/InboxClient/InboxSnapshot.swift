public import InboxModel
public import Replica

/// The result of a query at one commit: the list, the counts and the pending writes of one transaction.
public struct InboxSnapshot: Hashable, Sendable {
    /// The messages of the query, newest delivery first unless the query sets another order.
    public var items: [Message]
    /// The changes from the previous snapshot's items to these. For the first snapshot, the changes from an empty
    /// list.
    public var changes: ListChanges
    /// The counts of the queried surface, or of all surfaces.
    public var counts: MessageCounts
    /// The number of messages with changes that the server hasn't confirmed.
    public var pendingWrites: Int
    /// Whether ``items`` contains all messages of the query: none is missing because this device doesn't hold it.
    ///
    /// If some are missing, a live inbox fetches them, and another snapshot follows: up to the limit for a list with
    /// one, and up to 200 messages for a list with a predicate, a filter or a surface. The whole inbox without a limit
    /// shows the messages that this device holds. ``Inbox/loadOlder(limit:in:surface:)`` extends it, and the list of
    /// any filter or surface.
    public var isComplete: Bool
    /// Whether this device has synced the inbox since it was created or cleared. Until then, an empty list means that
    /// the messages aren't known yet: a screen shows a loading state rather than an empty state.
    public var hasSynced: Bool
    /// The repair of a damaged file when this inbox was opened, or nil: ``Inbox/repair``. A user interface informs the
    /// person if `ReplicaRepair.isComplete` is false, because some of their changes may be lost.
    public var repair: ReplicaRepair?

    /// Creates a snapshot, for previews and tests.
    public init(
        items: [Message] = [],
        changes: ListChanges = ListChanges(),
        counts: MessageCounts = MessageCounts(),
        pendingWrites: Int = 0,
        isComplete: Bool = true,
        hasSynced: Bool = true,
        repair: ReplicaRepair? = nil
    ) {
        self.items = items
        self.changes = changes
        self.counts = counts
        self.pendingWrites = pendingWrites
        self.isComplete = isComplete
        self.hasSynced = hasSynced
        self.repair = repair
    }
}

/// A one-line summary for logs and the debugger: the numbers, without the messages.
extension InboxSnapshot: CustomStringConvertible {
    /// A summary, such as `InboxSnapshot(50 messages, 12 unread of 121, 2 pending writes, never synced)`.
    public var description: String {
        var parts = [
            items.count == 1 ? "1 message" : "\(items.count) messages",
            "\(counts.unread) unread of \(counts.total)",
        ]
        if pendingWrites > 0 {
            parts.append(pendingWrites == 1 ? "1 pending write" : "\(pendingWrites) pending writes")
        }
        if !hasSynced { parts.append("never synced") }
        return "InboxSnapshot(\(parts.joined(separator: ", ")))"
    }

    /// The same as ``description``, with the messages and their texts.
    public var descriptionWithTexts: String {
        "\(description): [\(items.map(\.descriptionWithTexts).joined(separator: ", "))]"
    }
}
