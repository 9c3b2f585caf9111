import Foundation
import Groundwork
import InboxModel

extension PersonalTable {
    /// The person's events.
    static let events = PersonalTable(
        table: "event",
        name: "events",
        keys: "SELECT uid FROM event WHERE person = ?1 ORDER BY uid",
        key: String.self,
        row: """
            SELECT uid, message, type, action, at, data, receivedAt, isWithheld FROM event
            WHERE person = ?1 AND uid = ?2
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
            if row[7] { object.add("withheld", true) }
            return .object(object)
        },
        erase: "DELETE FROM event WHERE person = ?1"
    )
}
