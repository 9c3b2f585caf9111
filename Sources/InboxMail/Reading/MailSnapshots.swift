import Groundwork
public import Replica

/// What there was to see of some records at one moment: list, counts and pending writes out of one transaction.
public struct MailSnapshot<Item: Hashable & Sendable>: Hashable, Sendable {
    /// The records that were asked for.
    public let items: [Item]
    /// What makes these out of those of the snapshot before; of the first one, out of none.
    public let changes: ListChanges
    /// The counts of all threads.
    public let counts: MailCounts
    /// How many mails have changes of the person's that the server hasn't confirmed.
    public let pendingWrites: Int
    /// Whether this device has synced the mail since it was made. While it hasn't, an empty list means that nothing is
    /// known yet.
    public let hasSynced: Bool
}

/// Snapshots of threads, mails, mailboxes or files, made when they are asked for.
public struct MailSnapshots<Item: Hashable & Sendable>: AsyncSequence, Sendable {
    /// What there was to see at one moment.
    public typealias Element = MailSnapshot<Item>

    fileprivate struct Numbers: Hashable, Sendable {
        let counts: MailCounts
        let pendingWrites: Int
        let hasSynced: Bool
    }

    private let snapshots: Result<LiveQuery<Item, Numbers>, QueryError>
    private let use: @Sendable () async -> SliceUse?

    /// - Parameters:
    ///   - changes: The changes after which to read again, and the end.
    ///   - slices: The registry to which the query is added. Nil if everything is on the device.
    init(
        _ store: ReplicaStore,
        _ changes: Broadcast<Void>,
        _ query: Query<Item>,
        _ table: QueryTable<Item>,
        _ slices: SliceRegistry?
    ) {
        use = { await slices?.use(query, table) }
        snapshots = Result { () throws(QueryError) in
            LiveQuery(store, try StoreQuery(query, table), changes: changes) { db in
                Numbers(
                    counts: MailCounts(try db.counts(.thread)),
                    pendingWrites: try db.pendingCount(RecordType.mail),
                    hasSynced: try db.syncPosition(.email)?.hasSynced ?? false
                )
            }
        }
    }

    /// Begins to listen.
    public func makeAsyncIterator() -> Iterator {
        Iterator(snapshots: snapshots.map { $0.makeAsyncIterator() }, begin: use)
    }

    /// One who listens.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var snapshots: Result<LiveQuery<Item, Numbers>.Iterator, QueryError>
        /// Nil once it has begun.
        fileprivate var begin: (@Sendable () async -> SliceUse?)?
        /// The requested slice stays as long as this iterator exists.
        private var use: SliceUse?

        fileprivate init(
            snapshots: Result<LiveQuery<Item, Numbers>.Iterator, QueryError>,
            begin: @escaping @Sendable () async -> SliceUse?
        ) {
            self.snapshots = snapshots
            self.begin = begin
        }

        /// The next snapshot that differs from the last; nil when the task was cancelled or the mail closed.
        ///
        /// - Throws: `MailError`: `storage`, `invalidArgument` for a query that can't be read.
        @concurrent
        public mutating func next() async throws -> MailSnapshot<Item>? {
            if let begin {
                use = await begin()
                self.begin = nil
            }
            do {
                var iterator = try snapshots.get()
                defer { snapshots = .success(iterator) }
                return try await iterator.next().map { element in
                    MailSnapshot(
                        items: element.records,
                        changes: element.changes,
                        counts: element.extra.counts,
                        pendingWrites: element.extra.pendingWrites,
                        hasSynced: element.extra.hasSynced
                    )
                }
            } catch {
                throw MailError.wrapping(error)
            }
        }
    }
}
