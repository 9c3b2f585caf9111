import Foundation
package import Groundwork
import InboxModel
import JMAP

extension WriteTransaction {
    /// Accepts a person's event: stores and counts it, and queues it for webhooks. A click also marks the message as
    /// read, unless the event states otherwise. A repeated event has no effect. An event without consent is stored only
    /// for the person's export, and a click then only marks the message as read.
    ///
    /// - Returns: The event as it was first accepted.
    /// - Throws: ``SetError`` `invalidProperties` if it isn't a valid event, or if the person's inbox doesn't show the
    ///   message; `overQuota` if there is no room for it.
    package func accept(_ json: JSON, from person: Person) throws -> StoredEvent {
        try lock(person)
        // A repeat is known by its uid alone, whatever else it contains.
        if let uid = MessageEvent.uid(in: json), let earlier = try StoredEvent(uid: uid, of: person.id, in: db) {
            return earlier
        }
        let event = try Self.checked(json)
        var use = try eventQuota.use(of: person, in: self)
        try eventQuota.check(use)
        guard let id = MessageID(event.message), let message = try reading.inbox(of: person).message(id)
        else {
            throw SetError(
                "invalidProperties",
                "The inbox has no message with that id.",
                properties: [EventField.message.rawValue]
            )
        }
        let statement = StatedConsent.forMessage(event.consent)
        let isReported =
            try event.isForced || reading.inbox(of: person).consent(of: id).isGiven(by: statement)
        let stored = StoredEvent(
            event,
            of: id,
            deliverAt: Date(milliseconds: message.deliverAt),
            now: now,
            isWithheld: !isReported
        )
        try stored.insert(for: person.id, in: db)
        use.add(stored)
        note(use, of: person)
        if isReported { try report(stored, from: person) }
        if stored.type == .clicked, event.reads {
            try read(message, at: stored.at, consent: statement, for: person)
        }
        return stored
    }

    /// Counts an event, and adds it to the outbox of each webhook that subscribes to it.
    private func report(_ event: StoredEvent, from person: Person) throws {
        try count(Reach(event.type), of: event.message, for: person.id)
        try notifyWebhooks(
            of: .event(event.type),
            person: person,
            message: event.message,
            detail: ("event", try event.json)
        )
        if event.type == .clicked, let action = event.action {
            try countClick(on: action, of: event.message)
        }
    }

    private static func checked(_ json: JSON) throws(SetError) -> MessageEvent {
        do {
            return try MessageEvent(checking: JSONReader(json))
        } catch {
            throw SetError(
                "invalidProperties",
                error.sentence(about: "The event"),
                properties: error.pointer.tokens.first.map { [$0] }
            )
        }
    }

    /// Marks a message as read along with a click, unless it is read already.
    private func read(
        _ message: InboxMessage,
        at time: Date,
        consent: StatedConsent,
        for person: Person
    ) throws {
        guard message.personal[.readAt] == nil else { return }
        var dates = message.personal
        dates[.readAt] = time.milliseconds
        try set(dates, of: message, consent: consent, for: person)
    }
}
