package import GRDB
import Groundwork

/// The tables of slices, and of the groups that are on the device because of them.
///
/// - `slice`: the slices of queries. A slice that is due is requested in the next round. A dropped slice is deleted in
///   it.
/// - `sliceGroup`: the groups that the server returned for a slice, and whether each of them matches the query, which
///   may be narrower than the filter.
/// - `openedGroup`: the groups that were requested by id, with the time of the request.
/// - `dueGroup`: the groups of which records are missing, or that may match a query after a change.
enum SliceTable {
    static let schema = """
        CREATE TABLE slice(
            key TEXT PRIMARY KEY,
            type TEXT NOT NULL,
            filters TEXT NOT NULL,
            isCollapsed INTEGER NOT NULL,
            wanted INTEGER,
            usedAt INTEGER NOT NULL,
            isDue INTEGER NOT NULL,
            isDropped INTEGER NOT NULL DEFAULT 0
        ) WITHOUT ROWID;
        CREATE TABLE sliceGroup(
            slice TEXT NOT NULL,
            name TEXT NOT NULL,
            type TEXT NOT NULL,
            matches INTEGER NOT NULL,
            PRIMARY KEY (slice, name)
        ) WITHOUT ROWID;
        CREATE INDEX sliceGroupByName ON sliceGroup(type, name);
        CREATE TABLE openedGroup(
            type TEXT NOT NULL, name TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (type, name)) WITHOUT ROWID;
        CREATE TABLE dueGroup(type TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (type, name)) WITHOUT ROWID;
        """
}

extension Database {
    /// Whether a slice is stored with at least this content and was used recently.
    package func isInUse(_ slice: Slice, at now: Int) throws -> Bool {
        guard let stored = try storedSlice(slice.key) else { return false }
        return !stored.isDropped && stored.usedAt > now - Slice.useInterval && stored.covers(slice)
    }

    func storedSlice(_ key: String) throws -> StoredSlice? {
        try Row.fetchOne(cachedStatement(sql: StoredSlice.select + " WHERE key = ?"), arguments: [key])
            .map(StoredSlice.init)
    }

    /// Whether a slice of some types has to be fetched or deleted.
    func hasDueSlices(_ types: [RecordType]) throws -> Bool {
        try types.contains { type in
            guard type.groups != nil else { return false }
            let select = try cachedStatement(sql: "SELECT 1 FROM slice WHERE type = ? AND isDue LIMIT 1")
            return try Int.fetchOne(select, arguments: [type.name]) != nil
        }
    }

    func dueSlices(_ type: RecordType) throws -> [StoredSlice] {
        try Row.fetchAll(
            cachedStatement(sql: StoredSlice.select + " WHERE type = ? AND isDue ORDER BY usedAt DESC, key"),
            arguments: [type.name]
        ).map(StoredSlice.init)
    }

    /// Returns the groups that a slice had when it was last fetched, and whether each of them matches.
    func groups(ofSlice key: String) throws -> [String: Bool] {
        let rows = try Row.fetchAll(
            cachedStatement(sql: "SELECT name, matches FROM sliceGroup WHERE slice = ?"),
            arguments: [key]
        )
        return Dictionary(rows.map { ($0[0], $0[1]) }, uniquingKeysWith: { $1 })
    }

    /// Returns the groups, of those given, that are complete on the device: they match a slice and haven't changed
    /// since.
    func completeGroups(_ type: RecordType, _ names: Set<String>) throws -> Set<String> {
        let select = try cachedStatement(
            sql: """
                SELECT 1 FROM sliceGroup WHERE type = :type AND name = :name AND matches
                    AND NOT EXISTS (SELECT 1 FROM dueGroup WHERE type = :type AND name = :name) LIMIT 1
                """
        )
        return try names.filter { try Int.fetchOne(select, arguments: ["type": type.name, "name": $0]) != nil }
    }

    func dueGroups(_ type: RecordType) throws -> Set<String> {
        try String.fetchSet(cachedStatement(sql: "SELECT name FROM dueGroup WHERE type = ?"), arguments: [type.name])
    }

    /// Returns the groups, of those given, that have records on the device.
    func groupsOnDevice(_ type: RecordType, _ groups: RecordGroups, _ names: Set<String>) throws -> Set<String> {
        let select = try cachedStatement(
            sql: "SELECT 1 FROM \"\(type.table)\" WHERE \"\(groups.column)\" = ? LIMIT 1"
        )
        return try names.filter { try Int.fetchOne(select, arguments: [$0]) != nil }
    }

    /// Returns the groups, of those given, that have records on the device and weren't opened after a time.
    package func groupsNotOpened(_ type: RecordType, _ names: [String], since time: Int) throws -> [String] {
        guard let groups = type.groups else { return [] }
        let held = try groupsOnDevice(type, groups, Set(names))
        let select = try cachedStatement(sql: "SELECT 1 FROM openedGroup WHERE type = ? AND name = ? AND at > ?")
        return try held.sorted().filter { try Int.fetchOne(select, arguments: [type.name, $0, time]) == nil }
    }

    /// Returns the groups of those records that are on the device, by record id.
    package func groupNames(_ type: RecordType, _ column: String, of ids: some Sequence<String>) throws -> [String:
        String]
    {
        let select = try cachedStatement(sql: "SELECT \"\(column)\" FROM \"\(type.table)\" WHERE id = ?")
        var names: [String: String] = [:]
        for id in ids { names[id] = try String.fetchOne(select, arguments: [id]) }
        return names
    }
}

/// A stored slice, with the time of its last use.
struct StoredSlice: Sendable {
    static let select = "SELECT key, filters, isCollapsed, wanted, usedAt, isDropped FROM slice"

    let slice: Slice
    let usedAt: Int
    let isDropped: Bool

    init(_ row: Row) {
        let text: String = row[1]
        let filters = (try? JSON(parsing: text.utf8))?.arrayValue ?? []
        slice = Slice(key: row[0], filters, row[2], row[3])
        usedAt = row[4]
        isDropped = row[5]
    }

    /// Whether the slice contains everything that another one with the same key requests.
    func covers(_ other: Slice) -> Bool {
        guard other.filters == slice.filters else { return false }
        guard let wanted = slice.wanted else { return true }
        return other.wanted.map { $0 <= wanted } ?? false
    }
}
