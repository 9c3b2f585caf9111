package import GRDB
package import Groundwork

/// What a query has, and again whenever that changes: by the server, by the person, by another process, by time.
///
/// Each iterator works when it is asked for the next snapshot: whoever is slow gets the newest, with the changes from
/// the last that they got. Ends with the task that iterates, or when the store is closed.
package struct LiveQuery<Record: Sendable & Equatable, Extra: Sendable & Equatable>: AsyncSequence, Sendable {
    package struct Element: Sendable {
        package let records: [Record]
        /// From the records of the snapshot before; from nothing for the first.
        package let changes: ListChanges
        /// Whether the server has nothing besides that belongs to them (``StoreQuery/isComplete(_:_:)``).
        package let isComplete: Bool
        /// What was read beside them, in the same transaction.
        package let extra: Extra
    }

    private let store: ReplicaStore
    private let query: StoreQuery<Record>
    private let changes: Broadcast<Void>
    private let isKnownComplete: @Sendable (Database) throws -> Bool
    private let extra: @Sendable (Database) throws -> Extra

    /// - Parameters:
    ///   - changes: Tells when to look again, and the end; nil for whenever the store changes, until it is closed.
    ///   - isKnownComplete: Whether the server has said that it has nothing besides, also where light rows can't tell.
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
        // Worked on where it is read, on the reader's thread, by one call at a time.
        private let list: Locked<LiveList<Record>>
        private let query: StoreQuery<Record>
        private let isKnownComplete: @Sendable (Database) throws -> Bool
        /// Of the last snapshot.
        private var wasComplete: Bool?

        fileprivate init(_ live: LiveQuery) {
            table = live.query.table
            reader = LiveReader(live.store, changes: live.changes, extra: live.extra)
            query = live.query
            isKnownComplete = live.isKnownComplete
            list = Locked(LiveList(live.query))
        }

        /// The next snapshot that differs from the last.
        ///
        /// - Throws: ``StoreError``. A store that is closed ends the sequence.
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
            self.wasComplete = read.news.isComplete
            return Element(
                records: list.withLock { $0.shown },
                changes: read.news.changes,
                isComplete: read.news.isComplete,
                extra: read.extra
            )
        }
    }
}

extension LiveList {
    /// Takes what has changed since a revision; all of it anew where that can't be told.
    mutating func update(_ table: QueryTable<Record>, since revision: Int?, _ db: Database) throws -> ListChanges {
        if let revision, let news = try table.news(db, after: revision),
            let changes = apply(changed: news.changed, removed: news.removed)
        {
            return changes
        }
        return replace(with: try reading.fetch(db))
    }
}
