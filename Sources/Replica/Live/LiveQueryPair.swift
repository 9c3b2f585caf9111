package import GRDB
package import Groundwork

/// The snapshots of two queries on one store, read in one transaction: a ``LiveQuery`` for two types.
package struct LiveQueryPair<First: Sendable & Equatable, Second: Sendable & Equatable, Extra: Sendable & Equatable>:
    AsyncSequence, Sendable
{
    package struct Element: Sendable {
        package let first: [First]
        package let second: [Second]
        /// Whether the server has no further records for this result (``StoreQuery/isComplete(_:_:)``).
        package let isComplete: Bool
        /// The additional value that was read in the same transaction.
        package let extra: Extra
    }

    private let store: ReplicaStore
    private let first: StoreQuery<First>
    private let second: StoreQuery<Second>
    private let changes: Broadcast<Void>
    private let extra: @Sendable (Database) throws -> Extra

    package init(
        _ store: ReplicaStore,
        _ first: StoreQuery<First>,
        _ second: StoreQuery<Second>,
        changes: Broadcast<Void>,
        extra: @escaping @Sendable (Database) throws -> Extra
    ) {
        (self.store, self.first, self.second) = (store, first, second)
        (self.changes, self.extra) = (changes, extra)
    }

    package func makeAsyncIterator() -> Iterator { Iterator(self) }

    package struct Iterator: AsyncIteratorProtocol {
        private struct Lists: Sendable {
            var first: LiveList<First>
            var second: LiveList<Second>
        }

        private let tables: (first: QueryTable<First>, second: QueryTable<Second>)
        private var reader: LiveReader<Extra>
        // Accessed during reads, on the reader's thread, by one call at a time.
        private let lists: Locked<Lists>
        private let queries: (first: StoreQuery<First>, second: StoreQuery<Second>)
        /// Whether the last snapshot was complete.
        private var wasComplete: Bool?

        fileprivate init(_ live: LiveQueryPair) {
            tables = (live.first.table, live.second.table)
            queries = (live.first, live.second)
            reader = LiveReader(live.store, changes: live.changes, extra: live.extra)
            lists = Locked(Lists(first: LiveList(live.first), second: LiveList(live.second)))
        }

        /// Returns the next snapshot that differs from the last one.
        ///
        /// - Throws: ``StoreError``. Closing the store ends the sequence without an error.
        @concurrent
        package mutating func next() async throws -> Element? {
            let (lists, tables, queries, wasComplete) = (lists, tables, queries, wasComplete)
            let read = try await reader.next(
                { db, since in
                    try lists.withLock { lists in
                        let first = try lists.first.update(tables.first, since: since, db)
                        let second = try lists.second.update(tables.second, since: since, db)
                        let isComplete =
                            try queries.first.isComplete(lists.first.shown, db)
                            && queries.second.isComplete(lists.second.shown, db)
                        return (hasChanged: !first.isEmpty || !second.isEmpty, isComplete: isComplete)
                    }
                },
                unless: { !$0.hasChanged && $0.isComplete == wasComplete }
            )
            guard let read else { return nil }
            self.wasComplete = read.value.isComplete
            return lists.withLock {
                Element(
                    first: $0.first.shown,
                    second: $0.second.shown,
                    isComplete: read.value.isComplete,
                    extra: read.extra
                )
            }
        }
    }
}
