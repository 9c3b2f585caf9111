import Foundation
import GRDB
import Groundwork
import Replica

/// Statements over all stored bodies. They run with each stored body, so an index covers them.
enum StoredBodies {
    /// The size of all bodies, in bytes.
    static let size = "SELECT ifnull(sum(size), 0) FROM emailBody"
    /// The ids and sizes, least recently used first.
    static let byUse = "SELECT id, size FROM emailBody ORDER BY usedAt, rowid"
}

extension StoreWriter {
    /// Stores bodies, and their texts for the search index.
    func store(_ bodies: [JSONText], for reason: BodySource.Reason) throws {
        for body in bodies {
            guard let id = body["id"]?.value.stringValue,
                let receivedAt = try Int.fetchOne(
                    db.cachedStatement(sql: "SELECT receivedAt FROM email WHERE \(RecordTable.id) = ?"),
                    arguments: [id]
                )
            else { continue }
            let usedAt = if case .prefetch = reason { min(receivedAt, now) } else { now }
            let text = String(MailBody(body.value).text.prefix(SearchIndex.maxTextLength))
            try db.execute(sql: "DELETE FROM emailBody WHERE id = ?", arguments: [id])
            try db.execute(
                sql: "INSERT INTO emailBody(id, json, text, size, usedAt) VALUES (?, ?, ?, ?, ?)",
                arguments: [id, Data(body.bytes), text, body.bytes.count, usedAt]
            )
        }
    }

    /// Deletes the least recently used bodies over a budget in bytes. The most recently used one stays, whatever its
    /// size.
    func dropBodies(over budget: Int) throws {
        var size = try db.bodyBytes()
        guard size > budget else { return }
        let oldest = try Row.fetchAll(db, sql: StoredBodies.byUse)
        for row in oldest.dropLast() {
            guard size > budget else { return }
            try db.execute(sql: "DELETE FROM emailBody WHERE id = ?", arguments: [row[0] as String])
            size -= row[1]
        }
    }

    /// Records that a body was used.
    func noteUse(ofBody id: String, at time: Int) throws {
        try db.execute(sql: "UPDATE emailBody SET usedAt = ? WHERE id = ?", arguments: [time, id])
    }
}
