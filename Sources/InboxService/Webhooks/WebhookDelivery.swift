package import Foundation
import Groundwork

/// A payload that is due, with its destination.
package struct WebhookDelivery: Sendable {
    /// The number in the outbox.
    package let outbox: Int
    /// The number of the person.
    let person: Int
    /// The time of the next attempt, as stored in the outbox. If it has changed later, another server has claimed the
    /// delivery.
    fileprivate(set) var nextAt: Int
    package let webhook: Int
    package let url: String
    /// The secrets that sign, the current one first.
    package let secrets: [WebhookSecret]
    /// The id of the payload.
    package let event: String
    package let body: String
    /// The number of attempts so far.
    package let attempts: Int
    /// The time at which it was read.
    var readAt = ContinuousClock.now

    /// Whether its claim lasts for a number of seconds, if several servers share the database.
    package func isClaimed(at now: Date, for seconds: Double) -> Bool {
        nextAt >= now.addingTimeInterval(seconds).milliseconds
    }

    /// Whether it was read so long ago that another server may have ended its claim meanwhile, since it took this one
    /// for dead (``WriteTransaction/claimAgain(_:)``).
    package var mayBeLost: Bool { ContinuousClock.now - readAt > .seconds(1) }
}

/// The due deliveries, and the time of the next check.
package struct DueDeliveries: Sendable {
    package var deliveries: [WebhookDelivery] = []
    /// The time of the next check; nil if none is needed before a change.
    package var next: Date?

    /// The maximum number of concurrent deliveries per webhook.
    static let perWebhook = 4
    /// The time in seconds after which a payload is tried again whose server has died, if several share the database.
    /// It is longer than a receiver's response may take.
    static let lease: TimeInterval = 60
    /// The time in seconds after which due payloads are looked for again that another server has locked.
    fileprivate static let pause: TimeInterval = 1

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
    /// - Parameter running: The running deliveries.
    package func dueDeliveries(at now: Date, running: [WebhookDelivery]) throws -> DueDeliveries {
        var due = DueDeliveries()
        for webhook in try deliverableWebhooks(at: now, &due) {
            let id: Int = webhook[0]
            let numbers = running.filter { $0.webhook == id }.map(\.outbox)
            try add(webhook, running: Set(numbers), now: now.milliseconds, to: &due)
        }
        return due
    }

    /// Returns the webhooks with pending payloads that aren't paused.
    ///
    /// - Parameter due: Receives the ends of the pauses.
    fileprivate func deliverableWebhooks(at now: Date, _ due: inout DueDeliveries) throws -> [SQLRow] {
        let webhooks = try db.rows(
            """
            SELECT id, url, secret, CASE WHEN earlierUntil > ? THEN earlierSecret END, pausedUntil FROM webhook
            WHERE isEnabled AND \(Webhook.pending) > 0
            """,
            [now.milliseconds]
        )
        return webhooks.filter { webhook in
            let pausedUntil: Int = webhook[4]
            if pausedUntil > now.milliseconds { due.scheduleCheck(at: pausedUntil) }
            return pausedUntil <= now.milliseconds
        }
    }

    private func add(_ webhook: SQLRow, running: Set<Int>, now: Int, to due: inout DueDeliveries) throws {
        let rows = try db.rows(
            """
            SELECT id, event, body, attempts, nextAt, person FROM outbox INDEXED BY outbox_next
            WHERE webhook = ? AND diedAt IS NULL ORDER BY nextAt, id LIMIT ?
            """,
            [webhook[0] as Int, DueDeliveries.perWebhook + 1]
        )
        var room = DueDeliveries.perWebhook - running.count
        for row in rows where !running.contains(row[0]) {
            let nextAt: Int = row[4]
            guard nextAt <= now else { return due.scheduleCheck(at: nextAt) }
            guard room > 0 else { return }
            room -= 1
            due.deliveries.append(WebhookDelivery(of: webhook, row: row))
        }
    }
}

extension WebhookDelivery {
    /// The condition that a delivery is still this server's, with the person, the number and the time as the next three
    /// parameters. It locks nothing.
    fileprivate static let isPending: SQLText = """
        EXISTS (SELECT 1 FROM outbox WHERE person = ? AND id = ? AND nextAt = ? AND diedAt IS NULL)
        """

    fileprivate init(of webhook: SQLRow, row: SQLRow) {
        let secrets = [webhook[2] as Data?, webhook[3] as Data?].compactMap { $0 }.map(WebhookSecret.init(bytes:))
        self.init(
            outbox: row[0],
            person: row[5],
            nextAt: row[4],
            webhook: webhook[0],
            url: webhook[1],
            secrets: secrets,
            event: row[1],
            body: row[2],
            attempts: row[3]
        )
    }
}

extension WriteTransaction {
    /// Returns due deliveries as ``ReadTransaction/dueDeliveries(at:running:)`` does, and keeps them from other servers
    /// for ``DueDeliveries/lease``, or until this server dies.
    ///
    /// - Parameter running: The running deliveries of this server, all of them.
    package func claimDueDeliveries(running: [WebhookDelivery]) throws -> DueDeliveries {
        var due = DueDeliveries()
        for webhook in try reading.deliverableWebhooks(at: now, &due) {
            let id: Int = webhook[0]
            let room = max(DueDeliveries.perWebhook - running.count { $0.webhook == id }, 0)
            let lease = now.addingTimeInterval(DueDeliveries.lease).milliseconds
            let rows = try db.rows(
                """
                SELECT id, event, body, attempts, ?1, person FROM outbox
                WHERE webhook = ?2 AND diedAt IS NULL AND nextAt <= ?3
                ORDER BY nextAt, id LIMIT ?4 FOR UPDATE SKIP LOCKED
                """,
                [lease, id, now.milliseconds, room]
            )
            for row in rows {
                let delivery = WebhookDelivery(of: webhook, row: row)
                due.deliveries.append(delivery)
                // One by one: a join with all partitions takes longer to plan than these take.
                try db.run(
                    "UPDATE outbox SET nextAt = ? WHERE person = ? AND id = ?",
                    [lease, delivery.person, delivery.outbox]
                )
            }
            // With room left, what is due is another server's, which may be killed before it has claimed it.
            let next: Int? = try db.value(
                """
                SELECT nextAt FROM outbox WHERE webhook = ? AND diedAt IS NULL AND nextAt > ? ORDER BY nextAt LIMIT 1
                """,
                [id, rows.count < room ? Int.min : now.milliseconds]
            )
            let soon = now.addingTimeInterval(DueDeliveries.pause).milliseconds
            // At the latest when the claims of a server end that may be claiming right now.
            due.scheduleCheck(at: next.map { $0 <= now.milliseconds ? soon : min($0, lease) } ?? lease)
        }
        if !due.deliveries.isEmpty {
            // A delivery that has ended by then has another time, or its row is deleted.
            let claims = (running + due.deliveries).flatMap { [$0.person, $0.outbox, $0.nextAt] }
            try db.run("UPDATE node SET claims = ? WHERE id = ?", [claims, slot])
        }
        return due
    }

    /// Claims a delivery of this server for another ``DueDeliveries/lease``, unless it was deleted, or another server
    /// has ended the claim or is about to.
    ///
    /// A read wouldn't do: it doesn't see what another server is committing, and behind the lock of a table it has a
    /// snapshot from before it waited. After this change, others that take this server for dead don't find the claim
    /// that they know of, and leave the payload alone until the new one ends.
    ///
    /// - Returns: The delivery with its new claim. Nil if it isn't this server's any more.
    package func claimAgain(_ delivery: WebhookDelivery) throws -> WebhookDelivery? {
        var again = delivery
        again.readAt = .now
        again.nextAt = max(now.addingTimeInterval(DueDeliveries.lease).milliseconds, delivery.nextAt + 1)
        let count = try db.changed(
            "UPDATE outbox SET nextAt = ?1 WHERE \(Self.claimed)",
            [again.nextAt, delivery.person, delivery.outbox, delivery.nextAt]
        )
        return count == 1 ? again : nil
    }

    /// Leaves a claimed delivery to other servers, since this one stops.
    package func release(_ delivery: WebhookDelivery) throws {
        try db.run(
            "UPDATE outbox SET nextAt = ?1 WHERE \(Self.claimed)",
            [now.milliseconds, delivery.person, delivery.outbox, delivery.nextAt]
        )
        announceDeliveries()
    }

    /// The condition that a delivery is still this server's. Its first parameter is the second of the statement.
    fileprivate static let claimed: SQLText = "\(unlocked) AND nextAt = ?4 AND diedAt IS NULL"

    /// The condition on the payload of the person `?2` with the number `?3`. One that another transaction has locked
    /// isn't waited for: that one may wait for others that this transaction has locked.
    fileprivate static let unlocked = SQLText(
        sqlite: "person = ?2 AND id = ?3",
        postgres: """
            person = ?2
                AND id = (SELECT o.id FROM outbox o WHERE o.person = ?2 AND o.id = ?3 FOR UPDATE SKIP LOCKED)
            """
    )
}

extension DeliveryMachine.Decision {
    /// The scope of the write that stores it. The row of a webhook is locked before its payloads.
    package var scope: WriteScope {
        switch self {
        case .gone, .retry(at: _, pausedUntil: .some, reason: _): .shared
        case .delivered, .retry, .dead: .independent
        }
    }
}

extension WriteTransaction {
    /// Stores the decision after an attempt, in a write of its ``DeliveryMachine/Decision/scope``. A payload that was
    /// deleted meanwhile stays deleted. Of one that isn't this server's any more only a success counts: the answer may
    /// be as old as a pause of this server, and the webhook be another by now.
    ///
    /// It isn't stored while another transaction has locked the payload (``ReadTransaction/isStored(_:of:)``).
    package func finish(_ delivery: WebhookDelivery, _ decision: DeliveryMachine.Decision) throws {
        switch decision {
        case .delivered:
            try db.run(
                "DELETE FROM outbox WHERE webhook = ?1 AND \(Self.unlocked)",
                [delivery.webhook, delivery.person, delivery.outbox]
            )
        case .retry(let time, let pausedUntil, let reason):
            if let pausedUntil {
                try db.run(
                    """
                    UPDATE webhook SET pausedUntil = ?1
                    WHERE id = ?2 AND url = ?3 AND pausedUntil < ?1 AND \(WebhookDelivery.isPending)
                    """,
                    [
                        pausedUntil.milliseconds, delivery.webhook, delivery.url, delivery.person, delivery.outbox,
                        delivery.nextAt,
                    ]
                )
            }
            try db.run(
                "UPDATE outbox SET attempts = ?1, nextAt = ?5, reason = ?6 WHERE \(Self.claimed)",
                [
                    delivery.attempts + 1, delivery.person, delivery.outbox, delivery.nextAt, time.milliseconds,
                    reason,
                ]
            )
            // Other servers wait for the next attempt.
            announceDeliveries()
        case .dead(let reason):
            try endAttempts(delivery, reason: reason)
        case .gone(let reason):
            // Unless its URL was changed meanwhile.
            try db.run(
                """
                UPDATE webhook SET isEnabled = false, isGone = true
                WHERE id = ? AND url = ? AND \(WebhookDelivery.isPending)
                """,
                [delivery.webhook, delivery.url, delivery.person, delivery.outbox, delivery.nextAt]
            )
            try endAttempts(delivery, reason: reason)
        }
    }

    private func endAttempts(_ delivery: WebhookDelivery, reason: String) throws {
        try db.run(
            "UPDATE outbox SET attempts = ?1, diedAt = ?5, reason = ?6 WHERE \(Self.claimed)",
            [delivery.attempts + 1, delivery.person, delivery.outbox, delivery.nextAt, now.milliseconds, reason]
        )
        try dropDeadLetters(of: delivery.webhook)
    }
}

extension ReadTransaction {
    /// Returns whether a decision that was to be stored is stored, or must not be: a payload that was delivered is
    /// gone, and another one isn't in its attempt any more. Not if another transaction had locked the payload.
    ///
    /// It is asked after the commit. In the write, it would be a round trip to PostgreSQL for each result, in which all
    /// other writes wait.
    package func isStored(_ decision: DeliveryMachine.Decision, of delivery: WebhookDelivery) throws -> Bool {
        if case .delivered = decision {
            let place: SQLArguments = [delivery.person, delivery.outbox]
            return try db.row("SELECT 1 FROM outbox WHERE person = ? AND id = ?", place) == nil
        }
        // The next attempt may be due at the time at which the claim ends.
        let row = try db.row(
            "SELECT 1 FROM outbox WHERE person = ? AND id = ? AND nextAt = ? AND attempts = ? AND diedAt IS NULL",
            [delivery.person, delivery.outbox, delivery.nextAt, delivery.attempts]
        )
        return row == nil
    }
}
