import GRDB
import Groundwork

/// The annotations of patches: members that aren't fields, such as whether consent applies
/// (``RecordType/annotations``).
///
/// An annotation is a pending entry without a column. It is sealed, repeated and answered with the writes of its
/// record, and never exists without one. It can't be refused, and isn't shown.
extension StoreWriter {
    /// Sets an annotation of a record's unsealed writes. Once it is false, it stays false. Does nothing if the record
    /// has no unsealed writes.
    package func annotate(_ type: RecordType, _ name: String, _ value: Bool, of id: String) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO pending(type, id, path, value) SELECT :type, :id, :name, :value
                    WHERE EXISTS (SELECT 1 FROM pending WHERE type = :type AND id = :id AND path <> :name
                    AND sealed = 0)
                    ON CONFLICT DO UPDATE SET value = excluded.value WHERE excluded.value = 'false'
                """
        ).execute(
            arguments: ["type": type.name, "id": id, "name": name, "value": value ? "true" : "false"]
        )
    }

    /// Removes annotations without writes, of one record or of all.
    func deleteOrphanedAnnotations(_ type: RecordType, of id: String? = nil) throws {
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

    /// Copies the annotations of sealed writes to the unsealed writes of the same records: those that follow a bulk
    /// write and are sealed later.
    func copySealedAnnotations(_ type: RecordType, of ids: [String]) throws {
        guard !type.annotations.isEmpty else { return }
        try db.cachedStatement(
            sql: """
                INSERT OR IGNORE INTO pending(type, id, path, value)
                    SELECT type, id, path, value FROM pending AS noted
                    WHERE type = :type AND sealed = 1 AND id IN (SELECT value FROM json_each(:ids))
                        AND path IN (SELECT value FROM json_each(:names))
                        AND EXISTS (
                            SELECT 1 FROM pending WHERE pending.type = noted.type
                            AND pending.id = noted.id AND sealed = 0)
                """
        ).execute(arguments: ["type": type.name, "ids": JSON(ids).description, "names": type.annotationNames])
    }

    /// Prepares the unsealing of a batch: an annotation that is false in the batch stays false, whatever was set later.
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

    /// Sets unreadable annotations to false.
    func resetUnreadableAnnotations(_ type: RecordType) throws {
        guard !type.annotations.isEmpty else { return }
        try db.cachedStatement(
            sql: """
                UPDATE pending SET value = 'false'
                WHERE type = :type AND path IN (SELECT value FROM json_each(:names)) AND value NOT IN ('true', 'false')
                """
        ).execute(arguments: ["type": type.name, "names": type.annotationNames])
    }

    /// Adds missing annotations with the value false. Called after a file was rebuilt of which not everything could be
    /// read, because annotations may be lost.
    func insertMissingAnnotations(_ type: RecordType) throws {
        for name in type.annotations {
            try db.execute(
                sql: """
                    INSERT OR IGNORE INTO pending(type, id, path, value, sealed)
                        SELECT DISTINCT type, id, ?, 'false', sealed FROM pending
                        WHERE type = ? AND substr(id, 1, 1) <> '\(PendingBulk.idPrefix)'
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
