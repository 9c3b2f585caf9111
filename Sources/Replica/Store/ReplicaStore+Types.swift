import Foundation
import GRDB
import Groundwork

extension ReplicaStore {
    /// Adds types to the store. They are read and written in the same transactions as its other types.
    ///
    /// - Returns: False if the store is closed or already has one of the types. No type is added then.
    /// - Throws: ``StoreError``.
    package func add(_ new: [RecordType]) throws(StoreError) -> Bool {
        guard !isClosed, !hasAny(of: new) else { return false }
        // It may take long, and a small write waits for it on the writer's thread.
        writes.withLock { $0 += 1 }
        defer { writes.withLock { $0 -= 1 } }
        do {
            let all = types + new
            if let migration = try pool.read({ db in try Schema.newerMigration(in: db, all) }) {
                throw StoreError.newer(path: location.file.path, migration: migration)
            }
            try StoreOpening.migrate(pool, all)
            // On the writer's thread, so that a write sees either all of the types or none.
            return try pool.writeWithoutTransaction { db in
                guard !hasAny(of: new) else { return false }
                try db.inTransaction {
                    try retrySetAsideAndDerive(db, new)
                    return .commit
                }
                typeList.withLock { $0 = TypeList($0.all + new) }
                try refreshCachedFacts(db)
                return true
            }
        } catch {
            throw Self.storeError(error)
        }
    }

    /// Removes types that were added. They are no longer derived or counted. Their rows stay in the file.
    package func remove(_ old: [RecordType]) {
        typeList.withLock { types in
            types = TypeList(types.all.filter { type in !old.contains { $0.name == type.name } })
        }
    }

    private func hasAny(of others: [RecordType]) -> Bool {
        types.contains { type in others.contains { $0.name == type.name } }
    }
}
