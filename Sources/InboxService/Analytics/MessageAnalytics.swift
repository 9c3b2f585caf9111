package import Groundwork

/// The number of people that a message has reached, for each step.
///
/// These are running totals, so reading them takes the same time for any number of people.
package struct MessageAnalytics: Sendable {
    let id: MessageID
    /// The number of recipients. Nil for a broadcast.
    let sent: Int?
    var delivered = 0
    var seen = 0
    var read = 0
    var clicked = 0
    /// The number of clicks, not of people, by action.
    var clicksByAction: [(action: String, clicks: Int)] = []

    package var json: JSON {
        [
            "id": .string(id.text),
            "audience": sent == nil ? "everyone" : "people",
            "sent": sent.map { JSON($0) } ?? .null,
            "delivered": JSON(delivered),
            "seen": JSON(seen),
            "read": JSON(read),
            "clicked": JSON(clicked),
            "clicksByAction": .object(JSONObject(clicksByAction.map { ($0.action, JSON($0.clicks)) })),
        ]
    }
}

extension ReadTransaction {
    /// Returns the totals of a message, or nil if there never was such a message. A recalled message keeps its totals.
    package func analytics(of id: MessageID) throws -> MessageAnalytics? {
        guard let message = try db.row("SELECT recipients FROM message WHERE id = ?", [id.rawValue]) else { return nil }
        var totals = MessageAnalytics(id: id, sent: message[0])
        if let row = try db.row(Self.totals, [id.rawValue]) {
            (totals.delivered, totals.seen, totals.read, totals.clicked) = (row[0], row[1], row[2], row[3])
        }
        totals.clicksByAction = try db.rows(Self.clicks, [id.rawValue]).map { ($0[0], $0[1]) }
        return totals
    }

    // PostgreSQL has several rows for a message, so that the people who read a broadcast at once don't wait for each
    // other.
    private static let totals = SQLText(
        sqlite: "SELECT delivered, seen, read, clicked FROM figure WHERE message = ?",
        postgres: """
            SELECT sum(delivered)::bigint, sum(seen)::bigint, sum(read)::bigint, sum(clicked)::bigint FROM figure
            WHERE message = ? HAVING count(*) > 0
            """
    )

    private static let clicks = SQLText(
        sqlite: "SELECT action, clicks FROM actionFigure WHERE message = ? ORDER BY action",
        postgres: "SELECT action, sum(clicks)::bigint FROM actionFigure WHERE message = ? GROUP BY 1 ORDER BY 1"
    )
}
