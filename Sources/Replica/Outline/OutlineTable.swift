import GRDB
import Groundwork

/// The outline rows of records that the server has and this device doesn't hold (``OutlineRule``), and the progress of
/// their listing.
///
/// A record has a row in its type's table or an outline row, never both: a trigger removes the outline row when the
/// record is inserted, and an evicted record leaves an outline row. Both kinds of row are counted in the same table, so
/// that replacing one with the other changes no count.
enum OutlineTable {
    /// One row per type: the state that the outline rows reflect, the cursor of the listing, and the counts that the
    /// server has sent meanwhile.
    static let schema = """
        CREATE TABLE outline(
            type TEXT PRIMARY KEY,
            upTo TEXT,
            cursor TEXT,
            isComplete INTEGER NOT NULL,
            counts TEXT,
            countedAt INTEGER
        ) WITHOUT ROWID;
        """

    /// The column `mayMissRecords`: whether records that belong on the device may be missing.
    static let mayLackColumn = "ALTER TABLE outline ADD COLUMN mayLack INTEGER NOT NULL DEFAULT 1;"

    static func indexes(for type: RecordType, _ outline: OutlineRule) -> [String] {
        outline.indexes.enumerated().map { number, columns in
            Schema.index("\(type.outlineTable)_\(number)", on: type.outlineTable, columns)
        }
    }

    static func statements(for type: RecordType, _ outline: OutlineRule) -> [String] {
        let columns = type.outlineColumns
        let declarations =
            ["phase INTEGER NOT NULL", "due INTEGER"] + columns.map(\.declaration)
            + columns.filter(\.isWritable).map(\.serverDeclaration)
        var statements = [
            """
            CREATE TABLE "\(type.outlineTable)"(
                id TEXT NOT NULL PRIMARY KEY,
                \(declarations.joined(separator: ",\n    "))
            ) WITHOUT ROWID
            """,
            "CREATE INDEX \"\(type.outlineTable)_due\" ON \"\(type.outlineTable)\"(due) WHERE due IS NOT NULL",
            "CREATE INDEX \"\(type.outlineTable)_order\" ON \"\(type.outlineTable)\"(phase, \"\(outline.order)\")",
            """
            CREATE TRIGGER "\(type.table)_held" AFTER INSERT ON "\(type.table)" BEGIN
                DELETE FROM "\(type.outlineTable)" WHERE id = NEW.id;
            END
            """,
            // Records that a query or a person requested are kept for a while, even outside the window.
            "ALTER TABLE \"\(type.table)\" ADD COLUMN askedAt INTEGER",
            "CREATE INDEX \"\(type.table)_asked\" ON \"\(type.table)\"(askedAt) WHERE askedAt IS NOT NULL",
        ]
        if case .newest(_, _, let retention) = type.window {
            statements.append(
                """
                CREATE INDEX "\(type.outlineTable)_kept" ON "\(type.outlineTable)"(id) \
                WHERE NOT (\(retention.evictable.rule()))
                """
            )
        }
        return statements + (type.counts.map { Schema.countTriggers(for: type, $0, on: type.outlineTable) } ?? [])
    }
}

extension Database {
    /// Returns the ids, of those given, whose records aren't on the device but have outline rows.
    package func idsWithOutline(_ type: RecordType, among ids: [String]) throws -> [String] {
        guard type.outline != nil else { return [] }
        return try String.fetchAll(
            cachedStatement(
                sql: """
                    SELECT asked.value FROM json_each(?) AS asked
                        CROSS JOIN "\(type.outlineTable)" AS light ON light.id = asked.value
                    """
            ),
            arguments: [JSON(ids).description]
        )
    }
}
