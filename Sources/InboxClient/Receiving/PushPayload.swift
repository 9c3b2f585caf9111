import Foundation
import Groundwork
import InboxModel
import JMAP

/// The payload of a push: a message under `inbox`. Its texts may be in the notification itself.
enum PushPayload {
    static let member = "inbox"
    /// The member under `inbox`, next to the message's fields, with the recipient's id.
    static let person = "person"

    /// Returns the message's JSON object.
    ///
    /// Title and body come from `aps.alert` if the message lacks them. Without a delivery time, the message is
    /// delivered now.
    ///
    /// - Parameter needsPerson: Whether the payload has to name the recipient.
    /// - Throws: ``InboxError``: `invalidArgument` that names the part; `otherPerson` if the payload names another
    ///   person than `person`; `noPerson` if it names none and has to.
    static func message(_ payload: Data, to person: String, needsPerson: Bool, at now: Date) throws -> JSONObject {
        let json: JSON
        do {
            json = try JSON(parsing: Array(payload))
        } catch {
            throw InboxError(.invalidArgument, "The push isn't JSON: \(error)")
        }
        guard var message = json[member]?.objectValue else {
            throw InboxError(.invalidArgument, "The push has no object \"\(member)\" with the message's fields.")
        }
        let recipient = message[Self.person]
        if let recipient {
            guard let recipient = recipient.stringValue else {
                throw InboxError(
                    .invalidArgument,
                    "The push's \(member).\(Self.person) has to be the app's id of the person."
                )
            }
            guard recipient.utf8.elementsEqual(person.utf8) else {
                throw InboxError(.otherPerson, "The push is for another person.")
            }
            message[Self.person] = nil
        }
        guard let id = message[MessageField.id.rawValue]?.stringValue, Identifier.isValid(id) else {
            throw InboxError(
                .invalidArgument,
                "The push's \(member).id has to be the message's id, 1 to 255 of A-Z a-z 0-9 - _."
            )
        }
        guard recipient != nil || !needsPerson else {
            throw InboxError(
                .noPerson,
                "The push names no recipient. Have your backend set \(member).\(Self.person) to the person's id."
            )
        }
        func fill(_ field: MessageField, _ value: JSON?) {
            if message[field.rawValue]?.stringValue == nil { message[field.rawValue] = value }
        }
        let alert = json["aps"]?["alert"]
        fill(.title, alert?["title"])
        fill(.body, alert?["body"] ?? (alert?.stringValue).map(JSON.string))
        fill(.deliverAt, JSON(now))
        // A push can't set the fields that only the person's actions change.
        for field in MessageField.personal { message[field.rawValue] = nil }
        return message
    }
}
