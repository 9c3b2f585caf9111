import Foundation
package import Groundwork
import InboxModel

/// An entry of the audit log: who did what and when. It never contains the data itself.
package struct AuditEntry: Sendable {
    package let id: AuditID
    let at: Int
    /// An ``AuditKind``, or a kind of a newer version.
    let kind: String
    let key: Int?
    let person: String?
    let erasure: String?
    let reason: String
    let count: Int?
    /// A JSON object.
    let detail: String

    /// The time for which entries are kept, in seconds.
    static let lifetime: TimeInterval = 400 * 86_400

    static let columns = "id, at, kind, apiKey, personName, erasure, reason, count, detail"

    // Servers that share a database count in rows of their own. They are one entry, with the id of the first.
    private static let slots = """
        FROM audit s WHERE s.kind = a.kind AND s.reason = a.reason AND s.at = a.at AND s.count IS NOT NULL
        """
    /// The same columns of `a`, with the counts of all servers.
    static let summedColumns = columns.replacingOccurrences(
        of: "count",
        with: "CASE WHEN count IS NOT NULL THEN (SELECT sum(s.count) \(slots))::bigint END"
    )
    /// Whether an entry of `a` isn't another server's part of an earlier one.
    static let isFirstSlot = "(count IS NULL OR NOT EXISTS (SELECT 1 \(slots) AND s.id < a.id))"

    /// Creates an entry.
    ///
    /// - Parameter row: A row with ``columns``.
    init(row: SQLRow) {
        id = AuditID(rawValue: row[0])
        (at, kind, key, person, erasure) = (row[1], row[2], row[3], row[4], row[5])
        (reason, count, detail) = (row[6], row[7], row[8])
    }

    package var json: JSON {
        get throws {
            var object = JSONObject([
                ("id", .string(id.text)), ("at", JSON(Date(milliseconds: at))), ("kind", .string(kind)),
            ])
            if count == nil { object.add("by", .string(key.map { APIKeyID(rawValue: $0).text } ?? "tool")) }
            object["person"] = person.map(JSON.string)
            object["erasure"] = erasure.map(JSON.string)
            if !reason.isEmpty { object.add("reason", .string(reason)) }
            object["count"] = count.map { JSON($0) }
            let detail = try JSON(parsing: Array(detail.utf8))
            if detail.objectValue?.isEmpty == false { object.add("detail", detail) }
            return .object(object)
        }
    }
}

/// The number of an entry. Its text in the API is an `l` and the number.
package struct AuditID: Hashable, Sendable {
    let rawValue: Int

    init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Parses the text. Returns nil unless it is exactly what ``text`` returns.
    package init?(_ text: String) {
        guard let value = Int(text.dropFirst()), value > 0, text == "l\(value)" else { return nil }
        rawValue = value
    }

    package var text: String { "l\(rawValue)" }
}

extension PersonalTable {
    /// The audit entries about the person. An erasure keeps them and replaces the person's id with the receipt.
    static let audit = PersonalTable(
        table: "audit",
        name: "auditEntries",
        isByName: true,
        keys: "SELECT id FROM audit WHERE personName = ?1 ORDER BY id",
        row: "SELECT \(AuditEntry.columns) FROM audit WHERE personName = ?1 AND id = ?2",
        json: { try AuditEntry(row: $0).json },
        erase: "UPDATE audit SET personName = NULL WHERE personName = ?1"
    )
}
