import Foundation
import GRDB
package import Groundwork
import InboxModel
import JMAP

extension WriteTransaction {
    /// Takes a person's event: kept, counted, told to webhooks, and a click also reads the message unless the event
    /// says otherwise. A repeat of an event that is kept does none of this. One that lacks consent is kept for the
    /// person's export alone, and a click then only reads.
    ///
    /// - Returns: The event as it was first taken.
    /// - Throws: ``SetError`` `invalidProperties` for what isn't an event, or where the person's inbox doesn't show the
    ///   message.
    package func take(_ json: JSON, from person: Person) throws -> StoredEvent {
        let event = try Self.checked(json)
        if let earlier = try StoredEvent(uid: event.uid, of: person.id, in: db) { return earlier }
        guard let id = MessageID(event.message), let message = try PersonInbox(db: db, person: person).message(id)
        else {
            throw SetError(
                "invalidProperties",
                "The inbox shows no message of that id.",
                properties: [EventField.message.rawValue]
            )
        }
        let said = StatedConsent.ofMessage(event.consent)
        let isTold = try event.isForced || PersonInbox(db: db, person: person).consent(of: id).isGiven(by: said)
        let stored = StoredEvent(
            event,
            of: id,
            deliverAt: Date(milliseconds: message.deliverAt),
            now: now,
            isWithheld: !isTold
        )
        try stored.insert(for: person.id, in: db)
        if isTold { try tell(of: stored, from: person) }
        if stored.type == .clicked, event.reads {
            try read(message, at: stored.at, consent: said, for: person)
        }
        return stored
    }

    /// Counts an event, and puts it into the outbox of each webhook that wants it.
    private func tell(of event: StoredEvent, from person: Person) throws {
        try count(Reach(event.type), of: event.message, for: person.id)
        try tellWebhooks(
            of: .event(event.type),
            person: person,
            message: event.message,
            detail: ("event", try event.json)
        )
        if event.type == .clicked, let action = event.action { try countClick(on: action, of: event.message) }
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
    private func read(
        _ message: InboxMessage,
        at time: Date,
        consent: StatedConsent,
        for person: Person
    ) throws {
        guard let place = MessageField.personal.firstIndex(of: .readAt), message.personal[place] == nil else { return }
        var dates = message.personal
        dates[place] = time.milliseconds
        try set(dates, of: message, consent: consent, for: person)
    }
}
