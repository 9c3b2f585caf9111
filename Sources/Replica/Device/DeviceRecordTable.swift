package import GRDB

/// The table of the documents that exist only on this device.
///
/// The triggers of ``RecordType/schema`` may rely on its name and the columns that are named here. A row is inserted
/// once, updated in place, and deleted. Triggers run with each of these, in the transaction of the change. A document
/// that is stored again unchanged is updated too.
package enum DeviceRecordTable {
    /// The name of the table.
    package static let table = "deviceRecord"
    /// The column of the document's kind: the name of a ``DeviceRecordKind``.
    package static let kind = "kind"
    /// The column of the document's id: text, unique within the kind.
    package static let id = "id"

    static let schema = """
        CREATE TABLE deviceRecord(
            rowid INTEGER PRIMARY KEY,
            kind TEXT NOT NULL,
            id TEXT NOT NULL,
            json TEXT NOT NULL,
            due INTEGER,
            isUnsent INTEGER NOT NULL,
            UNIQUE (kind, id)
        );
        CREATE INDEX deviceRecordByDue ON deviceRecord(kind, due) WHERE due IS NOT NULL;
        CREATE INDEX deviceRecordUnsent ON deviceRecord(kind) WHERE isUnsent
        """

    /// The column `recordedAt`: the latest time that the document records. It is in the index of the times at which
    /// documents are due, so that those that record a time to come are found without the documents of the others.
    static let recordedAtColumn = """
        ALTER TABLE deviceRecord ADD COLUMN recordedAt INTEGER;
        DROP INDEX deviceRecordByDue;
        CREATE INDEX deviceRecordByDue ON deviceRecord(kind, due, recordedAt) WHERE due IS NOT NULL
        """
}

extension StoreWriter {
    /// Inserts or replaces a document.
    ///
    /// - Parameter value: The value that the document is read as, for ``storedDocuments``; nil to read it again.
    package func put(_ kind: DeviceRecordKind, _ record: DeviceRecord, value: Any? = nil) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO deviceRecord(kind, id, json, due, isUnsent, recordedAt) VALUES (?, ?, ?, ?, ?, ?)
                    ON CONFLICT DO UPDATE SET json = excluded.json, due = excluded.due, isUnsent = excluded.isUnsent,
                        recordedAt = excluded.recordedAt
                """
        ).execute(
            arguments: [kind.name, record.id, record.json, record.due, record.isUnsent, record.recordedAt]
        )
        storedDocuments.set(value, kind, record.id)
    }

    /// Removes documents.
    package func remove(_ kind: DeviceRecordKind, _ ids: some Sequence<String>) throws {
        let delete = try db.cachedStatement(sql: "DELETE FROM deviceRecord WHERE kind = ? AND id = ?")
        for id in ids {
            try delete.execute(arguments: [kind.name, id])
            storedDocuments.set(nil, kind, id)
        }
    }

    /// Removes all documents of some kinds.
    func removeAll(_ kinds: some Sequence<DeviceRecordKind>) throws {
        for kind in kinds {
            try db.execute(sql: "DELETE FROM deviceRecord WHERE kind = ?", arguments: [kind.name])
        }
        storedDocuments.removeAll()
    }
}

extension Database {
    /// Returns a document; nil if there is none.
    package func deviceRecord(_ kind: DeviceRecordKind, _ id: String) throws -> DeviceRecord? {
        try Row.fetchOne(
            cachedStatement(
                sql: "SELECT id, json, due, isUnsent, recordedAt FROM deviceRecord WHERE kind = ? AND id = ?"
            ),
            arguments: [kind.name, id]
        ).map(DeviceRecord.init)
    }

    /// Returns the ids of the documents of a kind, in the order in which they were first stored.
    package func deviceRecordIDs(_ kind: DeviceRecordKind) throws -> [String] {
        try String.fetchAll(
            cachedStatement(sql: "SELECT id FROM deviceRecord WHERE kind = ? ORDER BY rowid"),
            arguments: [kind.name]
        )
    }

    /// Returns the ids of the documents whose time is still to come, the earliest first.
    package func deviceRecordIDs(_ kind: DeviceRecordKind, waitingAt time: Int) throws -> [String] {
        try String.fetchAll(
            cachedStatement(sql: "SELECT id FROM deviceRecord WHERE kind = ? AND due > ? ORDER BY due, rowid"),
            arguments: [kind.name, time]
        )
    }

    /// Returns the ids of the documents whose time is still to come, and that record a later time than the present one,
    /// the earliest first: the clock was set back. Those of which the latest time isn't known are among them.
    package func deviceRecordIDs(_ kind: DeviceRecordKind, recordingLaterThan time: Int) throws -> [String] {
        try String.fetchAll(
            cachedStatement(
                sql: """
                    SELECT id FROM deviceRecord WHERE kind = ? AND due > ? AND (recordedAt > ? OR recordedAt IS NULL)
                        ORDER BY due, rowid
                    """
            ),
            arguments: [kind.name, time, time]
        )
    }

    /// Returns the ids of the documents whose time has come, the earliest first.
    package func deviceRecordIDs(_ kind: DeviceRecordKind, dueAt time: Int) throws -> [String] {
        try String.fetchAll(
            cachedStatement(sql: "SELECT id FROM deviceRecord WHERE kind = ? AND due <= ? ORDER BY due, rowid"),
            arguments: [kind.name, time]
        )
    }

    /// Returns the earliest time at which a document is due, in milliseconds; nil for never.
    package func nextDueDeviceRecord(_ kind: DeviceRecordKind) throws -> Int? {
        try Int.fetchOne(
            cachedStatement(sql: "SELECT min(due) FROM deviceRecord WHERE kind = ? AND due IS NOT NULL"),
            arguments: [kind.name]
        )
    }

    /// Whether there are at least that many documents of a kind.
    ///
    /// Rows are numbered from 1, so documents are only counted if a row's number is as high as that.
    ///
    /// - Parameter count: The number, at least 1.
    package func hasDeviceRecords(_ kind: DeviceRecordKind, atLeast count: Int) throws -> Bool {
        let high = try cachedStatement(sql: "SELECT 1 FROM deviceRecord WHERE rowid >= ? LIMIT 1")
        guard try Int.fetchOne(high, arguments: [count]) != nil else { return false }
        let select = try cachedStatement(sql: "SELECT count(*) FROM deviceRecord WHERE kind = ?")
        return try Int.fetchOne(select, arguments: [kind.name]) ?? 0 >= count
    }

    /// Returns the number of documents, of any kind, that would be lost with this device's store.
    package func unsentDeviceRecordCount() throws -> Int {
        try Int.fetchOne(cachedStatement(sql: "SELECT count(*) FROM deviceRecord WHERE isUnsent")) ?? 0
    }
}

extension DeviceRecord {
    init(_ row: Row) {
        self.init(id: row[0], json: row[1], due: row[2], isUnsent: row[3], recordedAt: row[4])
    }
}
