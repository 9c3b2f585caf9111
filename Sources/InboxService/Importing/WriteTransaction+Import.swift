package import Foundation
import Groundwork
import InboxModel

/// The outcome of a message's import.
package enum ImportOutcome: Sendable {
    case imported(MessageID)
    /// The message was imported before, and nothing has changed.
    case known(MessageID)
    /// The message has expired and wasn't stored.
    case expired
}

extension WriteTransaction {
    /// Adds a message of another system to a person's inbox, once per id in that system. The person's actions in the
    /// other system are neither counted nor sent to webhooks.
    ///
    /// - Parameter now: The time of the request.
    package func importMessage(_ message: ImportedMessage, for name: String, now: Date) throws -> ImportOutcome {
        if let known = try known(message.externalID, from: message.source, of: name) { return .known(known) }
        if let expiresAt = message.expiresAt, expiresAt <= now { return .expired }
        let id = newMessageID()
        let stage: MessageStage = message.deliverAt > self.now ? .waiting : .shown
        let isUnknown = try lockedNumber(ofPerson: name) == nil
        let person = try person(named: name, advancing: stage == .shown)
        // Another server may have created the person, with the message.
        if isUnknown, let known = try known(message.externalID, from: message.source, of: name) {
            return .known(known)
        }
        let sequence = stage == .shown ? person.sequence : 0
        // It is unknown whether the person had consented to reporting these actions.
        let withheld = WithheldDates.none.after(
            PersonalDates { _ in nil },
            becoming: message.dates,
            consent: message.content.json[MessageField.consentCategory.rawValue] == nil
        )
        try insert(
            id,
            message.content,
            text: message.text,
            deliverAt: message.deliverAt,
            expiresAt: message.expiresAt,
            recipients: 1,
            stage: stage
        )
        try db.run(
            """
            INSERT INTO delivery
                (message, person, created, sequence, deliverAt, state, withheld,
                seenAt, readAt, archivedAt, snoozedUntil, deletedAt)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                id.rawValue, person.id, sequence, sequence, message.deliverAt.milliseconds, stage.rawValue,
                withheld.rawValue,
            ] + SQLArguments(message.dates.values)
        )
        try db.run(
            "INSERT INTO imported (message, person, source, externalId) VALUES (?, ?, ?, ?)",
            [id.rawValue, person.id, message.source.rawValue, message.externalID]
        )
        if stage == .waiting { try schedule(.deliver, message: id, at: message.deliverAt) }
        if let expiresAt = message.expiresAt { try schedule(.expire, message: id, at: expiresAt) }
        if message.dates[.deletedAt] != nil {
            try schedule(.purge, message: id, person: person.id, at: now.addingTimeInterval(Self.undoTime))
        }
        return .imported(id)
    }

    /// Returns a message that was imported before, whatever a repeat contains.
    package func known(_ externalID: String, from source: ImportSource, of name: String) throws -> MessageID? {
        guard let person = try lockedNumber(ofPerson: name) else { return nil }
        let id: Int? = try db.value(
            "SELECT message FROM imported WHERE person = ? AND source = ? AND externalId = ?",
            [person, source.rawValue, externalID]
        )
        return id.map(MessageID.init(rawValue:))
    }
}
