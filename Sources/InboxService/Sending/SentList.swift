import Foundation
package import GRDB
import Groundwork

/// A part of the list of what was sent, newest first.
package struct SentList: Sendable {
    /// Nil for all.
    var campaign: String?
    /// Nil for all.
    var stage: MessageStage?
    /// From when on messages were sent, in milliseconds.
    var since: Int?
    /// Before when they were sent, in milliseconds.
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

    /// Reads the part: for each stage as much as can be needed from an index, then merged, so that a page costs what it
    /// gives.
    package func read(in db: Database) throws -> SizedPage {
        var list = SizedPage(limit: page.limit)
        let (sql, arguments) = statement(upTo: try end(in: db))
        for id in try Int.fetchAll(db, sql: sql, arguments: arguments) {
            guard let message = try StoredMessage(id: MessageID(rawValue: id), in: db) else { continue }
            let isTaken = list.add(try message.json, size: message.content.utf8.count, cursor: message.id.text)
            guard isTaken else { break }
        }
        return list
    }

    /// The ids, one more than the page has where there are more.
    func statement(upTo end: Place) -> (sql: String, arguments: StatementArguments) {
        var arguments = StatementArguments()
        let index = campaign == nil ? "message_sent" : "message_campaign"
        let parts = (stage.map { [$0] } ?? MessageStage.allCases).map { stage in
            if let campaign { arguments += [campaign] }
            arguments += [stage.rawValue, since ?? Int.min, end.createdAt, end.id, page.limit + 1]
            return """
                SELECT id, createdAt FROM message INDEXED BY \(index)
                WHERE \(campaign == nil ? "" : "campaign = ? AND ")content <> '' AND state = ? AND createdAt >= ?
                    AND (createdAt, id) < (?, ?)
                ORDER BY createdAt DESC, id DESC LIMIT ?
                """
        }
        guard parts.count > 1 else { return (parts.joined(), arguments) }
        arguments += [page.limit + 1]
        let merged = parts.map { "SELECT * FROM (\($0))" }.joined(separator: " UNION ALL ")
        return ("SELECT id FROM (\(merged)) ORDER BY createdAt DESC, id DESC LIMIT ?", arguments)
    }

    /// A place in the list.
    struct Place: Sendable {
        var createdAt: Int
        var id: Int
    }

    /// The place before which the part begins: the cursor, or the end of the time that is asked for.
    private func end(in db: Database) throws -> Place {
        let until = Place(createdAt: until ?? Int.max, id: until == nil ? Int.max : Int.min)
        guard let after = page.after else { return until }
        // What is left of a message that was recalled or erased still says when it was sent.
        let createdAt: Int? = try db.value("SELECT createdAt FROM message WHERE id = ?", [after.rawValue])
        let cursor = Place(createdAt: createdAt ?? after.time, id: after.rawValue)
        return (cursor.createdAt, cursor.id) < (until.createdAt, until.id) ? cursor : until
    }
}
