public import Foundation
public import InboxModel
public import Replica

extension Inbox {
    /// The one live object for a message, changed in place: whoever asks for the same id holds the same instance. It is
    /// gone when the inbox is closed, the person signs out, or nobody holds the inbox.
    ///
    /// - Returns: Nil where the message isn't known on this device, has expired, or was deleted.
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

    /// A list for screens, kept up to date. Empty from when the inbox is closed, the person signs out, or nobody holds
    /// the inbox.
    ///
    /// - Parameters:
    ///   - predicate: Which messages; nil for all.
    ///   - sort: In which order; newest delivery first where it is empty.
    ///   - range: Which of them; it may grow later.
    ///   - filter: Where they are.
    ///   - surface: Only those of this surface; nil for all.
    ///   - cachePolicy: Whether to ask the server too when it begins, and when the predicate or the order changes.
    @MainActor
    public func modelProvider(
        where predicate: Predicate<Message>? = nil,
        sort: [SortDescriptor<Message>] = [],
        range: Range<Int> = 0..<200,
        in filter: MessageFilter = .inbox,
        surface: String? = nil,
        cachePolicy: ModelProvider<Message>.CachePolicy = .cacheThenNetwork
    ) -> ModelProvider<Message> {
        let source = ModelSource<Message>(
            id: { $0.id },
            follow: { [store, changes, engine] query, show in
                let snapshots = InboxSnapshots(
                    store,
                    changes,
                    engine,
                    query,
                    filter,
                    surface,
                    asksServer: cachePolicy == .cacheThenNetwork
                )
                for try await snapshot in snapshots {
                    let shown = ModelSource.Snapshot(
                        records: snapshot.messages,
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
        return ModelProvider(
            source,
            predicate: predicate,
            sortDescriptors: sort,
            range: range,
            cachePolicy: cachePolicy
        )
    }
}
