package import GRDB

/// The log of recently removed rows, from which the observers of a list, in any process, read which rows are gone.
enum RemovedRows {
    /// The number of rows that are kept.
    static let limit = 1_000

    static let table = """
        CREATE TABLE removed(rowid INTEGER PRIMARY KEY, type TEXT NOT NULL, id TEXT NOT NULL, \
        revision INTEGER NOT NULL);
        CREATE INDEX removedByRevision ON removed(revision);
        """

    static func trigger(_ type: RecordType) -> String {
        """
        CREATE TRIGGER "\(type.table)_removed" AFTER DELETE ON "\(type.table)" BEGIN
            INSERT INTO removed(type, id, revision) VALUES ('\(type.name)', OLD.id, (SELECT revision FROM store));
        END
        """
    }
}

extension Database {
    /// The revision: a number that increases with each write.
    package func revision() throws -> Int {
        try Int.fetchOne(cachedStatement(sql: "SELECT revision FROM store")) ?? 0
    }

    /// Returns the ids of the rows that were removed after a revision; nil if that was more rows than are kept.
    func removed(_ type: RecordType, after revision: Int) throws -> [String]? {
        let log = try Row.fetchOne(
            cachedStatement(sql: "SELECT count(*), min(revision) FROM (SELECT revision FROM removed LIMIT ?)"),
            arguments: [RemovedRows.limit]
        )
        if let log, let oldest: Int = log[1], (log[0] as Int) >= RemovedRows.limit, oldest > revision { return nil }
        return try String.fetchAll(
            cachedStatement(sql: "SELECT id FROM removed WHERE revision > ? AND type = ?"),
            arguments: [revision, type.name]
        )
    }
}

extension StoreWriter {
    /// Deletes the oldest entries beyond the limit.
    func trimRemovedRows() throws {
        try db.cachedStatement(sql: "DELETE FROM removed WHERE rowid <= (SELECT max(rowid) FROM removed) - ?")
            .execute(arguments: [RemovedRows.limit])
    }
}
