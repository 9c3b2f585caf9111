import Foundation
package import Groundwork
import InboxModel

/// A message as its sender sees it.
package struct StoredMessage: Sendable {
    let id: MessageID
    /// The sender's content, a JSON object.
    let content: String
    let deliverAt: Int
    /// The time at which it was sent, in milliseconds.
    let createdAt: Int
    let expiresAt: Int?
    /// The number of recipients; nil for a broadcast.
    let recipients: Int?
    /// Whether a broadcast is also for people who become known after its delivery.
    let isForNewPeople: Bool
    let stage: MessageStage

    fileprivate static let columns = """
        content, deliverAt, expiresAt, recipients, state, lastPerson IS NULL, createdAt
        """

    /// - Parameter row: A row with ``columns``.
    fileprivate init?(id: MessageID, row: SQLRow) {
        guard let stage = MessageStage(rawValue: row[4]) else { return nil }
        self.id = id
        self.stage = stage
        (content, deliverAt, expiresAt, recipients) = (row[0], row[1], row[2], row[3])
        isForNewPeople = row[5]
        createdAt = row[6]
    }

    /// The sender's content with the message's current dates.
    var senderContent: JSON {
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

    /// The message with additional members: its `state`, `createdAt`, and its `audience`, which is `people` with the
    /// number of `recipients`, or `everyone` with `newPeople`.
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
    /// The name in the API for senders. A message that is gone but has its content has expired; a recalled one has
    /// none.
    package var sentName: String {
        switch self {
        case .waiting: "waiting"
        case .shown: "shown"
        case .gone: "expired"
        }
    }
}

extension ReadTransaction {
    /// Returns a message as its sender sees it, or nil if it doesn't exist or was recalled.
    package func message(_ id: MessageID) throws -> StoredMessage? {
        try db.row("SELECT \(StoredMessage.columns) FROM message WHERE id = ? AND content <> ''", [id.rawValue])
            .flatMap { StoredMessage(id: id, row: $0) }
    }

    /// Returns whether a message was sent to exactly one person.
    package func isForOnePerson(_ id: MessageID) throws -> Bool {
        try db.value("SELECT m.recipients FROM \(SQLText.messages) WHERE m.id = ?", [id.rawValue]) == 1
    }
}
