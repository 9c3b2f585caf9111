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
