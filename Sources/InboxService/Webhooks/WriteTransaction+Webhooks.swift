import Foundation
import Groundwork

/// The limit of webhooks is reached. There is one because each write reads all of them.
package struct TooManyWebhooksError: Error {
    package static let limit = 20
}

extension WriteTransaction {
    /// The time in seconds for which the previous secret also signs after a rotation.
    static let secretOverlap: TimeInterval = 86_400

    /// Adds a webhook.
    ///
    /// - Returns: The webhook and its secret.
    /// - Throws: ``TooManyWebhooksError``.
    package func addWebhook(_ settings: WebhookSettings) throws -> (webhook: Webhook, secret: WebhookSecret) {
        db.lock(name: "webhooks")
        let count: Int = try db.value("SELECT count(*) FROM webhook") ?? 0
        guard count < TooManyWebhooksError.limit else { throw TooManyWebhooksError() }
        let secret = WebhookSecret(random: random)
        let id: Int? = try db.value(
            SQLText(
                sqlite: """
                    INSERT INTO webhook (url, types, isEnabled, isGone, secret, pausedUntil, createdAt, pending, dead)
                    VALUES (?, ?, ?, false, ?, 0, ?, 0, 0) RETURNING id
                    """,
                postgres: """
                    INSERT INTO webhook (url, types, isEnabled, isGone, secret, pausedUntil, createdAt)
                    VALUES (?, ?, ?, false, ?, 0, ?) RETURNING id
                    """
            ),
            [settings.url, JSON(settings.types).description, settings.isEnabled, secret.bytes, now.milliseconds]
        )
        guard let id, let webhook = try reading.webhook(WebhookID(rawValue: id)) else { throw RecordNotFoundError() }
        return (webhook, secret)
    }

    /// Replaces a webhook's settings. Pending payloads go to the new URL, and a pause that the old receiver requested
    /// ends.
    ///
    /// - Returns: The webhook, or nil if it doesn't exist.
    package func replaceWebhook(_ id: WebhookID, with settings: WebhookSettings) throws -> Webhook? {
        try db.run(
            """
            UPDATE webhook SET url = ?, types = ?, isEnabled = ?, isGone = isGone AND NOT ?, pausedUntil = 0
            WHERE id = ?
            """,
            [
                settings.url, JSON(settings.types).description, settings.isEnabled, settings.isEnabled, id.rawValue,
            ]
        )
        announceDeliveries()
        return try reading.webhook(id)
    }

    /// Replaces a webhook's secret. The previous secret also signs for ``secretOverlap``, so that the receiver has time
    /// to switch.
    ///
    /// - Returns: The new secret, or nil if the webhook doesn't exist.
    package func rotateSecret(of id: WebhookID) throws -> WebhookSecret? {
        let secret = WebhookSecret(random: random)
        let found: Int? = try db.value(
            "UPDATE webhook SET earlierSecret = secret, earlierUntil = ?, secret = ? WHERE id = ? RETURNING id",
            [now.addingTimeInterval(Self.secretOverlap).milliseconds, secret.bytes, id.rawValue]
        )
        return found == nil ? nil : secret
    }

    /// Deletes a webhook with its pending payloads.
    ///
    /// - Returns: Whether the webhook existed.
    package func removeWebhook(_ id: WebhookID) throws -> Bool {
        // No other server adds a payload meanwhile, or afterwards.
        db.lock("SELECT 1 FROM webhook WHERE id = ? FOR UPDATE", [id.rawValue])
        // SQLite deletes the payloads with the webhook.
        try db.run("DELETE FROM outbox WHERE webhook = ?", [id.rawValue])
        #if PostgreSQL
            if case .postgres = db { try db.run("DELETE FROM webhookCount WHERE webhook = ?", [id.rawValue]) }
        #endif
        let found: Int? = try db.value("DELETE FROM webhook WHERE id = ? RETURNING id", [id.rawValue])
        return found != nil
    }
}
