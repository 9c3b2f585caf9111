import GRDB

/// The number of syncs of a domain that the processes of a store have requested, and the number of those that were
/// served.
struct SyncRequests: Hashable, Sendable {
    let requested: Int
    let served: Int

    static let schema = """
        CREATE TABLE syncRequest(part TEXT PRIMARY KEY, requested INTEGER NOT NULL, served INTEGER NOT NULL) \
        WITHOUT ROWID;
        ALTER TABLE store DROP COLUMN syncRequested;
        ALTER TABLE store DROP COLUMN syncServed;
        """
}

extension Database {
    func syncRequest(_ domain: StoreDomain) throws -> SyncRequests {
        let row = try Row.fetchOne(
            cachedStatement(sql: "SELECT requested, served FROM syncRequest WHERE part = ?"),
            arguments: [domain.name]
        )
        return SyncRequests(requested: row?[0] ?? 0, served: row?[1] ?? 0)
    }
}

extension StoreWriter {
    /// Requests a sync from the process that syncs a domain.
    ///
    /// - Returns: The number of the request. It is done when that number is served.
    func requestSync(_ domain: StoreDomain) throws -> Int {
        try Int.fetchOne(
            db,
            sql: """
                INSERT INTO syncRequest VALUES (?, 1, 0) ON CONFLICT DO UPDATE SET requested = requested + 1
                    RETURNING requested
                """,
            arguments: [domain.name]
        ) ?? 0
    }

    /// Records that the requests up to a number are served.
    func serveSyncRequests(_ domain: StoreDomain, upTo number: Int) throws {
        try db.execute(
            sql: "UPDATE syncRequest SET served = ? WHERE part = ? AND served < ?",
            arguments: [number, domain.name, number]
        )
    }
}
