import Foundation
import GRDB
import Groundwork

/// There are as many webhooks as a server keeps: each write looks at all of them.
package struct TooManyWebhooks: Error {
    package static let limit = 20
}

extension WriteTransaction {
    /// How long the secret before a new one still signs beside it, in seconds.
    static let secretOverlap: TimeInterval = 86_400

    /// - Returns: The webhook, and its secret.
    /// - Throws: ``TooManyWebhooks``.
    package func addWebhook(_ settings: WebhookSettings) throws -> (webhook: Webhook, secret: WebhookSecret) {
        let count: Int = try db.value("SELECT count(*) FROM webhook") ?? 0
        guard count < TooManyWebhooks.limit else { throw TooManyWebhooks() }
        let secret = WebhookSecret(random: random)
        let id: Int? = try db.value(
            """
            INSERT INTO webhook (url, types, isEnabled, isGone, secret, pausedUntil, createdAt, pending, dead)
            VALUES (?, ?, ?, 0, ?, 0, ?, 0, 0) RETURNING id
            """,
            [settings.url, JSON(settings.types).description, settings.isEnabled, secret.bytes, now.milliseconds]
        )
        guard let id, let webhook = try Webhook(id: WebhookID(rawValue: id), in: db) else { throw RecordNotFound() }
        return (webhook, secret)
    }

    /// Replaces what a webhook is; what waits for it goes to the new address, at once where it was to rest.
    ///
    /// - Returns: Nil where there is none.
    package func replaceWebhook(_ id: WebhookID, with settings: WebhookSettings) throws -> Webhook? {
        try db.run(
            """
            UPDATE webhook SET url = ?, types = ?, isEnabled = ?, isGone = isGone AND NOT ?, pausedUntil = 0 WHERE id = ?
            """,
            [
                settings.url, JSON(settings.types).description, settings.isEnabled, settings.isEnabled, id.rawValue,
            ]
        )
        announceDeliveries()
        return try Webhook(id: id, in: db)
    }

    /// Gives a webhook another secret. The one before signs too, for ``secretOverlap``, so that the receiver has time
    /// to change.
    ///
    /// - Returns: Nil where there is no such webhook.
    package func rotateSecret(of id: WebhookID) throws -> WebhookSecret? {
        let secret = WebhookSecret(random: random)
        let found: Int? = try db.value(
            "UPDATE webhook SET earlierSecret = secret, earlierUntil = ?, secret = ? WHERE id = ? RETURNING id",
            [now.addingTimeInterval(Self.secretOverlap).milliseconds, secret.bytes, id.rawValue]
        )
        return found == nil ? nil : secret
    }

    /// Removes a webhook with its pending payloads.
    ///
    /// - Returns: Whether there was one.
    package func removeWebhook(_ id: WebhookID) throws -> Bool {
        let found: Int? = try db.value("DELETE FROM webhook WHERE id = ? RETURNING id", [id.rawValue])
        return found != nil
    }
}
