import Foundation
import Groundwork
import InboxModel

extension PersonalTable {
    /// The person's pending webhook payloads and dead letters.
    static let outbox = PersonalTable(
        table: "outbox",
        name: "webhookPayloads",
        keys: "SELECT id FROM outbox INDEXED BY outbox_person WHERE person = ?1 ORDER BY id",
        row: "SELECT webhook, createdAt, attempts, diedAt, reason, body FROM outbox WHERE person = ?1 AND id = ?2",
        json: { row in
            let (diedAt, reason): (Int?, String?) = (row[3], row[4])
            var object = JSONObject([
                ("webhook", .string(WebhookID(rawValue: row[0]).text)),
                ("createdAt", JSON(Date(milliseconds: row[1]))), ("attempts", JSON(row[2] as Int)),
            ])
            object["diedAt"] = diedAt.map { JSON(Date(milliseconds: $0)) }
            object["reason"] = reason.map(JSON.string)
            let body: String = row[5]
            object.add("payload", try JSON(parsing: Array(body.utf8)))
            return .object(object)
        },
        erase: "DELETE FROM outbox WHERE person = ?1"
    )
}
