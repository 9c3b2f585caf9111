import Foundation
import Groundwork
import InboxModel

/// The limits of each webhook's outbox.
package enum OutboxLimits {
    /// The maximum number of pending payloads. Beyond it, the oldest of the person with the most become dead letters.
    static let pending = 100_000
    /// The maximum number of dead letters. Beyond it, the oldest of the person with the most are deleted.
    package static let dead = 10_000
    /// The number of payloads that are evicted at once, so that not every further payload needs a search for the person
    /// with the most.
    static let evicted = 1_000
    /// The time for which a payload is kept, delivered or not, in seconds.
    static let lifetime: TimeInterval = 30 * 86_400
}

extension WriteTransaction {
    /// Adds a payload to the outbox of each subscribed webhook, in the transaction of the change.
    ///
    /// - Parameters:
    ///   - source: The source of the change. It is reported for changes of a message only; an event is always the
    ///     person's.
    ///   - detail: An additional member of the payload.
    func notifyWebhooks(
        of type: WebhookType,
        person: Person,
        message: MessageID,
        source: ChangeSource = .person,
        detail: (name: String, value: JSON)? = nil
    ) throws {
        let webhooks: [Int] = try db.values(Self.subscribed, [type.name, type.group, WebhookType.all])
        guard !webhooks.isEmpty else { return }
        let id = SortableID.make(at: now, random: random)
        var payload = JSONObject([
            ("id", .string(id)), ("type", .string(type.name)), ("timestamp", JSON(now)),
            ("person", .string(person.name)), ("message", .string(message.text)),
        ])
        if !type.isEvent { payload.add("source", .string(source.rawValue)) }
        if let detail { payload.add(detail.name, detail.value) }
        let body = JSON.object(payload).description
        for webhook in webhooks {
            try db.run(
                """
                INSERT INTO outbox (webhook, event, person, type, body, createdAt, attempts, nextAt)
                VALUES (?, ?, ?, ?, ?, ?, 0, ?)
                """,
                [webhook, id, person.id, type.name, body, now.milliseconds, now.milliseconds]
            )
            try enforceLimits(of: webhook)
        }
        announceDeliveries()
    }

    private static let subscribed = SQLText(
        sqlite: """
            SELECT id FROM webhook
            WHERE isEnabled AND EXISTS (SELECT 1 FROM json_each(types) WHERE value IN (?, ?, ?))
            """,
        postgres: """
            SELECT id FROM webhook
            WHERE isEnabled AND EXISTS (
                SELECT 1 FROM json_array_elements_text(types::json) AS type (value) WHERE value IN (?, ?, ?)
            )
            ORDER BY id FOR KEY SHARE
            """
    )

    /// Reports each of a person's dates that was set, moved or removed.
    func notifyWebhooks(
        ofDates earlier: PersonalDates,
        becoming dates: PersonalDates,
        person: Person,
        message: MessageID,
        source: ChangeSource = .person
    ) throws {
        for field in MessageField.personal where earlier[field] != dates[field] {
            try notifyWebhooks(
                of: .changed(field, isSet: dates[field] != nil),
                person: person,
                message: message,
                source: source,
                detail: dates[field].map { ("date", JSON(Date(milliseconds: $0))) }
            )
        }
    }

    /// Deletes the dead letters of a webhook that are above the limit.
    func dropDeadLetters(of webhook: Int) throws {
        let dead: Int = try db.value("SELECT \(Webhook.dead) FROM webhook WHERE id = ?", [webhook]) ?? 0
        guard dead > OutboxLimits.dead else { return }
        try db.run(
            SQLText(
                sqlite: "DELETE FROM outbox WHERE id IN (SELECT value FROM json_each(?1)) AND webhook = ?2",
                postgres: "DELETE FROM outbox WHERE id = ANY(?1) AND webhook = ?2 AND diedAt IS NOT NULL"
            ),
            [try evicted(of: webhook, where: "diedAt IS NOT NULL", dead - OutboxLimits.dead), webhook]
        )
    }

    private func enforceLimits(of webhook: Int) throws {
        let pending: Int = try db.value("SELECT \(Webhook.pending) FROM webhook WHERE id = ?", [webhook]) ?? 0
        guard pending > OutboxLimits.pending else { return }
        try db.run(
            SQLText(
                sqlite: """
                    UPDATE outbox SET diedAt = ?1, reason = 'overflow'
                    WHERE id IN (SELECT value FROM json_each(?2)) AND webhook = ?3
                    """,
                postgres: """
                    UPDATE outbox SET diedAt = ?1, reason = 'overflow'
                    WHERE id = ANY(?2) AND webhook = ?3 AND diedAt IS NULL
                    """
            ),
            [
                now.milliseconds, try evicted(of: webhook, where: "diedAt IS NULL", pending - OutboxLimits.pending),
                webhook,
            ]
        )
        try dropDeadLetters(of: webhook)
    }

    /// Locks and returns the payloads to evict if a webhook has too many: the oldest of the person with the most, so
    /// that one person's events don't evict another's. If no person has many, the oldest of all.
    ///
    /// - Parameters:
    ///   - condition: The condition on the considered payloads: pending ones or dead letters.
    ///   - needed: The minimum number. More are evicted at once.
    /// - Returns: Their numbers.
    private func evicted(of webhook: Int, where condition: String, _ needed: Int) throws -> [Int] {
        let most = try db.row(
            """
            SELECT person, count(*), CAST(sum(count(*)) OVER () AS bigint) FROM outbox
            WHERE webhook = ? AND \(condition)
            GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 1
            """,
            [webhook]
        )
        let (count, all): (Int, Int) = (most?[1] ?? 0, most?[2] ?? 0)
        var arguments: SQLArguments = [webhook]
        var person = ""
        if let most, count > OutboxLimits.evicted / 10 {
            person = "AND person = ?"
            arguments += [most[0] as Int]
        }
        // The person keeps half of them: after that, another person may have the most.
        arguments += [max(needed, min(OutboxLimits.evicted, person.isEmpty ? all / 100 : count / 2))]
        let text = "SELECT id FROM outbox WHERE webhook = ? AND \(condition) \(person) ORDER BY id LIMIT ?"
        // Who has locked others may wait for these.
        return try db.values(SQLText(sqlite: text, postgres: text + " FOR UPDATE SKIP LOCKED"), arguments)
    }
}
