package import GRDB
package import Groundwork

/// The snapshots of a query: the current one, and a new one after each change of its result, whether by the server, the
/// person, another process or time.
///
/// An iterator reads when its next snapshot is requested. A slow iterator gets the newest snapshot, with the changes
/// since its previous one. The sequence ends when the iterating task is cancelled or the store is closed.
package struct LiveQuery<Record: Sendable & Equatable, Extra: Sendable & Equatable>: AsyncSequence, Sendable {
    package struct Element: Sendable {
        package let records: [Record]
        /// The changes since the previous snapshot; since an empty list for the first one.
        package let changes: ListChanges
        /// Whether the server has no further records for this result (``StoreQuery/isComplete(_:_:)``).
        package let isComplete: Bool
        /// The additional value that was read in the same transaction.
        package let extra: Extra
    }

    private let store: ReplicaStore
    private let query: StoreQuery<Record>
    private let changes: Broadcast<Void>
    private let isKnownComplete: @Sendable (Database) throws -> Bool
    private let extra: @Sendable (Database) throws -> Extra

    /// - Parameters:
    ///   - changes: Signals that the result may have changed, and ends the sequence when it finishes. Nil for the
    ///     store's changes, which finish when the store is closed.
    ///   - isKnownComplete: Returns whether the server has reported that it has no further records. It covers results
    ///     whose completeness outline rows can't show.
    ///   - extra: Reads an additional value in the same transaction.
    package init(
        _ store: ReplicaStore,
        _ query: StoreQuery<Record>,
        changes: Broadcast<Void>? = nil,
        isKnownComplete: @escaping @Sendable (Database) throws -> Bool = { _ in false },
        extra: @escaping @Sendable (Database) throws -> Extra
    ) {
        self.store = store
        self.isKnownComplete = isKnownComplete
        self.changes = changes ?? store.changes
        self.query = query
        self.extra = extra
    }

    package func makeAsyncIterator() -> Iterator { Iterator(self) }

    package struct Iterator: AsyncIteratorProtocol {
        private let table: QueryTable<Record>
        private var reader: LiveReader<Extra>
        // Accessed during reads, on the reader's thread, by one call at a time.
        private let list: Locked<LiveList<Record>>
        private let query: StoreQuery<Record>
        private let isKnownComplete: @Sendable (Database) throws -> Bool
        /// Whether the last snapshot was complete.
        private var wasComplete: Bool?

        fileprivate init(_ live: LiveQuery) {
            table = live.query.table
            reader = LiveReader(live.store, changes: live.changes, extra: live.extra)
            query = live.query
            isKnownComplete = live.isKnownComplete
            list = Locked(LiveList(live.query))
        }

        /// Returns the next snapshot that differs from the last one.
        ///
        /// - Throws: ``StoreError``. Closing the store ends the sequence without an error.
        @concurrent
        package mutating func next() async throws -> Element? {
            let (list, table, query, wasComplete) = (list, table, query, wasComplete)
            let isKnownComplete = isKnownComplete
            let read = try await reader.next(
                { db, since in
                    let (changes, shown) = try list.withLock { list in
                        (try list.update(table, since: since, db), list.shown)
                    }
                    let isComplete = try isKnownComplete(db) || query.isComplete(shown, db)
                    return (changes: changes, isComplete: isComplete)
                },
                unless: { $0.changes.isEmpty && $0.isComplete == wasComplete }
            )
            guard let read else { return nil }
            self.wasComplete = read.value.isComplete
            return Element(
                records: list.withLock { $0.shown },
                changes: read.value.changes,
                isComplete: read.value.isComplete,
                extra: read.extra
            )
        }
    }
}

extension LiveList {
    /// Applies the changes since a revision. If they aren't known, the list is read again.
    mutating func update(_ table: QueryTable<Record>, since revision: Int?, _ db: Database) throws -> ListChanges {
        if let revision, let changed = try table.changes(db, after: revision),
            let changes = apply(changed: changed.changed, removed: changed.removed)
        {
            return changes
        }
        return replace(with: try reading.fetch(db))
    }
}
