import Foundation
import GRDB
import Groundwork
import InboxModel

/// A message as its sender sees it.
struct StoredMessage: Sendable {
    let id: MessageID
    /// A JSON object.
    let content: String
    let deliverAt: Int
    let expiresAt: Int?
    /// Nil for everyone.
    let recipients: Int?
    /// Whether, being for everyone, it is also for people who come after its delivery.
    let isForNewPeople: Bool
    let stage: MessageStage

    /// - Returns: Nil where there is no such message, or it was recalled.
    init?(id: MessageID, in db: Database) throws {
        let row = try db.row(
            "SELECT content, deliverAt, expiresAt, recipients, state, lastPerson IS NULL FROM message WHERE id = ? AND content <> ''",
            [id.rawValue]
        )
        guard let row, let stage = MessageStage(rawValue: row[4]) else { return nil }
        self.id = id
        self.stage = stage
        (content, deliverAt, expiresAt, recipients) = (row[0], row[1], row[2], row[3])
        isForNewPeople = row[5]
    }

    /// The message, with its `audience` beside its own fields: `people` with their number, or `everyone` with whether new people are
    /// among them.
    var json: JSON {
        get throws {
            var object = JSONObject([(MessageField.id.rawValue, .string(id.text))])
            for member in try JSON(parsing: Array(content.utf8)).objectValue?.members ?? [] {
                object.add(member.name, member.value)
            }
            object.add(MessageField.deliverAt.rawValue, JSON(Date(milliseconds: deliverAt)))
            if let expiresAt { object.add(MessageField.expiresAt.rawValue, JSON(Date(milliseconds: expiresAt))) }
            object.add("audience", recipients == nil ? "everyone" : "people")
            if let recipients {
                object.add("recipients", JSON(recipients))
            } else {
                object.add("newPeople", .bool(isForNewPeople))
            }
            return .object(object)
        }
    }
}
