import Foundation
import GRDB
import Groundwork
import InboxModel

extension PersonalTable {
    /// What the person did with messages, as the devices told it.
    static let events = PersonalTable(
        table: "event",
        name: "events",
        keys: "SELECT uid FROM event WHERE person = ?1 ORDER BY uid",
        row: """
            SELECT uid, message, type, action, at, data, receivedAt FROM event WHERE person = ?1 AND uid = ?2
            """,
        json: { row in
            var object = JSONObject([
                (EventField.uid.rawValue, .string(row[0])),
                (EventField.message.rawValue, .string(MessageID(rawValue: row[1]).text)),
                (EventField.type.rawValue, .string(row[2])),
            ])
            let (action, data): (String?, String?) = (row[3], row[5])
            object[EventField.action.rawValue] = action.map(JSON.string)
            object[EventField.at.rawValue] = JSON(Date(milliseconds: row[4]))
            object[EventField.data.rawValue] = try data.map { try JSON(parsing: Array($0.utf8)) }
            object[EventField.receivedAt.rawValue] = JSON(Date(milliseconds: row[6]))
            return .object(object)
        },
        erase: "DELETE FROM event WHERE person = ?1"
    )

    /// How far the person has come with messages. The totals, which name nobody, stay.
    static let reach = PersonalTable(
        table: "reach",
        name: "reach",
        keys: "SELECT message FROM reach INDEXED BY reach_person WHERE person = ?1 ORDER BY message",
        row: "SELECT message, reach FROM reach WHERE person = ?1 AND message = ?2",
        json: { row in
            var object = JSONObject([("message", .string(MessageID(rawValue: row[0]).text))])
            object["reach"] = Reach(rawValue: row[1]).map { .string("\($0)") }
            return .object(object)
        },
        erase: "DELETE FROM reach WHERE person = ?1"
    )

    /// What webhooks have still to be told of the person, and what they couldn't be told.
    static let payloads = PersonalTable(
        table: "outbox",
        name: "webhookPayloads",
        keys: "SELECT id FROM outbox WHERE person = ?1 ORDER BY id",
        row: "SELECT webhook, body FROM outbox WHERE person = ?1 AND id = ?2",
        json: { row in
            let body: String = row[1]
            return [
                "webhook": .string(WebhookID(rawValue: row[0]).text), "payload": try JSON(parsing: Array(body.utf8)),
            ]
        },
        erase: "DELETE FROM outbox WHERE person = ?1"
    )

    /// The files that the person's devices uploaded, without their content: there may be much of it, and devices download it.
    static let blobs = PersonalTable(
        table: "blob",
        name: "files",
        keys: "SELECT hash FROM blob WHERE person = ?1 ORDER BY hash",
        row: "SELECT hash, size, at FROM blob WHERE person = ?1 AND hash = ?2",
        json: { row in
            [
                "id": .string(BlobID(hash: row[0]).text), "size": JSON(row[1] as Int),
                "uploadedAt": JSON(Date(milliseconds: row[2])),
            ]
        },
        erase: "DELETE FROM blob WHERE person = ?1"
    )
}
