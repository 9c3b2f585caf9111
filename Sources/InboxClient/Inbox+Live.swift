public import Foundation
public import InboxModel
public import Replica

extension Inbox {
    /// Returns the live object of a message, which changes in place. Every caller with the same id gets the same
    /// instance. It ends when the inbox is closed or released, or the person signs out.
    ///
    /// - Returns: Nil if this device doesn't know the message, or if it has expired or was deleted.
    /// - Throws: ``InboxError``: `storage`, `closed`.
    @MainActor
    public func live(_ id: String) async throws -> LiveObject<Message>? {
        let objects = liveObjects ?? LiveObjects(store, .message, changes: changes) { db, id in try db.message(id: id) }
        liveObjects = objects
        do {
            try checkOpen()
            return try await objects.object(id)
        } catch {
            throw InboxError.wrapping(error)
        }
    }

    /// Returns a list for a user interface, which is kept up to date. It becomes empty when the inbox is closed or
    /// released, or when the person signs out.
    ///
    /// - Parameters:
    ///   - predicate: The condition of the messages. Nil for all.
    ///   - sort: The order. If it is empty, the newest delivery comes first.
    ///   - range: The range of the list. It may grow later.
    ///   - filter: The part of the inbox.
    ///   - surface: The surface of the messages. Nil for all.
    ///   - cachePolicy: Whether the server is queried too, initially and when the predicate or the order changes.
    @MainActor
    public func results(
        where predicate: Predicate<Message>? = nil,
        sort: [SortDescriptor<Message>] = [],
        range: Range<Int> = 0..<200,
        in filter: MessageFilter = .inbox,
        surface: String? = nil,
        cachePolicy: LiveResults<Message>.CachePolicy = .cacheThenNetwork
    ) -> LiveResults<Message> {
        let source = LiveResultsSource<Message>(
            clock: clock,
            id: { $0.id },
            follow: { [store, changes, engine] query, show in
                let snapshots = InboxSnapshots(
                    store,
                    changes,
                    engine,
                    query,
                    filter,
                    surface,
                    fetchesMissing: cachePolicy == .cacheThenNetwork
                )
                for try await snapshot in snapshots {
                    let shown = LiveResultsSource.Snapshot(
                        records: snapshot.items,
                        changes: snapshot.changes,
                        hasSynced: snapshot.hasSynced
                    )
                    guard await show(shown) else { return }
                }
            },
            refresh: { [weak self] in
                guard let self else { throw InboxError(.closed, "The inbox was closed.") }
                try await self.sync()
            }
        )
        return LiveResults(
            source,
            predicate: predicate,
            sortDescriptors: sort,
            range: range,
            cachePolicy: cachePolicy
        )
    }
}
