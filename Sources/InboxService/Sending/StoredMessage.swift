import Foundation
package import GRDB
package import Groundwork
import InboxModel

/// A message as its sender sees it.
package struct StoredMessage: Sendable {
    let id: MessageID
    /// A JSON object.
    let content: String
    let deliverAt: Int
    /// When it was sent, in milliseconds.
    let createdAt: Int
    let expiresAt: Int?
    /// Nil for everyone.
    let recipients: Int?
    /// Whether, being for everyone, it is also for people who come after its delivery.
    let isForNewPeople: Bool
    let stage: MessageStage

    /// - Returns: Nil where there is no such message, or it was recalled.
    package init?(id: MessageID, in db: Database) throws {
        let row = try db.row(
            """
            SELECT content, deliverAt, expiresAt, recipients, state, lastPerson IS NULL, createdAt
            FROM message WHERE id = ? AND content <> ''
            """,
            [id.rawValue]
        )
        guard let row, let stage = MessageStage(rawValue: row[4]) else { return nil }
        self.id = id
        self.stage = stage
        (content, deliverAt, expiresAt, recipients) = (row[0], row[1], row[2], row[3])
        isForNewPeople = row[5]
        createdAt = row[6]
    }

    /// What the sender wrote, with the dates that the message has now.
    var sendersJSON: JSON {
        get throws {
            var object = try JSON(parsing: Array(content.utf8)).objectValue ?? JSONObject()
            addDates(to: &object)
            return .object(object)
        }
    }

    private func addDates(to object: inout JSONObject) {
        object.add(MessageField.deliverAt.rawValue, JSON(Date(milliseconds: deliverAt)))
        if let expiresAt { object.add(MessageField.expiresAt.rawValue, JSON(Date(milliseconds: expiresAt))) }
    }

    /// The message, with more beside its own fields: its `state`, `createdAt`, and its `audience`, `people` with their
    /// number, or `everyone` with whether new people are among them.
    package var json: JSON {
        get throws {
            var object = JSONObject([(MessageField.id.rawValue, .string(id.text))])
            for member in try JSON(parsing: Array(content.utf8)).objectValue?.members ?? [] {
                object.add(member.name, member.value)
            }
            addDates(to: &object)
            object.add("createdAt", JSON(Date(milliseconds: createdAt)))
            object.add("state", .string(stage.sentName))
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

extension MessageStage {
    /// What a sender calls it. One that is gone and still has its content has expired: a recalled one has none.
    package var sentName: String {
        switch self {
        case .waiting: "waiting"
        case .shown: "shown"
        case .gone: "expired"
        }
    }

    /// - Returns: Nil where no stage has that ``sentName``.
    package init?(sentName: String) {
        guard let stage = MessageStage.allCases.first(where: { $0.sentName == sentName }) else { return nil }
        self = stage
    }
}

extension Database {
    /// Whether a message was sent to one person alone.
    package func isForOnePerson(_ id: MessageID) throws -> Bool {
        try value("SELECT recipients FROM message WHERE id = ?", [id.rawValue]) == 1
    }
}
