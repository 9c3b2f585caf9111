import Groundwork
import InboxModel
import Replica

/// A sequence of snapshots of a query. Each snapshot is read when the iterator requests it.
///
/// ```swift
/// for try await snapshot in inbox.observe(.unread) { show(snapshot.items, animating: snapshot.changes) }
/// ```
public struct InboxSnapshots: AsyncSequence, Sendable {
    /// The snapshot at one commit.
    public typealias Element = InboxSnapshot

    /// The values that are read with the messages, in the same transaction.
    struct Details: Hashable, Sendable {
        let counts: MessageCounts
        let pendingWrites: Int
        let hasSynced: Bool
    }

    private let query: Result<StoreQuery<Message>, QueryError>
    private let surface: String?
    private let store: ReplicaStore
    private let changes: Broadcast<Void>
    private let engine: SyncEngine
    private let missing: MissingMessages?

    /// - Parameters:
    ///   - changes: Sends an element for each change after which to read again. Its end ends the sequence.
    ///   - fetchesMissing: Whether messages of the query that aren't on this device are requested from the server.
    init(
        _ store: ReplicaStore,
        _ changes: Broadcast<Void>,
        _ engine: SyncEngine,
        _ query: Query<Message>,
        _ filter: MessageFilter,
        _ surface: String?,
        fetchesMissing: Bool = true
    ) {
        (self.store, self.changes, self.engine, self.surface) = (store, changes, engine, surface)
        let read = Result { () throws(QueryError) in try StoreQuery(query, in: filter, surface: surface) }
        self.query = read
        missing = fetchesMissing ? (try? read.get()).flatMap { MissingMessages(query, $0, filter, surface) } : nil
    }

    /// Starts to observe.
    public func makeAsyncIterator() -> Iterator {
        let missingTask = missing.map { MissingMessagesTask($0, store, engine, changes) }
        let snapshots = query.map { [surface] query in
            LiveQuery(
                store,
                query,
                changes: changes,
                isKnownComplete: { db in try missingTask?.outcome.isComplete(db) ?? false }
            ) { db in try Details(db, surface) }
        }
        return Iterator(
            snapshots: snapshots.map { $0.makeAsyncIterator() },
            missingTask: missingTask,
            repair: store.repair
        )
    }

    /// An iterator over the snapshots.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var snapshots: Result<LiveQuery<Message, Details>.Iterator, QueryError>
        fileprivate let missingTask: MissingMessagesTask?
        fileprivate let repair: ReplicaRepair?

        /// Returns the next snapshot that differs from the last one, or nil if the task was cancelled or the inbox
        /// closed.
        ///
        /// - Throws: ``InboxError``: `storage`, `invalidArgument` for a query that can't be translated.
        @concurrent
        public mutating func next() async throws -> InboxSnapshot? {
            do {
                var iterator = try snapshots.get()
                defer { snapshots = .success(iterator) }
                return try await iterator.next().map { element in
                    missingTask?.note(element.records.count, isComplete: element.isComplete)
                    return InboxSnapshot(
                        items: element.records,
                        changes: element.changes,
                        counts: element.extra.counts,
                        pendingWrites: element.extra.pendingWrites,
                        isComplete: element.isComplete,
                        hasSynced: element.extra.hasSynced,
                        repair: repair
                    )
                }
            } catch {
                throw InboxError.wrapping(error)
            }
        }
    }
}
