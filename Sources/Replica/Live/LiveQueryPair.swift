package import GRDB
package import Groundwork

/// What two queries over one store have, out of one transaction, and again whenever that changes: as ``LiveQuery``, for two types.
package struct LiveQueryPair<First: Sendable & Equatable, Second: Sendable & Equatable, Extra: Sendable & Equatable>:
    AsyncSequence, Sendable
{
    package struct Element: Sendable {
        package let first: [First]
        package let second: [Second]
        /// What was read beside them, in the same transaction.
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

        private let queries: LiveQueryPair
        private var signals: AsyncStream<Void>.Iterator
        // Worked on where they are read, on the reader's thread, by one call at a time.
        private let lists: Locked<Lists>
        private var revision: Int?
        private var lastExtra: Extra?
        private let observation: Onlookers.Token

        fileprivate init(_ queries: LiveQueryPair) {
            self.queries = queries
            observation = queries.store.onlookers.begin()
            signals = queries.changes.stream(startingWith: ()).makeAsyncIterator()
            lists = Locked(Lists(first: LiveList(queries.first), second: LiveList(queries.second)))
        }

        /// What there is the next time that anything is different.
        ///
        /// - Throws: ``StoreError``. A store that is closed ends the sequence.
        @concurrent
        package mutating func next() async throws -> Element? {
            while await signals.next() != nil {
                let isFirst = lastExtra == nil
                do {
                    let (hasChanged, extra) = try await read()
                    guard isFirst || hasChanged || extra != lastExtra else { continue }
                    lastExtra = extra
                    return lists.withLock { Element(first: $0.first.shown, second: $0.second.shown, extra: extra) }
                } catch StoreError.closed {
                    return nil
                } catch is CancellationError {
                    return nil
                } catch {
                    revision = nil
                    throw error
                }
            }
            return nil
        }

        private mutating func read() async throws -> (Bool, Extra) {
            let (lists, known, queries) = (lists, revision, queries)
            let read = try await queries.store.read { db in
                let hasChanged = try lists.withLock { lists in
                    let first = try lists.first.update(queries.first.table, since: known, db)
                    let second = try lists.second.update(queries.second.table, since: known, db)
                    return !first.isEmpty || !second.isEmpty
                }
                return (hasChanged, try db.revision(), try queries.extra(db))
            }
            revision = read.1
            return (read.0, read.2)
        }
    }
}
