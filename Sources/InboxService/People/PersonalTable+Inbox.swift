import Foundation
import Groundwork
import InboxModel

extension PersonalTable {
    /// The person's messages, and the broadcasts on which the person has acted.
    static let deliveries = PersonalTable(
        table: "delivery",
        name: "messages",
        keys: "SELECT message FROM delivery INDEXED BY delivery_sequence WHERE person = ?1 ORDER BY message",
        row: """
            SELECT m.id, m.content, d.deliverAt, m.expiresAt, d.state, m.recipients IS NULL,
                d.seenAt, d.readAt, d.archivedAt, d.snoozedUntil, d.deletedAt, d.withheld
            FROM \(SQLText.messages(of: "?1")) WHERE d.person = ?1 AND m.id = ?2
            """,
        json: { row in
            func date(_ column: Int) -> JSON? {
                let milliseconds: Int? = row[column]
                return milliseconds.map { JSON(Date(milliseconds: $0)) }
            }
            var object = JSONObject([(MessageField.id.rawValue, .string(MessageID(rawValue: row[0]).text))])
            // Empty after a recall.
            let content: String = row[1]
            if !content.isEmpty {
                for member in try JSON(parsing: Array(content.utf8)).objectValue?.members ?? [] {
                    object.add(member.name, member.value)
                }
            }
            object[MessageField.deliverAt.rawValue] = date(2)
            object[MessageField.expiresAt.rawValue] = date(3)
            object["state"] = MessageStage(rawValue: row[4]).map { .string("\($0)") }
            object["everyone"] = .bool(row[5])
            for (index, field) in MessageField.personal.enumerated() { object[field.rawValue] = date(6 + index) }
            // The dates that are withheld from the backend for lack of consent.
            let dates: [Int?] = MessageField.personal.indices.map { row[6 + $0] }
            let withheld = WithheldDates(rawValue: row[6 + dates.count]).fields(of: dates)
            if !withheld.isEmpty { object.add("withheld", JSON(withheld.map(\.rawValue))) }
            return .object(object)
        },
        erase: "DELETE FROM delivery WHERE person = ?1"
    )

    /// The times at which messages that the person deleted are destroyed.
    static let purges = PersonalTable(
        table: "due",
        name: "purges",
        keys: """
            SELECT u.message FROM delivery d
            CROSS JOIN due u ON u.kind = 3 AND u.message = d.message AND u.person = d.person
            WHERE d.person = ?1 ORDER BY 1
            """,
        row: "SELECT message, at FROM due WHERE kind = 3 AND person = ?1 AND message = ?2",
        json: { row in
            ["message": .string(MessageID(rawValue: row[0]).text), "at": JSON(Date(milliseconds: row[1]))]
        },
        erase: """
            DELETE FROM due
            WHERE kind = 3 AND person = ?1 AND message IN (SELECT message FROM delivery WHERE person = ?1)
            """
    )

    /// The last batch of each epoch of the person's devices.
    static let batches = PersonalTable(
        table: "batch",
        name: "batches",
        keys: "SELECT epoch FROM batch WHERE person = ?1 ORDER BY epoch",
        key: String.self,
        row: "SELECT epoch, number, at, outcome FROM batch WHERE person = ?1 AND epoch = ?2",
        json: { row in
            let outcome: String = row[3]
            return [
                "epoch": .string(row[0]), "number": JSON(row[1] as Int), "at": JSON(Date(milliseconds: row[2])),
                "outcome": try JSON(parsing: Array(outcome.utf8)),
            ]
        },
        erase: "DELETE FROM batch WHERE person = ?1"
    )

    /// The attributes. An export contains them at its top level.
    static let attributes = PersonalTable(
        table: "attributes",
        name: "attributes",
        keys: "SELECT person FROM attributes WHERE person = ?1",
        row: "SELECT value FROM attributes WHERE person = ?1 AND person = ?2",
        json: { row in
            let value: String = row[0]
            return try JSON(parsing: Array(value.utf8))
        },
        erase: "DELETE FROM attributes WHERE person = ?1"
    )
}
