import GRDB
import Groundwork

/// The common part of live queries: reads a store after each possible change until the result differs.
struct LiveReader<Extra: Sendable & Equatable> {
    private let store: ReplicaStore
    private let extra: @Sendable (Database) throws -> Extra
    private var signals: AsyncStream<Void>.Iterator
    /// The revision up to which the result is current; nil before the first read.
    private var revision: Int?
    private var lastExtra: Extra?
    private let observation: ObserverCount.Token

    /// - Parameters:
    ///   - changes: Signals that the result may have changed, and ends the reader when it finishes.
    ///   - extra: Reads an additional value in the same transaction.
    init(
        _ store: ReplicaStore,
        changes: Broadcast<Void>,
        extra: @escaping @Sendable (Database) throws -> Extra
    ) {
        (self.store, self.extra) = (store, extra)
        observation = store.observers.begin()
        // Subscribed before the first read, so that no change is missed.
        signals = changes.stream(startingWith: ()).makeAsyncIterator()
    }

    /// Reads until the result differs from the last one. The first result is returned at once.
    ///
    /// - Parameters:
    ///   - read: Reads the changes since a revision; everything for nil.
    ///   - isUnchanged: Returns whether a result is the same as the last one.
    /// - Returns: The result; nil if the store is closed or the task is cancelled.
    /// - Throws: ``StoreError``.
    @concurrent
    mutating func next<Value: Sendable>(
        _ read: @escaping @Sendable (_ db: Database, _ since: Int?) throws -> Value,
        unless isUnchanged: @Sendable (Value) -> Bool
    ) async throws -> (value: Value, extra: Extra)? {
        while await signals.next() != nil {
            do {
                let (known, extra) = (revision, extra)
                let (value, current, newExtra) = try await store.read { db in
                    (try read(db, known), try db.revision(), try extra(db))
                }
                revision = current
                if lastExtra == nil || !isUnchanged(value) || newExtra != lastExtra {
                    lastExtra = newExtra
                    return (value, newExtra)
                }
            } catch StoreError.closed {
                return nil
            } catch is CancellationError {
                return nil
            } catch {
                // Changes applied before the failure have no known revision, so everything is read again.
                revision = nil
                throw error
            }
        }
        return nil
    }
}
