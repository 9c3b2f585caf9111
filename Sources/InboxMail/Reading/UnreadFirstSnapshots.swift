package import Replica

/// A sequence of snapshots of threads in which the unread ones come first. Both parts are from one transaction.
///
/// With ``MailScope/slices``, the threads of the query are requested in their order without regard to this: the unread
/// ones among those on the device come first.
package struct UnreadFirstSnapshots: AsyncSequence, Sendable {
    package typealias Element = MailSnapshot<MailThread>

    fileprivate typealias Queries = LiveQueryPair<MailThread, MailThread, MailSnapshotDetails>

    private let snapshots: Result<Queries, QueryError>
    private let limit: Int?
    private let use: @Sendable () async -> SliceRegistry.RegisteredUse

    init(_ mail: Mail, _ query: Query<MailThread>) {
        let slices = mail.slices
        use = { await slices?.use(query, .thread) ?? SliceRegistry.RegisteredUse() }
        limit = query.limit
        snapshots = Result { () throws(QueryError) in
            // Each has the full limit, because all threads may be of one kind.
            LiveQueryPair(
                mail.store,
                try StoreQuery(query, .thread, scope: .isUnread),
                try StoreQuery(query, .thread, scope: .not(.isUnread)),
                changes: mail.changes
            ) { db in try MailSnapshotDetails(db) }
        }
    }

    /// Begins to observe the threads.
    package func makeAsyncIterator() -> Iterator {
        Iterator(snapshots: SliceIterator(snapshots.map { $0.makeAsyncIterator() }, begin: use), limit: limit)
    }

    package struct Iterator: AsyncIteratorProtocol {
        fileprivate var snapshots: SliceIterator<Queries.Iterator>
        fileprivate let limit: Int?
        private var last: [MailThread] = []

        fileprivate init(snapshots: SliceIterator<Queries.Iterator>, limit: Int?) {
            (self.snapshots, self.limit) = (snapshots, limit)
        }

        /// Returns the next snapshot; nil when the task is cancelled or the mail is closed.
        ///
        /// - Throws: `MailError`: `storage`, `invalidArgument` for an unsupported query.
        @concurrent
        package mutating func next() async throws -> MailSnapshot<MailThread>? {
            guard let element = try await snapshots.next() else { return nil }
            let threads = Array((element.first + element.second).prefix(limit ?? .max))
            let changes = ListChanges(from: last, to: threads, id: \.id) { $0 != $1 }
            last = threads
            return MailSnapshot(threads, changes, element.extra)
        }
    }
}

extension Mail {
    /// Observes the threads of a query, the unread ones first, each part in the query's order.
    package func observeUnreadFirst(_ query: Query<MailThread>) -> UnreadFirstSnapshots {
        UnreadFirstSnapshots(self, query)
    }

    /// Sends an element at the beginning and after each change of the stored mail, the newest of several alone. It ends
    /// when the mail is closed.
    package var commits: AsyncStream<Void> { changes.stream(startingWith: ()) }

    /// Whether the device keeps only the threads that queries request (``MailScope/slices``), so that a longer list
    /// needs a sync.
    package var keepsSlices: Bool { slices != nil }
}
