import GRDB
import Groundwork
import InboxModel

/// How far a person has come with a message: each step implies those before it.
enum Reach: Int, Comparable {
    /// A device of the person has it.
    case delivered = 1
    /// It was on screen.
    case seen = 2
    case read = 3
    case clicked = 4

    /// What an event shows; a type of the app's own shows that the device has the message.
    init(_ type: EventType) {
        self =
            switch type {
            case .delivered, .other: .delivered
            case .displayed, .opened, .dismissed: .seen
            case .clicked: .clicked
            }
    }

    /// What a device shows that sets a person's dates so, in the order of ``MessageField/personal``. Dates that were
    /// there before are no sign of it: a device's were counted then, and a backend's aren't.
    init(dates: [Int?], since earlier: [Int?]) {
        func isSet(_ field: MessageField) -> Bool {
            MessageField.personal.firstIndex(of: field).map { dates[$0] != nil && dates[$0] != earlier[$0] } ?? false
        }
        self = isSet(.readAt) ? .read : isSet(.seenAt) ? .seen : .delivered
    }

    static func < (lhs: Reach, rhs: Reach) -> Bool { lhs.rawValue < rhs.rawValue }
}

extension PersonalTable {
    /// The person's reach of each message. The totals of messages stay: they belong to no person.
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
