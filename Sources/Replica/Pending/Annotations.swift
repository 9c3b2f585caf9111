import GRDB
import Groundwork

/// What stands beside the fields in a patch, such as whether consent holds for it (``RecordType/annotations``).
///
/// An annotation is a pending entry without a column: sealed, repeated and answered with the writes of its record,
/// never there without one, and nothing that could be refused or shown.
extension StoreWriter {
    /// Notes beside the writes of a record that wait to be sealed whether something holds for them. False for one of
    /// them is false for all. Does nothing where none waits.
    package func annotate(_ type: RecordType, _ name: String, _ holds: Bool, of id: String) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO pending(type, id, path, value) SELECT :type, :id, :name, :value
                    WHERE EXISTS (SELECT 1 FROM pending WHERE type = :type AND id = :id AND path <> :name AND sealed = 0)
                    ON CONFLICT DO UPDATE SET value = excluded.value WHERE excluded.value = 'false'
                """
        ).execute(
            arguments: ["type": type.name, "id": id, "name": name, "value": holds ? "true" : "false"]
        )
    }

    /// Removes the annotations of a record, or of all, that stand beside no write.
    func dropLoneAnnotations(_ type: RecordType, of id: String? = nil) throws {
        guard !type.annotations.isEmpty else { return }
        var arguments: StatementArguments = ["type": type.name, "names": type.annotationNames]
        if let id { arguments += ["id": id] }
        try db.cachedStatement(
            sql: """
                DELETE FROM pending WHERE type = :type \(id == nil ? "" : "AND id = :id")
                    AND path IN (SELECT value FROM json_each(:names))
                    AND NOT EXISTS (
                        SELECT 1 FROM pending AS other
                        WHERE other.type = pending.type AND other.id = pending.id AND other.sealed = pending.sealed
                            AND other.path NOT IN (SELECT value FROM json_each(:names)))
                """
        ).execute(arguments: arguments)
    }

    /// Notes the same beside those writes of records that wait behind a write without names, where others of theirs
    /// were sealed before it.
    func repeatAnnotations(_ type: RecordType, of ids: [String]) throws {
        guard !type.annotations.isEmpty else { return }
        try db.cachedStatement(
            sql: """
                INSERT OR IGNORE INTO pending(type, id, path, value)
                    SELECT type, id, path, value FROM pending AS noted
                    WHERE type = :type AND sealed = 1 AND id IN (SELECT value FROM json_each(:ids))
                        AND path IN (SELECT value FROM json_each(:names))
                        AND EXISTS (
                            SELECT 1 FROM pending WHERE pending.type = noted.type AND pending.id = noted.id AND sealed = 0)
                """
        ).execute(arguments: ["type": type.name, "ids": JSON(ids).description, "names": type.annotationNames])
    }

    /// Before a sealed batch is opened again: what is false in it stays false, whatever was noted since.
    func mergeAnnotations(_ type: RecordType) throws {
        guard !type.annotations.isEmpty else { return }
        try db.cachedStatement(
            sql: """
                UPDATE pending SET value = 'false'
                WHERE type = :type AND sealed = 0 AND path IN (SELECT value FROM json_each(:names)) AND EXISTS (
                    SELECT 1 FROM pending AS earlier
                    WHERE earlier.type = :type AND earlier.id = pending.id AND earlier.path = pending.path
                        AND earlier.sealed = 1 AND earlier.value = 'false')
                """
        ).execute(arguments: ["type": type.name, "names": type.annotationNames])
    }

    /// Takes annotations that can't be read for false.
    func denyDamagedAnnotations(_ type: RecordType) throws {
        guard !type.annotations.isEmpty else { return }
        try db.cachedStatement(
            sql: """
                UPDATE pending SET value = 'false'
                WHERE type = :type AND path IN (SELECT value FROM json_each(:names)) AND value NOT IN ('true', 'false')
                """
        ).execute(arguments: ["type": type.name, "names": type.annotationNames])
    }

    /// After a file was rebuilt of which not all could be read: what was noted beside a write, and may be lost, counts
    /// as false.
    func denyLostAnnotations(_ type: RecordType) throws {
        for name in type.annotations {
            try db.execute(
                sql: """
                    INSERT OR IGNORE INTO pending(type, id, path, value, sealed)
                        SELECT DISTINCT type, id, ?, 'false', sealed FROM pending
                        WHERE type = ? AND substr(id, 1, 1) <> '\(PendingBulk.mark)'
                    """,
                arguments: [name, type.name]
            )
        }
    }
}

extension RecordType {
    /// The names of the annotations, as a JSON array.
    fileprivate var annotationNames: String { JSON(annotations).description }
}
