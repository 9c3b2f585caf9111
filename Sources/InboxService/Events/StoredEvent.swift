package import Foundation
package import Groundwork
import InboxModel

/// An event as the server stores it.
package struct StoredEvent: Sendable {
    package let uid: String
    let message: MessageID
    let type: EventType
    let action: String?
    let at: Date
    /// A JSON object.
    let data: String?
    package let receivedAt: Date
    /// Whether the event lacks consent. It is then kept only for the person's export.
    let isWithheld: Bool

    /// The time for which an event is kept after its receipt, in seconds. For that time a repeat is recognized.
    static let lifetime: TimeInterval = 90 * 86_400

    private static let columns = "uid, message, type, action, at, data, receivedAt, isWithheld"

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - deliverAt: The time of the message's delivery. Since a device's clock may be wrong, the event's time is
    ///     clamped to the range from this time to now.
    ///   - isWithheld: Whether the event lacks consent.
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

    /// Reads an event of a person.
    ///
    /// - Returns: Nil if the person has no event with this uid.
    init?(uid: String, of person: Int, in db: SQLConnection) throws {
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

    func insert(for person: Int, in db: SQLConnection) throws {
        try db.run(
            "INSERT INTO event (person, \(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                person, uid, message.rawValue, type.rawValue, action, at.milliseconds, data, receivedAt.milliseconds,
                isWithheld,
            ]
        )
    }

    /// The event in a webhook's payload. The payload contains the message separately.
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

    /// The properties that the server sets and that a device can't know (RFC 8620 §5.3).
    package var serverSet: JSON {
        [
            EventField.id.rawValue: .string(uid), EventField.at.rawValue: JSON(at),
            EventField.receivedAt.rawValue: JSON(receivedAt),
        ]
    }
}
