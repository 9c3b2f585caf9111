import Foundation
import GRDB
import GRDBSQLite
import Groundwork
import JMAP

/// A reader of the pending writes, queued records and settings of a damaged store, as far as SQLite can still read
/// them.
///
/// It uses SQLite's C interface, because GRDB opens no file whose first page is invalid. Everything that is read is
/// validated like untrusted input.
struct PendingSalvage {
    /// The contents that were read.
    struct Found {
        struct Entry: Hashable {
            let type, id, path, value: String
            let isSealed: Bool
        }

        var entries: [Entry] = []
        /// The queued records with their types, the oldest first.
        var queued: [(type: String, record: QueuedRecord)] = []
        /// The settings, by name.
        var settings: [String: String] = [:]
        /// The documents that exist only on this device, with their kinds.
        var deviceRecords: [(kind: DeviceRecordKind, record: DeviceRecord)] = []
        var dropped = 0
        var batches: [String: (epoch: String, number: Int)] = [:]
        var isComplete = false
        /// Whether pending writes may be lost.
        var mayHaveLostEntries = false

        func insert(into db: Database) throws {
            // Sealed writes are inserted first. Without its key a batch can't be repeated: its writes become unsealed,
            // and newer writes to the same properties replace them.
            for entry in entries.filter(\.isSealed) + entries.filter({ !$0.isSealed }) {
                let isSealed = entry.isSealed && batches[entry.type] != nil
                try db.execute(
                    sql: "INSERT OR REPLACE INTO pending(type, id, path, value, sealed) VALUES (?, ?, ?, ?, ?)",
                    arguments: [entry.type, entry.id, entry.path, entry.value, isSealed]
                )
            }
            for (type, record) in queued {
                try db.execute(
                    sql: "INSERT OR IGNORE INTO queued(type, uid, json, isExpendable) VALUES (?, ?, ?, ?)",
                    arguments: [type, record.uid, record.json.description, record.isExpendable]
                )
            }
            for (name, value) in settings {
                try db.execute(
                    sql: "INSERT OR IGNORE INTO setting(name, value) VALUES (?, ?)",
                    arguments: [name, value]
                )
            }
            let writer = StoreWriter(db: db, now: 0)
            for (kind, record) in deviceRecords { try writer.put(kind, record) }
            if !isComplete { try db.execute(sql: "UPDATE store SET isIncomplete = 1") }
            try db.execute(sql: "UPDATE store SET dropped = ?", arguments: [dropped])
            for (type, batch) in batches where entries.contains(where: { $0.type == type && $0.isSealed }) {
                try db.execute(
                    sql: "INSERT INTO sealedBatch(type, epoch, number) VALUES (?, ?, ?)",
                    arguments: [type, batch.epoch, batch.number]
                )
            }
        }
    }

    private let connection: OpaquePointer?
    private let copy: URL?

    /// Opens the damaged file and locks it, so that other processes can't write to it until ``close()``.
    ///
    /// - Parameter new: A new store with the same schema, whose header replaces a lost one.
    init(_ location: StoreLocation, like new: StoreLocation) {
        if Self.hasHeader(location.file) {
            copy = nil
            connection = Self.open(location.file)
        } else {
            copy = Self.copy(of: location, withHeaderOf: new)
            connection = copy.flatMap(Self.open)
        }
        // If this fails, the file is too damaged for other processes to write to, too.
        sqlite3_exec(connection, "PRAGMA writable_schema = ON; BEGIN IMMEDIATE", nil, nil, nil)
    }

    func close() {
        sqlite3_close_v2(connection)
        if let copy {
            for file in StoreLocation(file: copy).database { try? FileManager.default.removeItem(at: file) }
        }
    }

    func read(_ types: [RecordType]) -> Found {
        var found = Found()
        // A row that differs from its second copy is damaged.
        let hasSecondCopies = !isOlderThanSecondCopies
        let hasAllEntries = readEntries(types, &found, hasSecondCopies)
        let hasAllQueued = readQueued(types, &found, hasSecondCopies)
        let hasAllSettings = readSettings(&found, hasSecondCopies)
        let hasAllDeviceRecords = readDeviceRecords(&found)
        _ = rows("SELECT type, epoch, number FROM sealedBatch") { row in
            guard let type = row.text(0), let epoch = row.text(1), Identifier.isValid(epoch) else { return }
            found.batches[type] = (epoch, row.int(2))
        }
        _ = rows("SELECT dropped FROM store") { row in found.dropped = max(0, row.int(0)) }
        found.mayHaveLostEntries = !hasAllEntries
        found.isComplete = hasAllEntries && hasAllQueued && hasAllSettings && hasAllDeviceRecords
        return found
    }

    /// Reads the pending entries of a damaged file, as far as they can be read.
    ///
    /// - Returns: Whether all stored entries were read, unchanged. `readQueued` and `readSettings` return the same.
    private func readEntries(_ types: [RecordType], _ found: inout Found, _ hasSecondCopies: Bool) -> Bool {
        var (entries, areValid): ([Int: Found.Entry], Bool) = ([:], true)
        let areRead = rowsFromBothEnds(
            "SELECT rowid, type, id, path, value, sealed FROM pending NOT INDEXED ORDER BY rowid"
        ) {
            row in
            guard let entry = Self.entry(row, types) else {
                areValid = false
                return
            }
            entries[row.int(0)] = entry
        }
        var areSame = removeMismatches(
            in: &entries,
            comparedWith:
                "SELECT rowid, type, id, path, CAST(sealed AS TEXT) FROM pending INDEXED BY sqlite_autoindex_pending_1 "
                + "ORDER BY type, id, path, sealed"
        ) { [$0.type, $0.id, $0.path, $0.isSealed ? "1" : "0"] }
        if hasSecondCopies {
            let haveSameValues = removeMismatches(
                in: &entries,
                comparedWith: "SELECT rowid, value FROM pending INDEXED BY pendingByValue ORDER BY value"
            ) { [$0.value] }
            areSame = areSame && haveSameValues
        }
        found.entries = entries.sorted { $0.key < $1.key }.map(\.value)
        return areRead && areValid && areSame
    }

    private func readQueued(_ types: [RecordType], _ found: inout Found, _ hasSecondCopies: Bool) -> Bool {
        var queued: [Int: (type: String, record: QueuedRecord, json: String)] = [:]
        var areValid = true
        let areRead = rowsFromBothEnds(
            "SELECT rowid, type, uid, json, isExpendable FROM queued NOT INDEXED ORDER BY rowid"
        ) {
            row in
            guard let type = row.text(1), types.contains(where: { $0.queue?.name == type }),
                let uid = row.text(2), Identifier.isValid(uid),
                let text = row.text(3), let json = try? JSON(parsing: text.utf8)
            else {
                areValid = false
                return
            }
            let record = QueuedRecord(uid: uid, json: json, isExpendable: row.int(4) != 0)
            queued[row.int(0)] = (type, record, text)
        }
        var areSame = removeMismatches(
            in: &queued,
            comparedWith: "SELECT rowid, type, uid FROM queued INDEXED BY sqlite_autoindex_queued_1 ORDER BY type, uid"
        ) { [$0.type, $0.record.uid] }
        if hasSecondCopies {
            let haveSameJSON = removeMismatches(
                in: &queued,
                comparedWith: "SELECT rowid, json FROM queued INDEXED BY queuedByJSON ORDER BY json"
            ) { [$0.json] }
            areSame = areSame && haveSameJSON
        }
        found.queued = queued.sorted { $0.key < $1.key }.map { ($0.value.type, $0.value.record) }
        return areRead && areValid && areSame
    }

    /// Reads the documents of this device, as far as they can be read.
    ///
    /// - Returns: Whether all stored documents were read. Those that aren't JSON any more are lost.
    private func readDeviceRecords(_ found: inout Found) -> Bool {
        // A store of an earlier version has none.
        guard hasDeviceRecords else { return true }
        var (records, areValid): ([Int: (kind: DeviceRecordKind, record: DeviceRecord)], Bool) = ([:], true)
        let areRead = rowsFromBothEnds(
            "SELECT rowid, kind, id, json, due, due IS NULL, isUnsent FROM deviceRecord NOT INDEXED ORDER BY rowid"
        ) { row in
            guard let kind = row.text(1), let id = row.text(2), let json = row.text(3), Identifier.isValid(id),
                (try? JSON(parsing: json.utf8)) != nil
            else {
                areValid = false
                return
            }
            let record = DeviceRecord(
                id: id,
                json: json,
                due: row.int(5) != 0 ? nil : row.int(4),
                isUnsent: row.int(6) != 0
            )
            records[row.int(0)] = (DeviceRecordKind(kind), record)
        }
        found.deviceRecords = records.sorted { $0.key < $1.key }.map(\.value)
        return areRead && areValid
    }

    private var hasDeviceRecords: Bool {
        var isFound = false
        let isRead = rows("SELECT 1 FROM sqlite_master WHERE name = 'deviceRecord'") { _ in isFound = true }
        return isFound || !isRead
    }

    private func readSettings(_ found: inout Found, _ hasSecondCopies: Bool) -> Bool {
        let settings = pairs("SELECT name, value FROM setting NOT INDEXED")
        found.settings = settings.all
        guard hasSecondCopies else { return settings.areAll }
        let copies = pairs("SELECT name, value FROM setting INDEXED BY settingByValue ORDER BY value")
        if copies.areAll { found.settings = settings.all.filter { copies.all[$0.key] == $0.value } }
        return settings.areAll && copies.areAll && settings.all == copies.all
    }
}

extension PendingSalvage {
    private static func open(_ file: URL) -> OpaquePointer? {
        var connection: OpaquePointer?
        guard sqlite3_open_v2(file.path, &connection, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else {
            sqlite3_close_v2(connection)
            return nil
        }
        sqlite3_busy_timeout(connection, 10_000)
        // As in ``StoreOpening``: the log's name will soon belong to another store.
        var isKept: CInt = 1
        sqlite3_file_control(connection, nil, SQLITE_FCNTL_PERSIST_WAL, &isKept)
        return connection
    }

    /// The first bytes of every SQLite file, with the terminating zero.
    private static let magic = Data("SQLite format 3\0".utf8)

    private static func hasHeader(_ file: URL) -> Bool {
        guard let handle = try? FileHandle(forReadingFrom: file) else { return false }
        defer { try? handle.close() }
        return (try? handle.read(upToCount: magic.count)) == magic
    }

    /// Copies a file that has lost its header, and gives the copy the header of another store with the number of pages
    /// corrected.
    private static func copy(of location: StoreLocation, withHeaderOf new: StoreLocation) -> URL? {
        let headerSize = 100
        guard var file = try? Data(contentsOf: location.file), let new = try? Data(contentsOf: new.file),
            file.count >= headerSize, new.count >= headerSize
        else { return nil }
        var header = new.prefix(headerSize)
        let pageSize = Int(header[16]) << 8 | Int(header[17])
        guard pageSize > 0 else { return nil }
        header.replaceSubrange(28..<32, with: withUnsafeBytes(of: UInt32(file.count / pageSize).bigEndian, Array.init))
        // The list of free pages is dropped. Reading doesn't need it.
        header.replaceSubrange(32..<40, with: [UInt8](repeating: 0, count: 8))
        file.replaceSubrange(0..<headerSize, with: header)
        let copy = location.rebuilt.file.appendingPathExtension("copy")
        return FileManager.default.createFile(
            atPath: copy.path,
            contents: file,
            attributes: [.posixPermissions: 0o600]
        ) ? copy : nil
    }

    /// Calls a closure for each row of a query that is ordered by `rowid`. If a page is damaged, the rows are also read
    /// from the other end up to that page.
    ///
    /// - Returns: Whether all rows were read in one direction.
    private func rowsFromBothEnds(_ sql: String, _ body: (SalvagedRow) -> Void) -> Bool {
        if rows(sql, body) { return true }
        _ = rows(sql + " DESC", body)
        return false
    }

    /// Returns names with their values, and whether all of the stored ones were read.
    private func pairs(_ sql: String) -> (all: [String: String], areAll: Bool) {
        var (all, areText): ([String: String], Bool) = ([:], true)
        let isRead = rows(sql) { row in
            guard let name = row.text(0), let value = row.text(1) else {
                areText = false
                return
            }
            all[name] = value
        }
        return (all, isRead && areText)
    }

    /// Whether a version without second copies created the file. If that can't be determined, the copies count as lost.
    private var isOlderThanSecondCopies: Bool {
        var names: Set<String> = []
        let isRead = rows("SELECT identifier FROM grdb_migrations UNION ALL SELECT name FROM sqlite_master") { row in
            names.insert(row.text(0) ?? "")
        }
        return isRead && names.contains("grdb_migrations") && names.isDisjoint(with: CoveringIndexes.names)
    }

    /// Removes the rows that differ between the table and an index.
    ///
    /// - Parameters:
    ///   - found: The rows of the table, by `rowid`.
    ///   - sql: A query that reads `rowid` and columns from the index alone.
    ///   - columns: Returns the same columns of a row.
    /// - Returns: Whether table and index are equal. If the index can't be read to its end, no row is removed.
    private func removeMismatches<Row>(in found: inout [Int: Row], comparedWith sql: String, columns: (Row) -> [String])
        -> Bool
    {
        var copies: [Int: [String]] = [:]
        let isRead = rows(sql) { row in copies[row.int(0)] = (1..<row.count).map { row.text($0) ?? "" } }
        guard isRead else { return false }
        let kept = found.filter { copies[$0.key] == columns($0.value) }
        let isSame = kept.count == found.count && kept.count == copies.count
        found = kept
        return isSame
    }

    /// Calls a closure for each row of a query.
    ///
    /// - Returns: Whether the last row was reached.
    private func rows(_ sql: String, _ body: (SalvagedRow) -> Void) -> Bool {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else { return false }
        defer { sqlite3_finalize(statement) }
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: body(SalvagedRow(statement: statement))
            case SQLITE_DONE: return true
            default: return false
            }
        }
    }

    /// Returns the entry of a row; nil if it is invalid.
    private static func entry(_ row: SalvagedRow, _ types: [RecordType]) -> Found.Entry? {
        guard let type = row.text(1), let id = row.text(2), let path = row.text(3), let value = row.text(4),
            Identifier.isValid(id) || id.hasPrefix(PendingBulk.idPrefix), (try? JSON(parsing: value.utf8)) != nil,
            Identifier.isValid(type)
        else { return nil }
        // The writable properties of a type that is added to the store later aren't known yet.
        if let known = types.first(where: { $0.name == type }), known.writableColumn(path) == nil,
            known.outline?.bulk?.argument != path, !known.annotations.contains(path)
        {
            return nil
        }
        return Found.Entry(type: type, id: id, path: path, value: value, isSealed: row.int(5) != 0)
    }
}

private struct SalvagedRow {
    let statement: OpaquePointer?

    var count: Int32 { sqlite3_column_count(statement) }

    func int(_ column: Int32) -> Int { Int(sqlite3_column_int64(statement, column)) }

    /// Returns the text of a column; nil if it isn't text in UTF-8.
    func text(_ column: Int32) -> String? {
        guard sqlite3_column_type(statement, column) == SQLITE_TEXT,
            let start = sqlite3_column_text(statement, column)
        else { return nil }
        let text = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
        return UTF8Validation.firstError(in: text) == nil ? String(decoding: text, as: UTF8.self) : nil
    }
}
