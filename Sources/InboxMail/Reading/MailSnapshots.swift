import Groundwork
public import Replica

/// The result of a query at one commit: items, counts and pending writes from one transaction.
public struct MailSnapshot<Item: Hashable & Sendable>: Hashable, Sendable {
    /// The records of the query.
    public let items: [Item]
    /// The difference from the previous snapshot's items; in the first snapshot, from an empty list.
    public let changes: ListChanges
    /// The counts of all threads.
    public let counts: MailCounts
    /// The number of mails with pending writes.
    public let pendingWrites: Int
    /// Whether this device has synced the mail since its store was created. Until then, an empty list means that the
    /// mail isn't known yet.
    public let hasSynced: Bool
}

extension MailSnapshot {
    init(_ items: [Item], _ changes: ListChanges, _ details: MailSnapshotDetails) {
        self.init(
            items: items,
            changes: changes,
            counts: details.counts,
            pendingWrites: details.pendingWrites,
            hasSynced: details.hasSynced
        )
    }
}

/// A sequence of snapshots of threads, mails, mailboxes or files. Each is read when it is requested.
public struct MailSnapshots<Item: Hashable & Sendable>: AsyncSequence, Sendable {
    /// A snapshot of the query.
    public typealias Element = MailSnapshot<Item>

    private let snapshots: Result<LiveQuery<Item, MailSnapshotDetails>, QueryError>
    private let use: @Sendable () async -> SliceRegistry.RegisteredUse

    /// - Parameters:
    ///   - changes: Sends an element for each change of the store, and ends with the mail.
    ///   - slices: The registry to which the query is added; nil if everything is on the device.
    init(
        _ store: ReplicaStore,
        _ changes: Broadcast<Void>,
        _ query: Query<Item>,
        _ table: QueryTable<Item>,
        _ slices: SliceRegistry?
    ) {
        use = { await slices?.use(query, table) ?? SliceRegistry.RegisteredUse() }
        snapshots = Result { () throws(QueryError) in
            LiveQuery(store, try StoreQuery(query, table), changes: changes) { db in try MailSnapshotDetails(db) }
        }
    }

    /// Begins to observe the query.
    public func makeAsyncIterator() -> Iterator {
        Iterator(snapshots: SliceIterator(snapshots.map { $0.makeAsyncIterator() }, begin: use))
    }

    /// An iterator over the snapshots.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var snapshots: SliceIterator<LiveQuery<Item, MailSnapshotDetails>.Iterator>

        /// Returns the next snapshot that differs from the previous one; nil when the task is cancelled or the mail is
        /// closed.
        ///
        /// - Throws: `MailError`: `storage`, `invalidArgument` for an unsupported query.
        @concurrent
        public mutating func next() async throws -> MailSnapshot<Item>? {
            try await snapshots.next().map { MailSnapshot($0.records, $0.changes, $0.extra) }
        }
    }
}
