import Foundation
import GRDB
import Groundwork
import InboxModel
import JMAP

extension WriteTransaction {
    /// Takes a person's event: kept, counted, told to webhooks, and a click also reads the message unless the event
    /// says otherwise. A repeat of an event that is
    /// kept does none of this.
    ///
    /// - Returns: The event as it was first taken.
    /// - Throws: ``SetError`` `invalidProperties` for what isn't an event, or where the person's inbox doesn't show the message.
    func take(_ json: JSON, from person: Person) throws -> StoredEvent {
        let event = try Self.checked(json)
        if let earlier = try StoredEvent(uid: event.uid, of: person.id, in: db) { return earlier }
        guard let id = MessageID(event.message), let message = try Inbox(db: db, person: person).message(id) else {
            throw SetError(
                "invalidProperties",
                "The inbox shows no message of that id.",
                properties: [EventField.message.rawValue]
            )
        }
        let stored = StoredEvent(event, of: id, deliverAt: Date(milliseconds: message.deliverAt), now: now)
        try stored.insert(for: person.id, in: db)
        try count(Reach(stored.type), of: id, for: person.id)
        try tellWebhooks(of: .event(stored.type), person: person, message: id, detail: ("event", try stored.json))
        if stored.type == .clicked {
            if let action = stored.action { try countClick(on: action, of: id) }
            if event.reads { try read(message, at: stored.at, for: person) }
        }
        return stored
    }

    private static func checked(_ json: JSON) throws(SetError) -> MessageEvent {
        do {
            return try MessageEvent(checking: JSONReader(json))
        } catch {
            throw SetError(
                "invalidProperties",
                "The event's \(error.description).",
                properties: error.pointer.tokens.first.map { [$0] }
            )
        }
    }

    /// Reads a message by the way, unless it is read.
    private func read(_ message: InboxMessage, at time: Date, for person: Person) throws {
        guard let place = MessageField.personal.firstIndex(of: .readAt), message.personal[place] == nil else { return }
        var dates = message.personal
        dates[place] = time.milliseconds
        try put(message, dates: dates, stage: .shown, for: person)
        try tellWebhooks(ofDates: message.personal, becoming: dates, person: person, message: message.id)
    }
}
