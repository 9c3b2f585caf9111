package import Foundation
import GRDB
package import Groundwork
import InboxModel

/// An event as the server keeps it.
package struct StoredEvent: Sendable {
    package let uid: String
    let message: MessageID
    let type: EventType
    let action: String?
    let at: Date
    /// A JSON object.
    let data: String?
    package let receivedAt: Date
    /// Whether it lacks consent: it is kept for the person's export alone.
    let isWithheld: Bool

    /// How long it is kept after the server heard of it, in seconds: so long a repeat is known as one.
    static let lifetime: TimeInterval = 90 * 86_400

    private static let columns = "uid, message, type, action, at, data, receivedAt, isWithheld"

    /// - Parameters:
    ///   - deliverAt: When the message was delivered. A device's clock may be wrong: no event is before that, nor later
    ///     than now.
    ///   - isWithheld: Whether it lacks consent.
    init(_ event: MessageEvent, of message: MessageID, deliverAt: Date, now: Date, isWithheld: Bool) {
        uid = event.uid
        self.message = message
        type = event.type
        action = event.action
        at = min(max(event.at ?? now, deliverAt), now)
        data = event.data.isEmpty ? nil : event.dataJSON.description
        receivedAt = now
        self.isWithheld = isWithheld
    }

    /// - Returns: Nil where the person has no event of that name.
    init?(uid: String, of person: Int, in db: Database) throws {
        let row = try db.row("SELECT \(Self.columns) FROM event WHERE person = ? AND uid = ?", [person, uid])
        guard let row else { return nil }
        self.uid = row[0]
        message = MessageID(rawValue: row[1])
        type = EventType(rawValue: row[2])
        (action, data) = (row[3], row[5])
        at = Date(milliseconds: row[4])
        receivedAt = Date(milliseconds: row[6])
        isWithheld = row[7]
    }

    func insert(for person: Int, in db: Database) throws {
        try db.run(
            "INSERT INTO event (person, \(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                person, uid, message.rawValue, type.rawValue, action, at.milliseconds, data, receivedAt.milliseconds,
                isWithheld,
            ]
        )
    }

    /// The event in a webhook's payload. The message stands beside it.
    var json: JSON {
        get throws {
            var object = JSONObject([
                (EventField.uid.rawValue, .string(uid)), (EventField.type.rawValue, .string(type.rawValue)),
            ])
            object[EventField.action.rawValue] = action.map(JSON.string)
            object[EventField.at.rawValue] = JSON(at)
            object[EventField.data.rawValue] = try data.map { try JSON(parsing: Array($0.utf8)) }
            object[EventField.receivedAt.rawValue] = JSON(receivedAt)
            return .object(object)
        }
    }

    /// What the device can't know: the properties that the server set (RFC 8620 §5.3).
    package var serverSet: JSON {
        [
            EventField.id.rawValue: .string(uid), EventField.at.rawValue: JSON(at),
            EventField.receivedAt.rawValue: JSON(receivedAt),
        ]
    }
}
