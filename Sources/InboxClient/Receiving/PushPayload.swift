import Foundation
import Groundwork
import InboxModel
import JMAP

/// What a push brings: a message under `inbox`, its texts perhaps in the notification itself.
enum PushPayload {
    static let member = "inbox"
    /// Under it, beside the message's fields: whose message it is.
    static let person = "person"

    /// The message's JSON object.
    ///
    /// Title and body come from `aps.alert` where the message doesn't say them; it was delivered now, unless it says
    /// when.
    ///
    /// - Parameter needsPerson: Whether it has to say whose it is.
    /// - Throws: ``InboxError``: `invalidArgument` that names the part; `otherPerson` where it says another person than
    ///   this one; `noPerson` where it says none and has to.
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
                throw InboxError(.otherPerson, "The push is for another person than the inbox was opened for.")
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
                "The push doesn't say whose it is: have your backend write the person's id into \(member).\(Self.person)."
            )
        }
        func fill(_ field: MessageField, _ value: JSON?) {
            if message[field.rawValue]?.stringValue == nil { message[field.rawValue] = value }
        }
        let alert = json["aps"]?["alert"]
        fill(.title, alert?["title"])
        fill(.body, alert?["body"] ?? (alert?.stringValue).map(JSON.string))
        fill(.deliverAt, JSON(now))
        // What the person does with it isn't for a push to say.
        for field in MessageField.personal { message[field.rawValue] = nil }
        return message
    }
}
