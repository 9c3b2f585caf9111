import Groundwork
import InboxModel

/// The furthest step of a person with a message. Each step implies those before it.
enum Reach: Int, Comparable {
    /// A device of the person has the message.
    case delivered = 1
    /// The message was on screen.
    case seen = 2
    case read = 3
    case clicked = 4

    /// The reach that an event proves. An event type of the app's own proves that the device has the message.
    init(_ type: EventType) {
        self =
            switch type {
            case .delivered, .other: .delivered
            case .displayed, .opened, .dismissed: .seen
            case .clicked: .clicked
            }
    }

    /// The reach that a device proves by setting a person's dates.
    ///
    /// Dates that were set before are ignored: those from a device have been counted already, and those from the
    /// backend aren't counted.
    init(dates: PersonalDates, since earlier: PersonalDates) {
        func isSet(_ field: MessageField) -> Bool { dates[field] != nil && dates[field] != earlier[field] }
        self = isSet(.readAt) ? .read : isSet(.seenAt) ? .seen : .delivered
    }

    static func < (lhs: Reach, rhs: Reach) -> Bool { lhs.rawValue < rhs.rawValue }
}

extension PersonalTable {
    /// The person's reach of each message. An erasure keeps the totals of messages, which belong to no person.
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
}
