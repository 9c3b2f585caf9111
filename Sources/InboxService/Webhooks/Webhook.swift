import Foundation
package import Groundwork
import InboxModel

/// A webhook as its owner sees it.
package struct Webhook: Sendable {
    let id: WebhookID
    let url: String
    /// The subscribed types and patterns, a JSON array.
    let types: String
    let isEnabled: Bool
    let isGone: Bool
    let createdAt: Date
    let pending: Int
    let dead: Int

    // PostgreSQL has several rows with counts, so that people whose events arrive at once don't wait for each other.
    fileprivate static let columns: SQLText = "id, url, types, isEnabled, isGone, createdAt, \(pending), \(dead)"

    static let pending = SQLText(sqlite: "pending", postgres: count(of: "pending"))
    static let dead = SQLText(sqlite: "dead", postgres: count(of: "dead"))

    /// Returns PostgreSQL's expression for a webhook's number of pending payloads or dead letters.
    static func count(of column: String) -> String {
        "(SELECT coalesce(sum(c.\(column)), 0)::bigint FROM webhookCount c WHERE c.webhook = webhook.id)"
    }

    /// - Parameter row: A row with ``columns``.
    fileprivate init(row: SQLRow) {
        id = WebhookID(rawValue: row[0])
        (url, types, isEnabled, isGone) = (row[1], row[2], row[3], row[4])
        createdAt = Date(milliseconds: row[5])
        (pending, dead) = (row[6], row[7])
    }

    /// The webhook without its secret, which is shown only when it is created.
    package var json: JSONObject {
        get throws {
            JSONObject([
                ("id", .string(id.text)), ("url", .string(url)), ("types", try JSON(parsing: Array(types.utf8))),
                ("enabled", .bool(isEnabled)), ("gone", .bool(isGone)), ("createdAt", JSON(createdAt)),
                ("pending", JSON(pending)), ("deadLetters", JSON(dead)),
            ])
        }
    }
}

extension ReadTransaction {
    /// Returns a webhook, or nil if it doesn't exist.
    package func webhook(_ id: WebhookID) throws -> Webhook? {
        try db.row("SELECT \(Webhook.columns) FROM webhook WHERE id = ?", [id.rawValue]).map(Webhook.init(row:))
    }

    /// Returns the numbers of pending payloads and of dead letters of all webhooks.
    package func payloadCounts() throws -> (pending: Int, dead: Int) {
        let counts = try db.rows("SELECT \(Webhook.pending), \(Webhook.dead) FROM webhook")
        return counts.reduce((pending: 0, dead: 0)) { sum, row in
            (pending: sum.pending + (row[0] as Int), dead: sum.dead + (row[1] as Int))
        }
    }

    /// Returns all webhooks, oldest first.
    package func webhooks() throws -> [Webhook] {
        try db.rows("SELECT \(Webhook.columns) FROM webhook ORDER BY id")
            .map(Webhook.init(row:))
    }
}

/// The id of a webhook: a number in the tables, `w` and the number on the wire.
package struct WebhookID: Hashable, Sendable {
    let rawValue: Int

    init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Parses an id. Returns nil if the text isn't in the exact form of ``text``.
    package init?(_ text: String) {
        guard text.first == "w", let number = Int(text.dropFirst()), number > 0,
            text.utf8.elementsEqual("w\(number)".utf8)
        else { return nil }
        rawValue = number
    }

    package var text: String { "w\(rawValue)" }
}
