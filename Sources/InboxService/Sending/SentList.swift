import Foundation
import Groundwork

/// A page of the list of sent messages, newest first.
package struct SentList: Sendable {
    /// The campaign, or nil for all.
    var campaign: String?
    /// The stage, or nil for all.
    var stage: MessageStage?
    /// The start of the interval in which the messages were sent, in milliseconds.
    var since: Int?
    /// The end of the interval, exclusive, in milliseconds.
    var until: Int?
    var page: Page<MessageID>

    package init(
        campaign: String? = nil,
        stage: MessageStage? = nil,
        since: Int? = nil,
        until: Int? = nil,
        page: Page<MessageID>
    ) {
        self.campaign = campaign
        self.stage = stage
        self.since = since
        self.until = until
        self.page = page
    }

    /// Returns the query for the ids of the page, and for one more id if there are more. For each stage, at most
    /// `limit + 1` ids are read from an index and then merged, so that the cost depends on the size of the page.
    func statement(upTo end: Place) -> (sql: SQLText, arguments: SQLArguments) {
        var arguments = SQLArguments()
        let index = campaign == nil ? "message_sent" : "message_campaign"
        let parts: [SQLText] = (stage.map { [$0] } ?? MessageStage.allCases).map { stage in
            if let campaign { arguments += [campaign] }
            arguments += [stage.rawValue, since ?? Int.min, end.createdAt, end.id, page.limit + 1]
            return """
                SELECT id, createdAt FROM message INDEXED BY \(index)
                WHERE \(campaign == nil ? "" : "campaign = ? AND ")content <> '' AND state = ? AND createdAt >= ?
                    AND (createdAt, id) < (?, ?)
                ORDER BY createdAt DESC, id DESC LIMIT ?
                """
        }
        guard parts.count > 1 else { return (.joined(parts), arguments) }
        arguments += [page.limit + 1]
        let merged = SQLText.joined(parts.map { "SELECT * FROM (\($0)) AS part" }, separator: " UNION ALL ")
        return ("SELECT id FROM (\(merged)) AS merged ORDER BY createdAt DESC, id DESC LIMIT ?", arguments)
    }

    /// A position in the list.
    struct Place: Sendable {
        var createdAt: Int
        var id: Int
    }

    /// Returns the exclusive upper bound of the page: the cursor, or the end of the interval.
    fileprivate func end(in db: SQLConnection) throws -> Place {
        let until = Place(createdAt: until ?? Int.max, id: until == nil ? Int.max : Int.min)
        guard let after = page.after else { return until }
        // The row of a recalled or erased message still has its creation date.
        let createdAt: Int? = try db.value("SELECT createdAt FROM message WHERE id = ?", [after.rawValue])
        let cursor = Place(createdAt: createdAt ?? after.time, id: after.rawValue)
        return (cursor.createdAt, cursor.id) < (until.createdAt, until.id) ? cursor : until
    }
}

extension ReadTransaction {
    /// Returns a page of the list of sent messages.
    package func sentMessages(_ list: SentList) throws -> SizedPage {
        var page = SizedPage(limit: list.page.limit)
        let (sql, arguments) = list.statement(upTo: try list.end(in: db))
        let ids: [Int] = try db.values(sql, arguments)
        for id in ids {
            guard let message = try message(MessageID(rawValue: id)) else { continue }
            let isTaken = page.add(try message.json, size: message.content.utf8.count, cursor: message.id.text)
            guard isTaken else { break }
        }
        return page
    }
}
