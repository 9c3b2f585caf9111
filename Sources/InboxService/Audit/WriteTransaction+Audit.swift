import Foundation
package import Groundwork

extension WriteTransaction {
    /// Adds an entry to the audit log in this transaction.
    ///
    /// - Parameters:
    ///   - person: The app's id of the person that the entry is about. An erasure of the person removes it.
    ///   - erasure: The receipt of an erasure.
    ///   - detail: Ids, names of scopes and numbers, never contents, keys or tokens.
    package func audit(
        _ kind: AuditKind,
        by actor: AuditActor,
        person: String? = nil,
        erasure: String? = nil,
        detail: JSONObject = JSONObject()
    ) throws {
        try db.run(
            "INSERT INTO audit (at, kind, apiKey, personName, erasure, detail) VALUES (?, ?, ?, ?, ?, ?)",
            [now.milliseconds, kind.rawValue, actor.key, person, erasure, JSON.object(detail).description]
        )
    }

    /// Adds to the count of an hour.
    ///
    /// - Parameter hour: The beginning of the hour, in milliseconds since 1970.
    func count(_ number: Int, _ kind: AuditKind, reason: String, hour: Int) throws {
        try db.run(
            SQLText(
                sqlite: """
                    INSERT INTO audit (at, kind, reason, count) SELECT ?, ?, ?, ? WHERE ? IS NOT NULL
                    ON CONFLICT (kind, reason, at) WHERE count IS NOT NULL
                    DO UPDATE SET count = audit.count + excluded.count
                    """,
                postgres: """
                    INSERT INTO audit (at, kind, reason, count, slot) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT (kind, reason, at, slot) WHERE count IS NOT NULL
                    DO UPDATE SET count = audit.count + excluded.count
                    """
            ),
            [hour, kind.rawValue, reason, number, slot]
        )
    }

    /// Adds the receipt to the entries about a person who is being erased. The person's id is removed along with the
    /// other rows.
    func linkAudit(of name: String, to receipt: String) throws {
        try db.run("UPDATE audit SET erasure = ? WHERE personName = ?", [receipt, name])
    }
}
