import GRDB
import Groundwork

/// Looks at a store again and again, whenever something may have changed, until there is news: what live queries have
/// in common.
struct LiveReader<Extra: Sendable & Equatable> {
    private let store: ReplicaStore
    private let extra: @Sendable (Database) throws -> Extra
    private var signals: AsyncStream<Void>.Iterator
    /// The revision up to which what was read is current; nil before the first read.
    private var revision: Int?
    private var lastExtra: Extra?
    private let observation: ObserverCount.Token

    /// - Parameters:
    ///   - changes: Tells when to look again, and the end.
    ///   - extra: What is read beside, in the same transaction.
    init(
        _ store: ReplicaStore,
        changes: Broadcast<Void>,
        extra: @escaping @Sendable (Database) throws -> Extra
    ) {
        (self.store, self.extra) = (store, extra)
        observation = store.observers.begin()
        // Listened to before the first read, so that nothing comes between.
        signals = changes.stream(startingWith: ()).makeAsyncIterator()
    }

    /// Reads until something is different from the last time; the first time at once.
    ///
    /// - Parameters:
    ///   - read: Takes what has changed since a revision; nil for all.
    ///   - isNothing: Whether what was read is no news.
    /// - Returns: Nil when the store is closed, or the task is cancelled.
    /// - Throws: ``StoreError``.
    @concurrent
    mutating func next<News: Sendable>(
        _ read: @escaping @Sendable (_ db: Database, _ since: Int?) throws -> News,
        unless isNothing: @Sendable (News) -> Bool
    ) async throws -> (news: News, extra: Extra)? {
        while await signals.next() != nil {
            do {
                let (known, extra) = (revision, extra)
                let (news, current, beside) = try await store.read { db in
                    (try read(db, known), try db.revision(), try extra(db))
                }
                revision = current
                if lastExtra == nil || !isNothing(news) || beside != lastExtra {
                    lastExtra = beside
                    return (news, beside)
                }
            } catch StoreError.closed {
                return nil
            } catch is CancellationError {
                return nil
            } catch {
                // What was taken in before the failure has no revision: everything is read anew.
                revision = nil
                throw error
            }
        }
        return nil
    }
}
