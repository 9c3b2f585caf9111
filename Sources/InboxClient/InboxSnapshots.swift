import Groundwork
import InboxModel
import Replica

/// Snapshots of what there is to see, made when they are asked for.
///
/// ```swift
/// for try await snapshot in inbox.observe(.unread) { show(snapshot.messages, animating: snapshot.changes) }
/// ```
public struct InboxSnapshots: AsyncSequence, Sendable {
    /// What there was to see at one moment.
    public typealias Element = InboxSnapshot

    /// What is read beside the messages, in the same transaction.
    fileprivate struct Numbers: Hashable, Sendable {
        let counts: MessageCounts
        let pendingWrites: Int
        let hasSynced: Bool
    }

    private let snapshots: Result<LiveQuery<Message, Numbers>, QueryError>

    /// - Parameter changes: Tells when to look again, and the end.
    init(
        _ store: ReplicaStore,
        _ changes: Broadcast<Void>,
        _ query: Query<Message>,
        _ filter: MessageFilter,
        _ surface: String?
    ) {
        snapshots = Result { () throws(QueryError) in
            LiveQuery(store, try StoreQuery(query, in: filter, surface: surface), changes: changes) { db in
                Numbers(
                    counts: try db.messageCounts(surface: surface),
                    pendingWrites: try db.pendingCount(RecordType.inbox),
                    hasSynced: try db.syncPosition(.message)?.hasSynced ?? false
                )
            }
        }
    }

    /// Begins to listen.
    public func makeAsyncIterator() -> Iterator {
        Iterator(snapshots: snapshots.map { $0.makeAsyncIterator() })
    }

    /// One who listens.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var snapshots: Result<LiveQuery<Message, Numbers>.Iterator, QueryError>

        /// The next snapshot that differs from the last; nil when the task was cancelled or the inbox closed.
        ///
        /// - Throws: ``InboxError``: `storage`, `invalidArgument` for a query that can't be read.
        @concurrent
        public mutating func next() async throws -> InboxSnapshot? {
            do {
                var iterator = try snapshots.get()
                defer { snapshots = .success(iterator) }
                return try await iterator.next().map { element in
                    InboxSnapshot(
                        messages: element.records,
                        changes: element.changes,
                        counts: element.extra.counts,
                        pendingWrites: element.extra.pendingWrites,
                        hasSynced: element.extra.hasSynced
                    )
                }
            } catch {
                throw InboxError.wrapping(error)
            }
        }
    }
}
