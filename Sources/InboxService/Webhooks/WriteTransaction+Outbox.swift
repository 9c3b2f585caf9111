import Foundation
import GRDB
import Groundwork
import InboxModel

/// The bounds of what waits for webhooks, for each of them.
package enum OutboxLimits {
    /// How many payloads wait; past that the oldest of the person with most become dead letters.
    static let pending = 100_000
    /// How many dead letters are kept; past that the oldest of the person with most are dropped.
    package static let dead = 10_000
    /// How many go at once then, so that not each further payload has to look for the person with most.
    static let evicted = 1_000
    /// How long a payload is kept, delivered or not, in seconds.
    static let lifetime: TimeInterval = 30 * 86_400
}

extension WriteTransaction {
    /// Puts a payload into the outbox of each webhook that wants to hear of it, in the transaction that makes it true.
    ///
    /// - Parameters:
    ///   - source: Whose doing it was. Said of what becomes of a message; an event is always the person's.
    ///   - detail: What there is to say beyond who and which message.
    func notifyWebhooks(
        of type: WebhookType,
        person: Person,
        message: MessageID,
        source: ChangeSource = .person,
        detail: (name: String, value: JSON)? = nil
    ) throws {
        let webhooks = try Int.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT id FROM webhook
                    WHERE isEnabled AND EXISTS (SELECT 1 FROM json_each(types) WHERE value IN (?, ?, ?))
                    """
            ),
            arguments: [type.name, type.group, WebhookType.all]
        )
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
            try keepWithinLimits(webhook)
        }
        announceDeliveries()
    }

    /// Reports each of a person's dates that was set, moved or removed.
    func notifyWebhooks(
        ofDates earlier: [Int?],
        becoming dates: [Int?],
        person: Person,
        message: MessageID,
        source: ChangeSource = .person
    ) throws {
        for (place, field) in MessageField.personal.enumerated() where earlier[place] != dates[place] {
            try notifyWebhooks(
                of: .changed(field, isSet: dates[place] != nil),
                person: person,
                message: message,
                source: source,
                detail: dates[place].map { ("date", JSON(Date(milliseconds: $0))) }
            )
        }
    }

    /// Ends the attempts to deliver a payload: it becomes a dead letter.
    ///
    /// - Parameter outbox: Its number in the outbox.
    func bury(_ outbox: Int, of webhook: Int, reason: String) throws {
        try db.run(
            "UPDATE outbox SET diedAt = ?, reason = ? WHERE id = ? AND diedAt IS NULL",
            [now.milliseconds, reason, outbox]
        )
        try dropDeadLetters(of: webhook)
    }

    private func dropDeadLetters(of webhook: Int) throws {
        let dead: Int = try db.value("SELECT dead FROM webhook WHERE id = ?", [webhook]) ?? 0
        guard dead > OutboxLimits.dead else { return }
        try db.run(
            "DELETE FROM outbox WHERE id IN (SELECT value FROM json_each(?))",
            [try evicted(of: webhook, where: "diedAt IS NOT NULL", dead - OutboxLimits.dead)]
        )
    }

    private func keepWithinLimits(_ webhook: Int) throws {
        let pending: Int = try db.value("SELECT pending FROM webhook WHERE id = ?", [webhook]) ?? 0
        guard pending > OutboxLimits.pending else { return }
        try db.run(
            "UPDATE outbox SET diedAt = ?, reason = 'overflow' WHERE id IN (SELECT value FROM json_each(?))",
            [now.milliseconds, try evicted(of: webhook, where: "diedAt IS NULL", pending - OutboxLimits.pending)]
        )
        try dropDeadLetters(of: webhook)
    }

    /// Returns the payloads to delete if a webhook has too many: the oldest of the person with the most, so that one
    /// person's events don't evict another's. If no person has many, the oldest of all.
    ///
    /// - Parameters:
    ///   - condition: Which payloads are considered: pending ones or dead letters.
    ///   - needed: The number that has to be deleted. More are deleted at once.
    /// - Returns: Their numbers, as a JSON array.
    private func evicted(of webhook: Int, where condition: String, _ needed: Int) throws -> String {
        let most = try db.row(
            """
            SELECT person, count(*), sum(count(*)) OVER () FROM outbox WHERE webhook = ? AND \(condition)
            GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 1
            """,
            [webhook]
        )
        let (count, all): (Int, Int) = (most?[1] ?? 0, most?[2] ?? 0)
        var arguments: StatementArguments = [webhook]
        var person = ""
        if let most, count > OutboxLimits.evicted / 10 {
            person = "AND person = ?"
            arguments += [most[0] as Int]
        }
        // The person keeps half: the next one with most may be another.
        arguments += [max(needed, min(OutboxLimits.evicted, person.isEmpty ? all / 100 : count / 2))]
        let ids = try Int.fetchAll(
            db.cachedStatement(
                sql: "SELECT id FROM outbox WHERE webhook = ? AND \(condition) \(person) ORDER BY id LIMIT ?"
            ),
            arguments: arguments
        )
        return "[" + ids.map(String.init).joined(separator: ",") + "]"
    }
}
