import GRDB
import Groundwork

extension ReplicaStore {
    /// Keeps more types in the same file, so that they are read and written in the same transactions as those that it
    /// had.
    ///
    /// - Returns: False where it keeps one of them already, or is closed; nothing is added then.
    /// - Throws: ``StoreError``.
    package func add(_ new: [RecordType]) throws(StoreError) -> Bool {
        guard !isClosed, !keepsAny(of: new) else { return false }
        do {
            try StoreOpening.migrate(pool, types + new)
            // On the writer's thread, so that no write sees some of them only.
            return try pool.writeWithoutTransaction { db in
                guard !keepsAny(of: new) else { return false }
                try db.inTransaction {
                    try readAgain(db, new)
                    return .commit
                }
                typeList.withLock { $0 += new }
                try look(db)
                return true
            }
        } catch {
            throw Self.storeError(error)
        }
    }

    /// Keeps types no longer that were added: nothing is derived from them or counted. Their rows stay.
    package func stopKeeping(_ old: [RecordType]) {
        typeList.withLock { types in types.removeAll { type in old.contains { $0.name == type.name } } }
    }

    private func keepsAny(of some: [RecordType]) -> Bool {
        types.contains { type in some.contains { $0.name == type.name } }
    }
}
