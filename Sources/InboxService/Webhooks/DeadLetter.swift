import Foundation
package import Groundwork
import InboxModel

/// A payload that couldn't be delivered.
package struct DeadLetter: Sendable {
    /// The payload's id.
    let event: String
    let type: String
    let createdAt: Date
    let diedAt: Date
    let attempts: Int
    let reason: String
    /// The payload as it would have been sent, JSON text.
    let payload: String

    package var json: JSON {
        get throws {
            [
                "id": .string(event), "type": .string(type), "createdAt": JSON(createdAt), "diedAt": JSON(diedAt),
                "attempts": JSON(attempts), "reason": .string(reason),
                "payload": try JSON(parsing: Array(payload.utf8)),
            ]
        }
    }
}

extension ReadTransaction {
    /// Returns one page of a webhook's dead letters, oldest first.
    ///
    /// - Parameter after: The `next` of the previous page, or 0 for the first page.
    /// - Returns: The dead letters, and the `after` of the next page; nil if there is none.
    package func deadLetters(
        of webhook: WebhookID,
        after: Int,
        limit: Int
    ) throws -> (letters: [DeadLetter], next: Int?) {
        let rows = try db.rows(
            """
            SELECT id, event, type, createdAt, diedAt, attempts, reason, body FROM outbox
            WHERE webhook = ? AND diedAt IS NOT NULL AND id > ? ORDER BY id LIMIT ?
            """,
            [webhook.rawValue, after, limit + 1]
        )
        let letters = rows.prefix(limit).map { row in
            DeadLetter(
                event: row[1],
                type: row[2],
                createdAt: Date(milliseconds: row[3]),
                diedAt: Date(milliseconds: row[4]),
                attempts: row[5],
                reason: row[6],
                payload: row[7]
            )
        }
        return (letters, rows.count > limit ? rows[limit - 1][0] as Int : nil)
    }
}

extension WriteTransaction {
    /// Restarts the delivery of a dead letter, from the first attempt.
    ///
    /// - Returns: Whether the dead letter existed.
    package func retryDeadLetter(_ event: String, of webhook: WebhookID) throws -> Bool {
        let found: Int? = try db.value(
            """
            UPDATE outbox SET diedAt = NULL, reason = NULL, attempts = 0, nextAt = ?
            WHERE webhook = ? AND event = ? AND diedAt IS NOT NULL RETURNING id
            """,
            [now.milliseconds, webhook.rawValue, event]
        )
        if found != nil { announceDeliveries() }
        return found != nil
    }

    /// Deletes a dead letter.
    ///
    /// - Returns: Whether the dead letter existed.
    package func dropDeadLetter(_ event: String, of webhook: WebhookID) throws -> Bool {
        let found: Int? = try db.value(
            "DELETE FROM outbox WHERE webhook = ? AND event = ? AND diedAt IS NOT NULL RETURNING id",
            [webhook.rawValue, event]
        )
        return found != nil
    }
}
