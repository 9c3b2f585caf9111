package import Foundation
import Groundwork

/// A payload that is due, with its destination.
package struct WebhookDelivery: Sendable {
    /// The number in the outbox.
    package let outbox: Int
    package let webhook: Int
    package let url: String
    /// The secrets that sign, the current one first.
    package let secrets: [WebhookSecret]
    /// The id of the payload.
    package let event: String
    package let body: String
    /// The number of attempts so far.
    package let attempts: Int
}

/// The due deliveries, and the time of the next check.
package struct DueDeliveries: Sendable {
    package var deliveries: [WebhookDelivery] = []
    /// The time of the next check; nil if none is needed before a change.
    package var next: Date?

    /// The maximum number of concurrent deliveries per webhook.
    static let perWebhook = 4

    /// Creates an empty value with the time of the next check.
    package init(next: Date? = nil) {
        self.next = next
    }

    fileprivate mutating func scheduleCheck(at time: Int) {
        let time = Date(milliseconds: time)
        next = next.map { min($0, time) } ?? time
    }
}

extension ReadTransaction {
    /// Returns the due deliveries of each webhook with pending payloads, the longest due first.
    ///
    /// - Parameter running: The outbox numbers of running deliveries, by webhook.
    package func dueDeliveries(at now: Date, running: [Int: Set<Int>]) throws -> DueDeliveries {
        let webhooks = try db.rows(
            """
            SELECT id, url, secret, CASE WHEN earlierUntil > ? THEN earlierSecret END, pausedUntil FROM webhook
            WHERE isEnabled AND \(Webhook.pending) > 0
            """,
            [now.milliseconds]
        )
        var due = DueDeliveries()
        for webhook in webhooks {
            let pausedUntil: Int = webhook[4]
            guard pausedUntil <= now.milliseconds else {
                due.scheduleCheck(at: pausedUntil)
                continue
            }
            try add(webhook, running: running[webhook[0]] ?? [], now: now.milliseconds, to: &due)
        }
        return due
    }

    private func add(_ webhook: SQLRow, running: Set<Int>, now: Int, to due: inout DueDeliveries) throws {
        let rows = try db.rows(
            """
            SELECT id, event, body, attempts, nextAt FROM outbox INDEXED BY outbox_next
            WHERE webhook = ? AND diedAt IS NULL ORDER BY nextAt, id LIMIT ?
            """,
            [webhook[0] as Int, DueDeliveries.perWebhook + 1]
        )
        let secrets = [webhook[2] as Data?, webhook[3] as Data?].compactMap { $0 }.map(WebhookSecret.init(bytes:))
        var room = DueDeliveries.perWebhook - running.count
        for row in rows where !running.contains(row[0]) {
            let nextAt: Int = row[4]
            guard nextAt <= now else { return due.scheduleCheck(at: nextAt) }
            guard room > 0 else { return }
            room -= 1
            due.deliveries.append(
                WebhookDelivery(
                    outbox: row[0],
                    webhook: webhook[0],
                    url: webhook[1],
                    secrets: secrets,
                    event: row[1],
                    body: row[2],
                    attempts: row[3]
                )
            )
        }
    }
}

extension WriteTransaction {
    /// Stores the decision after an attempt. A payload that was deleted meanwhile stays deleted.
    package func finish(_ delivery: WebhookDelivery, _ decision: DeliveryMachine.Decision) throws {
        switch decision {
        case .delivered:
            try db.run("DELETE FROM outbox WHERE id = ?", [delivery.outbox])
        case .retry(let time, let pausedUntil, let reason):
            try db.run(
                "UPDATE outbox SET attempts = ?, nextAt = ?, reason = ? WHERE id = ? AND diedAt IS NULL",
                [delivery.attempts + 1, time.milliseconds, reason, delivery.outbox]
            )
            guard let pausedUntil else { return }
            try db.run(
                "UPDATE webhook SET pausedUntil = ?1 WHERE id = ?2 AND url = ?3 AND pausedUntil < ?1",
                [pausedUntil.milliseconds, delivery.webhook, delivery.url]
            )
        case .dead(let reason):
            try endAttempts(delivery, reason: reason)
        case .gone(let reason):
            try endAttempts(delivery, reason: reason)
            // Unless its URL was changed meanwhile.
            try db.run(
                "UPDATE webhook SET isEnabled = false, isGone = true WHERE id = ? AND url = ?",
                [delivery.webhook, delivery.url]
            )
        }
    }

    private func endAttempts(_ delivery: WebhookDelivery, reason: String) throws {
        try db.run("UPDATE outbox SET attempts = ? WHERE id = ?", [delivery.attempts + 1, delivery.outbox])
        try makeDeadLetter(delivery.outbox, of: delivery.webhook, reason: reason)
    }
}
