import Foundation
import Replica

/// The reads that all types of records share.
extension Mail {
    /// Returns the records of a query, after its slice was requested.
    func fetch<Item>(_ query: Query<Item>, _ table: QueryTable<Item>) async throws -> [Item] {
        _ = await slices?.use(query, table)
        let query = try reading(query, table)
        return try await read { db in try query.fetch(db) }
    }

    /// Returns the number of records of a query, regardless of its limit and offset.
    func count<Item>(_ query: Query<Item>, _ table: QueryTable<Item>) async throws -> Int {
        let query = try reading(query, table)
        return try await read { db in try query.count(db) }
    }

    private func reading<Item>(_ query: Query<Item>, _ table: QueryTable<Item>) throws -> StoreQuery<Item> {
        do {
            return try StoreQuery(query, table)
        } catch {
            throw MailError.wrapping(error)
        }
    }

    /// Returns a list for a user interface, which is kept up to date.
    @MainActor
    func results<Item: Hashable & Sendable>(
        _ table: QueryTable<Item>,
        _ predicate: Predicate<Item>?,
        _ sort: [SortDescriptor<Item>],
        _ range: Range<Int>,
        _ cachePolicy: LiveResults<Item>.CachePolicy
    ) -> LiveResults<Item> {
        let source = LiveResultsSource<Item>(
            clock: store.clock,
            id: table.id,
            follow: { [store, changes, slices] query, show in
                for try await snapshot in MailSnapshots(store, changes, query, table, slices) {
                    let shown = LiveResultsSource.Snapshot(
                        records: snapshot.items,
                        changes: snapshot.changes,
                        hasSynced: snapshot.hasSynced
                    )
                    guard await show(shown) else { return }
                }
            },
            refresh: { [weak self] in
                guard let self else { throw MailError(.closed, "The mail was closed.") }
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

    /// Creates the live objects of a type, one per record.
    @MainActor
    func liveObjects<Item>(
        _ table: QueryTable<Item>,
        _ query: @escaping @Sendable (_ id: String) -> Query<Item>
    ) -> LiveObjects<Item> where Item: Hashable & Sendable {
        LiveObjects(store, table) { db, id in try StoreQuery(query(id), table).fetch(db).first }
    }

    /// Converts errors to `MailError`.
    @MainActor
    func wrapping<T: Sendable>(_ body: @MainActor () async throws -> T) async throws -> T {
        do {
            return try await body()
        } catch {
            throw MailError.wrapping(error)
        }
    }
}
