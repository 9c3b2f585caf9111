import GRDB

/// How processes that share a store ask the one that syncs it to do so: numbers in the store, requested and served.
struct SyncRequests: Hashable, Sendable {
    let requested: Int
    let served: Int
}

extension Database {
    func syncRequest() throws -> SyncRequests {
        let row = try Row.fetchOne(cachedStatement(sql: "SELECT syncRequested, syncServed FROM store"))
        return SyncRequests(requested: row?[0] ?? 0, served: row?[1] ?? 0)
    }
}

extension StoreWriter {
    /// Asks for a sync; gives the number that has to be served.
    func requestSync() throws -> Int {
        try Int.fetchOne(db, sql: "UPDATE store SET syncRequested = syncRequested + 1 RETURNING syncRequested") ?? 0
    }

    func serveSyncRequests(upTo number: Int) throws {
        try db.execute(sql: "UPDATE store SET syncServed = ? WHERE syncServed < ?", arguments: [number, number])
    }
}
