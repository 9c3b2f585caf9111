import GRDB

/// The tables of a store.
///
/// - `store`: one row, with the revision, which counts the writes.
/// - `syncRequest`: requests of other processes to the process that syncs.
/// - `sync`: for each type, the account and the server's state up to which the rows are current.
/// - One table for each type, with its table of counts and the triggers that maintain them.
/// - `pending`, `sealedBatch`: changes by the person that the server hasn't confirmed yet.
/// - `removed`: recently removed rows.
/// - `queued`: records that wait to be created on the server, such as events.
/// - `setting`: settings of the person or the app.
/// - Indexes with a second copy of data that only this device has (``CoveringIndexes``).
/// - `slice` and others: the slices that queries have requested, for types of which a device holds only these
///   (``SliceTable``).
/// - `outline`, and a table of outline rows for each type that has them (``OutlineTable``).
/// - `picture`: pictures that records show, from the web (``PictureTable``).
/// - `deviceRecord`: documents that exist only on this device (``DeviceRecordTable``).
/// - `setAside`: records that couldn't be decoded, with the reason.
enum Schema {
    /// Incremented with each change of the schema, so that records that an older version has set aside are read again.
    static let version = 11

    static func migrator(types: [RecordType]) -> DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("replica 1") { db in
            try db.execute(sql: shared)
        }
        for type in types {
            migrator.registerMigration("\(type.table) 1") { db in
                try db.execute(sql: statements(for: type).joined(separator: ";\n"))
            }
        }
        migrator.registerMigration("replica 2") { db in
            try db.execute(sql: RemovedRows.table)
        }
        for type in types {
            migrator.registerMigration("\(type.table) 2") { db in
                try db.execute(sql: RemovedRows.trigger(type))
            }
        }
        migrator.registerMigration("replica 3") { db in
            try db.execute(sql: QueueTable.schema + SettingTable.schema)
        }
        for type in types {
            migrator.registerMigration("\(type.table) 3") { db in
                try db.execute(sql: ProvisionalRows.schema(type))
            }
        }
        migrator.registerMigration("replica 4") { db in
            try db.execute(sql: WindowProgress.schema)
        }
        migrator.registerMigration("replica slices") { db in
            try db.execute(sql: SliceTable.schema)
        }
        // Before the types' own statements, whose triggers may refer to it.
        migrator.registerMigration("replica 10") { db in
            try db.execute(sql: DeviceRecordTable.schema)
        }
        for type in types where !type.schema.isEmpty {
            migrator.registerMigration("\(type.table) 4") { db in
                try db.execute(sql: type.schema.joined(separator: ";\n"))
            }
        }
        migrator.registerMigration("replica 5") { db in
            try db.execute(sql: SyncRequests.schema)
        }
        migrator.registerMigration("replica 6") { db in
            try db.execute(sql: OutlineTable.schema)
        }
        for type in types {
            guard let outline = type.outline else { continue }
            migrator.registerMigration("\(type.table) 6") { db in
                try db.execute(sql: OutlineTable.statements(for: type, outline).joined(separator: ";\n"))
            }
        }
        migrator.registerMigration("replica 7") { db in
            try db.execute(sql: OutlineTable.mayLackColumn)
        }
        for type in types {
            guard let outline = type.outline, !outline.indexes.isEmpty else { continue }
            migrator.registerMigration("\(type.table) 7") { db in
                try db.execute(sql: OutlineTable.indexes(for: type, outline).joined(separator: ";\n"))
            }
        }
        migrator.registerMigration(CoveringIndexes.migration) { db in
            try db.execute(sql: CoveringIndexes.schema)
        }
        migrator.registerMigration("replica 9") { db in
            try db.execute(sql: PictureTable.schema)
        }
        for type in types {
            guard let pictures = type.pictures else { continue }
            migrator.registerMigration("\(type.table) 9") { db in
                try db.execute(sql: PictureTable.triggers(for: type, pictures).joined(separator: ";\n"))
            }
        }
        migrator.registerMigration("replica 11") { db in
            try db.execute(sql: DeviceRecordTable.recordedAtColumn)
        }
        for type in types {
            for migration in type.migrations {
                migrator.registerMigration("\(type.table): \(migration.name)") { db in
                    try db.execute(sql: migration.sql.joined(separator: ";\n"))
                }
            }
        }
        return migrator
    }

    /// Returns whether a file has all migrations. This is faster than running them.
    static func isCurrent(_ db: Database, _ types: [RecordType]) throws -> Bool {
        guard try db.tableExists("grdb_migrations") else { return false }
        let applied = try String.fetchSet(db, sql: "SELECT identifier FROM grdb_migrations")
        return applied.isSuperset(of: migrator(types: types).migrations)
    }

    /// Returns the first migration of a newer version that a file has.
    ///
    /// Nil if it has none. Nil too if it lacks one of this version: then a name that isn't known may be a damaged one.
    ///
    /// Those of types with which the store isn't opened don't count, and neither do those of a type's parts that this
    /// store doesn't have, such as an outline.
    static func newerMigration(in db: Database, _ types: [RecordType]) throws -> String? {
        guard try db.tableExists("grdb_migrations") else { return nil }
        let known = Set(migrator(types: types).migrations)
        let applied = try String.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations ORDER BY rowid")
        guard known.isSubset(of: applied) else { return nil }
        let tables = Set(types.map(\.table))
        return applied.first { name in
            guard !known.contains(name), let end = name.firstIndex(where: { [" ", ":"].contains($0) }) else {
                return false
            }
            if name[..<end] == "replica" { return true }
            guard tables.contains(String(name[..<end])) else { return false }
            // "note 6" is of the schema's version 6; "note: name" is a change of the type's own.
            return name[end] == ":" || Int(name[name.index(after: end)...]).map { $0 > version } ?? true
        }
    }

    private static let shared = """
        CREATE TABLE store(
            id INTEGER PRIMARY KEY CHECK (id = 1),
            revision INTEGER NOT NULL,
            syncRequested INTEGER NOT NULL,
            syncServed INTEGER NOT NULL,
            session TEXT,
            version INTEGER NOT NULL
        );
        INSERT INTO store VALUES (1, 0, 0, 0, NULL, 1);
        CREATE TABLE sync(type TEXT PRIMARY KEY, account TEXT NOT NULL, state TEXT, syncedAt INTEGER) WITHOUT ROWID;
        CREATE TABLE pending(
            rowid INTEGER PRIMARY KEY,
            type TEXT NOT NULL,
            id TEXT NOT NULL,
            path TEXT NOT NULL,
            value TEXT NOT NULL,
            sealed INTEGER NOT NULL DEFAULT 0 CHECK (sealed IN (0, 1)),
            UNIQUE (type, id, path, sealed)
        );
        CREATE INDEX pendingBySealed ON pending(type, sealed);
        CREATE TABLE sealedBatch(type TEXT PRIMARY KEY, epoch TEXT NOT NULL, number INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE setAside(
            rowid INTEGER PRIMARY KEY,
            type TEXT NOT NULL,
            id TEXT NOT NULL,
            json BLOB NOT NULL,
            reason TEXT NOT NULL,
            UNIQUE (type, id)
        );
        """

    private static func statements(for type: RecordType) -> [String] {
        let columns = type.columns.map(\.declaration) + type.writableColumns.map(\.serverDeclaration)
        let table = """
            CREATE TABLE "\(type.table)"(
                rowid INTEGER PRIMARY KEY,
                \(RecordTable.id) TEXT NOT NULL UNIQUE,
                \(RecordTable.json) BLOB NOT NULL,
                revision INTEGER NOT NULL,
                \(RecordTable.phase) INTEGER NOT NULL,
                \((["\(RecordTable.due) INTEGER"] + columns).joined(separator: ",\n    "))
            )
            """
        let indexes = (type.indexes + ["revision", "due WHERE due IS NOT NULL"]).enumerated().map { number, columns in
            index("\(type.table)_\(number)", on: type.table, columns)
        }
        return [table] + indexes + (type.counts.map { countStatements(for: type, $0) } ?? [])
    }

    /// Returns the statement that creates an index.
    ///
    /// - Parameter columns: The columns, followed by the condition of a partial index.
    static func index(_ name: String, on table: String, _ columns: String) -> String {
        let parts = columns.split(separator: " WHERE ", maxSplits: 1)
        return "CREATE INDEX \"\(name)\" ON \"\(table)\"(\(parts[0]))"
            + parts.dropFirst().map { " WHERE \($0)" }.joined()
    }

    /// Returns the statements that create the table of counts and its triggers. Each change of a row updates the counts
    /// of its bucket in the same statement.
    private static func countStatements(for type: RecordType, _ counts: RecordType.CountRule) -> [String] {
        let (buckets, counters) = (counts.buckets, counts.counters)
        let declarations =
            buckets.map { "\($0) TEXT NOT NULL" }
            + counters.map { "\($0.name) INTEGER NOT NULL CHECK (\($0.name) >= 0)" }
        return [
            """
            CREATE TABLE "\(type.countTable)"(\(declarations.joined(separator: ", ")),
                PRIMARY KEY (\(buckets.joined(separator: ", ")))) WITHOUT ROWID
            """
        ] + countTriggers(for: type, counts, on: type.table)
    }

    /// Returns the triggers that count the rows of a table: the type's own, or that of its outline rows.
    static func countTriggers(
        for type: RecordType,
        _ counts: RecordType.CountRule,
        on rows: String
    ) -> [String] {
        let table = "\"\(type.countTable)\""
        let buckets = counts.buckets
        let counters = counts.counters
        let names = (buckets + counters.map(\.name)).joined(separator: ", ")
        func bucket(_ name: String, _ row: String) -> String { "ifnull(\(row).\"\(name)\", '')" }
        func condition(_ counter: (name: String, condition: String), _ row: String) -> String {
            "(\(counter.condition.rule(row: row)))"
        }
        func add(_ row: String) -> String {
            let values = buckets.map { bucket($0, row) } + counters.map { condition($0, row) }
            let sums = counters.map { "\($0.name) = \($0.name) + excluded.\($0.name)" }
            return """
                INSERT INTO \(table)(\(names)) VALUES (\(values.joined(separator: ", ")))
                    ON CONFLICT DO UPDATE SET \(sums.joined(separator: ", "));
                """
        }
        func change(_ sums: [String], _ row: String) -> String {
            let place = buckets.map { "\($0) = \(bucket($0, row))" }
            return "UPDATE \(table) SET \(sums.joined(separator: ", ")) WHERE \(place.joined(separator: " AND "));"
        }
        let subtract = change(counters.map { "\($0.name) = \($0.name) - \(condition($0, "OLD"))" }, "OLD")
        let shift = change(
            counters.map { "\($0.name) = \($0.name) + \(condition($0, "NEW")) - \(condition($0, "OLD"))" },
            "NEW"
        )
        let moved = buckets.map { "\(bucket($0, "OLD")) <> \(bucket($0, "NEW"))" }.joined(separator: " OR ")
        let counted = counters.map { "\(condition($0, "OLD")) <> \(condition($0, "NEW"))" }.joined(separator: " OR ")
        func trigger(_ name: String, _ event: String, when: String? = nil, _ body: String) -> String {
            """
            CREATE TRIGGER "\(rows)_\(name)" AFTER \(event) ON "\(rows)"
            \(when.map { "WHEN \($0) " } ?? "")BEGIN
                \(body)
            END
            """
        }
        return [
            trigger("counted", "INSERT", add("NEW")),
            trigger("uncounted", "DELETE", subtract),
            trigger("recounted", "UPDATE", when: "NOT (\(moved)) AND (\(counted))", shift),
            trigger("rebucketed", "UPDATE", when: moved, "\(subtract)\n\(add("NEW"))"),
        ]
    }
}

extension RecordType {
    /// The name of the table of counts.
    package var countTable: String { table + "Count" }
}
