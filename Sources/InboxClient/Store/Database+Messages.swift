import Foundation
package import GRDB
package import InboxModel
import Replica

extension Database {
    package func messages(
        _ filter: MessageFilter,
        surface: String?,
        limit: Int?,
        offset: Int
    ) throws -> [Message] {
        try StoreQuery(Query(limit: limit, offset: offset), in: filter, surface: surface).fetch(self)
    }

    package func message(id: String) throws -> Message? {
        try StoreQuery(Query(where: #Predicate { $0.id == id }), in: .active).fetch(self).first
    }

    package func messageIDs(_ filter: MessageFilter, surface: String?) throws -> [String] {
        try messages(filter, surface: surface, limit: nil, offset: 0).map(\.id)
    }

    package func messageCounts(surface: String?) throws -> MessageCounts {
        let rows = try Row.fetchCursor(
            cachedStatement(
                sql: """
                    SELECT ifnull(sum(total), 0), ifnull(sum(unread), 0), ifnull(sum(unseen), 0), ifnull(sum(snoozed), 0),
                        ifnull(sum(archived), 0)
                    FROM messageCount WHERE surface = :surface OR :surface IS NULL
                    """
            ),
            arguments: ["surface": surface]
        )
        guard let row = try rows.next() else { return MessageCounts() }
        return MessageCounts(total: row[0], unread: row[1], unseen: row[2], snoozed: row[3], archived: row[4])
    }
}
