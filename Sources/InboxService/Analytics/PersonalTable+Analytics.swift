import GRDB
import Groundwork

extension PersonalTable {
    /// How far the person has come with each message. The totals of messages stay: they are of nobody in particular.
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
