import Foundation
import Groundwork
import InboxModel

/// The message has expired. Devices have been notified that it is gone permanently.
package struct MessageExpired: Error {}

extension WriteTransaction {
    /// Replaces the sender's content. People's dates are kept, and each inbox that shows the message reports it as
    /// updated.
    ///
    /// - Returns: The edited message, or nil if it doesn't exist.
    /// - Throws: ``JSONValueError`` for a date that is invalid for this message, ``MessageExpired``.
    package func edit(_ id: MessageID, _ edit: MessageEdit) throws -> StoredMessage? {
        lock(id)
        guard let message = try reading.message(id) else { return nil }
        guard message.stage != .gone, try !mayBeHidden(message) else { throw MessageExpired() }
        return try replace(message, with: edit)
    }

    /// Whether a message may be hidden already from some of those who have acted on it (``hidePart(of:_:)``): a
    /// broadcast that has expired, or that is removed at another time, since a server began to recall it.
    private func mayBeHidden(_ message: StoredMessage) throws -> Bool {
        if case .sqlite = db { return false }
        guard message.recipients == nil else { return false }
        let row = try db.row(
            "SELECT 1 FROM due WHERE kind = 2 AND message = ? AND person = 0 AND (at <= ? OR at IS DISTINCT FROM ?)",
            [message.id.rawValue, now.milliseconds, message.expiresAt]
        )
        return row != nil
    }

    /// Changes a part of the sender's content, otherwise as ``edit(_:_:)``.
    ///
    /// - Returns: The edited message, or nil if it doesn't exist.
    /// - Throws: ``JSONValueError`` if the result isn't a valid message, ``MessageExpired``.
    package func patch(_ id: MessageID, _ patch: MessagePatch) throws -> StoredMessage? {
        lock(id)
        guard let message = try reading.message(id) else { return nil }
        // The message may have expired before the due-queue has processed it. Then the patch must not be rejected for a
        // date that it doesn't contain.
        guard message.stage != .gone, message.expiresAt.map({ $0 > now.milliseconds }) ?? true,
            try !mayBeHidden(message)
        else { throw MessageExpired() }
        return try replace(message, with: try patch.edit(of: message, now: now))
    }

    private func replace(_ message: StoredMessage, with edit: MessageEdit) throws -> StoredMessage? {
        let id = message.id
        let deliverAt = try edit.deliverAt(of: message, now: now)
        let expiresAt = try edit.expiresAt(of: message, deliverAt: deliverAt, now: now)
        let content = JSON.object(edit.content.json)
        let isSame = try content.isIdentical(to: JSON(parsing: Array(message.content.utf8)))
        guard !isSame || deliverAt != message.deliverAt || expiresAt != message.expiresAt else { return message }

        try db.run(
            """
            UPDATE message
            SET content = ?, surface = ?, category = ?, groupKey = ?, campaign = ?, deliverAt = ?, expiresAt = ?,
                earlierConsentCategory = CASE WHEN consentCategory IS DISTINCT FROM ?8
                    THEN coalesce(consentCategory, earlierConsentCategory) ELSE earlierConsentCategory END,
                consentCategory = ?8, grantedConsentCategory = ?
            WHERE id = ?
            """,
            [
                content.description, edit.content.surface, content[MessageField.category.rawValue]?.stringValue,
                content[MessageField.groupKey.rawValue]?.stringValue,
                content[MessageField.campaignId.rawValue]?.stringValue, deliverAt, expiresAt,
                content[MessageField.consentCategory.rawValue]?.stringValue,
                content[MessageField.additionalData.rawValue]?[Message.grantedConsentKey]?.stringValue, id.rawValue,
            ]
        )
        if let expiresAt {
            try schedule(.expire, message: id, at: Date(milliseconds: expiresAt))
        } else {
            try unschedule(.expire, message: id)
        }
        if message.stage == .shown {
            try notifyRecipients(of: message)
        } else {
            try postpone(message, to: deliverAt)
        }
        return try reading.message(id)
    }

    /// Assigns a shown message a new sequence in each inbox.
    private func notifyRecipients(of message: StoredMessage) throws {
        guard message.recipients != nil else {
            // People who acted on it receive the edit by the broadcast's own sequence too.
            return try db.run(
                "UPDATE message SET broadcastSequence = ? WHERE id = ?",
                [try nextBroadcastSequence(), message.id.rawValue]
            )
        }
        try nextSequences(of: message.id, at: .shown)
        try db.run(
            """
            UPDATE delivery
            SET (sequence, edited) = (SELECT p.sequence, p.sequence FROM person p WHERE p.id = delivery.person)
            WHERE message = ? AND state = 1
            """,
            [message.id.rawValue]
        )
    }

    /// Sets the delivery date of a waiting message, and delivers the message if it is due.
    private func postpone(_ message: StoredMessage, to deliverAt: Int) throws {
        if deliverAt != message.deliverAt {
            try db.run("UPDATE delivery SET deliverAt = ? WHERE message = ?", [deliverAt, message.id.rawValue])
        }
        if deliverAt > now.milliseconds {
            try schedule(.deliver, message: message.id, at: Date(milliseconds: deliverAt))
        } else {
            try unschedule(.deliver, message: message.id)
            try deliver(message.id)
        }
    }
}

extension JSON {
    /// Returns whether both values are identical to the byte, regardless of the order of members. To `==`, two
    /// spellings of one character are equal.
    fileprivate func isIdentical(to other: JSON) -> Bool {
        switch (self, other) {
        case (.string(let one), .string(let two)):
            one.utf8.elementsEqual(two.utf8)
        case (.array(let one), .array(let two)):
            one.count == two.count && zip(one, two).allSatisfy { $0.isIdentical(to: $1) }
        case (.object(let one), .object(let two)):
            one.count == two.count
                && one.members.allSatisfy { member in two[member.name].map(member.value.isIdentical(to:)) ?? false }
        default: self == other
        }
    }
}

extension WriteTransaction {
    /// Recalls a message. It is destroyed in each inbox that showed it, is never delivered if it was waiting, and its
    /// content is erased. An expired message only loses its content.
    ///
    /// - Returns: Whether the message existed and hadn't been recalled.
    package func recall(_ id: MessageID) throws -> Bool {
        lock(id)
        let isStored: Int? = try db.value("SELECT 1 FROM message WHERE id = ? AND content <> ''", [id.rawValue])
        guard isStored != nil else { return false }
        try remove(id)
        try db.run("UPDATE message SET content = '' WHERE id = ?", [id.rawValue])
        return true
    }
}
