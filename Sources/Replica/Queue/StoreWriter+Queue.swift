package import GRDB
import Groundwork

extension StoreWriter {
    /// Appends records to a queue. Records whose `uid` is already queued are ignored.
    package func enqueue(_ queue: QueueType, _ records: some Sequence<QueuedRecord>) throws {
        let insert = try db.cachedStatement(
            sql: "INSERT OR IGNORE INTO queued(type, uid, json, isExpendable) VALUES (?, ?, ?, ?)"
        )
        for record in records {
            try insert.execute(arguments: [queue.name, record.uid, record.json.description, record.isExpendable])
        }
        try dropBeyondLimit(queue)
    }

    /// Drops the records beyond the limit: expendable ones first, and the oldest of each kind first.
    private func dropBeyondLimit(_ queue: QueueType) throws {
        // The row ids give an upper bound without counting.
        let span = try Int.fetchOne(db.cachedStatement(sql: "SELECT max(rowid) - min(rowid) + 1 FROM queued"))
        guard let span, span > queue.limit else { return }
        let excess = try db.queuedCount(queue) - queue.limit
        guard excess > 0 else { return }
        try db.execute(
            sql: """
                DELETE FROM queued WHERE rowid IN (
                    SELECT rowid FROM queued WHERE type = ? ORDER BY isExpendable DESC, rowid LIMIT ?)
                """,
            arguments: [queue.name, excess]
        )
        try db.execute(sql: "UPDATE store SET dropped = dropped + ?", arguments: [excess])
    }

    /// Removes records that the server has created, or has finally rejected.
    func dequeue(_ queue: QueueType, _ uids: some Sequence<String>) throws {
        let delete = try db.cachedStatement(sql: "DELETE FROM queued WHERE type = ? AND uid = ?")
        for uid in uids { try delete.execute(arguments: [queue.name, uid]) }
    }
}

extension Database {
    /// Returns the queued records, the oldest first.
    package func queued(_ queue: QueueType, limit: Int) throws -> [QueuedRecord] {
        let rows = try Row.fetchCursor(
            cachedStatement(
                sql: "SELECT uid, json, isExpendable FROM queued WHERE type = ? ORDER BY rowid LIMIT ?"
            ),
            arguments: [queue.name, limit]
        )
        var records: [QueuedRecord] = []
        while let row = try rows.next() {
            let text: String = row[1]
            records.append(
                QueuedRecord(
                    uid: row[0],
                    json: (try? JSON(parsing: text.utf8)) ?? .null,
                    isExpendable: row[2]
                )
            )
        }
        return records
    }

    package func queuedCount(_ queue: QueueType) throws -> Int {
        try Int.fetchOne(
            cachedStatement(sql: "SELECT count(*) FROM queued WHERE type = ?"),
            arguments: [queue.name]
        ) ?? 0
    }

    func hasQueued(_ queue: QueueType) throws -> Bool {
        try Int.fetchOne(
            cachedStatement(sql: "SELECT 1 FROM queued WHERE type = ? LIMIT 1"),
            arguments: [queue.name]
        ) != nil
    }

    /// Returns whether a record waits in the queues of some types.
    func hasQueued(_ types: [RecordType]) throws -> Bool {
        try types.compactMap(\.queue).contains { try hasQueued($0) }
    }

    /// Returns the number of records that were dropped since the store was created, because too many waited.
    package func droppedCount() throws -> Int {
        try Int.fetchOne(cachedStatement(sql: "SELECT dropped FROM store")) ?? 0
    }
}

/// The records that wait to be created on the server, in the order in which they were queued, and the number of dropped
/// records.
enum QueueTable {
    static let schema = """
        CREATE TABLE queued(
            rowid INTEGER PRIMARY KEY AUTOINCREMENT,
            type TEXT NOT NULL,
            uid TEXT NOT NULL,
            json TEXT NOT NULL,
            isExpendable INTEGER NOT NULL,
            UNIQUE (type, uid)
        );
        CREATE INDEX queuedByRank ON queued(type, isExpendable DESC);
        ALTER TABLE store ADD COLUMN dropped INTEGER NOT NULL DEFAULT 0;
        """
}
